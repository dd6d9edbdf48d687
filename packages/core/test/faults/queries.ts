import * as Result from "effect/Result"
import { of, type Seam } from "../support/seam.ts"

const CalendarDate = of(() => import("@effect-marketdata/core/CalendarDate"))
const Construct = of(() => import("../../src/query/construct.ts"))
const HttpRequest = of(() => import("@effect-marketdata/core/HttpRequest"))
const MaxAge = of(() => import("@effect-marketdata/core/MaxAge"))
const OptionSymbol = of(() => import("@effect-marketdata/core/OptionSymbol"))
const Parameter = of(() => import("../../src/query/parameter.ts"))
const Query = of(() => import("../../src/query/query.ts"))
const Strike = of(() => import("@effect-marketdata/core/Strike"))

/** A symbol that is mended before it is read. */
const mended = (clause: string, pattern: RegExp, other: string): Seam =>
  OptionSymbol.parse(
    clause,
    (parse) => (input) => parse(typeof input === "string" ? input.replace(pattern, other) : input)
  )

/** What core could get wrong of symbols, and of asking before anything is sent. */
export const faults: ReadonlyArray<Seam> = [
  OptionSymbol.format(
    "2.3-format",
    (format) => (symbol) => format({ ...symbol, side: symbol.side === "call" ? "put" : "call" })
  ),
  Strike.toDigits("2.3-strike-integer", (toDigits) => (strike) => toDigits(strike).slice(1)),
  Strike.fromThousandths("2.3-strike-tenth", (from) => (thousandths) => Math.floor(from(thousandths))),
  // A thousandth is lost in floating point.
  Strike.toThousandths(["2.3-strike-range", "2.3-strike-fraction"], () => (strike) => Math.floor(strike * 1000)),
  Strike.parse("2.3-strike-range", (parse) => (input) =>
    Result.orElse(
      parse(input),
      (error) => error.problem === "TooLarge" ? Result.succeed(Number(input)) : Result.fail(error)
    )),
  mended("2.3-bad-expiration", /20(?=\d{6}[CP])/, ""),
  mended("2.3-bad-side", /(\d{6})(\d{8})$/, "$1C$2"),
  mended("2.3-bad-strike-length", /([CP]\d{8})\d+$/, "$1"),
  mended("2.3-bad-strike-padding", /([CP])(\d{6})$/, "$100$2"),
  mended("2.3-bad-strike-decimal", /([CP])(\d+)\.(\d*)$/, "$100032500"),
  mended("2.3-legacy", /^\.?IBM ?AT$/, "IBM270115C00100000"),
  // The side goes before the date.
  mended("2.3-precedence", /\d{6}(?=[^CP\d])/, "261218"),
  // A slash at the end of the base URL makes two.
  HttpRequest.parseBaseUrl(
    "1-base-url",
    (parse) => (url) =>
      Result.map(parse(url), ({ origin, path }) => ({ origin, path: url.endsWith("/") ? `${path}/` : path }))
  ),
  HttpRequest.line("4-get", (line) => (request) => line(request).replace("GET", "POST")),
  // Only what is stated is priced by a rule of its own.
  Construct.make("4-endpoint-kinds", (make) => (row, ...given) => make({ ...row, kindStated: true }, ...given)),
  Query.needsToken(
    "5.1-token-everywhere",
    (needsToken) => (query, demo) => query.kind !== "other" && needsToken(query, demo)
  ),
  // The demo ticker is AAPL, whatever is configured.
  Query.isDemo("5.5-demo", (isDemo) => (query) => isDemo(query)),
  Parameter.daysInOrder("7.3-cause-unsupported-value", () => () => Result.succeed(undefined)),
  CalendarDate.parse(
    "7.3-cause-wrong-type",
    (parse) => (input) => Result.orElse(parse(input), () => Result.succeed({ year: 2000, month: 1, day: 1 }))
  ),
  // A slash is part of a ticker.
  Parameter.ticker(
    "7.3-cause-url",
    (ticker) => (name, input) =>
      typeof input === "string" && /^[\w./-]+$/.test(input) ? Result.succeed(input) : ticker(name, input)
  ),
  Parameter.queryString("7.3-url-shape", (write) => (parameters) => write(parameters).replaceAll("&", "?")),
  // The last batch is forgotten.
  HttpRequest.batches(
    "8.1-batches",
    (batches) => (...asked) => Result.map(batches(...asked), ([first, ...others]) => [first, ...others.slice(0, -1)])
  ),
  MaxAge.accepts("8.3-age", (accepts) => (maxAge, entered, now) => accepts(maxAge, entered - 1, now))
]
