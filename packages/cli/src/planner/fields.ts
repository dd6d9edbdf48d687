/** The form of the planner: the commands, their fields by the keys of a plan, and the queries that they make. */
import { Query, QueryText } from "@effect-marketdata/core"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import { Result } from "effect"

/** What is typed into a row, by the keys of its fields. */
export type Texts = Readonly<Record<string, string>>

/** How a field is read. */
type Kind = "text" | "names" | "number" | "positive" | "credits" | "numbers" | "choice"

/** A field: its key in a plan, the commands that have it, how it is read, an example of its text, and its label. */
export const field = (
  key: string,
  of: ReadonlyArray<string>,
  kind: Kind,
  hint: string,
  label = key.replaceAll("-", " ")
) => ({ key, of, kind, hint, label })

export type Field = Readonly<ReturnType<typeof field>>

const refuse = (key: string, given: string, rule: string, example: string) =>
  Result.fail(InvalidQuery.of(key, given, { rule, example }))

type Reader = (field: Field, given: string) => Result.Result<unknown, InvalidQuery>

const number = (form: RegExp, least: number, rule: string): Reader => ({ hint, key }, given) =>
  form.test(given) && Number(given) >= least ? Result.succeed(Number(given)) : refuse(key, given, rule, hint)

/** What there is to choose from. */
export const choicesOf = ({ hint, kind }: Field): ReadonlyArray<string> => kind === "choice" ? hint.split(" or ") : []

const decimal = /^-?\d{1,15}(?:\.\d+)?$/

/** How a text that is not empty becomes an option of a query. */
const readers: Readonly<Record<Kind, Reader>> = {
  text: (_, given) => Result.succeed(given),
  names: (_, given) => Result.succeed(given.split(",").map((name) => name.trim())),
  number: number(decimal, -Infinity, "must be a number"),
  positive: number(decimal, 1, "must be a number, 1 or more"),
  credits: number(/^\d{1,15}$/, 0, "must be 0 or a positive integer"),
  numbers: ({ hint, key }, given) => QueryText.numbers(key, given, hint),
  choice: (field, given) =>
    choicesOf(field).includes(given)
      ? Result.succeed(field.hint === "true or false" ? given === "true" : given)
      : refuse(field.key, given, `must be ${field.hint}`, choicesOf(field)[0]!)
}

type Made<A> = Result.Result<A, InvalidQuery>

/** Options as they are typed: the constructors of queries check them. */
type Options = Readonly<Record<string, unknown>>

type Make = (subjects: ReadonlyArray<string>, options: Options, now: number) => Made<ReadonlyArray<Query.Query>>

const capitals = (texts: ReadonlyArray<string>) => texts.map((text) => text.toUpperCase())

const inOne = (words: ReadonlyArray<string>) => words.join(" ")

const one = Result.map((query: Query.Query) => [query])

type Constructor = (...given: ReadonlyArray<unknown>) => Made<Query.Query>

const ofOne = (make: unknown): Make => (subjects, options) =>
  one((make as Constructor)(inOne(subjects).toUpperCase(), options))

const ofList = (make: unknown): Make => (subjects, options) => one((make as Constructor)(capitals(subjects), options))

const ofCandles = (make: unknown): Make => (subjects, { resolution = "D", ...options }, now) => {
  const given = { ...options, ...QueryText.range(options, now) }
  return Result.all(capitals(subjects).map((symbol) => (make as Constructor)(resolution, symbol, given)))
}

/** The commands by their names, the one that is asked most first: what the argument is called, an example of it, and the queries of what is typed. */
export const commands: Readonly<Record<string, readonly [argument: string, hint: string, make: Make]>> = {
  "chain": ["underlying", "SPX", ofOne(Query.optionChain)],
  "stock quote": ["symbols", "AAPL, MSFT, SPY", ofList(QueryText.stockQuotes)],
  "stock prices": ["symbols", "AAPL, MSFT, SPY", ofList(Query.stockPrices)],
  "quote": ["option symbols", "AAPL261218C00350000", QueryText.optionQuotes],
  "stock candles": ["symbols", "AAPL, MSFT, SPY", ofCandles(Query.stockCandles)],
  "stock bulk-candles": ["symbols", "AAPL, MSFT, SPY", ofList(QueryText.stockBulkCandles)],
  "fund candles": ["funds", "VFINX", ofCandles(Query.fundCandles)],
  "expirations": ["underlying", "SPX", ofOne(Query.optionExpirations)],
  "strikes": ["underlying", "AAPL", ofOne(Query.optionStrikes)],
  "lookup": ["words", "AAPL 12/18/2026 250 call", (words, given) => one(Query.optionLookup(inOne(words), given))],
  "stock news": ["symbol", "AAPL", ofOne(Query.stockNews)],
  "stock earnings": ["symbol", "AAPL", ofOne(Query.stockEarnings)],
  "market status": ["day", "2026-12-25", (days, given) => one(QueryText.marketStatus(inOne(days) || undefined, given))]
}

const all = Object.keys(commands)
const chain = ["chain"]
const cached = ["chain", "stock quote", "stock prices", "quote"]
const uncached = all.filter((name) => !cached.includes(name))
const candles = ["stock candles", "fund candles"]
const days = ["stock news", "stock earnings", "market status"]
const tables = [...cached, ...candles, ...days, "stock bulk-candles"]
const yes = "true or false"

/** What a plan says besides its tasks. */
export const settings: ReadonlyArray<Field> = [
  field("allowance", [], "text", "100000 credits per day"),
  field("account", [], "choice", "paid or trial or free or professional"),
  field("hit-rate", [], "text", "0.9", "cache hit rate")
]

/** What every row has besides its query. */
export const own = [
  field("when", all, "text", "once", "asked when, in New York"),
  field("fresh-within", all, "text", "5min"),
  field("may-miss", all, "choice", yes),
  field("name", all, "text", "the closes")
] as const

/** The fields that are always shown; the others are in a part that opens. */
export const usual: ReadonlyArray<Field> = [
  field("mode", cached, "choice", "live or delayed or cached", "data"),
  field("mode", uncached, "choice", "live or delayed", "data"),
  field("max-age", cached, "text", "5min", "cached within"),
  field("fallback-up-to", cached, "credits", "500", "then live, up to"),
  field("expiration", chain, "text", "all, 2026-12-18"),
  field("expiration", ["strikes"], "text", "2026-12-18"),
  field("dte", chain, "number", "30", "days to expiration"),
  field("strike-limit", chain, "number", "25", "strikes each side"),
  field("side", chain, "choice", "call or put"),
  field("resolution", candles, "text", "D"),
  field("contracts", chain, "positive", "3000", "contracts expected"),
  field("candles", candles, "positive", "1000", "candles expected"),
  field("credits", ["quote"], "credits", "10", "credits expected"),
  field("symbols", ["stock bulk-candles"], "positive", "6000", "stocks expected")
]

export const rest: ReadonlyArray<Field> = [
  field("all", ["stock bulk-candles"], "choice", yes),
  field("strike", chain, "numbers", "150-160"),
  field("strike", ["expirations"], "number", "6000"),
  field("delta", chain, "numbers", "0.2-0.8"),
  field("range", chain, "choice", "itm or otm or all"),
  field("from", chain, "text", "2026-12-01"),
  field("to", chain, "text", "2026-12-31"),
  field("month", chain, "number", "12"),
  field("year", chain, "number", "2026"),
  ...["weekly", "monthly", "quarterly", "am", "pm"].map((key) => field(key, chain, "choice", yes)),
  field("nonstandard", [...chain, "expirations"], "choice", yes),
  ...["min-bid", "max-bid", "min-ask", "max-ask", "max-bid-ask-spread"].map((key) =>
    field(key, chain, "number", "0.05")
  ),
  field("max-bid-ask-spread-pct", chain, "number", "0.005"),
  field("min-open-interest", chain, "number", "100"),
  field("min-volume", chain, "number", "10"),
  field("date", ["chain", "quote", "stock bulk-candles", "expirations", "strikes", ...days], "text", "2026-11-20"),
  field("from", ["quote", ...candles, ...days], "text", "2026-11-02"),
  field("to", ["quote", ...candles, ...days], "text", "2026-11-20"),
  field("countback", [...candles, ...days], "number", "10"),
  field("limit", ["chain", "quote", ...days], "number", "10"),
  field("offset", ["chain", "quote", ...days], "number", "0"),
  field("candle", ["stock quote"], "choice", yes),
  field("52week", ["stock quote"], "choice", yes),
  field("extended", ["stock quote", "stock prices", "stock candles"], "choice", yes),
  field("adjust-splits", ["stock candles", "stock bulk-candles"], "choice", yes),
  field("adjust-dividends", ["stock candles"], "choice", yes),
  field("columns", tables, "names", "symbol, bid, ask")
]

/** The fields of a list that a command has. */
export const fieldsOf = (command: string, list: ReadonlyArray<Field> = [...usual, ...rest]): ReadonlyArray<Field> =>
  list.filter(({ of }) => of.includes(command))

/** The symbols of an argument, separated by commas or blanks. */
export const subjectsOf = ({ subject = "" }: Texts): ReadonlyArray<string> =>
  subject.split(/[\s,]+/).filter((word) => word !== "")

/** The options of a query that are expected counts, under `assume`. */
const assumed = new Set(["contracts", "candles", "credits", "symbols"])

/** The option of a query that a key is. */
const optionOf = (key: string): string =>
  key.replace(/^adjust-/, "adjust").replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** Makes the queries of a row, and says what live data may cost after a cached miss; fields that are empty are left out. */
export const ask = (row: Texts, now: number) =>
  Result.gen(function*() {
    const [argument, hint, make] = commands[row["command"]!]!
    const options: Record<string, unknown> = {}
    const assume: Record<string, unknown> = {}
    for (const field of fieldsOf(row["command"]!)) {
      const given = (row[field.key] ?? "").trim()
      if (given === "") continue
      const into = assumed.has(field.key) ? assume : options
      into[optionOf(field.key)] = yield* readers[field.kind](field, given)
    }
    const { fallbackUpTo, maxAge, mode, ...others } = options as Partial<QueryText.Mode>
    const asked = yield* QueryText.mode({ fallbackUpTo, maxAge, mode })
    const known = { ...others, ...asked && { mode: asked }, ...Object.keys(assume).length > 0 && { assume } }
    const [first, ...more] = yield* make(subjectsOf(row), known, now)
    return first === undefined
      ? yield* refuse(argument, "", "must be named", hint)
      : { queries: [first, ...more] as const, fallbackUpTo }
  })
