import { CacheFallback as CacheFallbackLayers, CreditLedger, MarketData } from "@effect-marketdata/client"
import type { CacheFallback } from "@effect-marketdata/client/CacheFallback"
import type { Incomplete } from "@effect-marketdata/client/Incomplete"
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import type { AccountStatus, Answer, OptionChain, Reason, StockPrices, StockQuotes } from "@effect-marketdata/core"
import { DataMode, Query } from "@effect-marketdata/core"
import { Effect, Layer, ManagedRuntime, type Option } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { describe, expectTypeOf, it } from "vitest"

type ReasonOf<E> = E extends { readonly reason: infer R } ? R : never
type DataOf<A> = A extends { readonly data: infer D } ? D : never

/** What every query can fail with, whatever its mode. */
type Common =
  | Reason.InvalidQuery
  | Reason.CreditBudgetExceeded
  | Reason.LedgerUnavailable
  | Reason.AlreadySent
  | Reason.GatewayUnavailable
  | Reason.GuardUnavailable
  | Reason.IpBlocked
  | Reason.TransportFailure
  | Reason.TimedOut
  | Reason.OfAnyReply

describe("MarketData.optionChain", () => {
  const plain = MarketData.optionChain("SPX")
  const live = MarketData.optionChain("SPX", { mode: DataMode.live })
  const cached = MarketData.optionChain("SPX", { mode: DataMode.cached({ maxAge: "5 minutes" }) })
  const cachedOrLive = MarketData.optionChain("SPX", { mode: DataMode.cachedOrLive() })

  it("requires consent to pay in the mode that may fall back, and in no other", () => {
    expectTypeOf<Effect.Services<typeof plain>>().toEqualTypeOf<MarketData.MarketData>()
    expectTypeOf<Effect.Services<typeof live>>().toEqualTypeOf<MarketData.MarketData>()
    expectTypeOf<Effect.Services<typeof cached>>().toEqualTypeOf<MarketData.MarketData>()
    expectTypeOf<Effect.Services<typeof cachedOrLive>>().toEqualTypeOf<MarketData.MarketData | CacheFallback>()
  })

  it("lists exactly the reasons that its mode can bring", () => {
    expectTypeOf<ReasonOf<Effect.Error<typeof plain>>>().toEqualTypeOf<Common | Reason.UnexpectedNoContent>()
    expectTypeOf<ReasonOf<Effect.Error<typeof live>>>().toEqualTypeOf<Common | Reason.UnexpectedNoContent>()
    expectTypeOf<ReasonOf<Effect.Error<typeof cached>>>().toEqualTypeOf<Common | Reason.NoCachedData>()
    expectTypeOf<ReasonOf<Effect.Error<typeof cachedOrLive>>>().toEqualTypeOf<
      Common | Reason.NoLiveData | Reason.FallbackDeclined
    >()
  })

  it("types the chain by the columns asked for", () => {
    const some = MarketData.optionChain("SPX", { columns: ["strike", "bid"] })
    expectTypeOf<DataOf<Effect.Success<typeof some>>>().toEqualTypeOf<OptionChain.OptionChain<"strike" | "bid">>()
    expectTypeOf<DataOf<Effect.Success<typeof plain>>>().toEqualTypeOf<OptionChain.OptionChain>()
    // @ts-expect-error there is no such column
    void MarketData.optionChain("SPX", { columns: ["price"] })
  })

  it("gives a greatest age to cached modes only [4.1-maxage-cached-only]", () => {
    // @ts-expect-error live data have no age to ask for
    void MarketData.optionChain("SPX", { mode: { ...DataMode.live, maxAge: "5 minutes" } })
    // @ts-expect-error it belongs to the mode
    void MarketData.optionChain("SPX", { maxAge: "5 minutes" })
  })
})

describe("queries of one request", () => {
  const asked = [
    MarketData.optionQuote("AAPL261218C00150000"),
    MarketData.optionLookup("AAPL 12/18/2026 150 call"),
    MarketData.optionExpirations("AAPL"),
    MarketData.optionStrikes("AAPL"),
    MarketData.stockQuote("AAPL"),
    MarketData.stockCandles("D", "AAPL"),
    MarketData.stockEarnings("AAPL"),
    MarketData.stockNews("AAPL"),
    MarketData.fundCandles("D", "VFINX"),
    MarketData.marketStatus(),
    MarketData.account,
    MarketData.serviceStatus,
    MarketData.requestHeaders
  ] as const

  it("cannot be incomplete, and miss nothing in a cache they do not ask", () => {
    expectTypeOf<ReasonOf<Effect.Error<typeof asked[number]>>>().toEqualTypeOf<Common | Reason.UnexpectedNoContent>()
    expectTypeOf<Effect.Services<typeof asked[number]>>().toEqualTypeOf<MarketData.MarketData>()
    expectTypeOf<Effect.Success<typeof MarketData.account>>().toEqualTypeOf<
      Answer.Answer<AccountStatus.AccountStatus>
    >()
  })

  it("have no cached mode where nothing is cached [8.2-cached-unavailable]", () => {
    // @ts-expect-error candles are not cached
    void MarketData.stockCandles("D", "AAPL", { mode: DataMode.cached() })
    // @ts-expect-error nor are news
    void MarketData.stockNews("AAPL", { mode: DataMode.cachedOrLive() })
    // @ts-expect-error nor are quotes of past days
    void MarketData.optionQuote("AAPL261218C00150000", { mode: DataMode.cached(), date: "2026-11-19" })
  })
})

describe("queries about many tickers", () => {
  const prices = MarketData.stockPrices(["A", "B"], { columns: ["symbol", "mid"], mode: DataMode.cachedOrLive() })
  type Data = StockPrices.StockPrices<"symbol" | "mid">
  type Single = Common | Reason.NoLiveData | Reason.FallbackDeclined

  it("can be incomplete: what was answered is of the answer's type, and the reasons are those of its mode", () => {
    expectTypeOf<ReasonOf<Effect.Error<typeof prices>>>().toEqualTypeOf<Single | Incomplete<Data, Single>>()
    expectTypeOf<ReasonOf<Effect.Error<ReturnType<typeof MarketData.stockBulkCandles>>>["_tag"]>()
      .toEqualTypeOf<Common["_tag"] | "UnexpectedNoContent" | "Incomplete">()
    const some = Effect.catchReason(prices, "MarketDataError", "Incomplete", ({ answered }) => Effect.succeed(answered))
    expectTypeOf<Effect.Success<typeof some>>().toEqualTypeOf<Answer.Answer<Data>>()
  })

  it("are no longer incomplete where part of them is accepted", () => {
    const part = MarketData.partial(prices)
    expectTypeOf<Effect.Success<typeof part>>().toEqualTypeOf<MarketData.PartialAnswer<Data, Single>>()
    expectTypeOf<Effect.Error<typeof part>>().toEqualTypeOf<MarketDataError<Single>>()
    expectTypeOf<Effect.Services<typeof part>>().toEqualTypeOf<MarketData.MarketData | CacheFallback>()
  })

  it("are an option where a miss is expected, and no longer fail for one", () => {
    const cached = MarketData.whenCached(MarketData.optionChain("SPX", { mode: DataMode.cached() }))
    type Chain = Effect.Success<ReturnType<typeof MarketData.optionChain>>
    expectTypeOf<Effect.Success<typeof cached>>().toEqualTypeOf<Option.Option<Chain>>()
    expectTypeOf<ReasonOf<Effect.Error<typeof cached>>>().toEqualTypeOf<Common>()
  })

  it("have the columns that were included", () => {
    const quotes = MarketData.stockQuotes(["A"], { columns: ["symbol"], include: ["candle"] })
    expectTypeOf<DataOf<Effect.Success<typeof quotes>>>().toEqualTypeOf<
      StockQuotes.StockQuotes<"symbol" | "o" | "h" | "l" | "c">
    >()
    // @ts-expect-error the 52 weeks are not told of many at once
    void MarketData.stockQuotes(["A"], { include: ["52week"] })
  })
})

it("MarketData.run takes any query, and types its answer", () => {
  const asked = Effect.flatMap(Effect.fromResult(Query.stockQuote("AAPL", { columns: ["bid"] })), MarketData.run)
  expectTypeOf<DataOf<Effect.Success<typeof asked>>>().toEqualTypeOf<StockQuotes.StockQuotes<"bid">>()
})

it("a ledger in memory has an allowance, or is named unlimited", () => {
  expectTypeOf<CreditLedger.MemoryOptions["allowance"]>().toEqualTypeOf<number>()
  // @ts-expect-error a budget without an allowance is not a budget
  CreditLedger.layerMemory({})
  // @ts-expect-error neither is one of an allowance that may be missing
  CreditLedger.layerMemory({ allowance: undefined })
  // @ts-expect-error nor one without options
  CreditLedger.layerMemory()
  expectTypeOf(CreditLedger.layerUnlimited).toEqualTypeOf<Layer.Layer<CreditLedger.CreditLedger>>()
})

describe("CacheFallback", () => {
  it("is consent that somebody gives: its layers need nothing and cannot fail", () => {
    expectTypeOf(CacheFallbackLayers.layerUpTo(500)).toEqualTypeOf<Layer.Layer<CacheFallback>>()
    expectTypeOf(CacheFallbackLayers.layerAlways).toEqualTypeOf<Layer.Layer<CacheFallback>>()
  })

  it("may refuse, and for no other reason than that it was declined", () => {
    expectTypeOf<ReturnType<CacheFallback["Service"]["decide"]>>().toEqualTypeOf<
      Effect.Effect<number, Reason.FallbackDeclined>
    >()
  })

  it("is not required any more once it was given", () => {
    const asked = MarketData.optionChain("SPX", { mode: DataMode.cachedOrLive() }).pipe(
      Effect.provide(CacheFallbackLayers.layerAlways)
    )
    expectTypeOf<Effect.Services<typeof asked>>().toEqualTypeOf<MarketData.MarketData>()
  })
})

it("accessors are there for every endpoint", () => {
  expectTypeOf<Exclude<Query.EndpointName, keyof typeof MarketData>>().toBeNever()
})

describe("a ledger that stands beside the client", () => {
  const client = MarketData.layer().pipe(Layer.provide(FetchHttpClient.layer))
  const ledger = CreditLedger.layerMemory({ allowance: 10 })
  const prices = MarketData.stockPrices(["AAPL"])

  it("leaves the client without one, however the layers are put together", () => {
    expectTypeOf<Layer.Services<typeof client>>().toEqualTypeOf<CreditLedger.CreditLedger>()
    // @effect-diagnostics-next-line layerMergeAllWithDependencies:off
    const merged = Layer.mergeAll(client, ledger)
    expectTypeOf<Layer.Services<typeof merged>>().toEqualTypeOf<CreditLedger.CreditLedger>()
    const beside = prices.pipe(Effect.provide(merged))
    expectTypeOf<Effect.Services<typeof beside>>().toEqualTypeOf<CreditLedger.CreditLedger>()
    const listed = prices.pipe(Effect.provide([client, ledger]))
    expectTypeOf<Effect.Services<typeof listed>>().toEqualTypeOf<CreditLedger.CreditLedger>()
    // @effect-diagnostics-next-line multipleEffectProvide:off
    const before = prices.pipe(Effect.provide(ledger), Effect.provide(client))
    expectTypeOf<Effect.Services<typeof before>>().toEqualTypeOf<CreditLedger.CreditLedger>()
    // @ts-expect-error a runtime has no services to give
    // @effect-diagnostics-next-line missingLayerContext:off
    ManagedRuntime.make(merged)
    // @ts-expect-error the configured client asks for one, too
    // @effect-diagnostics-next-line missingLayerContext:off
    ManagedRuntime.make(MarketData.layerConfig.pipe(Layer.provide(FetchHttpClient.layer)))
  })

  it("is under the client where it is provided to it", () => {
    const under = prices.pipe(Effect.provide(Layer.provide(client, ledger)))
    expectTypeOf<Effect.Services<typeof under>>().toEqualTypeOf<never>()
    const seen = prices.pipe(Effect.provide(Layer.provideMerge(client, ledger)))
    expectTypeOf<Effect.Services<typeof seen>>().toEqualTypeOf<never>()
    // @effect-diagnostics-next-line multipleEffectProvide:off
    const after = prices.pipe(Effect.provide(client), Effect.provide(ledger))
    expectTypeOf<Effect.Services<typeof after>>().toEqualTypeOf<never>()
  })
})
