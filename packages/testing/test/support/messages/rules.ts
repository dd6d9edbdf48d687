/** A query that breaks each rule, and an option of a client. The compiler asks for a rule that none breaks. */
import { CreditLedger, MarketData, MarketDataStream, ReplyCache } from "@effect-marketdata/client"
import type { MarketDataConfig } from "@effect-marketdata/client/MarketDataConfig"
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { Credits, DataMode, HttpRequest, Period, Query } from "@effect-marketdata/core"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import { Effect, FileSystem, Layer, Option, Path, Redacted, Result, Stream } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as ClientRules from "../../../../client/src/config/rules.ts"
import type * as Rules from "../../../../core/src/query/rules.ts"

type Broken = Result.Result<unknown, unknown>

/** What no type lets through, and data from elsewhere may hold. */
const untyped = (value: unknown): never => value as never

const spx = Result.getOrThrow(Query.optionChain("SPX"))
const chain = (options: object) => Query.optionChain("SPX", untyped(options))
const noon = Date.parse("2026-11-20T12:00:00-05:00") / 1000

const refused = (assume: object): Broken => {
  const price = Credits.estimate(spx, untyped(assume))
  return price._tag === "Refused" ? Result.fail(price.reason) : Result.succeed(price)
}

/** The queries that each rule of core is broken by. */
const queries: { readonly [Rule in keyof typeof Rules]: () => Broken } = {
  yesOrNo: () => chain({ nonstandard: "yes" }),
  choice: () => chain({ side: "straddle" }),
  integer: () => chain({ month: 13 }),
  decimal: () => chain({ minBid: -1 }),
  credits: () => refused({ refusal: -1 }),
  seen: () => refused({ seen: { sizes: [{ contracts: 22_718 }], now: noon } }),
  object: () => Query.optionChain("SPX", untyped(5)),
  unknownOption: () => chain({ minOpeninterest: 100 }),
  notRelative: () => chain({ date: "yesterday" }),
  timeOfDay: () => Period.parameters({ to: "2026-11-20 24:00" }),
  offset: () => Period.parameters({ to: "2026-11-20T09:30Z" }),
  secondOfDay: () => Period.parameters({ to: { date: { year: 2026, month: 11, day: 20 }, secondOfDay: 86_400 } }),
  oneTicker: () => Query.optionChain("AAPL,MSFT"),
  dayMissing: () => Period.split(untyped({ from: "2026-11-19" }), 5),
  rangeOrder: () => Period.parameters({ from: "2026-11-19", to: "2026-11-18" }),
  past: () => Result.flatMap(Query.optionChain("SPX", { date: "2026-11-20" }), (query) => Query.checkDate(query, noon)),
  exclusive: () => chain({ expiration: "2026-12-18", dte: 30 }),
  minAboveMax: () => chain({ minBid: 5, maxBid: 1 }),
  cycles: () => chain({ weekly: true, monthly: false }),
  settlement: () => Query.optionChain("AAPL", { am: true }),
  numberList: () => chain({ strike: [] }),
  numberRange: () => chain({ strike: { from: 410, to: 400 } }),
  numberBounds: () => chain({ strike: { above: 1, below: 2 } }),
  tickerMissing: () => Query.optionChain(""),
  ticker: () => Query.optionChain("A/B"),
  tickers: () => Query.stockQuotes([]),
  include: () => Query.stockQuote("AAPL", { include: untyped("52week") }),
  columns: () => chain({ columns: [] }),
  column: () => Query.stockPrices(["AAPL"], { columns: [untyped("bid")] }),
  stockResolution: () => Query.stockCandles(untyped("2X"), "AAPL"),
  fundResolution: () => Query.fundCandles(untyped("5"), "VFINX"),
  description: () => Query.optionLookup(untyped({ underlying: "AAPL" })),
  descriptionLetters: () => Query.optionLookup("AAPL?"),
  mode: () => chain({ mode: "fresh" }),
  maxAgeUncached: () => chain({ mode: { ...DataMode.live, maxAge: "5 minutes" } }),
  cachedPastDay: () => chain({ mode: "cached", date: "2026-01-02" }),
  cachedHere: () => Query.optionExpirations("AAPL", untyped({ mode: "cached" })),
  statedKind: () => chain({ assume: { kind: "other" } }),
  query: () => HttpRequest.make(untyped("SPX"), "https://api.example.com"),
  format: () => HttpRequest.make(untyped({ ...spx, format: "xml" }), "https://api.example.com"),
  baseUrl: () => HttpRequest.parseBaseUrl("api.example.com"),
  baseUrlVersion: () => HttpRequest.parseBaseUrl("https://api.example.com/v1")
}

const reasonOf = <A, R>(asked: Effect.Effect<A, MarketDataError, R>, options: MarketDataConfig = {}): Promise<Broken> =>
  asked.pipe(
    Effect.mapError(({ reason }) => reason),
    Effect.provide(Layer.provide(MarketData.layer(options), CreditLedger.layerUnlimited)),
    Effect.provideService(HttpClient.HttpClient, HttpClient.make(() => Effect.die("nothing is to be sent"))),
    Effect.result,
    (asked) => Effect.runPromise(asked as Effect.Effect<Broken>)
  )

const clientOf = (options: MarketDataConfig) => reasonOf(MarketData.stockPrices(["AAPL"]), options)

const cachedBy = (cache: Layer.Layer<ReplyCache.ReplyCache>) =>
  reasonOf(
    MarketData.stockPrices(["AAPL"]).pipe(
      Effect.provide(Layer.fresh(Layer.provide(MarketData.layer(), [cache, CreditLedger.layerUnlimited])))
    )
  )

/** A cache in a directory of which a platform says this. */
const directoryWith = (info: Partial<FileSystem.File.Info>): Promise<Broken> =>
  Effect.runPromise(Effect.result(
    ReplyCache.checkDisk("/var/cache/desk").pipe(
      Effect.provide([FileSystem.layerNoop({ lstat: () => Effect.succeed(untyped(info)) }), Path.layer])
    )
  ))

/** The clients that each rule of theirs is broken by. */
const clients: { readonly [Rule in keyof typeof ClientRules]: () => Promise<Broken> } = {
  redacted: () => clientOf({ token: untyped("a-token-that-must-not-be-shown") }),
  requests: () => clientOf({ maxInFlight: 0 }),
  bytes: () => clientOf({ maxReplyBytes: 0.5 }),
  keptBytes: () => clientOf({ maxKeptBytes: -1 }),
  account: () => cachedBy(ReplyCache.layerMemory({ maxBytes: 1, account: "" })),
  anew: () => cachedBy(ReplyCache.layerMemory({ maxBytes: 1, anew: untyped("false") })),
  store: () => cachedBy(Layer.effect(ReplyCache.ReplyCache, ReplyCache.make(untyped({})))),
  directory: () =>
    cachedBy(
      ReplyCache.layerDisk({ directory: "", maxBytes: 1, account: "desk" }).pipe(
        Layer.provide([FileSystem.layerNoop({}), Path.layer])
      )
    ),
  realDirectory: () => directoryWith({ type: "SymbolicLink" }),
  ownDirectory: () => directoryWith({ type: "Directory", uid: Option.some(-1) }),
  closedDirectory: () => directoryWith({ type: "Directory", uid: Option.none(), mode: 0o777 }),
  tickers: () => reasonOf(Stream.runDrain(MarketDataStream.stockPrices(["AAPL"], { size: 0 }))),
  token: () => clientOf({ baseUrl: "https://api.example.com", token: Redacted.make("{your token}") }),
  privateLine: () => clientOf({ baseUrl: "http://api.example.com", token: Redacted.make("a1b2c3") })
}

/** Every rule with a refusal of what breaks it. */
export const rules: ReadonlyArray<readonly [rule: string, InvalidQuery]> = await Promise.all(
  [queries, clients].flatMap((all): ReadonlyArray<readonly [string, () => Broken | Promise<Broken>]> =>
    Object.entries(all)
  ).map(async ([name, ask]) => {
    const asked = await ask()
    if (Result.isFailure(asked) && asked.failure instanceof InvalidQuery) return [name, asked.failure] as const
    throw new Error(`nothing breaks the rule ${name}`)
  })
)
