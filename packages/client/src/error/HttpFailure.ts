/**
 * Why an HTTP request or its reply was lost, in the words of this client: for programs that send requests to the service themselves.
 *
 * @example
 * ```ts
 * import * as HttpFailure from "@effect-marketdata/client/HttpFailure"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as HttpClient from "effect/http/HttpClient"
 *
 * const program = HttpClient.get("http://127.0.0.1:9/status/").pipe(
 *   Effect.mapError((error) => HttpFailure.reason(error)),
 *   Effect.flip,
 *   Effect.provide(FetchHttpClient.layer)
 * )
 * const { _tag, mayHaveBeenCharged } = await Effect.runPromise(program)
 * _tag // => "TransportFailure"
 * mayHaveBeenCharged // => false
 * ```
 *
 * @since 0.1.0
 */
import type { TransportFailure } from "@effect-marketdata/core/Reason"
import type { HttpClientError } from "effect/http/HttpClientError"
import type * as Redacted from "effect/Redacted"
import * as Lost from "./lost.ts"
import * as Token from "../config/token.ts"

/**
 * Returns the reason for an error of the HTTP client, a `TransportFailure`. It names the innermost cause, such as `ECONNREFUSED`, and
 * says whether the request may have been charged. If `token` is given, it is removed from the text.
 *
 * @category conversions
 * @since 0.1.0
 */
export const reason = (error: HttpClientError, token?: Redacted.Redacted): TransportFailure =>
  Lost.failure(error, "response" in error.reason || Lost.mayHaveArrived(error), Token.scrub(token))
