import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import { Black, Expiry, ImpliedVolatility } from "@effect-marketdata/volatility"
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** What the public service's documentation prints, where a copy is at hand. */
const folder = process.env["MARKETDATA_FIXTURES"]

it("the one documented reply with greeks has the units of ours: theta a calendar day, vega a percentage point", () => {
  if (folder === undefined) return
  const reply: Readonly<Record<string, ReadonlyArray<number>>> = JSON.parse(
    readFileSync(join(folder, "options-quotes-ok.json"), "utf8")
  )
  const of = (name: string): number => reply[name]![0]!
  // Its symbol was replaced by a later one. Strike and expiration are those that its other numbers fit: the intrinsic value is what a strike of 150 lacks to
  // the underlying, and 20 January was the monthly expiration three months ahead of its quote.
  const spot = of("underlyingPrice")
  const strike = Math.round(100 * (spot + of("intrinsicValue"))) / 100
  const years = Expiry.yearsTo(Expiry.instant(OptionSymbol.parseUnsafe("AAPL230120C00150000")), of("updated"))
  const [rate, dividendYield] = [0.04, 0.006]
  const forward = spot * Math.exp((rate - dividendYield) * years)
  const terms = { forward, strike, years, discount: Math.exp(-rate * years) }
  const volatility = Result.getOrThrow(ImpliedVolatility.solve("call", terms, of("mid")))
  const greeks = Result.getOrThrow(Black.greeks("call", { ...terms, volatility, spot }))
  const compared = { iv: volatility, delta: greeks.delta, gamma: greeks.gamma, theta: greeks.theta, vega: greeks.vega }
  for (const [name, ours] of Object.entries(compared)) {
    console.log(`${name}: the service's ${of(name)}, ours ${ours.toFixed(4)}`)
    assert.isAtMost(Math.abs(ours / of(name) - 1), 0.015, name)
  }
})
