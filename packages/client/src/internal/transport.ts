import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import type * as Ledger from "@effect-marketdata/core/Ledger"
import type * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery, TransportFailure } from "@effect-marketdata/core/Reason"
import * as Reply from "@effect-marketdata/core/Reply"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"

/** One request on its way: what is sent, and with which token. */
export interface Outgoing<out Data> {
  readonly query: Query.Query<Data>
  readonly request: HttpRequest.HttpRequest
  readonly token: Redacted.Redacted | undefined
  readonly strict: boolean
}

/** Checks a token before it is put into a header (clause 5.3-header); the message never shows it. */
export const checkToken = (
  token: Redacted.Redacted | undefined,
  request: HttpRequest.HttpRequest
): Effect.Effect<void, InvalidQuery> => {
  if (token === undefined) return Effect.void
  const refuse = (parameter: string, value: string, rule: string) =>
    Effect.fail(new InvalidQuery({ parameter, value, rule }))
  if (!/^[\x21-\x7e]+$/.test(Redacted.value(token)) || /^[{<"'].*|.*[}>"']$/.test(Redacted.value(token))) {
    return refuse("token", "<redacted>", "a token is printable characters without blanks, braces or quotes around it")
  }
  return HttpRequest.isPrivate(request)
    ? Effect.void
    : refuse("baseUrl", request.origin, "a token goes over https only, except to this machine: write https")
}

/** What came back: what the reply meant, and where the account stands by the service's figures. */
export interface Received<out Data> {
  readonly outcome: Reply.Delivered<Data> | Reply.Refused
  readonly figures: Ledger.Figures
}

/**
 * Sends one request and says what its reply meant. Bytes go to the reader as they arrive, as long as it wants any. Fails with `TransportFailure` where request
 * or reply were lost; a status that is no success counts even where its body was cut short.
 */
export const send = <Data>(
  client: HttpClient.HttpClient,
  { query, request, strict, token }: Outgoing<Data>
): Effect.Effect<Received<Data>, TransportFailure> =>
  Effect.gen(function*() {
    const response = yield* client.execute(httpRequest(request, token)).pipe(
      Effect.mapError((error) => lost(error, mayHaveArrived(error))),
      // A redirect could carry the token to another origin; it is a status like any other.
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" })
    )
    const receivedAt = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const head = Reply.head(response)
    const reader = Reply.reader(query, head, { strict })
    if (head.read !== "nothing") {
      yield* read(response, reader.push).pipe(
        Effect.catch((error) => head.read === "text" || isEmpty(error) ? Effect.void : Effect.fail(lost(error, true)))
      )
    }
    const outcome = Reply.outcome(query, head, reader.end(), { receivedAt, tokenSent: token !== undefined })
    return { outcome, figures: head.rate }
  })

const httpRequest = (
  request: HttpRequest.HttpRequest,
  token: Redacted.Redacted | undefined
): HttpClientRequest.HttpClientRequest => {
  const plain = HttpClientRequest.acceptJson(HttpClientRequest.get(HttpRequest.url(request)))
  return token === undefined ? plain : HttpClientRequest.bearerToken(plain, token)
}

const read = (
  response: HttpClientResponse.HttpClientResponse,
  push: (bytes: Uint8Array) => boolean
): Effect.Effect<void, HttpClientError> =>
  Stream.runForEachWhile(response.stream, (bytes) => Effect.sync(() => push(bytes)))

const isEmpty = (error: HttpClientError): boolean => error.reason._tag === "EmptyBodyError"

const lost = (error: HttpClientError, mayHaveBeenCharged: boolean): TransportFailure =>
  new TransportFailure({
    detail: causes(error).map(describe).find((text) => text !== "") ?? "no cause was given",
    mayHaveBeenCharged
  })

/** Codes and words of failures that happen before a request is sent: nothing can have reached the service. */
const beforeSending = new Set([
  "bad port",
  "UND_ERR_CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL"
])

const mayHaveArrived = (error: HttpClientError): boolean =>
  error.reason._tag === "TransportError" && !causes(error).some((cause) => beforeSending.has(describe(cause)))

/** The chain of causes, the innermost first; bounded, since a cause may be its own. */
const causes = (error: unknown): ReadonlyArray<object> => {
  const chain: Array<object> = []
  for (let at = error; typeof at === "object" && at !== null && chain.length < 10; at = inner(at)) chain.unshift(at)
  return chain
}

const inner = (error: object): unknown => {
  if ("errors" in error && Array.isArray(error.errors) && error.errors.length > 0) return error.errors[0]
  if ("reason" in error) return error.reason
  return "cause" in error ? error.cause : undefined
}

const codeOf = (error: object): string => "code" in error && typeof error.code === "string" ? error.code : ""

/** Names a cause by its code, else by its message without anything that could be a URL. */
const describe = (error: object): string =>
  codeOf(error) || (error instanceof Error ? error.message.replace(/\S+:\/\/\S+/g, "<url>").slice(0, 200) : "")
