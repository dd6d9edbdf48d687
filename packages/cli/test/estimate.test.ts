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

  it.effect("[4.1-cost-live] [4.1-cost-delayed] [4.1-cost-cached] [8.3-fallback] shows the price in each mode with its clause", () =>
    Effect.gen(function*() {
      const out = yield* shown("chain SPX --expiration all --contracts 22718")
      assert.match(out, /^estimate: +chain SPX: 22,718 credits$/m)
      assert.match(out, /^as the plan decides \(asked\) +22,718 +4\.1-cost-live$/m)
      assert.match(out, /^live +22,718 +4\.1-cost-live$/m)
      assert.match(out, /^delayed +22,718 +4\.1-cost-delayed$/m)
      assert.match(out, /^cached +0 to 1 +4\.1-cost-cached$/m)
      assert.match(out, /^cached, else live +1 to 22,718 +8\.3-fallback$/m)
      assert.match(out, /^assumes: +contracts: 22,718$/m)
      assert.match(out, /^requests: +1$/m)
    }))

  it.effect("[8.2-cached-unavailable] shows no cached mode where there is none, and none of a past day", () =>
    Effect.gen(function*() {
      assert.notMatch(yield* shown("stock candles AAPL --countback 5"), /cached/)
      assert.notMatch(yield* shown("chain AAPL --date 2026-11-19"), /cached/)
    }))

  it.effect("one strike, side and expiration is at most a handful of contracts", () =>
    Effect.gen(function*() {
      const { cost } = yield* documentOf("chain SPX --expiration 2026-12-18 --strike 6000 --side call")
      assert.deepStrictEqual([cost.min, cost.max], [1, 2])
      const out = yield* shown("chain SPX --expiration 2026-12-18 --strike 6000 --side call")
      assert.match(
        out,
        /^assumes: +expirations: 2026-12-18; strikes of each expiration: 1; contracts of each strike: a call/m
      )
      assert.match(out, /^moved by: +how many contracts come back$/m)
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
      [
        "MARKETDATA_MAX_SYMBOLS",
        "0",
        /MARKETDATA_MAX_SYMBOLS "0" must be a positive integer \(tickers\), e\.g\. 100\.$/m
      ],
      ["MARKETDATA_MAX_SYMBOLS", "many", /^error: MARKETDATA_MAX_SYMBOLS "many" must be a positive integer/],
      ["MARKETDATA_BASE_URL", "nonsense", /"nonsense" must be http or https/]
    ] as const
  )("refuses the setting %s=%s", ([name, value, message]) =>
    Effect.gen(function*() {
      const { code, errors } = yield* marketdata("estimate stock quote AAPL", { variables: { [name]: value } })
      assert.strictEqual(code, 2)
      assert.match(errors, message)
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

  it.effect("prices a whole trading day, every minute, in each mode", () =>
    Effect.gen(function*() {
      const line = ["estimate", "chain", "SPX", "--contracts", "22718", "--when", "every 1min on 2026-11-23"]
      const { code, errors, out } = yield* run(line, { columns: Effect.succeed(120) })
      assert.strictEqual(code, 0, errors)
      assert.match(out, /^mode +credits each time +390 times +clause$/m)
      assert.match(out, /^live +22,718 +8,860,020 +4\.1-cost-live$/m)
      assert.match(out, /^cached +0 to 1 +0 to 390 +4\.1-cost-cached$/m)
      assert.match(out, /^when: +390 times from 2026-11-23 09:30:00 EST to 2026-11-23 15:59:00 EST$/m)
      assert.match(out, /^peak: +the minute from 2026-11-23 09:30:00 EST: 22,718 credits for 1 query$/m)
    }))

  it.effect("says which character of a schedule is wrong", () =>
    Effect.gen(function*() {
      const { code, errors } = yield* run(["estimate", "chain", "SPX", "--when", "every 1min frm 9:30"])
      assert.strictEqual(code, 2)
      assert.match(errors, /^error: --when, character 12: "frm" must be at, from, to or on.* Did you mean from\?/)
    }))

  it.effect("names the cheapest mode that is fresh enough, as flags that ask for it", () =>
    Effect.gen(function*() {
      const first = (line: string) => Effect.map(documentOf(line), ({ freshWithin }) => freshWithin?.modes[0]?.flags)
      const chain = "chain SPX --contracts 300"
      assert.strictEqual(yield* first("chain SPX --fresh-within 5min"), "--mode live")
      assert.strictEqual(yield* first(`${chain} --fresh-within 5min --may-miss`), "--mode cached --max-age 5min")
      assert.strictEqual(
        yield* first(`${chain} --fresh-within 5min --hit-rate 0.9`),
        "--mode cached --max-age 5min --fallback-up-to 300"
      )
      assert.strictEqual(yield* first(`${chain} --fresh-within 10s`), "--mode live")
      assert.match(
        yield* shown(`${chain} --fresh-within 5min --hit-rate 0.9`),
        /^fresh: +within 5 min, the cheapest is cached, else live \(--mode cached --max-age 5min --fallback-up-to 300\)/m
      )
    }))

  it.effect("shows the ceiling of live data after a cached miss", () =>
    Effect.gen(function*() {
      const line = "chain SPX --mode cached --fallback-up-to 500"
      assert.strictEqual((yield* documentOf(line)).fallbackUpTo, 500)
      assert.match(yield* shown(line), /^ceiling: +live data are asked for only if they cost 500 credits at most$/m)
    }))

  it.effect("leads with the price of the whole schedule, and says which flag bounds one that has no bound", () =>
    Effect.gen(function*() {
      const words = (line: string) => ["estimate", ...line.split(" "), "--when", "every 1min on 2026-11-23"]
      const bounded = yield* run(words("chain SPX --contracts 20000"), { columns: Effect.succeed(120) })
      assert.match(
        bounded.out,
        /^estimate: +chain SPX: 7,800,000 credits for 390 times \(each time 20,000 credits\)$/m
      )
      assert.notMatch(bounded.out, /^bound it:/m)
      const unbounded = yield* run(words("chain SPX --expiration all"), { columns: Effect.succeed(120) })
      assert.match(unbounded.out, /^bound it: +--contracts COUNT, how many you expect at most$/m)
      assert.notMatch(yield* shown("stock quote AAPL"), /^bound it:/m)
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

  it.effect("tells a person what a budget buys", () =>
    Effect.gen(function*() {
      const unbounded = yield* shown("chain SPX --expiration all --budget 500")
      assert.match(
        unbounded,
        /^budget: +500 credits: they cover 500 contracts at once; no query is sure, because this one has no upper bound$/m
      )
      assert.match(unbounded, /^ +within it: --expiration 2026-12-18 --strike-limit 10, 1 to 80 credits$/m)
      assert.match(unbounded, /^ +within it: --mode cached, 0 to 1 credit$/m)
      const bounded = yield* shown("chain SPX --contracts 300 --budget 1000")
      assert.match(bounded, /they cover the query 3 times at its highest price$/m)
    }))

  it.effect.each(
    [
      ["--budget -1", /must be 0 or a positive integer/],
      ["--fresh-within soon", /"soon" must be a duration, e\.g\. 5min/],
      ["--hit-rate 1.5", /1\.5 must be from 0 to 1, e\.g\. 0\.9/],
      ["--when 25", /must be times/]
    ] as const
  )("refuses %s", ([flags, message]) =>
    Effect.gen(function*() {
      const { code, errors, out } = yield* marketdata(`estimate chain SPX ${flags}`)
      assert.strictEqual(code, 2)
      assert.strictEqual(out, "")
      assert.match(errors, message)
    }))
})
