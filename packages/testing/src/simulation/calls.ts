/** Who asks on a simulated day, and what. */
import type * as CacheFallback from "@effect-marketdata/client/CacheFallback"
import * as MarketData from "@effect-marketdata/client/MarketData"
import { type AnyReason, MarketDataError } from "@effect-marketdata/client/MarketDataError"
import * as MarketDataStream from "@effect-marketdata/client/MarketDataStream"
import {
  Account,
  type Answer,
  CalendarDate,
  Credits,
  DataMode,
  NewYork,
  Query,
  type Reason
} from "@effect-marketdata/core"
import * as Accounts from "@effect-marketdata/sandbox/Accounts"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Queries from "../arbitraries/Queries.ts"
import type { Chance } from "./Chance.ts"

/** A program that asks: whose account it uses, from where, and what it may spend on a day. */
export interface Desk {
  readonly name: string
  readonly token: string | undefined
  readonly address: string
  /** Credits a day, or undefined to count only. */
  readonly budget: number | undefined
  /** How likely a caller is to sit here. */
  readonly weight: number
}

/** A mark in every token, by which one is found wherever it does not belong. */
export const mark = "S3CR3T"

const tokenOf = (name: string) => `${mark}-${name}-token`

/** The accounts of the service. */
export const accounts: ReadonlyArray<Accounts.Account> = ([
  ["paid", "paid", Account.nonProfessional("realTime"), 100_000, "day"],
  ["delayed", "paid", Account.nonProfessional("delayed"), 300, "minute"],
  ["professional", "paid", Account.professional, 100_000, "day"],
  ["trial", "trial", Account.nonProfessional("realTime"), 5000, "day"],
  ["free", "free", Account.unknown, 12, "day"]
] as const).map(([name, plan, user, credits, window]) =>
  Accounts.make(tokenOf(name), Account.make({ plan, user, allowance: { credits, window } }))
)

/** Who asks on a day. Two desks have one account, and come from two addresses. */
export const desksOf = (chance: Chance): ReadonlyArray<Desk> => {
  const budget = () => chance.pick([undefined, undefined, 20, 200, 1000])
  return ([
    ["home", "198.51.100.1", () => chance.pick([80, 5000, 20_000]), 4],
    ["office", "203.0.113.9", () => undefined, chance.pick([0.3, 1])],
    ["delayed", "198.51.100.2", budget, 2],
    ["professional", "198.51.100.3", budget, 2],
    ["trial", "198.51.100.4", budget, 2],
    ["free", "198.51.100.5", budget, 1],
    ["demo", "198.51.100.6", budget, 1],
    ["mistaken", "198.51.100.7", budget, 0.5]
  ] as const).map(([name, address, budget, weight]) => ({
    name,
    token: name === "demo" ? undefined : tokenOf(tokens[name] ?? name),
    address,
    budget: budget(),
    weight
  }))
}

/** Whose account a desk has, where it is not its own. */
const tokens: Readonly<Record<string, string>> = { home: "paid", office: "paid", mistaken: "unknown" }

/** The outcome of a call: an answer or error, or those of the parts of a stream. */
export interface Outcome {
  readonly answers: ReadonlyArray<Answer.Answer<unknown>>
  readonly errors: ReadonlyArray<MarketDataError<AnyReason>>
}

/**
 * Something to ask. `bound` is the most that one of its requests may cost by the estimate, in credits; `fallsBack` says that live data are asked for where
 * nothing is cached, `hasTwins` that it may ask for the same twice at once; `tickers` are what it lists.
 */
export interface Call {
  readonly text: string
  readonly bound: number
  readonly fallsBack: boolean
  readonly hasTwins: boolean
  readonly tickers: ReadonlyArray<string>
  readonly ask: Effect.Effect<Outcome, never, MarketData.MarketData | CacheFallback.CacheFallback>
}

type Made = Result.Result<Query.Query<unknown, DataMode.DataMode | undefined>, Reason.InvalidQuery>

/** Makes a query of one answer. */
export const of = (name: string, made: Made): Call => {
  const query = Result.getOrUndefined(made)
  const tickers = query?.tickers ?? []
  return {
    text: query === undefined ? name : `${Query.target(query)} ${query.mode?._tag}`,
    tickers,
    hasTwins: new Set(tickers).size < tickers.length,
    fallsBack: query?.mode?._tag === "CachedOrLive",
    bound: query === undefined ? 0 : Credits.bound(Credits.estimate(query)),
    ask: Effect.fromResult(made).pipe(
      Effect.mapError((reason) => new MarketDataError({ query: name, reason, trace: [] })),
      Effect.flatMap((query) => MarketData.run(query)),
      Effect.match({
        onSuccess: (answer): Outcome => ({ answers: [answer], errors: [] }),
        onFailure: (error): Outcome => ({ answers: [], errors: [error] })
      })
    )
  }
}

const streamed = <Part, Data, R extends AnyReason>(
  text: string,
  bound: number,
  events: Stream.Stream<
    MarketDataStream.Event<Part, Data, R>,
    MarketDataError<AnyReason>,
    MarketData.MarketData | CacheFallback.CacheFallback
  >
): Call => ({
  text,
  bound,
  fallsBack: false,
  hasTwins: true,
  tickers: [],
  ask: Stream.runFold(
    events,
    (): Outcome => ({ answers: [], errors: [] }),
    (outcome, event) =>
      event._tag === "Answered"
        ? { ...outcome, answers: [...outcome.answers, event.answer] }
        : { ...outcome, errors: [...outcome.errors, event.error] }
  ).pipe(Effect.catch((error) => Effect.succeed<Outcome>({ answers: [], errors: [error] })))
})

const stocks = ["AAPL", "MSFT", "NVDA", "TSLA", "AMZN", "F", "SPY", "GOOG", "META", "NFLX", "JPM", "XOM"]
const optionable = ["F", "F", "F", "F", "AAPL", "BRK.B"]
const absent = "ZZZZ"

const maxAges = ["1min", "5min", "1h"] as const

/** As many as make a request line too long. */
const strikes = Array.from({ length: 1000 }, (_, at) => 10 + at / 8)

type Uncached = DataMode.Live | DataMode.Delayed | undefined

/** Draws something to ask at a time in epoch seconds; without a token mostly what the demo has. */
export const draw = (chance: Chance, now: number, isDemo: boolean): Call => {
  const today = NewYork.dateOf(now)
  const pastDay = () => CalendarDate.addDays(today, -1 - chance.below(6))
  const someDay = () => chance.is(0.05) ? CalendarDate.addDays(today, chance.below(3)) : pastDay()
  const someDate = () => chance.is(0.3) ? { date: someDay() } : {}
  const words = () => chance.is(0.1) ? "nothing at all" : "F 1/21/28 $12 call"
  const stock = () => chance.is(0.04) ? absent : isDemo && chance.is(0.8) ? "AAPL" : chance.pick(stocks)
  const underlying = () => chance.is(0.04) ? absent : isDemo && chance.is(0.8) ? "AAPL" : chance.pick(optionable)
  const maxAge = () => chance.is(0.6) ? chance.pick(maxAges) : undefined
  const uncached = () => chance.weigh<Uncached>([[5, undefined], [3, DataMode.live], [2, DataMode.delayed]])
  const anyMode = (): DataMode.DataMode | undefined =>
    chance.weigh<() => DataMode.DataMode | undefined>([
      [3, uncached],
      [2, () => DataMode.cached({ maxAge: maxAge() })],
      [3, () => DataMode.cachedOrLive({ maxAge: maxAge() })]
    ])()
  const tickers = () => Array.from({ length: 1 + chance.below(4) }, stock)
  const contracts = chance.is(0.7) ? { assume: { contracts: chance.pick([40, 200, 600]) } } : {}
  const candles = chance.is(0.7) ? { assume: { candles: 300 } } : {}

  /** The endpoints with queries of their own, and how likely each is. */
  const own: ReadonlyArray<readonly [weight: number, name: Query.EndpointName, ask: () => Made]> = [
    [12, "optionChain", () => {
      const symbol = underlying()
      return chance.is(0.25)
        ? Query.optionChain(symbol, { date: someDay(), strikeLimit: 4, ...contracts })
        : Query.optionChain(symbol, {
          mode: anyMode(),
          ...(chance.is(0.5) ? { strikeLimit: chance.pick([2, 10]) } : {}),
          ...(chance.is(0.3) ? { side: chance.pick(["call", "put"] as const) } : {}),
          ...contracts
        })
    }],
    [8, "optionQuote", () => {
      // The Friday of one of the next weeks; on some of them the market is closed.
      const expiration = CalendarDate.addDays(today, (12 - CalendarDate.dayOfWeek(today)) % 7 + 7 * chance.below(2))
      const strike = String(chance.pick([11, 12, 12, 13, 900]) * 1000).padStart(8, "0")
      const symbol = `F${CalendarDate.format(expiration).slice(2).replaceAll("-", "")}C${strike}`
      return Query.optionQuote(symbol, chance.is(0.3) ? { date: someDay() } : { mode: anyMode() })
    }],
    [3, "optionLookup", () => Query.optionLookup(words(), { mode: uncached() })],
    [3, "optionExpirations", () => Query.optionExpirations(underlying(), { mode: uncached(), ...someDate() })],
    [0.5, "optionChain", () => Query.optionChain("F", { strike: strikes, ...contracts })],
    [2, "optionStrikes", () => Query.optionStrikes(chance.is(0.9) ? "F" : absent, { mode: uncached() })],
    [10, "stockQuotes", () => Query.stockQuote(stock(), { mode: anyMode() })],
    [8, "stockQuotes", () => Query.stockQuotes(tickers(), { mode: anyMode() })],
    [14, "stockPrices", () => Query.stockPrices(tickers(), { mode: anyMode() })],
    [5, "stockCandles", () => {
      const resolution = chance.pick(["D", "H", "15"] as const)
      const [symbol, countback] = [stock(), chance.pick([5, 60])]
      return Query.stockCandles(resolution, symbol, { countback, mode: uncached(), ...candles })
    }],
    [1, "stockCandles", () => Query.stockCandles("1", stock(), { from: "2020-01-02", to: "2023-06-01", ...candles })],
    [4, "stockBulkCandles", () => Query.stockBulkCandles(tickers(), { mode: uncached() })],
    [2, "marketStatus", () => Query.marketStatus({ date: CalendarDate.addDays(today, chance.below(9) - 4) })]
  ]

  const ofRow = (row: Query.AnyEndpoint) => (): Made => {
    const subject = [
      ...row.path.includes("{resolution}") ? ["D"] : [],
      ...row.path.includes("{symbol}") ? [row.demo === "fund" ? chance.is(0.9) ? "VFINX" : absent : stock()] : [],
      ...row.path.includes("{underlyingSymbol}") ? [underlying()] : []
    ]
    const last = row.parameters.some((name) => name === "countback") ? { countback: 4 } : {}
    return Queries.ask(row.name, ...subject, { mode: uncached(), ...last })
  }

  const others = Object.values(Query.endpoints).filter(({ name }) => !own.some(([, other]) => other === name))
    .map((row) => [2, row.name, ofRow(row)] as const)

  return chance.weigh<() => Call>([
    ...[...own, ...others].map(([weight, name, ask]) => [weight, () => of(name, ask())] as const),
    [3, () => {
      const symbols = tickers()
      const mode = anyMode()
      return streamed(
        `stream of prices ${symbols.join(",")}`,
        symbols.length,
        MarketDataStream.stockPrices(symbols, { size: 2, concurrency: chance.pick([1, 3]), mode })
      )
    }],
    [2, () => {
      const from = CalendarDate.addDays(today, -40)
      return streamed(
        "stream of candles",
        candles.assume?.candles ?? Infinity,
        MarketDataStream.stockCandles("D", stock(), { from, to: CalendarDate.addDays(today, -1), days: 15, ...candles })
      )
    }]
  ])()
}
