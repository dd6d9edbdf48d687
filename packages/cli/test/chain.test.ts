import { assert, it } from "../../core/test/support/it.ts"
import { marketdata } from "./support/printed.ts"

const line = "chain AAPL --expiration 2026-12-18 --mode cached"

it.effect("asks for a column once that a name for several has, too", function*() {
  const csv = yield* marketdata("chain AAPL --mode cached --columns strike,activity,bid --format csv")
  assert.match(csv.out, /^optionSymbol,underlying,strike,ask,bid,volume,openInterest,underlyingPrice,updated\n/)
})

it.effect("computes volatility beside the service's own, and marks it", function*() {
  const { out } = yield* marketdata(`${line} --computed --format table`)
  assert.match(out, /delta\*/)
  assert.match(out, /iv\*/)
  assert.match(out, /\* computed here from mid prices \(Bjerksund–Stensland 1993\), not told by the service/)
  const [head = "", ...rows] = (yield* marketdata(`${line} --computed --format csv`)).out.split("\n")
  assert.match(
    head,
    /,vega,ivComputed,ivBidComputed,ivAskComputed,deltaComputed,gammaComputed,thetaComputed,vegaComputed,rhoComputed,reason$/
  )
  const names = head.split(",")
  for (const row of rows) {
    const cells = row.split(",")
    const at = (name: string) => cells[names.indexOf(name)]!
    assert.strictEqual(at("ivComputed") === "", at("reason") !== "", row)
  }
  assert.isAbove(rows.filter((row) => row.endsWith(",")).length, rows.length / 2)
  const { computed } = JSON.parse((yield* marketdata(`${line} --computed --json`)).out)
  assert.strictEqual(computed.length, rows.length)
  assert.deepInclude(computed.assumptions[0], { exercise: "american", method: "Bjerksund–Stensland 1993" })
  assert.notInclude((yield* marketdata(`${line} --format csv`)).out, "Computed")
})

it.effect("takes the rates that are given", function*() {
  const { computed } = JSON.parse(
    (yield* marketdata(`${line} --computed --rate 0.04 --dividend-yield 0.005 --json`)).out
  )
  const [{ discount, discountFrom, forward, forwardFrom, spot, years }] = computed.assumptions
  assert.deepStrictEqual([discountFrom, forwardFrom], ["given", "rates"])
  assert.approximately(discount, Math.exp(-0.04 * years), 1e-12)
  assert.approximately(forward, spot * Math.exp(0.035 * years), 1e-9)
})
