import { Credits, DataMode, NewYork, Query, Workload } from "@effect-marketdata/core"
import { Effect, Result, Schema } from "effect"
import * as fc from "fast-check"
import { runs } from "../../core/test/support/depth.ts"
import { assert, describe, it } from "../../core/test/support/it.ts"
import * as Document from "./support/documents.ts"
import { atNoon, marketdata } from "./support/printed.ts"

const plan = (input: string, flags = "") => marketdata(`plan - ${flags}`, { input })

const documentOf = (text: string) =>
  Effect.map(plan(text, "--json"), ({ code, errors, out }) => {
    assert.strictEqual(code, 0, errors)
    return Schema.decodeUnknownSync(Document.Planned)(JSON.parse(out))
  })

const desk = `# A week of a desk.
allowance: 100,000 credits per day
hit-rate: 0.9
tasks:
  - chain: SPX
    expiration: all
    contracts: 22718
    mode: cached
    max-age: 5min
    fallback-up-to: 25000
    when: every 1min on trading days of 2026-11-23..2026-11-27
    fresh-within: 5min
    may-miss: true
  - name: opening prices
    stock quote: [AAPL, MSFT, SPY]
    extended: false
    columns: [symbol, bid, ask]
    when: every 30s from 9:30 to 10:00
  - stock candles: AAPL
    resolution: D
    from: 2026-01-02
    to: 2026-11-20
    when: once at close
  - chain: AAPL
    expiration: 2026-12-18
    strike: [250, 255]
    strikeLimit: 2
    side: call
    freshWithin: 20 minutes
  - market status:
`

describe("marketdata plan", () => {
  it.effect("refuses more queries than memory has room for, before it makes them", function*() {
    const { code, errors } = yield* plan(`[
      { chain: SPX, contracts: 9, when: every 1min on trading days of 2026-11-23..2026-11-27 },
      { chain: [${"SPX, ".repeat(1100)}], date: 2025-01-02..2025-12-31, contracts: 9 }
    ]`)
    assert.strictEqual(code, 2)
    assert.match(errors, /line 3, column 9: a plan must have at most 250,000 queries, each counted for each day/)
  })

  it.effect("prices a plan as core prices the same workload", function*() {
    const { allowance, byMode, cost, days, expected, tasks } = yield* documentOf(`
      allowance: 100000 credits per day
      hit-rate: 0.9
      tasks:
        - chain: SPX
          contracts: 300
          mode: cached
          fallback-up-to: 500
          when: every 30min on trading days of 2026-11-23..2026-11-27
        - stock quote: AAPL MSFT
          mode: live
          when: 3 times`)
    const open = (day: number) => NewYork.at({ year: 2026, month: 11, day }, 9, 30)
    const chain = Result.getOrThrow(
      Query.optionChain("SPX", { mode: DataMode.cachedOrLive(), assume: { contracts: 300 } })
    )
    const quotes = Result.getOrThrow(Query.stockQuotes(["AAPL", "MSFT"], { mode: "live" }))
    const workload = [
      ...[[23, 13], [24, 13], [25, 13], [27, 7]].map(([day, times]) =>
        Workload.taskUnsafe(chain, { first: open(day!), every: 1800, times: times! })
      ),
      Workload.taskUnsafe(quotes, { first: NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0), times: 3 })
    ]
    assert.deepStrictEqual(cost, Workload.total(workload))
    assert.deepStrictEqual(byMode, Workload.byMode(workload))
    assert.deepStrictEqual(days, Workload.byWindow(workload, "day"))
    assert.deepStrictEqual(expected, { hitRate: 0.9, ...Workload.expected(workload, 0.9) })
    assert.deepStrictEqual(allowance, {
      credits: 100_000,
      window: "day",
      verdict: Workload.fits(workload, { credits: 100_000, window: "day" })
    })
    assert.deepStrictEqual(tasks[0]!.modes[0]!.each, [Credits.estimate(chain)])
    assert.deepStrictEqual(tasks[0]!.modes.map(({ mode }) => mode), ["CachedOrLive", "Live", "Delayed", "Cached"])
  })

  it.effect("fits its tables and its timeline to the width", function*() {
    for (const columns of [40, 80, 200]) {
      const { out } = yield* marketdata("plan -", { input: desk, columns: Effect.succeed(columns) })
      for (const line of out.split("\n")) if (!/^\d\. /.test(line)) assert.isAtMost(line.length, columns, line)
    }
  })

  it.effect("reads JSON, and a list of tasks alone", function*() {
    const a = yield* documentOf(`{"tasks": [{"chain": "SPX", "strike-limit": 5, "side": "put"}]}`)
    const b = yield* documentOf("- chain: SPX\n  strikeLimit: 5\n  side: put\n")
    assert.deepStrictEqual(a, b)
  })

  it.effect("reads no more than a plan may have", function*() {
    const { code, errors } = yield* plan(`# ${"x".repeat(2 ** 20)}\n${desk}`)
    assert.strictEqual(code, 2)
    assert.include(errors, "larger than 1 MiB")
  })
})

describe("what is wrong with a plan is told with its line and column:", () => {
  it.effect("a day that is not past when it is asked for the last time", function*() {
    const day = (when: string) => plan(`[{ chain: SPX, contracts: 9, date: 2026-11-23, when: ${when} }]`)
    for (const when of ["once", "every 1h on 2026-11-20..2026-11-23"]) {
      assert.match((yield* day(when)).errors, /column 36: date "2026-11-23" must be .* before today in New York/)
    }
    assert.strictEqual((yield* day("once on 2026-11-23..2026-11-24")).code, 0)
    assert.strictEqual((yield* marketdata("estimate chain SPX --date 2026-11-23 --when once")).code, 2)
  })

  it.effect.each<[string, string]>([["brackets", "[{"], ["lists in lists", "- "]])(
    "%s without an end",
    function*([, text]) {
      const { code, errors } = yield* plan(text.repeat(20_000), "--json")
      assert.strictEqual(code, 2)
      const { error } = Schema.decodeUnknownSync(Document.Failure)(JSON.parse(errors))
      assert.include(error.message, "line 1, column 1: the values nest more than 50 deep")
    }
  )

  /** Each key of the desk's plan, with its place. */
  const keys = desk.split("\n").flatMap((line, index) => {
    const found = /^([ -]*)([a-zA-Z][a-zA-Z -]*):/.exec(line)
    return found === null ? [] : [{ line: index + 1, column: found[1]!.length + 1, key: found[2]! }]
  })

  const replaced = (line: number, column: number, old: string, text: string): string =>
    desk.split("\n").map((row, index) =>
      index + 1 === line ? row.slice(0, column - 1) + text + row.slice(column - 1 + old.length) : row
    ).join("\n")

  it.effect.each(keys)("the key $key of line $line, misspelt, at its place or where its task begins", function*(place) {
    const { code, errors } = yield* plan(replaced(place.line, place.column, place.key, `x${place.key}`), "--json")
    assert.strictEqual(code, 2, errors)
    const told: ReadonlyArray<typeof place> = JSON.parse(errors).error.troubles
    assert.isTrue(told.some(({ column, line }) => line <= place.line && column <= place.column), errors)
  })

  it("any text at all ends in a price or in what is wrong, never in a mistake of the program's own", () =>
    fc.assert(
      fc.asyncProperty(mutated, async (text) => {
        const { code, errors } = await atNoon(["plan", "-"], { input: text })
        assert.include([0, 2], code, `${JSON.stringify(text)}: ${errors}`)
        if (code === 2) {
          assert.match(errors, /^error: (standard input, line \d+, column \d+: |standard input, [^\n]+: )/)
        }
      }),
      { numRuns: runs(200, 15), seed: 52 }
    ))

  const yaml = "&a *a ? <<: - { [ \" | !!binary __proto__: %YAML : 9".split(" ")

  /** The desk's plan with pieces taken out, put in, or moved. */
  const mutated = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.array(
      fc.record({
        at: fc.nat(desk.length),
        length: fc.nat(30),
        put: fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom(...yaml, " ", "\t", "\n---\n", "\u0000"))
      }),
      { minLength: 1, maxLength: 4 }
    ).map((edits) =>
      edits.reduce((text, { at, length, put }) => text.slice(0, at) + put + text.slice(at + length), desk)
    )
  )
})
