import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"

/** One scripted reply: a response, a connection that fails with a code, or one that never answers. */
export type Script =
  | {
    readonly status: number
    readonly body?: string | ReadableStream<Uint8Array>
    readonly headers?: Readonly<Record<string, string>>
  }
  | { readonly fails: string }
  | { readonly hangs: true }

/** A service that gives the scripted replies in order, the last one again and again, and remembers what it was asked. */
export const service = (...script: ReadonlyArray<Script>) => {
  const requests: Array<HttpClientRequest.HttpClientRequest> = []
  const client = HttpClient.make((request) => {
    const reply = script[Math.min(requests.length, script.length - 1)]!
    requests.push(request)
    if ("hangs" in reply) return Effect.never
    if ("fails" in reply) {
      const cause = Object.assign(new Error(`connect ${reply.fails}`), { code: reply.fails })
      return Effect.fail(
        new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
      )
    }
    const bodyless = reply.status === 204 || reply.status === 304
    return Effect.succeed(HttpClientResponse.fromWeb(
      request,
      new Response(bodyless ? null : reply.body ?? "", { status: reply.status, headers: { ...reply.headers } })
    ))
  })
  return { requests, layer: Layer.succeed(HttpClient.HttpClient, client) }
}

/** The body of a chain with so many contracts, all 25 columns, free of deviations. */
export const chainBody = (contracts: number): string => {
  const fill = <A>(value: (index: number) => A) => Array.from({ length: contracts }, (_, index) => value(index))
  const strike = (index: number) => 100 + index
  return JSON.stringify({
    s: "ok",
    optionSymbol: fill((index) => `AAPL261218C${String(strike(index) * 1000).padStart(8, "0")}`),
    underlying: fill(() => "AAPL"),
    expiration: fill(() => 1797627600),
    side: fill(() => "call"),
    strike: fill(strike),
    firstTraded: fill(() => 1763735400),
    dte: fill(() => 28),
    ask: fill(() => 1.2),
    askSize: fill(() => 10),
    bid: fill(() => 1),
    bidSize: fill(() => 12),
    mid: fill(() => 1.1),
    last: fill(() => null),
    volume: fill(() => 0),
    openInterest: fill(() => 5),
    underlyingPrice: fill(() => 99.5),
    inTheMoney: fill(() => false),
    intrinsicValue: fill(() => 0),
    extrinsicValue: fill(() => 1.1),
    updated: fill(() => 1795208000),
    iv: fill(() => 0.2),
    delta: fill(() => 0.5),
    gamma: fill(() => 0.01),
    theta: fill(() => -0.05),
    vega: fill(() => 0.1)
  })
}
