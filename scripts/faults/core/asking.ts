import * as Result from "effect/Result"
import { of, type Seam } from "../seam.ts"

const CalendarDate = of(() => import("@effect-marketdata/core/CalendarDate"))
const Encoding = of(() => import("../../../packages/core/src/query/encoding.ts"))
const HttpRequest = of(() => import("@effect-marketdata/core/HttpRequest"))
const MaxAge = of(() => import("@effect-marketdata/core/MaxAge"))
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
  Query(
    "5.1-token-everywhere",
    "needsToken",
    (needsToken) => (query, demo) => query.kind !== "other" && needsToken(query, demo)
  ),
  // The demo ticker is AAPL, whatever is configured.
  Query("5.5-demo", "isDemo", (isDemo) => (query) => isDemo(query)),
  Parameter("7.3-cause-unsupported-value", "daysInOrder", () => () => Result.succeed(undefined)),
  CalendarDate(
    "7.3-cause-wrong-type",
    "parse",
    (parse) => (input) => Result.orElse(parse(input), () => Result.succeed({ year: 2000, month: 1, day: 1 }))
  ),
  // A slash is part of a ticker.
  Encoding(
    "7.3-cause-url",
    "ticker",
    (ticker) => (name, input) =>
      typeof input === "string" && /^[\w./-]+$/.test(input) ? Result.succeed(input) : ticker(name, input)
  ),
  Encoding("7.3-url-shape", "queryString", (write) => (parameters) => write(parameters).replaceAll("&", "?")),
  // The last batch is forgotten.
  HttpRequest(
    "8.1-batches",
    "batches",
    (batches) => (...asked) => Result.map(batches(...asked), ([first, ...others]) => [first, ...others.slice(0, -1)])
  ),
  MaxAge("8.3-age", "accepts", (accepts) => (maxAge, entered, now) => accepts(maxAge, entered - 1, now))
]
