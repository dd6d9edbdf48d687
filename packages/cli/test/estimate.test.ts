import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Schema from "effect/Schema"
import * as Document from "../src/plans/document.ts"
import { marketdata, run } from "./support/printed.ts"

const documentOf = (line: string) =>
  Effect.map(marketdata(`estimate ${line} --json`), ({ code, errors, out }) => {
    assert.strictEqual(code, 0, errors)
    assert.strictEqual(errors, "")
    return Schema.decodeUnknownSync(Document.Estimated)(JSON.parse(out))
  })

const shown = (line: string) =>
  Effect.map(marketdata(`estimate ${line}`, { columns: Effect.succeed(120) }), ({ code, errors, out }) => {
    assert.strictEqual(code, 0, errors)
    return out
  })

describe("marketdata estimate", () => {
  it.effect("[8.3-fallback] has one price for a fallback with a ceiling, each time and for all times", () =>
    Effect.gen(function*() {
      const line = "chain SPX --mode cached --max-age 1min --dte 30 --fallback-up-to"
      const out = yield* shown(`${line} 50`)
      assert.match(out, /^estimate: +chain SPX: 0 to 50 credits$/m)
      assert.match(out, /^cached, else live \(asked\) +0 to 50 +8\.3-fallback$/m)
      assert.match(out, /^live +1 or more/m)
      const { code, out: json } = yield* marketdata(`estimate ${line} 50 --json`)
      assert.strictEqual(code, 0)
      assert.deepInclude(JSON.parse(json).cost, { min: 0, max: 50 })
      const { out: planned } = yield* marketdata("plan - --json", {
        stdin: Stream.make(new TextEncoder().encode(`{ hit-rate: 0.5, tasks: [
          { chain: SPX, mode: cached, dte: 30, fallback-up-to: 50, when: 10 times }] }`))
      })
      assert.deepInclude(JSON.parse(planned), { expected: { hitRate: 0.5, min: 5, max: 255 } })
      // A ceiling that covers the price declines nothing, and changes nothing.
      assert.match(yield* shown(`${line} 500 --contracts 300`), /^estimate: +chain SPX: 1 to 300 credits$/m)
    }))

  it.effect("[8.2-cached-unavailable] shows no cached mode where there is none, and none of a past day", () =>
    Effect.gen(function*() {
      assert.notMatch(yield* shown("stock candles AAPL --countback 5"), /cached/)
      assert.notMatch(yield* shown("chain AAPL --date 2026-11-19"), /cached/)
    }))

  it.effect("[8.1-batches] says how many requests a long list takes", () =>
    Effect.gen(function*() {
      const symbols = Array.from({ length: 1100 }, (_, index) => `S${index}`)
      const { requests } = yield* documentOf(`stock prices ${symbols.join(" ")} --mode cached`)
      assert.strictEqual(requests, 3)
      const fewer = yield* marketdata(`estimate stock prices ${symbols.join(" ")} --mode cached`, {
        variables: { MARKETDATA_MAX_SYMBOLS: "100" }
      })
      assert.match(fewer.out, /^requests: +11 each time$/m)
      assert.match(fewer.out, /0 to 11 +8\.2-cost-quotes/)
    }))

  it.effect.each(
    [
      ["chain SPX", "Cached"],
      ["chain SPX --date 2026-11-19", "Default"],
      ["quote AAPL261218C00250000", "Cached"],
      ["quote AAPL261218C00250000 --from 2026-11-16", "Default"],
      ["stock candles AAPL", "Default"],
      ["stock prices AAPL --mode live", "Live"]
    ] as const
  )(
    "goes by the setting mode=cached where there is a cache: %s is asked as %s",
    ([line, mode]) =>
      Effect.gen(function*() {
        const { code, errors, out } = yield* marketdata(`estimate ${line} --json`, {
          variables: { MARKETDATA_MODE: "cached" }
        })
        assert.strictEqual(code, 0, errors)
        assert.strictEqual(JSON.parse(out).modes[0].mode, mode)
      })
  )

  it.effect("says which character of a schedule is wrong", () =>
    Effect.gen(function*() {
      const { code, errors } = yield* run(["estimate", "chain", "SPX", "--when", "every 1min frm 9:30"])
      assert.strictEqual(code, 2)
      assert.match(errors, /^error: --when, character 12: "frm" must be at, from, to or on.* Did you mean from\?/)
    }))

  const queries = [
    "chain SPX",
    "chain SPX --expiration all",
    "chain SPX --date 2026-11-19",
    "stock candles AAPL --resolution 5 --from 2026-01-02",
    "stock bulk-candles --all",
    "stock quote AAPL MSFT SPY",
    "fund candles VFINX --from 1990-01-02"
  ]

  it.effect.each(queries)(
    "a budget for %s covers what it says and not one more, and its ways fit it",
    (line) =>
      Effect.gen(function*() {
        for (const credits of [1, 7, 500, 5000]) {
          const { budget } = yield* documentOf(`${line} --budget ${credits}`)
          if (budget === undefined) return assert.fail("there is no budget")
          const { covers, ways } = budget
          const most = (flags: string) => Effect.map(documentOf(`${line} ${flags}`), ({ cost }) => cost.max)
          if (covers !== undefined && covers.count > 0 && covers.count < Infinity) {
            assert.isAtMost(yield* most(`--${covers.unit} ${covers.count}`), credits)
            assert.isAbove(yield* most(`--${covers.unit} ${covers.count + 1}`), credits)
          }
          for (const { flags } of ways) {
            // A flag that is there already takes another value.
            const [name = ""] = flags.split(" ")
            const narrower = `${line.replace(new RegExp(`${name} \\S+`), "")} ${flags}`
            assert.isAtMost((yield* documentOf(narrower)).cost.max, credits, flags)
          }
        }
      })
  )
})
