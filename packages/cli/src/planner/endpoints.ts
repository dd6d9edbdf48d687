/** What a row of the planner can ask: the commands that ask, each with its fields, by the keys that a plan has, and the queries they make. */
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as DurationText from "@effect-marketdata/core/DurationText"
import * as MaxAge from "@effect-marketdata/core/MaxAge"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Result from "effect/Result"
import * as Written from "../asking/written.ts"

/** How the text of a field is read: a word of a list, yes or no, a number, numbers as filters have them, names, or as it stands. */
type Kind = "text" | "choice" | "number" | "numbers" | "names"

/** A field: its key in a plan, what it looks like filled in, the option of the query that it is, and whether that is an assumption. */
export interface Field {
  readonly key: string
  readonly kind: Kind
  readonly hint: string
  readonly choices: ReadonlyArray<string>
  readonly option: string
  readonly isAssumed: boolean
}

const camel = (key: string): string => key.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

const field = (key: string, kind: Kind, hint: string, more: Partial<Field> = {}): Field => ({
  key,
  kind,
  hint,
  choices: [],
  option: camel(key),
  isAssumed: false,
  ...more
})

const text = (key: string, hint: string) => field(key, "text", hint)
const number = (key: string, hint: string) => field(key, "number", hint)
const choice = (key: string, ...choices: ReadonlyArray<string>) => field(key, "choice", "", { choices })
const yesOrNo = (key: string, option = camel(key)) => field(key, "choice", "", { choices: ["true", "false"], option })
const assumed = (key: string, hint: string) => field(key, "number", hint, { isAssumed: true })

const columns = field("columns", "names", "symbol, bid, ask")
const uncached = [choice("mode", "live", "delayed")]

/** The fields of an endpoint that has cached data. */
const cached = [
  choice("mode", "live", "delayed", "cached"),
  text("max-age", "5min"),
  number("fallback-up-to", "500")
]
const range = [text("from", "2026-11-02"), text("to", "2026-11-20"), number("countback", "10")]
const rows = [number("limit", "10"), number("offset", "0")]
const date = text("date", "2026-11-20")
const resolution = text("resolution", "D")
const candles = assumed("candles", "1000")

/** The values of fields, as the options of a query: those of the query, and what it assumes. */
interface Read {
  readonly options: Readonly<Record<string, unknown>>
  readonly assume: Readonly<Record<string, unknown>>
}

type Made = Result.Result<Query.Query, InvalidQuery>

/** A command that asks: what its argument is called, an example of it, its fields, and its query. */
export interface Endpoint {
  readonly argument: string
  readonly hint: string
  readonly fields: ReadonlyArray<Field>
  readonly make: (subjects: ReadonlyArray<string>, read: Read, now: number) => Made | ReadonlyArray<Made>
}

const listed = (made: Made | ReadonlyArray<Made>): ReadonlyArray<Made> => Result.isResult(made) ? [made] : made

// The constructors of queries check what no type has seen, so that options come as they are typed.
type Untyped = (subject: string, options: object) => Made
const of = (constructor: unknown) => constructor as Untyped

const refuse = (name: string, value: unknown, rule: string, example: string) =>
  Result.fail(InvalidQuery.of(name, value, { rule, example }))

/** The query of one symbol in capitals. */
const ofSymbol = (constructor: unknown): Endpoint["make"] => (subjects, { assume, options }) =>
  of(constructor)(subjects.join(" ").toUpperCase(), { ...options, ...Object.keys(assume).length > 0 && { assume } })

const ofSymbols = (constructor: unknown): Endpoint["make"] => (subjects, { options }) =>
  (constructor as (subjects: ReadonlyArray<string>, options: object) => Made)(capitals(subjects), options)

const capitals = (subjects: ReadonlyArray<string>) => subjects.map((subject) => subject.toUpperCase())

const ofCandles = (constructor: unknown): Endpoint["make"] => (subjects, { assume, options }, now) => {
  const { resolution = "D", ...given } = options
  const make = constructor as (resolution: unknown, symbol: string, options: object) => Made
  const symbols = subjects.length === 0 ? [""] : capitals(subjects)
  return symbols.map((symbol) => make(resolution, symbol, { ...given, ...Written.rangeOf(given, now), assume }))
}

const stock = { argument: "symbol", hint: "AAPL" }
const stocks = { argument: "symbols", hint: "AAPL, MSFT, SPY" }
const ofDays = [date, ...range, ...rows, columns, ...uncached]

/** A symbol, with or without the blanks that fill its root to six characters. */
const optionSymbol = (given: string): Result.Result<OptionSymbol.OptionSymbol, InvalidQuery> => {
  const padded = OptionSymbol.parseOsi(given)
  const read = Result.isSuccess(padded) || given.includes(" ") ? padded : OptionSymbol.parse(given)
  return Result.mapError(read, (error) => InvalidQuery.of("symbol", given, error))
}

/** The commands by their names, the one that is asked most first. */
export const endpoints: Readonly<Record<string, Endpoint>> = {
  "chain": {
    argument: "underlying",
    hint: "SPX",
    fields: [
      ...cached,
      text("expiration", "all, 2026-12-18"),
      number("dte", "30"),
      number("strike-limit", "25"),
      choice("side", "call", "put"),
      assumed("contracts", "3000"),
      field("strike", "numbers", "150-160"),
      field("delta", "numbers", "0.2-0.8"),
      choice("range", "itm", "otm", "all"),
      text("from", "2026-12-01"),
      text("to", "2026-12-31"),
      number("month", "12"),
      number("year", "2026"),
      ...["weekly", "monthly", "quarterly", "nonstandard", "am", "pm"].map((key) => yesOrNo(key)),
      ...["min-bid", "max-bid", "min-ask", "max-ask", "max-bid-ask-spread"].map((key) => number(key, "0.05")),
      number("max-bid-ask-spread-pct", "0.005"),
      number("min-open-interest", "100"),
      number("min-volume", "10"),
      ...rows,
      date,
      columns
    ],
    make: ofSymbol(Query.optionChain)
  },
  "stock quote": {
    ...stocks,
    fields: [...cached, yesOrNo("candle"), yesOrNo("52week"), yesOrNo("extended"), columns],
    make: (subjects, { options: { "52week": year, candle, ...options } }) => {
      const given = { ...options, include: [...year === true ? ["52week"] : [], ...candle === true ? ["candle"] : []] }
      const [symbol = "", second] = capitals(subjects)
      if (second === undefined) return of(Query.stockQuote)(symbol, given)
      return year === true
        ? refuse("52week", true, "is for one stock only", symbol)
        : ofSymbols(Query.stockQuotes)(subjects, { options: given, assume: {} }, 0)
    }
  },
  "stock prices": { ...stocks, fields: [...cached, yesOrNo("extended"), columns], make: ofSymbols(Query.stockPrices) },
  "quote": {
    argument: "option symbols",
    hint: "AAPL261218C00350000",
    fields: [
      ...cached,
      date,
      text("from", "2026-11-02"),
      text("to", "2026-11-20"),
      ...rows,
      columns,
      assumed("credits", "10")
    ],
    make: (subjects, { assume, options }) => {
      const symbols = Result.all(subjects.map(optionSymbol))
      if (Result.isFailure(symbols)) return Result.fail(symbols.failure)
      return [...new Set(symbols.success.map((symbol) => OptionSymbol.format(symbol)))].map((symbol) =>
        of(Query.optionQuote)(symbol, { ...options, assume })
      )
    }
  },
  "stock candles": {
    ...stocks,
    fields: [
      ...uncached,
      resolution,
      ...range,
      candles,
      yesOrNo("extended"),
      yesOrNo("adjust-splits", "adjustsplits"),
      yesOrNo("adjust-dividends", "adjustdividends"),
      columns
    ],
    make: ofCandles(Query.stockCandles)
  },
  "stock bulk-candles": {
    ...stocks,
    fields: [
      ...uncached,
      yesOrNo("all"),
      date,
      assumed("symbols", "6000"),
      yesOrNo("adjust-splits", "adjustsplits"),
      columns
    ],
    make: (subjects, { assume, options: { all, ...options } }) =>
      all !== true
        ? ofSymbols(Query.stockBulkCandles)(subjects, { options: { ...options, assume }, assume }, 0)
        : subjects.length === 0
        ? of(Query.stockBulkCandles)("all", { ...options, assume })
        : refuse("all", true, "cannot be combined with symbols", subjects[0]!)
  },
  "fund candles": {
    argument: "funds",
    hint: "VFINX",
    fields: [...uncached, resolution, ...range, candles, columns],
    make: ofCandles(Query.fundCandles)
  },
  "expirations": {
    argument: "underlying",
    hint: "SPX",
    fields: [...uncached, number("strike", "6000"), yesOrNo("nonstandard"), date],
    make: ofSymbol(Query.optionExpirations)
  },
  "strikes": {
    argument: "underlying",
    hint: "AAPL",
    fields: [...uncached, text("expiration", "2026-12-18"), date],
    make: ofSymbol(Query.optionStrikes)
  },
  "lookup": {
    argument: "words",
    hint: "AAPL 12/18/2026 250 call",
    fields: uncached,
    make: (words, { options }) => of(Query.optionLookup)(words.join(" "), options)
  },
  "stock news": { ...stock, fields: ofDays, make: ofSymbol(Query.stockNews) },
  "stock earnings": { ...stock, fields: ofDays, make: ofSymbol(Query.stockEarnings) },
  "market status": {
    argument: "day",
    hint: "2026-12-25",
    fields: ofDays,
    make: (days, { options }) => {
      const day = days.length === 0 ? undefined : days.join(" ")
      return day !== undefined && options["date"] !== undefined
        ? refuse("date", options["date"], `cannot be combined with the day ${day}`, "only one of both")
        : Query.marketStatus({ ...options, ...day !== undefined && { date: day } })
    }
  }
}

/** Reads the text of a field, which is not empty. */
const readField = ({ choices, hint, key, kind }: Field, given: string): Result.Result<unknown, InvalidQuery> => {
  if (kind === "numbers") return Written.numbersOf(key, given, hint)
  if (kind === "names") return Result.succeed(given.split(",").map((name) => name.trim()))
  if (kind === "number") {
    return /^-?\d{1,15}(?:\.\d+)?$/.test(given)
      ? Result.succeed(Number(given))
      : refuse(key, given, "must be a number", hint)
  }
  if (kind !== "choice") return Result.succeed(given)
  if (!choices.includes(given)) return refuse(key, given, `must be ${choices.join(" or ")}`, choices[0]!)
  return Result.succeed(choices[0] === "true" ? given === "true" : given)
}

/** Reads the three fields that together are a mode. */
const modeOf = (given: Readonly<Record<string, unknown>>): Result.Result<unknown, InvalidQuery> => {
  const { fallbackUpTo, mode } = given
  const maxAge = given["maxAge"] as string | undefined
  if (mode === "cached") {
    const age = maxAge === undefined ? Result.succeed(undefined) : Result.mapError(
      MaxAge.parse(DurationText.spaced(maxAge)),
      (error) => InvalidQuery.of("max-age", maxAge, error)
    )
    return Result.map(
      age,
      (maxAge) => fallbackUpTo === undefined ? DataMode.cached({ maxAge }) : DataMode.cachedOrLive({ maxAge })
    )
  }
  const alone = maxAge !== undefined ? "max-age" : fallbackUpTo === undefined ? undefined : "fallback-up-to"
  return alone === undefined
    ? Result.succeed(mode)
    : refuse(alone, maxAge ?? fallbackUpTo, "is for cached data only", "mode: cached")
}

/** What is asked: the queries of a row, and the ceiling of live data after a cached miss. */
export interface Asked {
  readonly queries: readonly [Query.Query, ...ReadonlyArray<Query.Query>]
  readonly fallbackUpTo: number | undefined
}

/** Makes the queries of a row from its argument and the texts of its fields; those that are empty are left out. */
export const ask = (
  { argument, fields, hint, make }: Endpoint,
  subjects: ReadonlyArray<string>,
  texts: Readonly<Record<string, string>>,
  now: number
): Result.Result<Asked, InvalidQuery> =>
  Result.gen(function*() {
    const options: Record<string, unknown> = {}
    const assume: Record<string, unknown> = {}
    for (const field of fields) {
      const given = (texts[field.key] ?? "").trim()
      if (given === "") continue
      const into = field.isAssumed ? assume : options
      into[field.option] = yield* readField(field, given)
      const least = field.key === "credits" ? 0 : 1
      if (field.isAssumed && Number(given) < least) {
        return yield* refuse(field.key, given, `must be ${least} or more`, field.hint)
      }
    }
    const mode = yield* modeOf(options)
    const { fallbackUpTo, maxAge: _, ...own } = options
    if (fallbackUpTo !== undefined && !(Number.isSafeInteger(fallbackUpTo) && Number(fallbackUpTo) >= 0)) {
      return yield* refuse("fallback-up-to", fallbackUpTo, "must be 0 or a positive integer", "500")
    }
    const made = make(subjects, { options: { ...own, ...mode !== undefined && { mode } }, assume }, now)
    const [first, ...others] = yield* Result.all(listed(made))
    if (first === undefined) {
      return yield* refuse(argument, "", "must be named", hint)
    }
    return { queries: [first, ...others] as const, fallbackUpTo: fallbackUpTo as number | undefined }
  })
