/** Sends one request of the suite. Its reply is bounded in time and size, and any copy of the token in it is removed. */
import * as HttpFailure from "@effect-marketdata/client/HttpFailure"
import * as Policies from "@effect-marketdata/client/Policies"
import { TimedOut, type TransportFailure } from "@effect-marketdata/core/Reason"
import { ForeignText, Reply } from "@effect-marketdata/core"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"

/** A reply as it came. */
export interface Received {
  readonly head: Reply.Head
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  readonly json: unknown
}

/** Why there is no reply; `head` is how it began, where it did. */
export interface Lost {
  readonly reason: TransportFailure | TimedOut
  readonly head: Reply.Head | undefined
}

/** The largest reply that is read, in bytes: chains of over 20,000 contracts have a tenth of it. */
const maxBytes = 64 * 1024 * 1024

/** Sends one request. A redirect is a reply like any other: followed, it could take the token to another origin. */
export const exchange = Effect.fnUntraced(function*(
  url: string,
  token: Redacted.Redacted | undefined
): Effect.fn.Return<Received, Lost, HttpClient.HttpClient> {
  const milliseconds = yield* Policies.AttemptTimeout
  let head: Reply.Head | undefined
  const request = HttpClientRequest.acceptJson(HttpClientRequest.get(url))
  const received = Effect.gen(function*() {
    const response = yield* HttpClient.execute(
      token === undefined ? request : HttpClientRequest.bearerToken(request, token)
    ).pipe(Effect.catch(ofStatus))
    const clean = without(token)
    const headers = everywhere(response.headers, clean)
    head = Reply.head({ status: response.status, headers })
    const text = clean(yield* readText(response, head))
    return { head, headers, text, json: Result.getOrUndefined(Result.try((): unknown => JSON.parse(text))) }
  })
  return yield* received.pipe(
    Effect.mapError((error) => HttpFailure.reason(error, token)),
    (self) =>
      milliseconds === Infinity ? self : Effect.timeoutOrElse(self, {
        duration: milliseconds,
        orElse: () => Effect.fail(new TimedOut({ limit: "attempt", milliseconds, mayHaveBeenCharged: true }))
      }),
    Effect.mapError((reason): Lost => ({ reason, head }))
  )
}, Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }))

/** Takes the response out of a status error, which the HTTP client may be set up to fail with. */
const ofStatus = (error: HttpClientError.HttpClientError) =>
  error.reason._tag === "StatusCodeError" ? Effect.succeed(error.reason.response) : Effect.fail(error)

/** Reads a body up to the limit. One that only explains a status counts as far as it came. */
const readText = (response: HttpClientResponse.HttpClientResponse, head: Reply.Head) =>
  Effect.suspend(() => {
    const decoder = new TextDecoder()
    let text = ""
    let left = head.read === "data" ? maxBytes : Reply.maxTextBytes
    const read = Stream.runForEachWhile(response.stream, (bytes) =>
      Effect.sync(() => {
        text += decoder.decode(bytes.subarray(0, left), { stream: true })
        left -= Math.min(left, bytes.length)
        return left > 0
      }))
    return read.pipe(
      Effect.catch((error) => head.read === "data" ? Effect.fail(error) : Effect.void),
      Effect.map(() => text + decoder.decode())
    )
  })

/** Takes the token out of what came back, however it is written there. */
const without = (token: Redacted.Redacted | undefined): (text: string) => string =>
  ForeignText.without(token === undefined ? "" : Redacted.value(token))

const everywhere = <A extends Readonly<Record<string, string | undefined>>>(
  record: A,
  clean: (text: string) => string
) =>
  Object.fromEntries(
    Object.entries(record).map(([name, text]) => [clean(name), text === undefined ? text : clean(text)])
  )
