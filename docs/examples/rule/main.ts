/**
 * A trading rule, and what must hold of it for any chain: drawn chains find what examples forget, such as a contract without a bid. With a
 * test runner each law is a test: `it(law.name, () => Law.check(law))`.
 */
import { ColumnTable, OptionChain } from "@effect-marketdata/core"
import { Chains, Law } from "@effect-marketdata/testing"
import { Result } from "effect"

/** Sell the call with the highest bid among those that cost no more than five cents to close at once. */
const rule = (chain: OptionChain.OptionChain): number | undefined => {
  let best: { readonly row: number; readonly bid: number } | undefined
  for (let row = 0; row < chain.length; row++) {
    const { ask, bid, side } = chain.at(row)
    if (side !== "call" || bid === null || ask === null || ask - bid > 0.05) continue
    if (best === undefined || bid > best.bid) best = { row, bid }
  }
  return best?.row
}

const price = (chain: OptionChain.OptionChain): number | undefined => chain.bid[rule(chain) ?? -1]

const chain = Chains.chain.map((rows) => Result.getOrThrow(OptionChain.decode(Chains.body(rows))))

const laws = [
  Law.equation({
    name: "what it sells is a call with a bid",
    clauses: [],
    arbitrary: chain,
    expected: () => true,
    received: (chain) => {
      const row = rule(chain)
      return row === undefined || (chain.at(row).side === "call" && chain.at(row).bid !== null)
    }
  }),
  Law.equation({
    name: "the order of the contracts does not matter for the price",
    clauses: [],
    arbitrary: chain,
    expected: price,
    received: (chain) => price(ColumnTable.sortBy(chain, "strike", "descending"))
  })
]
for (const law of laws) {
  Law.check(law, { runs: 200 })
  console.log(`${law.name}: holds`)
}
