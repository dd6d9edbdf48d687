/**
 * Requests as they go on the wire: one finished target, and the exact size of its request line.
 *
 * @example
 * ```ts
 * import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
 *
 * HttpRequest.lineBytes("/v1/options/chain/SPX/") // => 35
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Query from "./Query.ts"
import { InvalidQuery, RequestLineTooLong } from "./Reason.ts"

/**
 * The longest request line that the service takes, in bytes, without the line's end (clause 8.1-request-line).
 *
 * @category constants
 * @since 0.1.0
 */
export const maxLineBytes = 4094

/**
 * Returns the size of the request line `GET <target> HTTP/1.1` in bytes, without the line's end.
 *
 * @category getters
 * @since 0.1.0
 */
export const lineBytes = (target: string): number => new TextEncoder().encode(`GET ${target} HTTP/1.1`).length

/**
 * A request ready to be sent. `target` is the path and query behind the origin; it holds no token.
 *
 * @category models
 * @since 0.1.0
 */
export interface HttpRequest {
  readonly method: "GET"
  readonly origin: string
  readonly target: string
}

/**
 * Puts a question behind a base URL, which may end in a slash and may have a path of its own (clause 1-base-url).
 * Fails with `RequestLineTooLong` above 4094 bytes, and with `InvalidQuery` for a base URL that is none.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  query: Query.Query,
  baseUrl: string
): Result.Result<HttpRequest, InvalidQuery | RequestLineTooLong> => {
  const base = /^(https?:\/\/[^/?#\s@]+)((?:\/[^?#\s]*)?)$/.exec(baseUrl)
  if (base === null) {
    return Result.fail(
      new InvalidQuery({
        parameter: "baseUrl",
        value: baseUrl,
        rule: "write http or https, a host, and at most a path: https://api.example.com/proxy"
      })
    )
  }
  const target = base[2]!.replace(/\/+$/, "") + Query.target(query)
  const bytes = lineBytes(target)
  return bytes > maxLineBytes
    ? Result.fail(new RequestLineTooLong({ bytes }))
    : Result.succeed({ method: "GET", origin: base[1]!, target })
}

/**
 * Returns the whole URL of a request.
 *
 * @category getters
 * @since 0.1.0
 */
export const url = (self: HttpRequest): string => self.origin + self.target

/**
 * Tells whether nobody on the way can read a request: it goes over https, or does not leave this machine.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isPrivate = (self: HttpRequest): boolean =>
  self.origin.startsWith("https://") ||
  /^http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(self.origin)

/**
 * Returns the request line, as `--verbose` shows it.
 *
 * @category formatting
 * @since 0.1.0
 */
export const line = (self: HttpRequest): string => `${self.method} ${self.target} HTTP/1.1`
