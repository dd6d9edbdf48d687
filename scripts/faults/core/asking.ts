import * as Result from "effect/Result"
import { sent, written } from "../changes.ts"
import { of, type Seam } from "../seam.ts"

const CalendarDate = of(() => import("@effect-marketdata/core/CalendarDate"))
const DataMode = of(() => import("@effect-marketdata/core/DataMode"))
const NewYork = of(() => import("@effect-marketdata/core/NewYork"))
const Encoding = of(() => import("../../../packages/core/src/query/encoding.ts"))
const HttpRequest = of(() => import("@effect-marketdata/core/HttpRequest"))
const MaxAge = of(() => import("@effect-marketdata/core/MaxAge"))
const Named = of(() => import("../../../packages/core/src/query/named.ts"))
const Parameter = of(() => import("../../../packages/core/src/query/parameter.ts"))
const Query = of(() => import("@effect-marketdata/core/Query"))
const Construct = of(() => import("../../../packages/core/src/query/construct.ts"))

/** What asking could get wrong before anything is sent. */
export const faults: ReadonlyArray<Seam> = [
  // A slash at the end of the base URL makes two.
  HttpRequest(
    "1-base-url",
    "parseBaseUrl",
    (parse) => (url) =>
      Result.map(parse(url), ({ origin, path }) => ({ origin, path: url.endsWith("/") ? `${path}/` : path }))
  ),
  HttpRequest("4-get", "line", (line) => (request) => line(request).replace("GET", "POST")),
  // Only what is stated is priced by a rule of its own.
  Construct("4-endpoint-kinds", "make", (make) => (row, ...given) => make({ ...row, kindStated: true }, ...given)),
  sent("4-mode-everywhere", (query) => query.mode?._tag === "Live" ? { ...query, mode: undefined } : query),
  written("4.1-path", /(\/v1\/options\/chain\/[^/]*)\//, "$1"),
  written("4.1-params", "maxage=", "maxAge="),
  written("4.2-quote", "/v1/options/quotes/", "/v1/options/quote/"),
  written("4.3-lookup", /(\/v1\/options\/lookup\/[^?]*)/, "$1/"),
  // A blank is a plus.
  written("4.3-lookup", "%20", "+"),
  written("4.4-stock-quote", /(\/v1\/stocks\/quotes\/[^/]*)\//, "$1"),
  written("4.5-prices", "/v1/stocks/prices/", "/v1/stocks/prices"),
  // A comma is encoded.
  Encoding("4.5-prices", "queryString", (write) => (parameters) => write(parameters).replaceAll(",", "%2C")),
  written("4.5-bulk-candles", "/v1/stocks/bulkcandles/D/", "/v1/stocks/bulkcandles/"),
  written("9-version", "/v1/", "/"),
  // Columns are asked for of one symbol only.
  sent("4.5-general-params", (query) => query.list ? { ...query, columns: undefined } : query),
  // A format is made up.
  sent("4.5-general-params", (query) => ({ ...query, format: query.format ?? "csv" })),
  sent("8.2-default", (query) => ({ ...query, mode: query.mode ?? { _tag: "Live" } })),
  written("8.2-modes", "mode=cached", "mode=stale"),
  DataMode("8.2-modes", "fromParameter", (from) => (text, ...in_) => text === "stale" ? undefined : from(text, ...in_)),
  // The price of the cache is that of live data.
  DataMode("8.2-modes", "parameter", (parameter) => (mode) => mode._tag === "CachedOrLive" ? "live" : parameter(mode)),
  Query("4.1-date", "checkDate", (checkDate) => (query, now) => checkDate(query, now + 86_400)),
  // The day changes at midnight UTC.
  Query("4.1-date", "checkDate", (checkDate) => (query, now) => checkDate(query, now + 18_000)),
  Query(
    ["4.1-maxage-cached-only", "8.3-fallback"],
    "withMode",
    (withMode) => (query, mode) => ({ ...withMode(query, mode), maxAge: query.maxAge })
  ),
  Query(
    "5.1-token-everywhere",
    "needsToken",
    (needsToken) => (query, demo) => query.kind !== "other" && needsToken(query, demo)
  ),
  Query(
    "5.5-demo",
    "isDemo",
    (isDemo) => (query, demo) => query.tickers.some((ticker) => isDemo({ ...query, tickers: [ticker] }, demo))
  ),
  // The demo ticker is AAPL, whatever is configured.
  Query("5.5-demo", "isDemo", (isDemo) => (query) => isDemo(query)),
  // Parameters that exclude each other are sent together.
  Parameter("7.3-cause-unsupported-value", "exclusive", () => () => Result.succeed(undefined)),
  Parameter("7.3-cause-unsupported-value", "daysInOrder", () => () => Result.succeed(undefined)),
  CalendarDate(
    "7.3-cause-wrong-type",
    "parse",
    (parse) => (input) => Result.orElse(parse(input), () => Result.succeed({ year: 2000, month: 1, day: 1 }))
  ),
  // An option that nobody knows is left out.
  Named("7.3-cause-wrong-type", "read", (read) => (parameter, input, readers, ...rest) =>
    read(
      parameter,
      typeof input === "object"
        ? Object.fromEntries(Object.entries(input ?? {}).filter(([name]) => Object.hasOwn(readers, name)))
        : input,
      readers,
      ...rest
    )),
  // A slash is part of a ticker.
  Encoding(
    "7.3-cause-url",
    "ticker",
    (ticker) => (name, input) =>
      typeof input === "string" && /^[\w./-]+$/.test(input) ? Result.succeed(input) : ticker(name, input)
  ),
  Encoding("7.3-url-shape", "queryString", (write) => (parameters) => write(parameters).replaceAll("&", "?")),
  // A list may be empty.
  Parameter("7.3-cause-malformed-query", "list", (list) => (member, rule) => list(member, rule, 0)),
  // Letters are counted and not bytes.
  HttpRequest("8.1-request-line", "lineBytes", () => (target) => `GET ${target} HTTP/1.1`.length),
  HttpRequest("8.1-request-line", "maxLineBytes", (most) => most + 1),
  HttpRequest("8.1-batches", "recommendedSymbols", (recommended) => recommended + 1),
  // The last batch is forgotten.
  HttpRequest(
    "8.1-batches",
    "batches",
    (batches) => (...asked) => Result.map(batches(...asked), ([first, ...others]) => [first, ...others.slice(0, -1)])
  ),
  Construct("8.2-cached-unavailable", "checkCache", () => () => Result.succeed(undefined)),
  // The earlier of two readings of a time is taken.
  NewYork("8.3-maxage-forms", "resolve", (resolve) => (...time) => {
    const resolution = resolve(...time)
    return resolution._tag === "Unique" ? resolution : { ...resolution, later: resolution.earlier }
  }),
  // Ages are rounded up.
  MaxAge(
    "8.3-maxage-forms",
    "parse",
    (parse) => (input) =>
      Result.map(
        parse(input),
        (maxAge) => maxAge._tag === "Relative" ? { ...maxAge, minutes: maxAge.minutes + 1 } : maxAge
      )
  ),
  MaxAge("8.3-maxage-forms", "format", (format) => (maxAge) => format(maxAge).replace("min", "m")),
  MaxAge("8.3-age", "accepts", (accepts) => (maxAge, entered, now) => accepts(maxAge, entered - 1, now))
]
