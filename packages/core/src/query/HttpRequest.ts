/**
 * Requests as they go over the wire: the finished target, the exact size of the request line, and the batches into which a long list of
 * tickers is cut.
 *
 * @example
 * ```ts
 * import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * HttpRequest.lineBytes("/v1/options/chain/SPX/") // => 35
 * const query = Result.getOrThrow(Query.stockPrices(["AAPL", "MSFT", "SPY"]))
 * const batches = HttpRequest.batches(query, { baseUrl: "https://api.example.com/md/", maxSymbols: 2 })
 * Result.map(batches, (all) => all.map(({ request }) => HttpRequest.url(request)))
 * // => Result.succeed([
 * //   "https://api.example.com/md/v1/stocks/prices/?symbols=AAPL,MSFT",
 * //   "https://api.example.com/md/v1/stocks/prices/?symbols=SPY"
 * // ])
 * ```
 *
 * @since 0.1.0
 */
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as DataMode from "../account/DataMode.ts"
import { type InvalidQuery, RequestLineTooLong } from "../reason/Reason.ts"
import * as Problem from "../text/Problem.ts"
import { checkCache, checkChanged, nameOf } from "./construct.ts"
import { changed, isSound } from "./made.ts"
import { limits, queryString, refuse } from "./parameter.ts"
import * as Query from "./query.ts"
import * as Rules from "./rules.ts"

/**
 * The longest request line that the service accepts, in bytes, without the line end (clause 8.1-request-line).
 *
 * @category constants
 * @since 0.1.0
 */
export const maxLineBytes = limits.lineBytes

/**
 * The most tickers in one request by default. The service recommends this number; it is not a limit (clause 8.1-batches).
 *
 * @category constants
 * @since 0.1.0
 */
export const recommendedSymbols = limits.tickers

/**
 * Returns the size of the request line `GET <target> HTTP/1.1` in bytes, without the line end.
 *
 * @example
 * ```ts
 * import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
 *
 * HttpRequest.lineBytes("/v1/stocks/prices/AAPL/") // => 36
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const lineBytes = (target: string): number =>
  limits.aroundTarget +
  (isAscii(Problem.expect(typeof target === "string", "target", target, "a text", "/v1/user/"))
    ? target.length
    : encoder.encode(target).length)

const encoder = /* @__PURE__ */ new TextEncoder()

/** Each target that is made here is: nothing has to be encoded to count its bytes. */
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

/**
 * A request that is ready to be sent. `target` is its path and query string, without a token. `queryToken` is set only if the caller
 * chose to send the token in the query string instead of a header (clause 5.3-query).
 *
 * @category models
 * @since 0.1.0
 */
export interface HttpRequest {
  readonly method: "GET"
  readonly origin: string
  readonly target: string
  readonly queryToken?: Redacted.Redacted
}

/**
 * The options of a request, besides its query.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  /** Sends the token in the query. Addresses are logged and cached on the way; the header is the better place. */
  readonly queryToken?: Redacted.Redacted | undefined
}

/**
 * The address of the service: its origin, and the path before `/v1/`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Base extends Readonly<Record<"origin" | "path", string>> {}

/**
 * Splits a base URL into origin and path. It may end in a slash, and may have a path (clause 1-base-url). Fails with `InvalidQuery` for a
 * text that is not such a URL, and for one that ends in `/v1`, which every path of the service already begins with.
 *
 * @example
 * ```ts
 * import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
 * import * as Result from "effect/Result"
 *
 * Result.isSuccess(HttpRequest.parseBaseUrl("https://api.marketdata.app")) // => true
 * Result.isFailure(HttpRequest.parseBaseUrl("api.marketdata.app")) // => true
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const parseBaseUrl = (baseUrl: string): Result.Result<Base, InvalidQuery> => {
  const isText = typeof baseUrl === "string"
  const base = isText ? readBase(baseUrl) : null
  if (base === null) return refuse("baseUrl", isText ? shownBaseUrl(baseUrl) : baseUrl, Rules.baseUrl)
  const path = base[2]!.replace(/(?<!\/)\/+$/, "")
  return /\/v1$/i.test(path)
    ? refuse("baseUrl", baseUrl, Rules.baseUrlVersion)
    : Result.succeed({ origin: base[1]!, path })
}

/**
 * A base URL as a message may show it, valid or not: `…` stands for what may be a user, a password, a query or a fragment, since any of these may
 * hold a token.
 *
 * @example
 * ```ts
 * import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
 *
 * HttpRequest.shownBaseUrl("https://proxy.test/md?token=e5F6") // => "https://proxy.test/md?…"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const shownBaseUrl = (baseUrl: string): string => {
  if (readBase(baseUrl) !== null) return baseUrl
  const [, scheme, head, tail] = /^(\s*https?:[\\/]*)?(.*?)((?:[?#]|%3f|%23).*)?$/is.exec(baseUrl)!
  // Behind a `?` or a `#` there is no telling which `@` ends the user.
  if (/@|%40/.test(tail ?? "")) return `${scheme ?? ""}…`
  return `${scheme ?? ""}${head!.replace(/^.*(?:@|%40)/s, "…@")}${tail === undefined ? "" : "?…"}`
}

/**
 * Makes the request for a query. `baseUrl` is read as by `parseBaseUrl`. Fails with `RequestLineTooLong` for a request line above 4094
 * bytes, and with `InvalidQuery` for an invalid base URL or a query that was changed into an invalid one.
 *
 * @example
 * ```ts
 * import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const query = Result.getOrThrow(Query.optionChain("AAPL", { dte: 30 }))
 * Result.map(HttpRequest.make(query, "https://api.marketdata.app"), HttpRequest.url) // => Result.succeed("https://api.marketdata.app/v1/options/chain/AAPL/?dte=30")
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  query: Query.Query,
  baseUrl: string,
  options?: Options
): Result.Result<HttpRequest, InvalidQuery | RequestLineTooLong> => {
  // Not as a generator, which would cost more than all that is done here: each query comes by.
  const checked = check(query)
  if (Result.isFailure(checked)) return Result.fail(checked.failure)
  const base = parseBaseUrl(baseUrl)
  if (Result.isFailure(base)) return Result.fail(base.failure)
  const { origin, path } = base.success
  const target = path + Query.target(query)
  const token = options?.queryToken === undefined ? {} : { queryToken: options.queryToken }
  const request: HttpRequest = { method: "GET", origin, target, ...token }
  const bytes = lineBytes(wireTarget(request))
  return bytes > maxLineBytes ? Result.fail(new RequestLineTooLong({ bytes })) : Result.succeed(request)
}

/** Checks a query again if it may have been changed since a constructor made it. */
const check = (query: Query.Query): Result.Result<void, InvalidQuery> =>
  isSound(query) ? Result.void : checkChanged(query).pipe(
    Result.flatMap(() => checkCache(query.mode, query)),
    Result.flatMap(() => checkFormat(query))
  )

/** The public service's account and status pages, which are free, take no parameters. */
const checkFormat = ({ format, kind }: Query.Query): Result.Result<void, InvalidQuery> =>
  format === undefined || (format === "csv" && kind !== "free")
    ? Result.void
    : refuse("format", format, Rules.format)

/**
 * Takes a base URL apart into origin and path; null for any other text. A path that a URL parser would rewrite is refused: dot segments,
 * backslashes, other characters than ASCII.
 */
const readBase = (baseUrl: string): RegExpExecArray | null =>
  /^(https?:\/\/(?:\[[\d:a-f.]+\]|[\w-][\w.-]*)(?::\d{0,5})?)((?:\/(?!(?:\.|%2e){1,2}(?:\/|$))[\w.~!$&'()*+,;=:@%-]*)*)$/i
    .exec(baseUrl)

/**
 * One of the requests into which a query is cut, with its part of the query.
 *
 * @category models
 * @since 0.1.0
 */
export interface Batch<
  out Data = unknown,
  out Mode extends DataMode.DataMode | undefined = DataMode.DataMode | undefined
> {
  readonly query: Query.Query<Data, Mode>
  readonly request: HttpRequest
}

/**
 * Cuts a query about many tickers into requests of at most `maxSymbols` tickers and at most 4094 bytes each. It returns as few requests
 * as the order of the tickers allows; any other query is one request (clause 8.1-batches).
 *
 * Fails with `RequestLineTooLong` if a single ticker does not fit, and with `InvalidQuery` as `make` does.
 *
 * @example
 * ```ts
 * import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const query = Result.getOrThrow(Query.stockPrices(["AAPL", "MSFT", "SPY"]))
 * const batches = HttpRequest.batches(query, { baseUrl: "https://api.marketdata.app", maxSymbols: 2 })
 * Result.map(batches, ({ length }) => length) // => Result.succeed(2)
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const batches = <Data, Mode extends DataMode.DataMode | undefined>(
  query: Query.Query<Data, Mode>,
  options: Options & { readonly baseUrl: string; readonly maxSymbols?: number | undefined }
): Result.Result<ReadonlyArray<Batch<Data, Mode>>, InvalidQuery | RequestLineTooLong> =>
  Result.flatMap(Query.check(query), () => {
    const { baseUrl, maxSymbols = recommendedSymbols } = { ...options }
    const isCount = Number.isInteger(maxSymbols) && maxSymbols >= 1
    if (!isCount) return refuse("maxSymbols", maxSymbols, Rules.integer(1, Infinity))
    return query.list
      ? cut(query, maxSymbols, options)
      : Result.map(make(query, baseUrl, options), (request) => [{ query, request }])
  })

const cut = <Data, Mode extends DataMode.DataMode | undefined>(
  query: Query.Query<Data, Mode>,
  maxSymbols: number,
  { baseUrl, ...options }: Options & { readonly baseUrl: string }
) =>
  Result.gen(function*() {
    const first = part(query, query.tickers.slice(0, 1))
    const around = lineBytes(wireTarget(yield* make(first, baseUrl, options))) - Query.target(first).length
    return yield* Result.all(
      Query.cut(query, maxSymbols, maxLineBytes - around).map((tickers) => {
        const one = part(query, tickers)
        return Result.map(make(one, baseUrl, options), (request) => ({ query: one, request }))
      })
    )
  })

const part = <Data, Mode extends DataMode.DataMode | undefined>(
  query: Query.Query<Data, Mode>,
  tickers: ReadonlyArray<string>
): Query.Query<Data, Mode> => changed(query, { tickers, subject: nameOf(tickers) })

/**
 * Returns the whole URL of a request, without a token. It may be logged.
 *
 * @example
 * ```ts
 * import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const query = Result.getOrThrow(Query.stockPrices(["AAPL"]))
 * HttpRequest.url(Result.getOrThrow(HttpRequest.make(query, "https://api.marketdata.app"))) // => "https://api.marketdata.app/v1/stocks/prices/?symbols=AAPL"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const url = (self: HttpRequest): string => known(self).origin + self.target

const known = /* @__PURE__ */ Problem.guard("request", "HttpRequest.make(query, baseUrl)", { origin: "", target: "" })

/**
 * Returns the whole URL of a request as it is sent, with the token if it goes in the query string. Do not log it (clause 5.3-query).
 *
 * @category getters
 * @since 0.1.0
 */
export const wireUrl = (self: HttpRequest): string => known(self).origin + wireTarget(self)

const wireTarget = ({ queryToken, target }: HttpRequest): string =>
  queryToken === undefined
    ? target
    : `${target}${target.includes("?") ? "&" : "?"}${queryString([["token", Redacted.value(queryToken)]])}`

/**
 * Returns whether a request cannot be read on its way: it goes over https, or stays on this machine.
 *
 * @example
 * ```ts
 * import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
 *
 * HttpRequest.isPrivate({ origin: "http://127.0.0.1:8080" }) // => true
 * HttpRequest.isPrivate({ origin: "http://api.marketdata.app" }) // => false
 * ```
 *
 * @category predicates
 * @since 0.1.0
 */
export const isPrivate = (self: Pick<HttpRequest, "origin">): boolean =>
  /^https:\/\/|^http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(knownOrigin(self).origin)

const knownOrigin = /* @__PURE__ */ Problem.guard("request", "HttpRequest.make(query, baseUrl)", { origin: "" })

/**
 * Returns the request line, as `--verbose` shows it; without a token.
 *
 * @example
 * ```ts
 * import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const query = Result.getOrThrow(Query.stockPrices(["AAPL"]))
 * Result.map(HttpRequest.make(query, "https://api.marketdata.app"), HttpRequest.line) // => Result.succeed("GET /v1/stocks/prices/?symbols=AAPL HTTP/1.1")
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const line = (self: HttpRequest): string => `${known(self).method} ${self.target} HTTP/1.1`
