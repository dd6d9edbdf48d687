/**
 * Laws of requests, for whatever turns a query into requests (contract 4, 7.3 and 8.1).
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as RequestLaws from "@effect-marketdata/testing/RequestLaws"
 * import * as Result from "effect/Result"
 *
 * // It sends all tickers at once, however many there are.
 * const [law] = RequestLaws.of((query) => [{ line: `GET ${Query.target(query)} HTTP/1.1`, tickers: query.tickers }])
 * const tried = Law.attempt(law!, { seed: 1 })
 * Result.isFailure(tried) && tried.failure.clauses // => ["8.1-request-line"]
 * ```
 *
 * @since 0.1.0
 */
import { HttpRequest, Query } from "@effect-marketdata/core"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import * as Queries from "../arbitraries/Queries.ts"
import * as Law from "../harness/Law.ts"

/**
 * One request as it goes on the wire: its line without the line's end, and the tickers that it asks for.
 *
 * @category models
 * @since 0.1.0
 */
export interface Sent {
  readonly line: string
  readonly tickers: ReadonlyArray<string>
}

/**
 * What turns a query into requests: the lines in the order in which they are sent.
 *
 * @category models
 * @since 0.1.0
 */
export type Requests = (query: Query.Query) => ReadonlyArray<Sent>

const many: fc.Arbitrary<Query.Query> = fc.tuple(Queries.manyTickers, Queries.uncachedMode).map(([tickers, mode]) =>
  Result.getOrThrow(Query.stockPrices(tickers, { mode }))
)

/** Any query; half of them about more tickers than one request has room for. */
const query = fc.oneof(Queries.query, many)

const encoder = new TextEncoder()

const targetOf = ({ line }: Sent): string => line.split(" ")[1] ?? ""

const baseUrl = "https://api.example.com"

/** A target as a server takes it apart. */
const urlOf = (target: string): URL => new URL(baseUrl + target)

/**
 * What a target asks for, however its parameters are ordered and encoded.
 *
 * @internal
 */
export const askedBy = (target: string): string => {
  const { pathname, searchParams } = urlOf(target)
  searchParams.sort()
  return `${decodeURIComponent(pathname)}?${searchParams}`
}

/**
 * The laws of what turns a query into requests.
 *
 * @category laws
 * @since 0.1.0
 */
export const of = (requests: Requests): ReadonlyArray<Law.Law> => [
  Law.make({
    name: "a request line has at most 4094 bytes",
    clauses: ["8.1-request-line"],
    arbitrary: query,
    holds: (query) => requests(query).every(({ line }) => encoder.encode(line).length <= 4094)
  }),
  Law.make({
    name: "a request line is one line of ASCII: a method, a target, a version",
    clauses: ["4-get", "7.3-url-shape"],
    arbitrary: query,
    holds: (query) => requests(query).every(({ line }) => /^GET \/[!-~]* HTTP\/1\.1$/.test(line))
  }),
  Law.equation({
    name: "all tickers are asked for, each once and in order",
    clauses: ["8.1-batches"],
    arbitrary: query,
    expected: (query) => query.tickers,
    received: (query) => requests(query).flatMap(({ tickers }) => tickers)
  }),
  Law.make({
    name: "a request asks for at most 500 tickers",
    clauses: ["8.1-batches"],
    arbitrary: query,
    holds: (query) => requests(query).every(({ tickers }) => tickers.length <= 500)
  }),
  Law.equation({
    name: "a request names all that was asked for, as it was asked for, and nothing else",
    clauses: ["4.1-path", "4.1-params", "4-mode-everywhere", "4.5-general-params", "8.2-modes"],
    // Half of them are chains, which have the most filters.
    arbitrary: fc.oneof(query, Queries.byEndpoint.optionChain),
    expected: (query) => requests(query).map(({ tickers }) => askedBy(Query.target({ ...query, tickers }))),
    received: (query) => requests(query).map((sent) => askedBy(targetOf(sent)))
  }),
  Law.make({
    name: "a path has no more segments than its endpoint, and each parameter comes once",
    clauses: ["7.3-url-shape", "7.3-cause-url", "4.5-general-params"],
    arbitrary: query,
    holds: (query) =>
      requests(query).every((sent) => {
        const { pathname, searchParams } = urlOf(targetOf(sent))
        const { listPath, path } = query.endpoint
        const expected = (query.list ? listPath ?? path : path).split("/").length
        const names = [...searchParams.keys()]
        return pathname.split("/").length === expected && new Set(names).size === names.length &&
          !names.includes("token")
      })
  }),
  Law.make({
    name: "no URL parser rewrites a target",
    clauses: ["7.3-url-shape", "8.1-request-line"],
    arbitrary: query,
    holds: (query) =>
      requests(query).every((sent) => {
        const url = urlOf(targetOf(sent))
        return url.pathname + url.search === targetOf(sent)
      })
  })
]

/**
 * Core's requests.
 *
 * @category laws
 * @since 0.1.0
 */
export const core: Requests = (query) =>
  Result.getOrThrow(HttpRequest.batches(query, { baseUrl })).map(({ query: { tickers }, request }) => ({
    line: HttpRequest.line(request),
    tickers
  }))

/** A token of characters that a query must encode, and a prefix before which the line begins. */
const addressed = fc.record({
  query,
  prefix: fc.constantFrom("", "/", "/proxy", "/a/b/"),
  token: fc.string({ unit: fc.constantFrom(..."abcXYZ0129+/=&?% "), minLength: 21, maxLength: 80, size: "max" })
})

/**
 * What becomes of a query with a token that goes in the query: the URLs of its requests as they are sent, none where it is refused, and
 * all that logs and errors may show of them.
 *
 * @category models
 * @since 0.1.0
 */
export interface Addressed {
  readonly wire: ReadonlyArray<string>
  readonly shown: string
}

/**
 * What turns a query into requests to a base URL with a token in the query.
 *
 * @category models
 * @since 0.1.0
 */
export type Addressing = (query: Query.Query, baseUrl: string, token: Redacted.Redacted) => Addressed

/**
 * The laws of tokens in the query.
 *
 * @category laws
 * @since 0.1.0
 */
export const addressing = (address: Addressing): ReadonlyArray<Law.Law> => [
  Law.make({
    name: "a token in the query and a base URL's path count as bytes of the line",
    clauses: ["8.1-request-line", "1-base-url", "5.3-query"],
    arbitrary: addressed,
    holds: ({ prefix, query, token }) =>
      address(query, baseUrl + prefix, Redacted.make(token)).wire.every((url) =>
        encoder.encode(`GET ${url.slice(baseUrl.length)} HTTP/1.1`).length <= 4094 &&
        new URL(url).searchParams.get("token") === token
      )
  }),
  Law.make({
    name: "what is shown of a request holds no token",
    clauses: ["5.4-header-default"],
    arbitrary: addressed,
    holds: ({ prefix, query, token }) => {
      const { shown } = address(query, baseUrl + prefix, Redacted.make(token))
      return !shown.includes("token=") && !shown.includes(token)
    }
  })
]

/**
 * Core's requests with a token in the query.
 *
 * @category laws
 * @since 0.1.0
 */
export const coreWithToken: Addressing = (query, baseUrl, queryToken) =>
  Result.match(HttpRequest.batches(query, { baseUrl, queryToken }), {
    onFailure: ({ message }) => ({ wire: [], shown: message }),
    onSuccess: (batches) => ({
      wire: batches.map(({ request }) => HttpRequest.wireUrl(request)),
      shown: batches.map(({ request }) =>
        `${HttpRequest.url(request)} ${HttpRequest.line(request)} ${JSON.stringify(request)}`
      ).join("\n")
    })
  })

/**
 * The laws of core's requests.
 *
 * @category laws
 * @since 0.1.0
 */
export const all: ReadonlyArray<Law.Law> = [...of(core), ...addressing(coreWithToken)]
