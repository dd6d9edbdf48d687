import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Result from "effect/Result"
import * as Parameters from "./parameters.ts"
import * as Refusals from "./refusals.ts"

/** The days or moments that a query names, as it names them. */
export interface Period {
  readonly date: CalendarDate.CalendarDate | undefined
  readonly from: Moment | undefined
  readonly to: Moment | undefined
  readonly countback: number | undefined
}

type Moment = CalendarDate.CalendarDate | NewYork.WallClock

/** Reads what names days. A `from` with a sign, such as `-5 days`, counts from `to`. */
export const read = (parameters: Parameters.Parameters): Result.Result<Period, Refusals.Refusal> =>
  Result.gen(function*() {
    const date = yield* Parameters.date(parameters, "relative")
    const to = yield* Parameters.moment(parameters, "to")
    const from = yield* Parameters.moment(parameters, "from", to === undefined ? parameters.now : end(to))
    const countback = yield* Parameters.number(parameters, "countback")
    return date !== undefined && (from ?? to) !== undefined
      ? yield* Result.fail(Refusals.dateWithRange)
      : { date, from, to, countback }
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
export const start = (moment: Moment): number =>
  "date" in moment ? NewYork.toEpochSeconds(moment.date, moment.secondOfDay) : NewYork.midnight(moment)

/** The last second of a day, or the second that was named. */
export const end = (moment: Moment): number =>
  "date" in moment
    ? NewYork.toEpochSeconds(moment.date, moment.secondOfDay)
    : NewYork.midnight(CalendarDate.addDays(moment, 1)) - 1
