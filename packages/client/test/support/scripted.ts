import { type Duration, Effect, Layer, Record } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "effect/http"

/** One scripted reply: a response (late where it says so), a connection that fails with a code, or one that never answers. */
export type Script =
  | {
    readonly status: number
    readonly body?: string | ReadableStream<Uint8Array>
    readonly headers?: Readonly<Record<string, string>>
    readonly after?: Duration.Input
  }
  | { readonly fails: string }
  | { readonly hangs: true }

/** A service that replies to each request as `reply` says, and remembers what it was asked. */
export const replying = (reply: (url: URL, index: number) => Script) => {
  const requests: Array<HttpClientRequest.HttpClientRequest> = []
  const client = HttpClient.make((request, url) => {
    const script = reply(url, requests.length)
    requests.push(request)
    if ("hangs" in script) return Effect.never
    if ("fails" in script) {
      const cause = Object.assign(new Error(`connect ${script.fails}`), { code: script.fails })
      const reason = new HttpClientError.TransportError({ request, cause })
      return Effect.fail(new HttpClientError.HttpClientError({ reason }))
    }
    const bodyless = script.status === 204 || script.status === 304
    return Effect.delay(
      Effect.sync(() =>
        HttpClientResponse.fromWeb(
          request,
          new Response(bodyless ? null : script.body ?? "", { status: script.status, headers: { ...script.headers } })
        )
      ),
      script.after ?? 0
    )
  })
  return { requests, layer: Layer.succeed(HttpClient.HttpClient, client) }
}

/** A service that gives the scripted replies in order, the last one again and again. */
export const service = (...script: ReadonlyArray<Script>) =>
  replying((_, index) => script[Math.min(index, script.length - 1)]!)

/** A body that begins, and then the connection is reset, or fails otherwise. */
export const cutOff = (beginning: string, why = "connection reset"): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(beginning)),
    pull: (controller) => controller.error(new Error(why))
  })

/** The tickers that a request is about. */
export const symbolsOf = (url: URL): ReadonlyArray<string> => url.searchParams.get("symbols")?.split(",") ?? []

/** The body of prices of tickers. */
export const pricesBody = (symbols: ReadonlyArray<string>): string =>
  JSON.stringify({
    s: "ok",
    symbol: symbols,
    mid: symbols.map((_, index) => 100 + index),
    change: symbols.map(() => 1),
    changepct: symbols.map(() => 0.01),
    updated: symbols.map(() => 1795208000)
  })

/** What all contracts of a scripted chain have in common. */
const listing = { underlying: "AAPL", expiration: 1797627600, side: "call", firstTraded: 1763735400 }
const quote = { ask: 1.2, askSize: 10, bid: 1, bidSize: 12, mid: 1.1, last: null, volume: 0, openInterest: 5 }
const value = { underlyingPrice: 99.5, inTheMoney: false, intrinsicValue: 0, extrinsicValue: 1.1 }
const greeks = { iv: 0.2, delta: 0.5, gamma: 0.01, theta: -0.05, vega: 0.1 }

/** The body of a chain with so many contracts, all 25 columns, free of deviations. */
export const chainBody = (contracts: number, updated = 1_795_208_000): string => {
  const strikes = Array.from({ length: contracts }, (_, index) => 100 + index)
  const dte = Math.round((listing.expiration - updated) / 86_400)
  const common = { ...listing, ...quote, ...value, ...greeks, dte, updated }
  return JSON.stringify({
    s: "ok",
    optionSymbol: strikes.map((strike) => `AAPL261218C${String(strike * 1000).padStart(8, "0")}`),
    strike: strikes,
    ...Record.map(common, (value) => strikes.map(() => value))
  })
}
