import { Credits, DataMode, HttpRequest, Query, Schemas } from "@effect-marketdata/core"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Equal, Result, Schema } from "effect"
import * as fc from "fast-check"
import * as Depth from "../support/depth.ts"
import { made, query as anyQuery } from "../support/everyQuery.ts"
import { exchanges } from "../support/replies.ts"
import { refusalOf, wires } from "../support/wires.ts"

const runs = (seed: number) => ({ numRuns: Depth.runs(500, 25), seed })

const read = (stored: unknown): Query.Query => Schema.decodeUnknownSync(Schemas.Query)(stored)

const spx = { endpoint: "optionChain", underlyingSymbol: "SPX" }

/** In ways that keep it a query: another mode, text in CSV, one of its requests. */
const changed = fc.tuple(anyQuery, fc.boolean(), fc.boolean()).map(([query, live, csv]) => {
  const inMode = live ? Query.withMode(query, DataMode.live) : query
  const asked = csv && query.kind !== "free" ? Query.asCsv(inMode) : inMode
  const batches = HttpRequest.batches(asked, { baseUrl: "https://service.test", maxSymbols: 2 })
  return Result.getOrThrow(batches).at(-1)!.query
}).filter(({ endpoint }) => endpoint.kind !== "free")

describe("Schemas.Query", () => {
  for (const [wire, travel] of Object.entries(wires)) {
    it(`loses nothing of any query: ${wire}`, () => {
      Depth.forAll(runs(17_510), fc.oneof(anyQuery, changed), (query) => {
        const travelled = travel(Schemas.Query, query)
        assert.deepStrictEqual(travelled, query)
        assert.strictEqual(Query.target(travelled), Query.target(query))
        assert.isTrue(Equal.equals(travelled, query))
      })
    })
  }

  it("is the name of the endpoint and what was asked of it, as JSON.stringify prints it", () => {
    const query = made(Query.optionChain("SPX", {
      expiration: "all",
      strike: { from: 5000, to: 5500.5 },
      minBid: 0.05,
      nonstandard: false,
      columns: ["strike", "bid"],
      mode: DataMode.cached({ maxAge: Duration.minutes(5) }),
      assume: { contracts: 22_718 }
    }))
    const expected = {
      endpoint: "optionChain",
      underlyingSymbol: "SPX",
      parameters: { expiration: "all", strike: "5000-5500.5", minBid: 0.05, nonstandard: false },
      columns: ["strike", "bid"],
      mode: { _tag: "Cached", maxAge: { _tag: "Relative", minutes: 5 } },
      assume: { contracts: 22_718 }
    }
    assert.deepStrictEqual(JSON.parse(JSON.stringify(query)), expected)
    assert.deepStrictEqual(Schema.encodeSync(Schemas.Query)(query), expected)
  })

  it("prints whatever was made of a query in the same way", () => {
    const prices = made(Query.stockPrices(["AAPL", "MSFT"], { mode: DataMode.cached({ maxAge: "1 hour" }) }))
    const kept = Query.withMode(prices, DataMode.cached())
    assert.include(JSON.stringify(kept), `"mode":{"_tag":"Cached","maxAge":{"_tag":"Relative","minutes":60}}`)
    assert.notInclude(JSON.stringify(Query.withMode(prices, DataMode.live)), "maxAge")
    assert.include(JSON.stringify(Query.asCsv(prices)), `"format":"csv"`)
    const [first] = Result.getOrThrow(HttpRequest.batches(prices, { baseUrl: "https://service.test", maxSymbols: 1 }))
    assert.include(JSON.stringify(first!.query), `"symbols":["AAPL"]`)
    for (const query of [kept, Query.asCsv(prices), first!.query]) assert.notInclude(JSON.stringify(query), "maxRows")
  })

  it("stays plain data, which a structured clone carries", () => {
    for (const { query } of Object.values(exchanges)) {
      assert.deepStrictEqual(structuredClone(query), query)
      assert.notInclude(Object.keys(query), "toJSON")
    }
  })

  it("is written by hand as its options are: with every form that the constructor takes", () => {
    const targets = [
      { ...spx, parameters: { strike: { atLeast: 5000 } } },
      { ...spx, parameters: { strike: ">=5000" } }
    ].map((stored) => Query.target(read(stored)))
    assert.deepStrictEqual(new Set(targets), new Set(["/v1/options/chain/SPX/?strike=%3E%3D5000"]))
    assert.strictEqual(
      Query.target(read({ ...spx, parameters: { strike: [5000, 5100], date: "2026-11-19" }, mode: "delayed" })),
      "/v1/options/chain/SPX/?date=2026-11-19&strike=5000,5100&mode=delayed"
    )
    const weeks = read({ endpoint: "stockQuotes", symbol: "AAPL", parameters: { "52week": true }, columns: ["last"] })
    assert.strictEqual(Query.target(weeks), "/v1/stocks/quotes/AAPL/?52week=true&columns=last,52weekHigh,52weekLow")
    const all = Query.target(read({ endpoint: "stockBulkCandles", parameters: { snapshot: true } }))
    assert.strictEqual(all, "/v1/stocks/bulkcandles/D/?snapshot=true")
  })

  it("refuses what cannot be constructed, and says where", () => {
    const cases: ReadonlyArray<readonly [stored: unknown, where: string]> = [
      [{}, `["endpoint"]`],
      [{ endpoint: "constructor" }, `["endpoint"]`],
      [{ endpoint: "optionChain" }, `["underlyingSymbol"]`],
      [{ ...spx, underlyingSymbol: "../SPX" }, `["underlyingSymbol"]`],
      [{ ...spx, underlyingSymbol: 7 }, `["underlyingSymbol"]`],
      [{ ...spx, symbols: ["SPX"] }, `["symbols"]`],
      [{ ...spx, symbol: "SPX" }, `["symbol"]`],
      [{ ...spx, modes: "cached" }, `["modes"]`],
      [{ ...spx, columns: ["strike", "price"] }, `["columns"]`],
      [{ ...spx, columns: "strike" }, `["columns"]`],
      [{ ...spx, parameters: { expiry: "all" } }, `["parameters"]["expiry"]`],
      [{ ...spx, parameters: { mode: "live" } }, `["parameters"]["mode"]`],
      [{ ...spx, parameters: { minBid: "1" } }, `["parameters"]["minBid"]`],
      [{ ...spx, parameters: { minBid: 2, maxBid: 1 } }, `["parameters"]["minBid"]`],
      [{ ...spx, parameters: { strike: ">=5-6" } }, `["parameters"]["strike"]`],
      [{ ...spx, parameters: { strike: "1.2.3" } }, `["parameters"]["strike"]`],
      [{ ...spx, parameters: { expiration: "all", dte: 3 } }, `["parameters"]["dte"]`],
      [{ ...spx, mode: "fresh" }, `["mode"]`],
      [{ ...spx, mode: { _tag: "Live", maxAge: "1 hour" } }, `["mode"]["maxAge"]`],
      [{ ...spx, mode: "cached", parameters: { date: "2026-11-19" } }, `["mode"]`],
      [{ ...spx, assume: { contracts: -1 } }, `["assume"]["contracts"]`],
      [{ ...spx, assume: { kind: "free" } }, `["assume"]["kind"]`],
      [{ ...spx, format: "html" }, `["format"]`],
      [{ endpoint: "stockPrices", symbols: [] }, `["symbols"]`],
      [{ endpoint: "stockPrices", symbol: "AAPL" }, `["symbols"]`],
      [{ endpoint: "stockBulkCandles" }, `["symbols"]`],
      [{ endpoint: "stockBulkCandles", parameters: { snapshot: "true" } }, `["parameters"]["snapshot"]`],
      [{ endpoint: "stockQuotes", symbol: "AAPL", parameters: { "52week": 1 } }, `["parameters"]["52week"]`],
      [{ endpoint: "stockCandles", resolution: "tick", symbol: "AAPL" }, `["resolution"]`],
      [{ endpoint: "stockCandles", symbol: "AAPL" }, `["resolution"]`],
      [{ endpoint: "optionQuote", optionSymbol: "AAPL" }, `["optionSymbol"]`],
      [{ endpoint: "account", mode: "live" }, `["mode"]`],
      [{ endpoint: "account", parameters: { date: "2026-11-19" } }, `["parameters"]["date"]`]
    ]
    for (const [stored, where] of cases) {
      const refused = refusalOf(Schemas.Query, stored) ?? "not refused"
      assert.isTrue(refused.endsWith(`at ${where}`), `${JSON.stringify(stored)}: ${refused}`)
    }
  })

  it("refuses a token that was pasted into a query without saying it", () => {
    const refused = refusalOf(Schemas.Query, { ...spx, underlyingSymbol: "token=c3VwZXJzZWNyZXQ" }) ?? ""
    assert.include(refused, "token=<redacted>")
    assert.notInclude(refused, "c3VwZXJzZWNyZXQ")
  })

  it("writes no query that was changed into one that cannot be asked", () => {
    const past = made(Query.optionChain("SPX", { date: "2026-01-02" }))
    const queries = [
      Query.withMode(past, DataMode.cached()),
      { ...past, mode: { _tag: "Fresh" } },
      { ...past, mode: { _tag: "Cached", maxAge: 5n } },
      { ...past, format: "html" },
      { ...past, segments: { underlyingSymbol: "../SPX" } }
    ]
    for (const query of queries) assert.isTrue(Result.isFailure(Schema.encodeUnknownResult(Schemas.Query)(query)))
    for (const input of [null, {}, Query.optionChain("SPX"), "SPX"]) {
      assert.isTrue(Result.isFailure(Schema.encodeUnknownResult(Schemas.Query)(input)))
    }
  })

  it("reads whatever JSON holds without breaking, and only what can be asked", () => {
    const known = fc.constantFrom("SPX", "all", ">=5", "1-2", "AAPL261218C00150000", "D")
    const word = fc.oneof(known, fc.string({ maxLength: 5 }))
    const value = fc.oneof(word, fc.jsonValue({ maxDepth: 1 }))
    const rows = Object.values(Query.endpoints)
    const asked = fc.constantFrom(...rows).chain((row) =>
      fc.record({
        endpoint: fc.constant(row.name),
        symbols: fc.oneof(fc.array(word, { maxLength: 3 }), value),
        symbol: value,
        underlyingSymbol: value,
        optionSymbol: value,
        description: value,
        resolution: value,
        parameters: fc.dictionary(fc.constantFrom("date", "limit", "mode", "__proto__", ...row.parameters), value),
        columns: fc.oneof(fc.subarray([...row.columns]), value),
        mode: fc.oneof(fc.constantFrom("live", "cached"), value),
        assume: fc.dictionary(fc.constantFrom("contracts", "kind", "x"), value),
        format: value
      }, { requiredKeys: ["endpoint"] })
    )
    Depth.forAll({ numRuns: Depth.runs(3000, 50), seed: 17_511 }, fc.oneof(asked, fc.jsonValue()), (stored) => {
      const read = Schema.decodeUnknownResult(Schemas.Query)(stored)
      if (Result.isFailure(read)) assert.strictEqual(read.failure._tag, "SchemaError")
      else assert.deepStrictEqual(wires["JSON.stringify"]!(Schemas.Query, read.success), read.success)
    })
  })
})

describe("Schemas.Estimate", () => {
  const profile = fc.constantFrom(undefined, "contract" as const, "public" as const)
  const estimate: fc.Arbitrary<Credits.Estimate> = fc.tuple(
    anyQuery,
    fc.record({ profile, contracts: fc.option(fc.nat({ max: 30_000 }), { nil: undefined }) }),
    fc.constantFrom(undefined, DataMode.live, DataMode.cached(), DataMode.eod, { _tag: "Fresh" } as never)
  ).map(([query, assume, mode]) =>
    Credits.estimate(mode === undefined ? query : Query.withMode<unknown, DataMode.Live>(query, mode as never), assume)
  )

  /** A reason is an error, and has the stack of where it was made. */
  const plain = (estimate: Credits.Estimate): unknown => ({
    ...estimate,
    reason: "reason" in estimate ? messageOf(estimate.reason) : undefined
  })
  const messageOf = ({ message, value }: InvalidQuery): string => `${message} ${value}`

  it("draws every kind of them", () => {
    const tags = new Set(fc.sample(estimate, { numRuns: Depth.runs(2000, 50), seed: 17_520 }).map(({ _tag }) => _tag))
    assert.deepStrictEqual([...tags].toSorted(), ["Exact", "NotStated", "Range", "Refused", "Unavailable"])
  })

  for (const [wire, travel] of Object.entries(wires)) {
    it(`loses nothing, not even that there is no upper bound: ${wire}`, () => {
      Depth.forAll(runs(17_521), estimate, (estimate) => {
        const travelled = travel(Schemas.Estimate, estimate)
        assert.deepStrictEqual(plain(travelled), plain(estimate))
        assert.strictEqual(Credits.format(travelled), Credits.format(estimate))
        assert.strictEqual(JSON.stringify(travelled), JSON.stringify(estimate))
        assert.notMatch(JSON.stringify(estimate), /:null/)
      })
    })
  }

  it("refuses prices that there cannot be", () => {
    const range = { _tag: "Range", min: 1, max: "Infinity", movedBy: "", clause: "", assumptions: [] }
    assert.isUndefined(refusalOf(Schemas.Estimate, range))
    for (const max of [null, 0, -1, "infinity", "-Infinity", "NaN", "7", true, {}]) {
      assert.include(refusalOf(Schemas.Estimate, { ...range, max }) ?? "not refused", `at ["max"]`, JSON.stringify(max))
    }
    for (const min of [null, "Infinity", -1, NaN]) {
      assert.include(refusalOf(Schemas.Estimate, { ...range, min }) ?? "not refused", `at ["min"]`)
    }
    assert.isDefined(refusalOf(Schemas.Estimate, { ...range, _tag: "Exact" }))
    assert.isDefined(refusalOf(Schemas.Estimate, { ...range, _tag: "Guess" }))
  })
})
