/** How the options of a query are read, one by one and together, and how they are written as the parameters of a request. */
import * as Result from "effect/Result"
import * as DataMode from "../account/DataMode.ts"
import { InvalidQuery } from "../reason/Reason.ts"
import * as Strike from "../symbol/Strike.ts"
import { nearest, type Problem, shown } from "../text/Problem.ts"
import * as Untyped from "../text/untyped.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as MaxAge from "../time/MaxAge.ts"
import * as NewYork from "../time/NewYork.ts"
import * as Rules from "./rules.ts"

// A filter by number, such as that of strikes: which numbers it keeps, how the service writes it, and the strikes that it spans.

/**
 * Which numbers a filter keeps: one number, a list of numbers, those in a range (both ends included), or those above or below a number.
 *
 * @category models
 * @since 0.1.0
 */
export type Numbers =
  | number
  | ReadonlyArray<number>
  | { readonly from: number; readonly to: number }
  | { readonly above: number }
  | { readonly atLeast: number }
  | { readonly below: number }
  | { readonly atMost: number }

/** All bounds that a filter may have. */
type Bounds = { readonly [Name in "from" | "to" | keyof typeof signs]?: number }

const signs = { above: ">", atLeast: ">=", below: "<", atMost: "<=" } as const

/** Writes a filter as the service reads it: `400`, `400,405`, `400-410`, `>400`, `>=400`, `<400` or `<=400`. */
export const formatNumbers = (self: Numbers): string => {
  if (typeof self === "number" || "length" in self) return String(self)
  if ("from" in self) return `${self.from}-${self.to}`
  const [[name, bound]] = Object.entries(self) as [[keyof typeof signs, number]]
  return signs[name] + bound
}

const numbersForm = /^(?:(\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)*)|(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)|([<>]=?)(\d+(?:\.\d+)?))$/

/** Reads what `formatNumbers` wrote, which is how queries and sizes are stored. Undefined for anything else. */
export const parseNumbers = (text: string): Numbers | undefined => {
  const [, list, from, to, sign, bound] = numbersForm.exec(text) ?? []
  if (list !== undefined) return numbersOf(list.split(",").map(Number))
  if (from !== undefined) return { from: Number(from), to: Number(to) }
  const name = Object.entries(signs).find(([, own]) => own === sign)?.[0]
  return name === undefined ? undefined : { [name]: Number(bound) } as unknown as Numbers
}

/** A list of one is that number. */
const numbersOf = (list: ReadonlyArray<number>): Numbers => list.length === 1 ? list[0]! : list

/** Whether an object is a filter by number. Throws for null, and for an object whose fields cannot be read. */
export const isNumbers = (value: object | null): boolean => parseNumbers(formatNumbers(value as Numbers)) !== undefined

/** Strikes from one to another, both included, in thousandths of a dollar. */
export interface Strikes extends Readonly<Record<"from" | "to", number>> {}

/** The strikes that a filter in dollars keeps: each of a list, or one range. */
export const strikesIn = (self: Numbers): ReadonlyArray<Strikes> => {
  const at = Strike.toThousandths
  if (typeof self === "number") return [{ from: at(self), to: at(self) }]
  if ("length" in self) return self.flatMap(strikesIn)
  const { above, atLeast, atMost, below, from = atLeast ?? 0, to = atMost ?? Infinity }: Bounds = self
  return [{ from: above === undefined ? at(from) : at(above) + 1, to: below === undefined ? at(to) : at(below) - 1 }]
}

// How options are read, one by one.

/** What an option of a query was read as: days and times are texts, as the service reads them. */
export type Value = string | number | boolean | Numbers

/** A value as it is sent, and as JSON has it. */
export const written = (value: Value): string | number | boolean =>
  typeof value === "object" ? formatNumbers(value) : value

/** Whether a value is such as an option is read as: a query may have been changed since it was made. */
export const isValue = (value: unknown): value is Value =>
  typeof value === "object" ? isNumbers(value) : ["string", "number", "boolean"].includes(typeof value)

/** Reads a value that was given, whatever an untyped caller put there; `name` is what messages call it. */
export type Reader<out A = string> = (name: string, input: unknown) => Result.Result<A, InvalidQuery>

/** Refuses a parameter: its name, what was given, and the rule it breaks. */
export const refuse = (parameter: string, value: unknown, problem: Problem): Result.Result<never, InvalidQuery> =>
  Result.fail(InvalidQuery.of(parameter, value, problem))

/** Reads what a module of its own parses, whose errors say what is wrong and what would be right. */
export const parsedBy = <Input, A>(parse: (input: Input) => Result.Result<A, Problem>): Reader<A> => (name, input) =>
  // What no type has seen is refused by the parser.
  Result.mapError(parse(input as Input), (error) => InvalidQuery.of(name, input, error))

/** A day, as data or as text. */
export const calendarDate = /* @__PURE__ */ parsedBy(CalendarDate.fromInput)

/** A day. */
export const day: Reader = (name, input) =>
  relativeOf(input) === undefined
    ? Result.map(calendarDate(name, input), CalendarDate.format)
    : refuse(name, input, Rules.notRelative)

const unit = "(?:minute|hour|day|week|month|year)s?"

const relativeForm = new RegExp(`^(?:now|today|yesterday|last session|-\\d{1,6} ${unit}|\\d{1,6} ${unit} ago)$`)

/** A time told from another one as the service reads it; undefined for anything else. */
const relativeOf = (input: unknown): string | undefined => {
  const text = typeof input === "string" ? input.trim().replace(/ +/g, " ").toLowerCase() : ""
  return relativeForm.test(text) ? text : undefined
}

/** What another reader takes, or a time relative to that of the request: `yesterday`, `-5 days`, `2 weeks ago`. */
export const orRelative = (reader: Reader): Reader => (name, input) => {
  const text = relativeOf(input)
  return text === undefined ? reader(name, input) : Result.succeed(text)
}

/**
 * A day, or a day with the time that New York clocks show. An offset is refused: the service takes none into account, and so would answer
 * about another moment.
 */
export const moment: Reader = (name, input) => {
  if (typeof input !== "string") {
    const clock = Untyped.fields(input, ["date", "secondOfDay"])
    return clock?.secondOfDay === undefined ? day(name, input) : wallClock(name, clock)
  }
  const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2})?$/.exec(input)
  if (match !== null) {
    const time = match[2]! + (match[3] ?? ":00")
    return /^([01]\d|2[0-3])(:[0-5]\d){2}$/.test(time)
      ? Result.map(day(name, match[1]), (date) => `${date} ${time}`)
      : refuse(name, input, Rules.timeOfDay)
  }
  return /\d[ T]\d/.test(input) ? refuse(name, input, Rules.offset) : day(name, input)
}

const wallClock: Reader = (name, input) => {
  const { date, secondOfDay } = input as { readonly date: unknown; readonly secondOfDay: unknown }
  return Result.flatMap(
    secondOfDayReader(`${name}.secondOfDay`, secondOfDay),
    (second) => Result.map(day(name, date), (text) => `${text} ${NewYork.formatTime(second)}`)
  )
}

/** Yes or no. */
export const yesOrNo: Reader<boolean> = (name, input) =>
  typeof input === "boolean" ? Result.succeed(input) : refuse(name, input, Rules.yesOrNo)

/** A number for which something holds; `problem` says what. It is never minus zero, which JSON does not have. */
export const number = (problem: Problem, holds: (input: number) => boolean): Reader<number> => (name, input) =>
  typeof input === "number" && holds(input) ? Result.succeed(input + 0) : refuse(name, input, problem)

const secondOfDayReader = number(Rules.secondOfDay, (input) => Number.isInteger(input) && input >= 0 && input < 86_400)

/** A whole number between two bounds, both included. */
export const whole = (
  { max = Number.MAX_SAFE_INTEGER, min }: { readonly min: number; readonly max?: number }
): Reader<number> => number(Rules.integer(min, max), (input) => Number.isInteger(input) && input >= min && input <= max)

/** The readers of which rows to return. */
export const page = { limit: whole({ min: 1, max: 50_000 }), offset: whole({ min: 0 }) }

/** A decimal number that is not negative, written without an exponent. */
export const decimal = (max = 1e9): Reader<number> =>
  number(Rules.decimal(max), (input) => input >= 0 && input <= max && !String(input).includes("e"))

/** A strike in dollars. */
export const strike = /* @__PURE__ */ parsedBy(Strike.parse)

/** One of a few texts. */
export const choice = <const Text extends string>(choices: ReadonlyArray<Text>): Reader<Text> => (name, input) => {
  const chosen = choices.find((text) => text === input)
  return chosen === undefined ? refuse(name, input, Rules.choice(choices)) : Result.succeed(chosen)
}

/** A text of a certain form; `problem` says which. */
export const matching = (form: RegExp, problem: Problem): Reader => (name, input) =>
  typeof input === "string" && form.test(input) ? Result.succeed(input) : refuse(name, input, problem)

/**
 * Checks a ticker. A character that could end a path segment, leave it or start a query is refused, not encoded: no ticker has one, so it is a
 * mistake to report.
 */
export const ticker: Reader = (parameter, symbol) => {
  if (typeof symbol !== "string" || symbol === "") return refuse(parameter, symbol, Rules.tickerMissing)
  const isTicker = (text: string): boolean => /^[A-Za-z0-9^$._-]{1,32}$/.test(text) && !/^\.+$/.test(text)
  if (isTicker(symbol)) return Result.succeed(symbol)
  const [first, ...others] = symbol.slice(0, 256).split(/[,;\s]+/)
  const isList = others.length > 0 && [first!, ...others].every(isTicker)
  return refuse(parameter, symbol, isList ? Rules.oneTicker(first!) : Rules.ticker)
}

/** How long a candle is: a number of units. */
export interface Resolution {
  readonly unit: "minute" | "day" | "week" | "month" | "year"
  readonly count: number
}

const units: Readonly<Record<string, readonly [unit: Resolution["unit"], count: number]>> = {
  "": ["minute", 1],
  minutely: ["minute", 1],
  h: ["minute", 60],
  d: ["day", 1],
  w: ["week", 1],
  m: ["month", 1],
  y: ["year", 1]
}

/**
 * Reads a resolution as the service writes it, in letters of either case; `form` says which of them an endpoint has. A small `m` is refused: it can be
 * read as months, and as minutes.
 */
export const resolution = (form: RegExp, problem: Problem): Reader<Resolution> => (name, input) =>
  Result.flatMap(matching(form, problem)(name, input), (text) => {
    if (text.endsWith("m")) return refuse(name, input, problem)
    const [, digits = "", letters = ""] = /^(\d*)(.*)$/.exec(text.toLowerCase())!
    // A word such as `daily` begins with its letter.
    const [unit, count] = units[letters] ?? units[letters[0]!]!
    return Result.succeed({ unit, count: digits === "" ? count : count * Number(digits) })
  })

/** A list of at least `fewest` members, each of them read. */
export const list = <A>(member: Reader<A>, problem: Problem, fewest = 1): Reader<ReadonlyArray<A>> => (name, input) => {
  const members = Untyped.list(input)
  return members === undefined || members.length < fewest
    ? refuse(name, input, problem)
    : Result.all(members.map((one) => member(name, one)))
}

// What options say together, and how all of them are read.

/** What options say, by their names; what was left out is missing. */
export type Values<Name extends string = string> = { readonly [N in Name]?: Value | undefined }

/** A rule of what options say together; types rule most of it out, and data from elsewhere have no types. */
export type Together<Name extends string> = (values: Values<Name>) => Result.Result<void, InvalidQuery>

/** All of these rules: the first that is broken refuses. */
export const together = <Name extends string>(rules: ReadonlyArray<Together<Name>>): Together<Name> => (values) => {
  for (const rule of rules) {
    const checked = rule(values)
    if (Result.isFailure(checked)) return checked
  }
  return Result.void
}

/** Refuses options of two groups. */
export const exclusive = <Name extends string>(
  groups: ReadonlyArray<ReadonlyArray<Name>>,
  example: string
): Together<Name> =>
(values) => {
  let first: Name | undefined
  for (const group of groups) {
    const name = group.find((name) => values[name] !== undefined)
    if (name === undefined) continue
    if (first !== undefined) return refuse(name, written(values[name]!), Rules.exclusive(first, example))
    first = name
  }
  return Result.void
}

/**
 * Refuses a range of days or moments that ends before it begins; a day holds all its moments. Which of two is earlier cannot be told where one
 * is relative: the service knows the time.
 */
export const daysInOrder = ({ from, to }: Values<"from" | "to">): Result.Result<void, InvalidQuery> =>
  isAbsolute(from) && isAbsolute(to) && from.slice(0, to.length) > to
    ? refuse("from", from, Rules.rangeOrder(to))
    : Result.void

const isAbsolute = (text: unknown): text is string => typeof text === "string" && relativeOf(text) === undefined

/** Refuses a least number above the greatest. */
export const numbersInOrder = <Name extends string>(min: Name, max: Name): Together<Name> => (values) =>
  Number(values[min]) > Number(values[max])
    ? refuse(min, values[min], Rules.minAboveMax(max, Number(values[max])))
    : Result.void

/** Who reads each option, by the option's name. */
export type Readers = Readonly<Record<string, Reader<unknown>>>

/** A reader for each option of a type; the compiler asks for all of them. */
export type ReadersOf<Options> = { readonly [Name in keyof Options]-?: Reader<unknown> }

/** What the options say, each read; those that were left out are missing. */
export type GivenOptions<R extends Readers> = { readonly [N in keyof R]?: R[N] extends Reader<infer A> ? A : never }

/**
 * Reads options of callers with and without types. Every option is checked by its reader, and a name without a reader is refused: a misspelt
 * filter would silently have no effect. `what` is how the whole is called in messages, `prefix` what they put before the name of an option.
 */
export const readOptions = <R extends Readers>(
  what: string,
  input: unknown,
  readers: R,
  prefix = ""
): Result.Result<GivenOptions<R>, InvalidQuery> => {
  const given = Untyped.entries(input)
  if (given === undefined) return refuse(what, input, Rules.object(Object.keys(readers)))
  for (const [name, value] of given) {
    if (!Object.hasOwn(readers, name)) return refuseUnknown(prefix, name, value, Object.keys(readers))
  }
  const all: Record<string, unknown> = {}
  // Prices are estimated several times for each query, and most queries assume nothing.
  if (given.size === 0) return Result.succeed(all as GivenOptions<R>)
  for (const [name, reader] of Object.entries(readers)) {
    if (!given.has(name)) continue
    const value = reader(prefix + name, given.get(name))
    if (Result.isFailure(value)) return Result.fail(value.failure)
    all[name] = value.success
  }
  return Result.succeed(all as GivenOptions<R>)
}

const refuseUnknown = (prefix: string, name: string, value: unknown, known: ReadonlyArray<string>) => {
  const meant = nearest(name, known)
  return refuse(prefix + (/^\w{1,40}$/.test(name) ? name : shown(name)), value, Rules.unknownOption(meant, known))
}

/** Reads a filter by number; `one` reads each of its numbers. */
export const numbers = (one: Reader<number>): Reader<Numbers> => {
  const several = list(one, Rules.numberList)
  const bounds = { from: one, to: one, above: one, atLeast: one, below: one, atMost: one }
  return (name, filter) => {
    if (Untyped.list(filter) !== undefined) return Result.map(several(name, filter), numbersOf)
    if (typeof filter !== "object" || filter === null) return one(name, filter)
    return Result.flatMap(readOptions(name, filter, bounds, `${name}.`), (given) => {
      const { from, to } = given
      const isRange = from !== undefined && to !== undefined
      const isBound = from === undefined && to === undefined
      const count = isRange ? 2 : isBound ? 1 : 0
      if (Object.keys(given).length !== count) return refuse(name, filter, Rules.numberBounds)
      return isRange && from > to
        ? refuse(name, filter, Rules.numberRange(from, to))
        : Result.succeed(given as Numbers)
    })
  }
}

/** A mode and its greatest age, parsed. */
export type ReadMode = { readonly mode: DataMode.DataMode; readonly maxAge: MaxAge.MaxAge | undefined }

const ofMode = {
  _tag: choice(Object.keys(DataMode.parameters) as ReadonlyArray<DataMode.DataMode["_tag"]>),
  maxAge: (_: string, input: unknown) => parsedBy(MaxAge.parse)("maxAge", input)
}

/**
 * Reads a mode: a value of `DataMode`, or its name as the contract spells it (clause 8.2-modes), which is what JSON, URLs and untyped code
 * have. A greatest age belongs to cached modes only (clause 4.1-maxage-cached-only).
 */
export const dataMode: Reader<ReadMode> = (name, input) =>
  Result.gen(function*() {
    if (Untyped.entries(input) === undefined) {
      const mode = typeof input === "string" ? DataMode.fromParameter(input) : undefined
      return mode === undefined ? yield* refuse(name, input, Rules.mode) : { mode, maxAge: undefined }
    }
    const { _tag, maxAge } = yield* readOptions(name, input, ofMode, `${name}.`)
    if (_tag === undefined) return yield* refuse(name, input, Rules.mode)
    const mode: DataMode.DataMode = _tag === "Cached" || _tag === "CachedOrLive" ? { _tag, maxAge } : { _tag }
    return maxAge === undefined || DataMode.isCached(mode)
      ? { mode, maxAge }
      : yield* refuse("maxAge", MaxAge.format(maxAge), Rules.maxAgeUncached)
  })

/**
 * Checks the mode of a query that may have been changed since it was made. A name is refused as well: all that looks at a query's mode
 * looks at its tag.
 */
export const checkMode = (mode: unknown): Result.Result<void, InvalidQuery> => {
  if (mode === undefined) return Result.void
  return DataMode.isDataMode(mode)
    ? Result.map(dataMode("mode", mode), () => undefined)
    : refuse("mode", mode, Rules.mode)
}

/** The readers of a range of days, for endpoints that take no relative ones. */
export const days = { from: moment, to: moment }

/** The readers of a range that may be relative, or counted back from its end. */
export const countedDays = {
  from: /* @__PURE__ */ orRelative(moment),
  to: /* @__PURE__ */ orRelative(moment),
  countback: /* @__PURE__ */ whole({ min: 1 })
}

/** The same, or one day. */
export const anyDays = { date: /* @__PURE__ */ orRelative(day), ...countedDays }

/** Refuses a day with a range, a start with a count, and a start after the end. */
export const checkDays = /* @__PURE__ */ together<keyof typeof anyDays>([
  /* @__PURE__ */ exclusive([["date"], ["from", "to", "countback"]], "date, or from and to"),
  /* @__PURE__ */ exclusive([["from"], ["countback"]], "from, or countback"),
  daysInOrder
])

// How parameters are written.

/** What limits a request: the bytes of its line, with those around the target, and the tickers of a list (clauses 8.1-request-line, 8.1-batches). */
export const limits = { lineBytes: 4094, aroundTarget: "GET  HTTP/1.1".length, tickers: 500 } as const

/** Puts segments into the places of a path: `{name}` is replaced by the segment of that name, encoded. */
export const fill = (path: string, segments: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeText(segments[name]!))

/** Writes parameters as `key=value&key2=value2`; commas stay commas, because lists are separated by them (clause 7.3-url-shape). */
export const queryString = (parameters: ReadonlyArray<readonly [string, string]>): string =>
  parameters.map(([name, value]) => `${name}=${encodeText(value).replaceAll("%2C", ",")}`).join("&")

/** Percent-encodes everything but unreserved characters. */
export const encodeText = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
