/**
 * Prices what is typed into the planner: each row, all rows together, and the mistakes with their fields; and the figures of a plan, each with its formula,
 * its clauses, its assumptions and its parts.
 */
import { NewYork, Plan, PlanReport, Problem, Workload, type WorkloadSchedule } from "@effect-marketdata/core"
import { Result } from "effect"
import { accountOf, allowanceOf, checkDay, keyOf, messageOf, needOf, own, type Rule, settings } from "../plans/rules.ts"
import * as Shown from "../plans/shown.ts"
import * as Words from "../text/words.ts"
import { ask, fieldsOf, subjectsOf, type Texts } from "./fields.ts"
import type { State } from "./state.ts"

const told = (key: string, error: { readonly message: string }) => ({ key, message: messageOf(error) })

/** A mistake and the key of its field; a mistake without a field is shown at the subject. */
export type Trouble = ReturnType<typeof told>

/** A row: its prices, or what is wrong. */
export type Priced = Result.Result<Plan.Priced, Trouble>

/** The most minutes with queries: each is priced to find the peak, at every keystroke. */
const mostMinutes = 100_000

const minutesOf = (schedule: WorkloadSchedule.Runs): number =>
  schedule.reduce((sum, { every, times }) => sum + Math.min(times, Math.ceil(every * times / 60) + 1), 0)

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
    const made = ask(row, now.now)
    const asked = yield* Result.mapError(made, (error) => told(keyOf(error.parameter, keys) ?? "subject", error))
    const need = needOf(yield* kept(own["fresh-within"], "fresh-within", row), row["may-miss"] === "true")
    const name = `${row["command"]} ${subjectsOf(row).join(" ")}`
    const task = yield* Result.mapError(Plan.task({ ...asked, name, when, need }, now), (error) => told("when", error))
    yield* Result.mapError(checkDay(task.queries[0], task.schedule), (error) => told("date", error))
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
  return Shown.labels.month(NewYork.at({ year: year + Math.floor(month / 12), month: month % 12 + 1, day: 1 }, 12, 0))
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

/** What a figure rests on, its formula above all, as texts by name; an undefined one is left out. */
export type Basis = Readonly<Record<string, string | undefined>>

/** A figure, and each row's part of it. */
export type Figure = readonly [id: string, label: string, value: string, parts: Table, basis: Basis]

type Table = ReadonlyArray<ReadonlyArray<string>>

/** What the price of a row rests on. */
export const basisOf = (plan: Plan.Priced): Basis => ({
  formula: "credits each time × times",
  clause: PlanReport.clauses(plan.asked).join(", "),
  ...Object.fromEntries(PlanReport.facts(plan))
})

/** The one that costs the most, the first of several. */
const dearest = <A extends { readonly cost: Workload.Cost }>(all: ReadonlyArray<A>): A | undefined =>
  all.reduce<A | undefined>((most, one) => most === undefined || one.cost.max > most.cost.max ? one : most, undefined)

/** When the windows of an allowance begin and end, in words. */
const windows =
  "a day goes from 9:30 to 9:30 in New York, a minute from second 0 to second 0: the contract states no allowances"

const queries = ({ cost }: Workload.WindowCost): string => Words.count(cost.queries, "query", "queries")

/** Makes the figures, of which the first two matter most, and says which day is the dearest. */
export const figures = ({ allowance, hitRate, inMonth, rows, workload }: Outcome, tasks: ReadonlyArray<Texts>) => {
  const plans = rows.flatMap((row, index) => {
    const { command, subject } = tasks[index]!
    return Result.isSuccess(row) ? [{ name: `${index + 1}. ${command} ${subject}`, plan: row.success }] : []
  })
  const clause = [...new Set(plans.flatMap(({ plan }) => PlanReport.clauses(plan.asked)))].join(", ")
  const total = Workload.total(workload)
  const [day, peak] = [dearest(Workload.byWindow(workload, "day")), Workload.peakMinute(workload)]
  const days = Workload.byWindow(inMonth, "day")
  const month = dearest(Array.from(PlanReport.grouped(days, Shown.labels.month), ([name, cost]) => ({ name, cost })))
  const requests = plans.reduce((sum, { plan }) => sum + PlanReport.times(plan) * plan.requests, 0)
  const verdict = allowance && Workload.fits(workload, allowance)
  const parts = (heads: ReadonlyArray<string>, cells: (plan: Plan.Priced) => ReadonlyArray<string>) => [
    ["row", ...heads],
    ...plans.map(({ name, plan }) => [name, ...cells(plan)])
  ]
  const costs = (cost: (plan: Plan.Priced) => Workload.Cost) =>
    parts(["queries", "credits"], (plan) => [Words.number(cost(plan).queries), PlanReport.short(cost(plan))])
  const within = (window: Workload.WindowCost | undefined, length: "day" | "minute") =>
    costs(({ asked }) =>
      Workload.byWindow(asked.workload, length).find(({ start }) => start === window?.start)?.cost ?? Workload.zero
    )
  const counted = plans.length === rows.length
    ? undefined
    : `${Words.count(plans.length, "row")} of ${rows.length}; the others are not right yet`
  const costOf = (one: { readonly cost: Workload.Cost } | undefined) =>
    one === undefined ? "0" : PlanReport.short(one.cost)
  const most = Math.ceil(Plan.expected(workload, hitRate ?? 0).max)
  const bound = most === Infinity ? "no upper bound" : Words.number(most)
  const batches = parts(["times", "each time"], (plan) => [
    Words.number(PlanReport.times(plan)),
    Words.count(plan.requests, "batch", "batches")
  ])
  const lasts = verdict === undefined
    ? "none is named"
    : verdict._tag === "Holds"
    ? `lasts, ${Words.number(verdict.left)} left`
    : `${verdict._tag === "RunsOut" ? "runs out" : "may run out"} ${NewYork.format(verdict.at).slice(0, 16)}`
  const runsOut = verdict?._tag === "RunsOut" ? verdict.mayRunOutAt : undefined
  const all: ReadonlyArray<Figure> = [
    ["day", "Credits on the dearest day", costOf(day), within(day, "day"), {
      day: day && `${Shown.labels.day(day.start)}, ${queries(day)}`,
      formula: "the sum over the rows: credits each time × times on this day",
      clause,
      assumes: windows,
      counted
    }],
    ["month", `Credits in ${month?.name ?? "a month"}`, costOf(month), [], {
      days: month && `${days.filter(({ start }) => Shown.labels.month(start) === month.name).length}`,
      formula: "the sum of the days of the dearest month on which something is asked",
      clause,
      assumes: "a row that names no days is asked on each trading day of the next whole month, as the NYSE has them",
      counted
    }],
    ["total", "Credits of the plan", PlanReport.short(total), costs(({ asked }) => asked.cost), {
      formula: "the sum over the rows: credits each time × times",
      clause,
      "not stated": total.notStated === 0 ? undefined : `${total.notStated} of the queries (clause 8.5-not-shown)`,
      counted
    }],
    ["expected", "Credits expected", hitRate === undefined ? "no hit rate is named" : bound, [], {
      formula:
        "hit rate × a hit + (1 − hit rate) × a miss, at the highest prices; a miss is free, with a ceiling live data follow",
      clause: "8.3-fallback",
      assumes: hitRate === undefined ? undefined : `${Words.number(hitRate * 100)} % of the cached requests hit`
    }],
    ["requests", "Requests", Words.number(requests), batches, {
      formula: "batches each time × times",
      clause: "8.1-request-line",
      assumes: "a list of symbols is cut where a request line would be longer than 4,094 bytes"
    }],
    ["peak", "Credits in the peak minute", costOf(peak), within(peak, "minute"), {
      minute: peak && `${NewYork.format(peak.start)}, ${queries(peak)}`,
      formula: "the minute whose queries cost the most, the earliest if there are several",
      clause
    }],
    ["allowance", "Allowance", lasts, [], {
      allowance: allowance && `${Words.credits(allowance.credits)}${Shown.windows[allowance.window]}`,
      "at most": runsOut === undefined ? undefined : `${NewYork.format(runsOut)}, if each query costs its most`,
      formula:
        "the first query that what is left does not cover; it may run out if each costs its most, and does if each its least",
      clause: "8.5-not-shown",
      assumes: windows
    }]
  ]
  return { figures: all, day, verdict: verdict?._tag }
}
