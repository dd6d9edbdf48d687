import * as Result from "effect/Result"
import { of, type Seam } from "../seam.ts"

const CalendarDate = of(() => import("@effect-marketdata/core/CalendarDate"))
const Construct = of(() => import("../../../packages/core/src/query/construct.ts"))
const Diagnosis = of(() => import("../../../packages/core/src/symbol/optionSymbolDiagnosis.ts"))
const Encoding = of(() => import("../../../packages/core/src/query/encoding.ts"))
const HttpRequest = of(() => import("@effect-marketdata/core/HttpRequest"))
const MaxAge = of(() => import("@effect-marketdata/core/MaxAge"))
const OptionSymbol = of(() => import("@effect-marketdata/core/OptionSymbol"))
const Parameter = of(() => import("../../../packages/core/src/query/parameter.ts"))
const Query = of(() => import("@effect-marketdata/core/Query"))
const Strike = of(() => import("@effect-marketdata/core/Strike"))

/** A symbol that is mended before it is read. */
const mended = (clause: string, pattern: RegExp, other: string): Seam =>
  OptionSymbol(
    clause,
    "parse",
    (parse) => (input) => parse(typeof input === "string" ? input.replace(pattern, other) : input)
  )

/** What core could get wrong of symbols, and of asking before anything is sent. */
export const faults: ReadonlyArray<Seam> = [
  OptionSymbol(
    "2.3-format",
    "format",
    (format) => (symbol) => format({ ...symbol, side: symbol.side === "call" ? "put" : "call" })
  ),
  Strike("2.3-strike-integer", "toDigits", (toDigits) => (strike) => toDigits(strike).slice(1)),
  Strike("2.3-strike-tenth", "fromThousandths", (from) => (thousandths) => Math.floor(from(thousandths))),
  // A thousandth is lost in floating point.
  Strike(["2.3-strike-range", "2.3-strike-fraction"], "toThousandths", () => (strike) => Math.floor(strike * 1000)),
  Strike(
    "2.3-strike-range",
    "parse",
    (parse) => (input) =>
      Result.orElse(
        parse(input),
        (error) => error.problem === "TooLarge" ? Result.succeed(Number(input)) : Result.fail(error)
      )
  ),
  mended("2.3-bad-expiration", /20(?=\d{6}[CP])/, ""),
  mended("2.3-bad-side", /(\d{6})(\d{8})$/, "$1C$2"),
  mended("2.3-bad-strike-length", /([CP]\d{8})\d+$/, "$1"),
  mended("2.3-bad-strike-padding", /([CP])(\d{6})$/, "$100$2"),
  mended("2.3-bad-strike-decimal", /([CP])(\d+)\.(\d*)$/, "$100032500"),
  mended("2.3-legacy", /^\.?IBM ?AT$/, "IBM270115C00100000"),
  // The side goes before the date.
  Diagnosis(
    "2.3-precedence",
    "diagnose",
    (diagnose) => (input) => diagnose(input.replace(/\d{6}(?=[^CP\d])/, "261218"))
  ),
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
