import { Incomplete, MarketData, MarketDataError } from "@effect-marketdata/client"
import { Answer, Query, Reason, Schemas, StockPrices } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import { Arbitrary, Effect, Redacted, Result, Schema } from "effect"
import * as fc from "fast-check"
import { forAll, runs } from "../../core/test/support/depth.ts"
import { clientOf } from "./support/clients.ts"
import { replying } from "./support/scripted.ts"

const trials = (seed: number) => ({ numRuns: runs(150, 25), seed })

const reasons: ReadonlyArray<Reason.Reason> = Effect.runSync(
  Arbitrary.sampleEffect(Arbitrary.schema(Reason.Reason), { count: runs(300, 60), seed: 17_540 })
)

const text = fc.string({ unit: "grapheme", maxLength: 300 })
const long = fc.constantFrom(..."\n\u001b😀").map((one) => one.repeat(300))
const label = fc.oneof(text, fc.string({ unit: "binary", maxLength: 300 }), long)

const attempt: fc.Arbitrary<Answer.Attempt> = fc.record({
  target: text,
  status: fc.option(fc.integer({ min: 100, max: 599 }), { nil: undefined }),
  charge: fc.constant(undefined),
  uncertain: fc.oneof(fc.nat(), fc.constant(Infinity)),
  repeats: fc.nat({ max: 9 }),
  elsewhere: fc.nat(),
  reason: fc.constantFrom(undefined, ...reasons)
}).map(Answer.makeAttempt)

const error = fc.record({
  query: label,
  reason: fc.constantFrom(...reasons),
  trace: fc.array(attempt, { maxLength: 3 })
}).map((asked) => new MarketDataError.MarketDataError(asked))

const prices = Schemas.Table(StockPrices.spec, ["symbol", "mid"])
const FromJsonOfPrices = MarketDataError.FromJsonWith(prices)

/** What an error says, and all that it prints. */
const shown = (error: MarketDataError.MarketDataError): unknown => [
  error.constructor,
  error._tag,
  error.message,
  error.reason.constructor,
  error.trace.map(Answer.formatAttempt),
  JSON.parse(JSON.stringify(error))
]

/** Written by a schema or by `JSON.stringify`, as text. */
const waysToJson = <A>(schema: Schema.Codec<A, Schema.Json>): ReadonlyArray<(value: A) => string> => [
  Schema.encodeSync(Schema.fromJsonString(schema)),
  Schema.encodeSync(Schema.fromJsonString(Schema.toCodecJson(schema))),
  JSON.stringify
]

it("loses nothing of an error of any reason", () => {
  const read = Schema.decodeSync(Schema.fromJsonString(MarketDataError.FromJson))
  const readAny = Schema.decodeSync(Schema.fromJsonString(FromJsonOfPrices))
  for (const write of waysToJson(MarketDataError.FromJson)) {
    forAll(trials(17_541), error, (error) => {
      const written = write(error)
      assert.deepStrictEqual(shown(read(written)), shown(error))
      assert.deepStrictEqual(shown(readAny(written)), shown(error))
    })
  }
})

it("loses nothing of part of an answer", () => {
  const read = Schema.decodeSync(Schema.fromJsonString(FromJsonOfPrices))
  const data = Schema.decodeUnknownSync(prices)({
    length: 2,
    columns: { symbol: ["AAPL", "MSFT"], mid: [1, null] },
    findings: []
  })
  const untold = { requestedMode: undefined, sentMode: undefined, updated: undefined, requestId: undefined }
  const provenance = { ...untold, status: 200, source: "provider", receivedAt: 1 } as const
  const estimate = { _tag: "Exact", credits: 3, clause: "8.2-cost-quotes", assumptions: [] } as const
  const credits = { estimate, charged: 2, uncertain: Infinity }
  const answered = Answer.make({ data, findings: [], provenance, credits, trace: [] })
  const reason = new Incomplete.Incomplete({
    answered,
    missing: ["SPY"],
    errors: [{ tickers: ["SPY"], reason: new Reason.NotFound({ cause: "NoData", body: "" }) }]
  })
  const error = new MarketDataError.MarketDataError({ query: "stockPrices AAPL,MSFT,SPY", reason, trace: [] })
  for (const write of waysToJson(FromJsonOfPrices)) {
    const travelled = read(write(error))
    assert.deepStrictEqual(shown(travelled), shown(error))
    // Of another copy of this package, as in a bundle: another class, with the same fields.
    const foreign = { ...error.toJSON(), name: error.name, reason: Object.assign(Error(), reason) }
    assert.deepStrictEqual(shown(read(write(Object.assign(Error(), foreign) as never))), shown(error))
    assert.instanceOf(travelled.reason, Incomplete.Incomplete)
    const { answered } = travelled.reason as typeof reason
    assert.strictEqual(answered.credits.uncertain, Infinity)
    assert.isTrue(answered.data.isNull("mid", 1))
  }
  // Who has no schema of the data reads and writes no part of them.
  assert.isTrue(Result.isFailure(Schema.encodeUnknownResult(MarketDataError.FromJson)(error)))
  const written: unknown = JSON.parse(JSON.stringify(error))
  assert.isTrue(Result.isFailure(Schema.decodeUnknownResult(MarketDataError.FromJson)(written)))
})

it("is made by the constructor, which cuts and cleans what it is called", () => {
  const hostile = { _tag: "MarketDataError", query: `\u001b[2J?token=c3VwZXJzZWNyZXQ ${"x".repeat(1e6)}`, trace: [] }
  const reason = { _tag: "NoCachedData" }
  const read = Schema.decodeUnknownSync(MarketDataError.FromJson)({ ...hostile, reason })
  assert.isAtMost(read.query.length, 200)
  for (const hidden of ["\u001b", "c3VwZXJzZWNyZXQ"]) assert.notInclude(read.query, hidden)
})

it("refuses what is not an error, and says where", () => {
  const valid = { _tag: "MarketDataError", query: "optionChain SPX", reason: { _tag: "NoCachedData" }, trace: [] }
  const refusalOf = (input: unknown): string => {
    const read = Schema.decodeUnknownResult(MarketDataError.FromJson)(input)
    return Result.isFailure(read) ? read.failure.message : "not refused"
  }
  assert.strictEqual(refusalOf(valid), "not refused")
  assert.match(refusalOf({ ...valid, _tag: "Error" }), /at \["_tag"\]$/)
  assert.match(refusalOf({ ...valid, reason: { _tag: "Nothing" } }), /at \["reason"\]/)
  assert.match(refusalOf({ ...valid, reason: { _tag: "ServerFault", status: "503" } }), /at \["reason"\]/)
  assert.match(refusalOf({ ...valid, trace: [{}] }), /at \["trace"\]\[0\]\["target"\]$/)
  forAll(trials(17_542), fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (reason, query, trace) => {
    const read = Schema.decodeUnknownResult(FromJsonOfPrices)({ ...valid, reason, query, trace })
    assert.isTrue(Result.isFailure(read) && read.failure._tag === "SchemaError")
  })
})

it.effect("holds no token and stays bounded, whatever the service says", () => {
  const token = "a-token-for-tests-only"
  const symbols = Array.from({ length: 10 }, (_, index) => `T${index}`)
  const replies = replying(() => ({
    status: 500,
    body: JSON.stringify({ s: "error", errmsg: `${token} ${"\u001b[31m".repeat(5000)}` })
  }))
  return Effect.gen(function*() {
    const error = yield* Effect.flip(MarketData.run(Result.getOrThrow(Query.stockPrices(symbols))))
    const written = JSON.stringify(
      Schema.encodeSync(MarketDataError.FromJsonWith(Schemas.Table(StockPrices.spec)))(error)
    )
    assert.notInclude(written, token)
    assert.isAtMost(written.length, 10 * 6000)
    assert.include(written, "ServerFault")
  }).pipe(Effect.provide(clientOf(replies, { maxSymbols: 1, token: Redacted.make(token) })))
})
