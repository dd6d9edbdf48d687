/** Values as people write them, wherever they do: numbers of a filter, option symbols, modes, days that are told from today. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as DurationText from "@effect-marketdata/core/DurationText"
import * as MaxAge from "@effect-marketdata/core/MaxAge"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Result from "effect/Result"

/** Refuses an option of a query: its name, what was given, the rule, and an example. */
export const refuse = (name: string, value: unknown, rule: string, example: string) =>
  Result.fail(InvalidQuery.of(name, value, { rule, example }))

const signs = { ">": "above", ">=": "atLeast", "<": "below", "<=": "atMost" } as const

const decimal = "\\d+(?:\\.\\d+)?|\\.\\d+"

/** A list, a range, or a bound. */
const numbers = new RegExp(
  `^(?:(?<list>(?:${decimal})(?:,(?:${decimal}))*)|(?<from>${decimal})-(?<to>${decimal})|(?<sign>[<>]=?)(?<than>${decimal}))$`
)

/** Numbers that a filter keeps: one, a list, a range, a bound. */
type Numbers = number | ReadonlyArray<number> | Readonly<Record<string, number>>

/** Reads which numbers a filter keeps, written as the service writes them: `150`, `150,155`, `150-160`, `>150`, `>=150`, `<150` or `<=150`. */
export const numbersOf = (
  name: string,
  given: string | undefined,
  example: string
): Result.Result<Numbers | undefined, InvalidQuery> => {
  if (given === undefined) return Result.succeed(undefined)
  const { from, list, sign, than, to } = numbers.exec(given.replaceAll(" ", ""))?.groups ?? {}
  if (list !== undefined) {
    const [first = 0, ...others] = list.split(",").map(Number)
    return Result.succeed(others.length === 0 ? first : [first, ...others])
  }
  if (from !== undefined) {
    return Number(from) <= Number(to)
      ? Result.succeed({ from: Number(from), to: Number(to) })
      : refuse(name, given, "must go from the smaller number to the greater", `${to}-${from}`)
  }
  return sign === undefined
    ? refuse(name, given, "must be a number, a list, a range or a bound such as '>=1'", example)
    : Result.succeed({ [signs[sign as keyof typeof signs]]: Number(than) })
}

/** Reads an option symbol, with or without the blanks that fill its root to six characters. */
export const optionSymbolOf = (text: string): Result.Result<OptionSymbol.OptionSymbol, InvalidQuery> => {
  const padded = OptionSymbol.parseOsi(text)
  const read = Result.isSuccess(padded) || text.includes(" ") ? padded : OptionSymbol.parse(text)
  return Result.mapError(read, (error) => InvalidQuery.of("symbol", text, error))
}

/** What is said of a mode. */
export interface Mode {
  readonly mode?: "live" | "delayed" | "cached" | undefined
  readonly maxAge?: string | undefined
  readonly fallbackUpTo?: number | undefined
}

/** Reads a mode, whose parts only have a meaning together; `dashes` stand before their names where these are flags. */
export const modeOf = ({ fallbackUpTo, maxAge, mode }: Mode, dashes = "") =>
  Result.gen(function*() {
    const [part, given] = maxAge === undefined ? ["fallback-up-to", fallbackUpTo] : ["max-age", maxAge]
    const name = dashes + part
    if (mode !== "cached" && given !== undefined) {
      const example = `${dashes}mode cached ${name} ${given}`
      return yield* refuse(name, given, "is for cached data only", example)
    }
    if (mode !== "cached") return mode && DataMode.fromParameter(mode)
    const age = maxAge === undefined ? undefined : yield* Result.mapError(
      MaxAge.parse(DurationText.spaced(maxAge)),
      (error) => InvalidQuery.of(name, maxAge, error)
    )
    return fallbackUpTo === undefined ? DataMode.cached({ maxAge: age }) : DataMode.cachedOrLive({ maxAge: age })
  })

const daysBack = (text: string): number | undefined => {
  if (text === "today" || text === "now") return 0
  if (text === "yesterday") return 1
  const [, count, unit] = /^(\d{1,5}) (day|week)s? ago$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (unit === "week" ? 7 : 1)
}

/** Names a day that is told from today by its date, between two of which candles can be counted; the service reads any other text. */
export const dayOf = (text: string, now: number): string => {
  const back = daysBack(text.trim().toLowerCase())
  const today = CalendarDate.toEpochDay(NewYork.dateOf(now))
  return back === undefined ? text : CalendarDate.format(CalendarDate.fromEpochDay(today - back))
}

/** A range of days as it is written. */
interface Range {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly countback?: unknown
}

/** Names both days of a range by the date in New York, the last of them today where it is left out. */
export const rangeOf = (given: Range, now: number): Pick<Range, "from" | "to"> => {
  const isOpen = given.from !== undefined && given.countback === undefined
  const day = (text: string | undefined) => text === undefined ? undefined : dayOf(text, now)
  const from = day(given.from)
  const to = day(isOpen ? given.to ?? "today" : given.to)
  // A range that begins after today is refused by its own name, not by that of a flag that was not given.
  const isReversed = given.to === undefined && from !== undefined && to !== undefined && from > to
  return { from, to: isReversed ? given.to : to }
}
