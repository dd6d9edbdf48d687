import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import * as NewYork from "@effect-marketdata/core/NewYork"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Query from "@effect-marketdata/core/Query"
import * as QueryText from "@effect-marketdata/core/QueryText"
import * as Result from "effect/Result"
import * as Refusals from "./refusals.ts"
import * as RequestTime from "./requestTime.ts"

/**
 * The parameters of one request: what each says, by its name in lower case. A reader returns undefined where a parameter is not there, and
 * refuses what has the wrong type (clause 7.3-cause-wrong-type). Whether a value is in its range is core's to judge.
 */
export interface Parameters {
  readonly values: ReadonlyMap<string, string>
  readonly now: number
}

export const none: Parameters = { values: new Map(), now: 0 }

type Read<A> = Result.Result<A | undefined, Refusals.Refusal>

const read = <A>({ values }: Parameters, name: string, form: string, reader: (text: string) => A | undefined) => {
  const text = values.get(name.toLowerCase())
  if (text === undefined) return Result.succeed(undefined)
  const value = reader(text)
  return value === undefined
    ? Result.fail(Refusals.badRequest(`Invalid ${name} ${JSON.stringify(text)}. ${form}`))
    : Result.succeed(value)
}

export const text = ({ values }: Parameters, name: string): string | undefined => values.get(name.toLowerCase())

const flags: ReadonlyMap<string, boolean> = new Map([["true", true], ["1", true], ["false", false], ["0", false]])

/** Yes or no. Languages that print their booleans as numbers send `1` and `0`. */
export const flag = (self: Parameters, name: string): Read<boolean> =>
  read(self, name, "Use true or false.", (text) => flags.get(text.toLowerCase()))

const decimalOf = (text: string): number | undefined =>
  /^-?(\d{1,12}(\.\d{0,9})?|\.\d{1,9})$/.test(text) ? Number(text) : undefined

export const number = (self: Parameters, name: string): Read<number> => read(self, name, "Use a number.", decimalOf)

/** A share: a fraction such as `0.005`, or a percentage with its sign, `0.5%`. */
export const share = (self: Parameters, name: string): Read<number> =>
  read(self, name, "Use a fraction such as 0.005, or a percentage such as 0.5%.", (text) => {
    const percent = /^(.+)%$/.exec(text)?.[1]
    const number = decimalOf(percent ?? text)
    // Rounded, because dividing by 100 is not exact.
    return number === undefined || percent === undefined ? number : Number((number / 100).toFixed(11))
  })

export const choice = <const Text extends string>(
  self: Parameters,
  name: string,
  choices: ReadonlyArray<Text>
): Read<Text> => read(self, name, `Use ${choices.join(" or ")}.`, (text) => choices.find((choice) => choice === text))

/** A day without a time, in one of the forms that every date of the service takes; with `relative` also told from today. */
export const day = (
  self: Parameters,
  name: string,
  forms: RequestTime.Forms = "plain"
): Read<CalendarDate.CalendarDate> =>
  read(self, name, "Use a date such as 2026-11-20.", (text) => RequestTime.parse(text, forms, self.now)?.date)

/** The parameter `date`. A malformed one is refused in the contract's words for a wrong date (clause 7.3-date-errmsg). */
export const date = (self: Parameters, forms: RequestTime.Forms = "plain"): Read<CalendarDate.CalendarDate> =>
  Result.mapError(day(self, "date", forms), () => Refusals.invalidDate)

/** A moment, which may be told from now, or with a sign from another one. */
export const moment = (
  self: Parameters,
  name: string,
  origin = self.now
): Read<NewYork.WallClock | CalendarDate.CalendarDate> =>
  read(self, name, "Use a date or a time such as 2026-11-20 09:30.", (text) => {
    const time = RequestTime.parse(text, "relative", self.now, origin)
    return time?.secondOfDay === undefined ? time?.date : { ...time, secondOfDay: time.secondOfDay }
  })

/** Numbers to choose by: `400`, `400,405`, `400-410`, `>400`, `>=400`, `<400` or `<=400`. */
export const numbers = (self: Parameters, name: string): Read<OptionChain.Numbers> =>
  read(
    self,
    name,
    "Use a number, a list such as 400,405, a range such as 400-410, or a bound such as >400.",
    (text) => Result.getOrUndefined(QueryText.numbers(name, text, "400"))
  )

/** Refuses a `date` that is not past in New York, with the contract's own body (clauses 4.1-date and 7.3-date-errmsg). */
export const checkPastDay = (query: Query.Query, now: number): Result.Result<void, Refusals.Refusal> =>
  Result.mapError(Query.checkDate(query, now), () => Refusals.invalidDate)

/**
 * Refuses any `date` where the endpoint takes none (contract 7.3, cause 6): the quotes and prices of stocks are current, and candles name their days by
 * `from`, `to` and `countback`.
 */
export const checkNoDate = (
  { date, kind }: Endpoint.Endpoint,
  parameters: Parameters
): Result.Result<void, Refusals.Refusal> =>
  date === "none" && (kind === "quotes" || kind === "candles") && text(parameters, "date") !== undefined
    ? Result.fail(Refusals.invalidDate)
    : Result.succeed(undefined)

/** Reads several parameters of one kind, and returns them by name. */
export const several = <A, const Name extends string>(
  self: Parameters,
  one: (self: Parameters, name: string) => Read<A>,
  names: ReadonlyArray<Name>
) =>
  Result.all(Object.fromEntries(names.map((name) => [name, one(self, name)]))) as Result.Result<
    { readonly [N in Name]: A | undefined },
    Refusals.Refusal
  >

/** The days or moments that a query names, as it names them. */
export interface Period {
  readonly date: CalendarDate.CalendarDate | undefined
  readonly from: Moment | undefined
  readonly to: Moment | undefined
  readonly countback: number | undefined
}

type Moment = CalendarDate.CalendarDate | NewYork.WallClock

/** Reads what names days. A `from` with a sign, such as `-5 days`, counts from `to`. */
export const period = (parameters: Parameters): Result.Result<Period, Refusals.Refusal> =>
  Result.gen(function*() {
    const onDay = yield* date(parameters, "relative")
    const to = yield* moment(parameters, "to")
    const from = yield* moment(parameters, "from", to === undefined ? parameters.now : endOf(to))
    const countback = yield* number(parameters, "countback")
    return onDay !== undefined && (from ?? to) !== undefined
      ? yield* Result.fail(Refusals.dateWithRange)
      : { date: onDay, from, to, countback }
  })

/** The same in whole days, for endpoints that know no others. */
export const inDays = ({ countback, date, from, to }: Period) => ({
  countback,
  date,
  from: from === undefined ? undefined : dayOf(from),
  to: to === undefined ? undefined : dayOf(to)
})

const dayOf = (moment: Moment): CalendarDate.CalendarDate => "date" in moment ? moment.date : moment

/** The first second of a day, or of the second that was named. */
export const startOf = (moment: Moment): number =>
  "date" in moment ? NewYork.toEpochSeconds(moment.date, moment.secondOfDay) : NewYork.midnight(moment)

/** The last second of a day, or the second that was named. */
export const endOf = (moment: Moment): number =>
  "date" in moment
    ? NewYork.toEpochSeconds(moment.date, moment.secondOfDay)
    : NewYork.midnight(CalendarDate.addDays(moment, 1)) - 1
