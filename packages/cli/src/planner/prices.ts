/** Prices what is typed into the planner: each row, all rows together, and the mistakes with their fields. */
import { NewYork, Plan, Problem, type Workload, type WorkloadSchedule } from "@effect-marketdata/core"
import { Result } from "effect"
import { accountOf, allowanceOf, keyOf, messageOf, needOf, own, type Rule, settings } from "../plans/rules.ts"
import { labels } from "../plans/shown.ts"
import { ask, fieldsOf, subjectsOf, type Texts } from "./fields.ts"
import type { State } from "./state.ts"

/** A mistake and the key of its field; a mistake without a field is shown at the subject. */
export interface Trouble {
  readonly key: string
  readonly message: string
}

/** A row: its prices, or what is wrong. */
export type Priced = Result.Result<Plan.Priced, Trouble>

/** The most minutes with queries: each is priced to find the peak, at every keystroke. */
const mostMinutes = 100_000

const minutesOf = (schedule: WorkloadSchedule.Runs): number =>
  schedule.reduce((sum, { every, times }) => sum + Math.min(times, Math.ceil(every * times / 60) + 1), 0)

const told = (key: string, error: { readonly message: string }): Trouble => ({ key, message: messageOf(error) })

/** Reads a text by its rule; undefined where nothing is typed. */
const kept = <A>({ is, ...problem }: Rule<A>, key: string, texts: Texts, of: (text: string) => unknown = String) => {
  const text = (texts[key] ?? "").trim()
  const value = of(text)
  if (text === "" || is(value)) return Result.succeed(text === "" ? undefined : value as A)
  return Result.fail(told(key, { message: Problem.format(`${key} ${Problem.shown(text)}`, problem) }))
}

/** Prices a row at the times of a schedule. */
const price = (row: Texts, when: string, now: WorkloadSchedule.Now, options: Plan.Options, most = Infinity) =>
  Result.gen(function*() {
    const keys = fieldsOf(row["command"]!).map(({ key }) => key)
    const asked = yield* Result.mapError(
      ask(row, now.now),
      (error) => told(keyOf(error.parameter, keys) ?? "subject", error)
    )
    const need = needOf(yield* kept(own["fresh-within"], "fresh-within", row), row["may-miss"] === "true")
    const name = `${row["command"]} ${subjectsOf(row).join(" ")}`
    const task = yield* Result.mapError(Plan.task({ ...asked, name, when, need }, now), (error) => told("when", error))
    if (minutesOf(task.schedule) > most) {
      const room = `the ${Math.floor(most)} minutes that this page has room for in each of its rows`
      const rule = `has more than ${room}; \`marketdata plan\` prices any`
      const message = Problem.format(Problem.shown(when), { rule, example: "every 5min" })
      return yield* Result.fail(told("when", { message }))
    }
    return yield* Result.mapError(Plan.price(task, options), (error) => told("subject", error))
  })

/** The schedule of a row; once by default. */
const whenOf = (row: Texts): string => (row["when"] ?? "").trim() || "once"

/** Whether a schedule repeats on each trading day: it has times, and names no days. */
const isDaily = (when: string): boolean => /\b(?:every|each|at)\b/i.test(when) && !/\bon\b/i.test(when)

/** The first month that is all ahead. */
const nextMonth = (now: number): string => {
  const { month, year } = NewYork.dateOf(now)
  return labels.month(NewYork.at({ year: year + Math.floor(month / 12), month: month % 12 + 1, day: 1 }, 12, 0))
}

const workloadOf = (rows: ReadonlyArray<Priced>): Workload.Workload =>
  rows.flatMap((row) => Result.isSuccess(row) ? row.success.asked.workload : [])

/** Prices what is typed. For the month, rows without days are asked on each of its trading days. */
export const of = ({ settings: texts, tasks }: State, now: WorkloadSchedule.Now) => {
  const allowance = kept(settings.allowance, "allowance", texts)
  const share = kept(settings["hit-rate"], "hit-rate", texts, Number)
  const hitRate = Result.getOrUndefined(share)
  const account = kept(settings.account, "account", texts)
  const options = { hitRate, account: accountOf(Result.getOrUndefined(account)) }
  const rows = tasks.map((row) => price(row, whenOf(row), now, options, mostMinutes / tasks.length))
  const inMonth = tasks.map((row, index) =>
    isDaily(whenOf(row))
      ? price(row, `${whenOf(row)} on trading days of ${nextMonth(now.now)}`, now, options)
      : rows[index]!
  )
  return {
    rows,
    troubles: [allowance, account, share].flatMap((one) => Result.isFailure(one) ? [one.failure] : []),
    workload: workloadOf(rows),
    inMonth: workloadOf(inMonth),
    allowance: allowanceOf(Result.getOrUndefined(allowance)),
    hitRate
  }
}

export type Outcome = ReturnType<typeof of>
