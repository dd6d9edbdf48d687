/** The figures of a plan, each with its formula, its clauses, its assumptions and its parts. */
import { NewYork, Plan, PlanReport, Workload } from "@effect-marketdata/core"
import { Result } from "effect"
import * as Shown from "../plans/shown.ts"
import * as Words from "../text/words.ts"
import type { Texts } from "./fields.ts"
import type { Outcome } from "./prices.ts"

/** The rule behind a figure, as texts by name; an undefined one is left out. */
export type Rule = Readonly<Record<string, string | undefined>>

/** A figure, and each row's part of it. */
export type Figure = readonly [id: string, label: string, value: string, parts: Table, rule: Rule]

type Table = ReadonlyArray<ReadonlyArray<string>>

/** The rule of a row. */
export const ruleOf = (plan: Plan.Priced): Rule => ({
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

/** Makes them, of which the first two matter most, and says which day is the dearest. */
export const of = ({ allowance, hitRate, inMonth, rows, workload }: Outcome, tasks: ReadonlyArray<Texts>) => {
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
  const figures: ReadonlyArray<Figure> = [
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
  return { figures, day, verdict: verdict?._tag }
}
