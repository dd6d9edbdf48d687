import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { marketdata } from "./support/printed.ts"

describe("marketdata chain", () => {
  it.effect("has other prices with another seed, and the same with the same", () =>
    Effect.gen(function*() {
      const price = (seed: number) =>
        Effect.map(
          marketdata(`chain F --mode cached --seed ${seed}`),
          ({ out }) => /underlying at ([\d.]+)/.exec(out)?.[1]
        )
      assert.isDefined(yield* price(1))
      assert.strictEqual(yield* price(1), yield* price(1))
      assert.notStrictEqual(yield* price(1), yield* price(2))
    }))

  it.effect("leaves standard error to failures alone where lines of JSON are read, as with --json", () =>
    Effect.gen(function*() {
      for (const format of ["json", "jsonl"]) {
        const done = yield* marketdata(`chain AAPL --mode cached --verbose --format ${format}`)
        assert.deepStrictEqual([done.code, done.errors], [0, ""])
        const failed = yield* marketdata(`chain NONE --mode cached --format ${format}`)
        assert.strictEqual(failed.code, 4)
        assert.strictEqual(JSON.parse(failed.errors).error.code, 4)
      }
    }))

  it.effect("prints a row a contract as CSV and as lines of JSON", () =>
    Effect.gen(function*() {
      const asCsv = yield* marketdata("chain AAPL --mode cached --format csv")
      const [head = "", ...rows] = asCsv.out.split("\n")
      assert.match(head, /^optionSymbol,underlying,expiration,side,strike,/)
      const asLines = (yield* marketdata("chain AAPL --mode cached --format jsonl")).out.split("\n")
      assert.strictEqual(asLines.length, rows.length)
      assert.hasAllKeys(JSON.parse(asLines[0]!), head.split(","))
      assert.include(asCsv.errors, "charge:     1 credit")
    }))

  it.effect("computes volatility beside the service's own, and marks it", () =>
    Effect.gen(function*() {
      const line = "chain AAPL --expiration 2026-12-18 --mode cached"
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
    }))

  it.effect("takes the rates that are given, and says what is wrong with one before it asks", () =>
    Effect.gen(function*() {
      const line = "chain AAPL --expiration 2026-12-18 --mode cached"
      const { computed } = JSON.parse(
        (yield* marketdata(`${line} --computed --rate 0.04 --dividend-yield 0.005 --json`)).out
      )
      const [{ discount, discountFrom, forward, forwardFrom, spot, years }] = computed.assumptions
      assert.deepStrictEqual([discountFrom, forwardFrom], ["given", "rates"])
      assert.approximately(discount, Math.exp(-0.04 * years), 1e-12)
      assert.approximately(forward, spot * Math.exp(0.035 * years), 1e-9)
      const wrong = {
        "--computed --rate 4": "must be a fraction from -1 to 1: 4 % is 0.04, e.g. 0.04.",
        "--computed --rate four": "--rate",
        "--rate 0.04": "--rate says nothing without --computed, e.g. --computed --rate 0.04. Nothing was sent.",
        "--computed --dividend-yield 0.01": "--dividend-yield says nothing without --rate"
      }
      for (const [flags, why] of Object.entries(wrong)) {
        const { code, errors, out } = yield* marketdata(`${line} ${flags}`)
        assert.deepStrictEqual([code, out], [2, ""], flags)
        assert.include(errors, why)
      }
    }))

  it.effect("says before it asks what cannot be computed", () =>
    Effect.gen(function*() {
      const { code, errors } = yield* marketdata("chain AAPL --mode cached --computed --columns optionSymbol,bid")
      assert.notStrictEqual(code, 0)
      assert.include(errors, "--computed")
      assert.include(errors, "needs the option symbols, the prices and their time")
    }))
})
