/** A service in this process: what makes one and a client, what it replies to a query, and its replies as an HTTP client has them. */
import type * as MarketData from "@effect-marketdata/client/MarketData"
import type * as MarketDataConfig from "@effect-marketdata/client/MarketDataConfig"
import { Account, Query } from "@effect-marketdata/core"
import * as Accounts from "@effect-marketdata/sandbox/Accounts"
import * as ConnectionReset from "@effect-marketdata/sandbox/ConnectionReset"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxClock from "@effect-marketdata/sandbox/SandboxClock"
import type * as SandboxReply from "@effect-marketdata/sandbox/SandboxReply"
import * as Effect from "effect/Effect"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"
import { noon } from "./MarketDataTest.ts"

/** Makes a client over the HTTP client, the ledger and the guard that it is given. */
export type ClientLayer = (
  config: MarketDataConfig.MarketDataConfig
) => Layer.Layer<MarketData.MarketData, never, MarketData.Dependencies>

/** Makes a service: the sandbox, or something around it. */
export type ServiceLayer = (options: Sandbox.Options) => Layer.Layer<Sandbox.Sandbox>

/** Makes what asks one sandbox, at noon or at another moment. It is shared, so that its chains are computed once. */
export const asking = (
  options: Sandbox.Options = {}
): (query: Query.Query, at?: number) => SandboxReply.SandboxReply => {
  const token = "laws"
  const account = Accounts.make(token, Account.make({ plan: "paid", user: Account.nonProfessional("realTime") }))
  const clock = SandboxClock.layer({ pace: "frozen", at: noon })
  const runtime = ManagedRuntime.make(Layer.provideMerge(Sandbox.layer({ ...options, accounts: [account] }), clock))
  return (query, at = noon) =>
    runtime.runSync(
      Effect.gen(function*() {
        yield* (yield* SandboxClock.SandboxClock).set(at)
        return yield* (yield* Sandbox.Sandbox).handle({
          method: "GET",
          target: Query.target(query),
          headers: { authorization: `Bearer ${token}` },
          address: "127.0.0.1"
        })
      })
    )
}

/** A response whose body is read synchronously; `onRead` is called with all of it when it was read. */
export const response = (
  request: HttpClientRequest.HttpClientRequest,
  { body, headers, status }: SandboxReply.SandboxReply,
  onRead: (body: string) => void
): HttpClientResponse.HttpClientResponse => {
  const head = HttpClientResponse.fromWeb(request, new Response(null, { status, headers }))
  const broken = (cause: unknown) => failure(new HttpClientError.DecodeError({ request, response: head, cause }))
  const { cause, parts } = partsOf(body, headers["content-length"])
  const decoder = new TextDecoder()
  const whole = () => onRead(parts.map((part) => decoder.decode(part, { stream: true })).join(""))
  const read = Stream.drain(Stream.fromEffect(Effect.sync(whole)))
  const stream = status === 204
    ? Stream.fail(failure(new HttpClientError.EmptyBodyError({ request, response: head })))
    : Stream.concat(Stream.fromIterable(parts), cause === undefined ? read : Stream.fail(broken(cause)))
  if (status === 204) onRead("")
  const text = Stream.mkString(Stream.decodeText(stream))
  return Object.create(head, {
    // Hides the web response of `head`, which has no body.
    "~effect/http/HttpClientResponse/WebSource": { value: () => undefined },
    stream: { value: stream },
    text: { value: text },
    arrayBuffer: { value: Effect.map(text, (text) => new TextEncoder().encode(text).buffer) },
    json: { value: Effect.flatMap(text, (text) => Effect.try({ try: () => JSON.parse(text), catch: broken })) }
  })
}

/** What arrives of a body, and how it breaks off. */
const partsOf = (body: SandboxReply.SandboxReply["body"], length: string | undefined) => {
  const encoder = new TextEncoder()
  const parts: Array<Uint8Array> = []
  try {
    for (const part of typeof body === "string" ? [body] : body) parts.push(encoder.encode(part))
  } catch (cause) {
    return { parts, cause }
  }
  if (length === undefined) return { parts, cause: undefined }
  let left = Number(length)
  const arrived = parts.map((part) => {
    const arrived = part.subarray(0, left)
    left -= arrived.length
    return arrived
  })
  const cause = left > 0 ? new ConnectionReset.ConnectionReset({ when: "within the body" }) : undefined
  return { parts: arrived, cause }
}

/** The error of a request whose reply never comes. */
export const lose = (request: HttpClientRequest.HttpClientRequest, cause: unknown) =>
  Effect.fail(failure(new HttpClientError.TransportError({ request, cause })))

const failure = (reason: HttpClientError.HttpClientErrorReason) => new HttpClientError.HttpClientError({ reason })
