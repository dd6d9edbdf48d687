/** What a user writes who has installed the tarballs and nothing of this repository. */
import { MarketData } from "@effect-marketdata/client"
import { DataMode, OptionSymbol } from "@effect-marketdata/core"
import { Sandbox } from "@effect-marketdata/sandbox"
import { Expect, Law, MarketDataTest, OptionSymbols } from "@effect-marketdata/testing"
import { Effect, Result } from "effect"

const law = Law.equation({
  name: "a symbol is read as it was written",
  clauses: ["2.3-format"],
  arbitrary: OptionSymbols.optionSymbol,
  expected: (symbol) => Result.succeed(symbol),
  received: (symbol) => OptionSymbol.parse(OptionSymbol.format(symbol))
})
Law.check(law, { runs: 1000 })

const strikes = Effect.gen(function*() {
  const answer = yield* MarketData.optionChain("SPX", { mode: DataMode.cached(), columns: ["strike", "bid"] })
  Expect.charged(answer, 1)
  yield* Expect.balanced
  const refused = yield* Expect.reason(MarketData.optionChain("SPX", { mode: DataMode.live }), "CreditBudgetExceeded")
  const billed = yield* (yield* Sandbox.Sandbox).billed
  return { strikes: answer.data.strike.length, cause: refused.cause, billed }
})

const { billed, cause, strikes: count } = await Effect.runPromise(
  Effect.provide(strikes, MarketDataTest.layer({ seed: 1, allowance: 100 }))
)
console.log(`${law.name}: holds; ${count > 0} ${cause} ${billed}`)
