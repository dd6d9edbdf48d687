import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { marketdata } from "./support/printed.ts"

const call = "AAPL261218C00350000"
const put = "AAPL261218P00350000"

describe("marketdata quote", () => {
  it.effect("shows one option as a list of its values, with their age", () =>
    Effect.gen(function*() {
      const { code, errors, out } = yield* marketdata(`quote ${call}`)
      assert.strictEqual(code, 0)
      assert.match(out, /^contract +AAPL261218C00350000\nbid +\d+\.\d\d\nask +\d+\.\d\d\n/)
      assert.match(out, /\nage +\d+ (?:s|min)\n/)
      assert.match(errors, /freshness: {2}real-time, newest quote 2026-11-20 1[12]:\d\d:\d\d EST, \d+ (?:s|min) ago/)
    }))

  it.effect("asks for several at once, each once, and shows them as a table", () =>
    Effect.gen(function*() {
      const { code, errors, out } = yield* marketdata(`quote ${put} ${call} ${put} --mode cached`)
      assert.strictEqual(code, 0)
      assert.match(out, /^contract +bid +ask.*\nAAPL261218P00350000 .*\nAAPL261218C00350000 [^\n]*\n/)
      assert.include(errors, "estimate:   0 to 2 credits")
      assert.match(errors, /charge: {5}\d credits? for 2 requests/)
    }))

  it.effect("shows what was answered, and fails with what was not", () =>
    Effect.gen(function*() {
      const { code, errors, out } = yield* marketdata(`quote ${call} AAPL261218P99350000 --json`)
      assert.strictEqual(code, 4)
      const { answers } = JSON.parse(out)
      assert.deepEqual(answers.map((answered: { query: { optionSymbol: string } }) => answered.query.optionSymbol), [
        call
      ])
      const { error } = JSON.parse(errors)
      assert.strictEqual(error.reason, "NotFound")
      assert.include(error.message, "AAPL261218P99350000")
    }))

  it.effect("names those that failed besides the first", () =>
    Effect.gen(function*() {
      const { code, errors } = yield* marketdata("quote AAPL261218P99350000 AAPL261218P99340000")
      assert.strictEqual(code, 4)
      assert.match(errors, /error: quote AAPL261218P99350000: .*Also failed: quote AAPL261218P99340000\./)
    }))

  it.effect("[8.2-cost-historical-quotes] asks for past days only where a price is expected or any is allowed", () =>
    Effect.gen(function*() {
      const unknown = yield* marketdata(`quote ${call} --from 2026-11-02 --to 2026-11-06`)
      assert.strictEqual(unknown.code, 3)
      assert.include(unknown.errors, "--credits 100 ")
      const expected = yield* marketdata(`quote ${call} --from 2026-11-02 --to 2026-11-06 --credits 10 --sort bid:asc`)
      assert.strictEqual(expected.code, 0)
      const bids = expected.out.split("\n").slice(1, 5).map((line) => Number(line.split(/ +/)[1]))
      assert.lengthOf(bids, 4)
      assert.deepEqual(bids, bids.toSorted((a, b) => a - b))
    }))

  it.effect("falls back to live data only within the ceiling, which holds for each of them", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer.SandboxServer
      const variables = { MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "sandbox-paid" }
      const { code, errors } = yield* marketdata(`quote ${call} ${put} --mode cached --fallback-up-to 1`, { variables })
      assert.strictEqual(code, 0)
      assert.match(errors, /charge: {5}2 credits/)
    }).pipe(Effect.provide(Layer.provide(SandboxServer.layer(), Sandbox.layer()))))
})
