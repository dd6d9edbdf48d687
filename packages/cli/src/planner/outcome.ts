/** What the planner shows of what is typed: each row priced by core, all of them together, and what is wrong beside its field. */
import type * as Account from "@effect-marketdata/core/Account"
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as DurationText from "@effect-marketdata/core/DurationText"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Plan from "@effect-marketdata/core/Plan"
import * as Problem from "@effect-marketdata/core/Problem"
import * as Workload from "@effect-marketdata/core/Workload"
import * as WorkloadSchedule from "@effect-marketdata/core/WorkloadSchedule"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { allowanceOf, own, type Rule, settings } from "../plans/rules.ts"
import { ask, type Endpoint, endpoints } from "./endpoints.ts"
import { type Row, type State, subjectsOf } from "./state.ts"

/** What is wrong with a field; the argument of a row has the key "". */
export interface Trouble {
  readonly key: string
  readonly message: string
}

/** A row: its prices, or what is wrong. */
export type Priced = Result.Result<Plan.Priced, Trouble>

/** The rows together. A month has the rows that name no days on each of its trading days. */
export interface Outcome {
  readonly rows: ReadonlyArray<Priced>
  readonly troubles: ReadonlyArray<Trouble>
  readonly total: Workload.Cost
  /** The day that costs the most, and everything that is asked on it. */
  readonly day: Workload.WindowCost | undefined
  readonly month: { readonly name: string; readonly days: number; readonly cost: Workload.Cost } | undefined
  readonly requests: number
  readonly peak: Workload.WindowCost | undefined
  readonly allowance: Account.Allowance | undefined
  readonly verdict: ReturnType<typeof Workload.fits> | undefined
  readonly expected: { readonly hitRate: number; readonly max: number } | undefined
  readonly workload: Workload.Workload
}

/** In how many minutes something may be asked: they are priced one by one for the peak, at every key. */
const mostMinutes = 100_000

const minutesOf = (schedule: WorkloadSchedule.Runs): number =>
  schedule.reduce((sum, { every, times }) => sum + Math.min(times, Math.ceil(every * times / 60) + 1), 0)

const told = (key: string, message: string): Trouble => ({ key, message: message.replace(/ Nothing was sent\.$/, "") })

const squeezed = (name: string): string => name.replace(/^assume\./, "").replaceAll("-", "").toLowerCase()

/** The field of an option, whose name in a message may be that of the query. */
const keyOf = ({ fields }: Endpoint, parameter: string): string => {
  const name = squeezed(parameter)
  const own = fields.find(({ key, option }) => squeezed(key) === name || squeezed(option) === name)
  return own?.key ?? fields.find(({ key }) => name.startsWith(squeezed(key)))?.key ?? ""
}

/** Reads a text by its rule; undefined where there is none. */
const kept = <A>(
  { is, ...problem }: Rule<A>,
  key: string,
  text: string,
  value: unknown
): Result.Result<A | undefined, Trouble> =>
  text === ""
    ? Result.succeed(undefined)
    : is(value)
    ? Result.succeed(value)
    : Result.fail(told(key, Problem.format(`${key} ${Problem.shown(text)}`, problem)))

const needOf = (texts: Row["texts"]): Result.Result<Plan.Need | undefined, Trouble> =>
  Result.map(
    kept(own["fresh-within"], "fresh-within", (texts["fresh-within"] ?? "").trim(), texts["fresh-within"]),
    (text) =>
      text === undefined ? undefined : {
        seconds: Option.match(DurationText.parse(text), { onNone: () => 0, onSome: Duration.toSeconds }),
        mayMiss: texts["may-miss"] === "true"
      }
  )

/** Prices a row at the times of a schedule. */
const priceOf = (
  { endpoint, subject, texts }: Row,
  when: string,
  now: WorkloadSchedule.Now,
  hitRate: number | undefined,
  mostMinutes = Infinity
): Priced =>
  Result.gen(function*() {
    const about = endpoints[endpoint]!
    const { fallbackUpTo, queries } = yield* Result.mapError(
      ask(about, subjectsOf(subject), texts, now.now),
      ({ message, parameter }) => told(keyOf(about, parameter), message)
    )
    const need = yield* needOf(texts)
    const task = yield* Result.mapError(
      Plan.task({ name: `${endpoint} ${subjectsOf(subject).join(" ")}`, when, queries, fallbackUpTo, need }, now),
      ({ message }) => told("when", message)
    )
    if (minutesOf(task.schedule) > mostMinutes) {
      const rule = `has more than the ${
        Math.floor(mostMinutes)
      } minutes that this page has room for in each of its rows; \`marketdata plan\` prices any`
      return yield* Result.fail(told("when", Problem.format(Problem.shown(when), { rule, example: "every 5min" })))
    }
    return yield* Result.mapError(Plan.price(task, { hitRate }), ({ message }) => told("", message))
  })

/** The schedule of a row, which is asked once where none is named. */
const whenOf = ({ texts }: Row): string => (texts["when"] ?? "").trim() || "once"

/** Whether a schedule is one of each trading day: it has times, and names no days. */
const isDaily = (when: string): boolean => /\b(?:every|each|at)\b/i.test(when) && !/\bon\b/i.test(when)

const monthOf = (time: number): string => CalendarDate.format(NewYork.dateOf(time)).slice(0, 7)

/** The first month that is all ahead. */
const nextMonth = (now: number): string => {
  const { month, year } = NewYork.dateOf(now)
  const next = month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 }
  return CalendarDate.format(next).slice(0, 7)
}

const workloadOf = (rows: ReadonlyArray<Priced>): Workload.Workload =>
  rows.flatMap((row) => Result.isSuccess(row) ? row.success.asked.workload : [])

const dearest = <A extends { readonly cost: Workload.Cost }>(all: ReadonlyArray<A>): A | undefined =>
  all.reduce<A | undefined>((most, one) => most === undefined || one.cost.max > most.cost.max ? one : most, undefined)

/** The month that costs the most. */
const dearestMonth = (workload: Workload.Workload): Outcome["month"] => {
  const months = new Map<string, { readonly name: string; readonly days: number; readonly cost: Workload.Cost }>()
  for (const { cost, start } of Workload.byWindow(workload, "day")) {
    const name = monthOf(start)
    const { cost: before, days } = months.get(name) ?? { cost: Workload.zero, days: 0 }
    months.set(name, { name, days: days + 1, cost: Workload.add(before, cost) })
  }
  return dearest([...months.values()])
}

/** Prices what is typed. */
export const of = ({ rows, texts }: State, now: WorkloadSchedule.Now): Outcome => {
  const read = <A>(key: keyof typeof settings, rule: Rule<A>, value: (text: string) => unknown) => {
    const text = (texts[key] ?? "").trim()
    return kept(rule, key, text, value(text))
  }
  const allowance = read("allowance", settings.allowance, (text) => text)
  const share = read("hit-rate", settings["hit-rate"], Number)
  const hitRate = Result.getOrUndefined(share)
  const granted = allowanceOf(Result.getOrUndefined(allowance))
  const priced = rows.map((row) => priceOf(row, whenOf(row), now, hitRate, mostMinutes / rows.length))
  const workload = workloadOf(priced)
  const inMonth = workloadOf(rows.map((row, index) => {
    const when = whenOf(row)
    return isDaily(when)
      ? priceOf(row, `${when} on trading days of ${nextMonth(now.now)}`, now, hitRate)
      : priced[index]!
  }))
  return {
    rows: priced,
    troubles: [allowance, share].flatMap((one) => Result.isFailure(one) ? [one.failure] : []),
    total: Workload.total(workload),
    day: dearest(Workload.byWindow(workload, "day")),
    month: dearestMonth(inMonth),
    requests: priced.reduce(
      (sum, row) => sum + (Result.isSuccess(row) ? timesOf(row.success) * row.success.requests : 0),
      0
    ),
    peak: Workload.peakMinute(workload),
    allowance: granted,
    verdict: granted && Workload.fits(workload, granted),
    expected: hitRate === undefined ? undefined : { hitRate, max: Plan.expected(workload, hitRate).max },
    workload
  }
}

/** How often a row is asked. */
export const timesOf = ({ task }: Plan.Priced): number => WorkloadSchedule.span(task.schedule).times

/** A bar of the chart: what is asked from a time to another. */
export interface Bar extends Workload.WindowCost {
  readonly end: number
}

/** How long a bar may be, in seconds: the first that makes few enough. */
const lengths = [60, 300, 900, 1800, 3600, 7200]
const mostBars = 48

/** The bars of a day, without those in which nothing is asked. */
export const barsOf = ({ day, workload }: Outcome): { readonly length: number; readonly bars: ReadonlyArray<Bar> } => {
  if (day === undefined) return { length: 0, bars: [] }
  const minutes = Workload.byWindow(workload, "minute").filter(({ start }) => start >= day.start && start < day.end)
  const [first, last] = [minutes[0]?.start ?? 0, minutes.at(-1)?.start ?? 0]
  const length = lengths.find((length) => (last - first) / length < mostBars) ?? 7200
  const bars = new Map<number, Bar>()
  for (const { cost, start } of minutes) {
    const from = Math.floor(start / length) * length
    bars.set(from, { start: from, end: from + length, cost: Workload.add(bars.get(from)?.cost ?? Workload.zero, cost) })
  }
  return { length, bars: [...bars.values()] }
}
