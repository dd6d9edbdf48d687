import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Result from "effect/Result"
import { sent, written } from "../changes.ts"
import { of, type Seam } from "../seam.ts"

const CalendarDate = of(() => import("@effect-marketdata/core/CalendarDate"))
const Encoding = of(() => import("../../../packages/core/src/query/encoding.ts"))
const HttpRequest = of(() => import("@effect-marketdata/core/HttpRequest"))
const MaxAge = of(() => import("@effect-marketdata/core/MaxAge"))
const Named = of(() => import("../../../packages/client/src/endpoints/named.ts"))
const Parameter = of(() => import("../../../packages/core/src/query/parameter.ts"))
const Query = of(() => import("../../../packages/core/src/query/query.ts"))
const Construct = of(() => import("../../../packages/core/src/query/construct.ts"))
const Wire = of(() => import("../../../packages/client/src/sending/wire.ts"))

/** What the client could get wrong in asking. */
export const faults: ReadonlyArray<Seam> = [
  // The path of the base URL is lost.
  HttpRequest(
    "1-base-url",
    "parseBaseUrl",
    (parse) => (baseUrl) => Result.map(parse(baseUrl), ({ origin }) => ({ origin, path: "" }))
  ),
  Wire(
    "4-get",
    "once",
    (once) => (client, asked, request, listener) =>
      once(client, asked, HttpClientRequest.setMethod(request, "POST"), listener)
  ),
  written("4.1-path", "/v1/options/chain/", "/v1/options/chains/"),
  written("4.2-quote", "/v1/options/quotes/", "/v1/options/quote/"),
  written("4.3-lookup", /(\/v1\/options\/lookup\/[^?]*)/, "$1/"),
  written("4.4-stock-quote", "/v1/stocks/quotes/", "/v1/stocks/quote/"),
  written("4.5-prices", "/v1/stocks/prices/", "/v1/stocks/price/"),
  written("4.5-bulk-candles", "/v1/stocks/bulkcandles/D/", "/v1/stocks/bulkcandles/"),
  written(["4.1-params", "8.2-modes"], "mode=", "feed="),
  written("8.2-modes", "mode=cached", "mode=stale"),
  written("8.3-age", /maxage=[^&]*/, "maxage=1h"),
  written("9-version", "/v1/", "/"),
  sent("4-mode-everywhere", (query) => query.mode?._tag === "Live" ? { ...query, mode: undefined } : query),
  sent("8.2-default", (query) => ({ ...query, mode: query.mode ?? { _tag: "Live" } })),
  // Values are not encoded.
  Encoding(
    "4.5-general-params",
    "queryString",
    () => (parameters) => parameters.map(([name, value]) => `${name}=${value}`).join("&")
  ),
  // A format is made up.
  sent("4.5-general-params", (query) => ({ ...query, format: query.format ?? "csv" })),
  MaxAge("8.3-maxage-forms", "format", (format) => (maxAge) => format(maxAge).replace("min", "m")),
  // A range of ages goes on where nothing is cached.
  Query(
    "4.1-maxage-cached-only",
    "withMode",
    (withMode) => (query, mode) => ({ ...withMode(query, mode), maxAge: query.maxAge })
  ),
  Query("4.1-date", "checkDate", (checkDate) => (query, now) => checkDate(query, now + 86_400)),
  Query("7.3-cause-unsupported-value", "checkDate", () => () => Result.succeed(undefined)),
  CalendarDate(
    "7.3-cause-wrong-type",
    "parse",
    (parse) => (input) => Result.orElse(parse(input), () => Result.succeed({ year: 2000, month: 1, day: 1 }))
  ),
  // To name what was asked fails by itself.
  Named("7.3-cause-wrong-type", "named", () => (endpoint, ...subject) => [endpoint, ...subject].join(" ")),
  Construct("8.2-cached-unavailable", "checkCache", () => () => Result.succeed(undefined)),
  // Two dots are a ticker.
  Encoding(
    "7.3-cause-url",
    "ticker",
    (ticker) => (name, input) =>
      typeof input === "string" && /^\.+$/.test(input) ? Result.succeed(input) : ticker(name, input)
  ),
  // A list may be empty.
  Parameter("7.3-cause-malformed-query", "list", (list) => (member, rule) => list(member, rule, 0)),
  HttpRequest("8.1-request-line", "lineBytes", (lineBytes) => (target) => lineBytes(target) + 1),
  // The token in the query takes no place.
  HttpRequest(
    "8.1-request-line",
    "batches",
    (batches) => (query, { baseUrl, maxSymbols }) => batches(query, { baseUrl, maxSymbols })
  )
]
