/** Prices and plans for people: a table by task and mode, what a price assumes, what a budget buys, when an allowance runs out. */
import type { Account, Budget, Plan } from "@effect-marketdata/core"
import { CalendarDate, Credits, DataMode, MaxAge, NewYork, PlanReport, Workload } from "@effect-marketdata/core"
import { Result } from "effect"
import { queryNames } from "../failure/names.ts"
import * as Grid from "../text/grid.ts"
import { type Line, type Meaning, type Span, wrap } from "../text/span.ts"
import * as Words from "../text/words.ts"
import * as Cells from "../views/cells.ts"

/** A task of a plan. `folder` is the folder of its files: its name, or else its command. */
export type PlannedTask = Plan.Task & { readonly folder: string }

/** A plan, read. */
export interface ReadPlan {
  readonly tasks: ReadonlyArray<PlannedTask>
  readonly account: Account.Account | undefined
  readonly allowance: Account.Allowance | undefined
  readonly hitRate: number | undefined
}

/** What a budget buys, with the flags of cheaper ways to ask. */
export interface Buys extends Omit<Budget.Buys, "ways"> {
  /** Cheaper ways to ask: the flags that are typed, and those that are left out. */
  readonly ways: ReadonlyArray<{
    readonly flags: string
    readonly without: ReadonlyArray<string>
    readonly price: Credits.Estimate
  }>
}

/** A mode as the flags of a command; `bound` is what live data cost at most. */
export const flagsOf = (mode: DataMode.DataMode, bound: number): string => {
  const name = `--mode ${DataMode.parameter(mode)}`
  if (!DataMode.isCached(mode)) return name
  const age = mode.maxAge === undefined ? undefined : Result.getOrUndefined(MaxAge.parse(mode.maxAge))
  const young = age === undefined ? name : `${name} --max-age ${MaxAge.format(age)}`
  return mode._tag === "Cached" ? young : `${young} --fallback-up-to ${bound === Infinity ? "CREDITS" : bound}`
}

const meaning = ({ max }: Workload.Cost, text: string): Span => max === Infinity ? { text, means: "warning" } : text

/** A row for each mode: its price each time, of all times, the clause behind it. */
const table = (priced: Plan.Priced, width: number): ReadonlyArray<Line> => {
  const times = PlanReport.times(priced)
  const rows = PlanReport.inModes(priced).map(({ clauses, cost: all, each, isCheapest, name }): ReadonlyArray<Span> => [
    isCheapest ? { text: name, means: "good" } : name,
    meaning(each, PlanReport.short(each)),
    ...times === 1 ? [] : [meaning(all, PlanReport.short(all))],
    clauses
  ])
  const prices = times === 1 ? ["credits"] : ["credits each time", `${Words.number(times)} times`]
  const columns = prices.map((head) => ({ head, align: "right", widest: 48 } as const))
  return Grid.format(["mode", ...columns, "clause"], rows, width)
}

const aboutPrice = (priced: Plan.Priced): ReadonlyArray<Line> =>
  PlanReport.facts(priced).map(([label, text]) => Grid.labelled(label, text))

const choiceText = (priced: Plan.Priced, { cost, expected, mode }: Plan.Choice): string => {
  const name = `${PlanReport.modeNames[mode._tag]} (${flagsOf(mode, PlanReport.liveBound(priced))})`
  const isCertain = expected === undefined || expected.max === cost.max
  return `${name}, ${PlanReport.format(cost)}${isCertain ? "" : `, ${Words.number(Math.ceil(expected.max))} expected`}`
}

/** The modes that are fresh enough. */
const freshness = (priced: Plan.Priced): ReadonlyArray<Line> => {
  const { choices, task: { need, queries } } = priced
  if (choices === undefined || need === undefined) return []
  const within = `within ${Words.age(need.seconds)}`
  const [first, ...others] = choices
  if (first === undefined) return [Grid.labelled("fresh", { text: `no mode has data ${within}`, means: "bad" })]
  const couldMiss = !need.mayMiss && queries[0].cacheable && need.seconds >= 60
  const hint = couldMiss ? ["if getting no data is acceptable, cached alone is enough: --may-miss"] : []
  const also = [...others.map((choice) => `also ${choiceText(priced, choice)}`), ...hint]
  const cheapest = `${within}, the cheapest is ${choiceText(priced, first)}`
  return [Grid.labelled("fresh", { text: cheapest, means: "good" }), ...also.map((text) => Grid.labelled("", text))]
}

const counted = ({ count, unit }: Budget.Covered): string =>
  count === Infinity ? `any number of ${unit}` : Words.count(count, unit.slice(0, -1))

/** What a budget buys. */
const budget = (buys: Buys | undefined): ReadonlyArray<Line> => {
  if (buys === undefined) return []
  const { covered, credits, times, ways } = buys
  const much = covered === undefined ? [] : [`they cover ${counted(covered)} at once`]
  const often = times === undefined
    ? "not even one query is certain, because its price has no upper bound"
    : times === Infinity
    ? "the query is free"
    : `they cover the query ${Words.count(times, "time")} at its highest price`
  return [
    Grid.labelled("budget", `${Words.credits(credits)}: ${[...much, often].join("; ")}`),
    ...ways.map(({ flags, price, without }) => {
      const way = [flags, ...without.map((name) => `without ${name}`)].filter((part) => part !== "").join(" ")
      return Grid.labelled("", `within it: ${way}, ${Credits.format(price)}`)
    })
  ]
}

/** Breaks lines, of which those beside a label need some room. */
const wrapped = (lines: ReadonlyArray<Line>, width: number): ReadonlyArray<Line> =>
  lines.flatMap((line) => wrap(line, Math.max(32, width)))

/** Prints the price of one task. */
export const estimated = (
  priced: Plan.Priced,
  buys: Buys | undefined,
  bounding: ReadonlyArray<string>,
  width: number
): ReadonlyArray<Line> => {
  const { asked: { cost, workload } } = priced
  const times = PlanReport.times(priced)
  const each = PlanReport.format(PlanReport.inModes(priced)[0]!.each)
  const all = `${PlanReport.format(cost)} for ${Words.count(times, "time")} (each time ${each})`
  const isUnbound = cost.max === Infinity && bounding.length > 0
  const lines: ReadonlyArray<Line> = [
    Grid.labelled("estimate", `${queryNames(priced.task.queries)}: ${times === 1 ? each : all}`),
    "",
    ...table(priced, width),
    "",
    ...aboutPrice(priced),
    ...(isUnbound ? [Grid.labelled("bound it", `${bounding.join(" or ")}, how many you expect`)] : []),
    ...(times === 1 ? [] : peakOf(Workload.peakMinute(workload))),
    ...freshness(priced),
    ...budget(buys)
  ]
  return wrapped(lines, width)
}

const peakOf = (peak: Workload.WindowCost | undefined): ReadonlyArray<Line> => {
  if (peak === undefined) return []
  const queries = Words.count(peak.cost.queries, "query", "queries")
  const text = `the minute from ${NewYork.format(peak.start)}: ${PlanReport.format(peak.cost)} for ${queries}`
  return [Grid.labelled("peak", text)]
}

export const windows: Readonly<Record<Account.Window, string>> = { day: " a day", minute: " a minute", none: "" }

/** Whether an allowance lasts, and when it runs out. */
const allowanceLines = ({ verdict }: PlanReport.Together, allowance: Account.Allowance | undefined) => {
  if (allowance === undefined || verdict === undefined) return []
  const granted = `${Words.credits(allowance.credits)}${windows[allowance.window]}`
  const told = (text: string, means: Meaning) => Grid.labelled("allowance", { text: `${granted} ${text}`, means })
  if (verdict._tag === "Holds") {
    const where = allowance.window === "none" ? "" : ` of the dearest ${allowance.window}`
    return [told(`last: ${Words.number(verdict.left)}${where} are left`, "good")]
  }
  const at = NewYork.format(verdict.at)
  if (verdict._tag === "MayRunOut") return [told(`may run out: at ${at}, if each query costs its most`, "warning")]
  const surely = told(`run out: at ${at}, even if each query costs its least`, "bad")
  const perhaps = Grid.labelled("", `at ${NewYork.format(verdict.mayRunOutAt)}, if each costs its most`)
  return verdict.mayRunOutAt === verdict.at ? [surely] : [surely, perhaps]
}

/** Prints what all tasks cost together, and whether their allowance lasts. */
export const together = ({ allowance, hitRate }: ReadPlan, all: PlanReport.Together): ReadonlyArray<Line> => {
  const { cost, expected, peakMinute: peak } = all
  const modes = Object.entries(all.byMode).flatMap(([mode, cost]) =>
    cost.queries > 0 ? [`${PlanReport.modeNames[mode as Workload.Mode]}: ${PlanReport.format(cost)}`] : []
  )
  return [
    [{ text: "all tasks", means: "heading" }, `, ${Words.count(cost.queries, "query", "queries")}`],
    Grid.labelled("total", meaning(cost, PlanReport.format(cost))),
    ...(modes.length < 2 ? [] : modes.map((text) => Grid.labelled("", text))),
    ...(expected === undefined ? [] : [Grid.labelled("expected", expectedText(expected.max, hitRate!))]),
    ...(cost.queries < 2 ? [] : peakOf(peak)),
    ...allowanceLines(all, allowance)
  ]
}

/** Prints a plan: each task in each mode, all tasks together, and the timeline. */
export const planned = (plan: ReadPlan, all: ReadonlyArray<Plan.Priced>, width: number): ReadonlyArray<Line> => {
  const sum = PlanReport.together(all, plan)
  const lines: ReadonlyArray<Line> = [
    ...all.flatMap((priced, index): ReadonlyArray<Line> => [
      ...(index === 0 ? [] : [""]),
      [{ text: `${index + 1}. ${priced.task.name}`, means: "heading" }, `, ${priced.task.when}`],
      ...table(priced, width),
      ...aboutPrice(priced),
      ...freshness(priced)
    ]),
    "",
    ...together(plan, sum),
    "",
    { text: "credits at most, in New York", means: "heading" },
    ...timeline(sum, width)
  ]
  return wrapped(lines, width)
}

const expectedText = (most: number, hitRate: number): string =>
  `${Words.credits(Math.ceil(most))}, if ${Words.number(hitRate * 100)}% of the cached requests hit`

/** The label of a moment by hour, day or month. */
export const labels = {
  hour: (start: number) => NewYork.format(start).slice(0, 13) + ":00",
  day: (start: number) => Cells.dayOf(NewYork.dateOf(start)),
  month: (start: number) => CalendarDate.format(NewYork.dateOf(start)).slice(0, 7)
} as const

/** The most bars before they are made coarser. */
const mostBars = 31

const barsOf = ({ days, workload }: PlanReport.Together): ReadonlyMap<string, Workload.Cost> => {
  if (days.length <= 1) return PlanReport.grouped(Workload.byWindow(workload, "minute"), labels.hour)
  const byDay = PlanReport.grouped(days, labels.day)
  return byDay.size <= mostBars ? byDay : PlanReport.grouped(days, labels.month)
}

/** Prints the bars, the longest as wide as there is room; a cost without an upper bound has no bar. */
const timeline = (sum: PlanReport.Together, width: number): ReadonlyArray<Line> => {
  const bars = [...barsOf(sum)]
  const amounts = bars.map(([, { max }]) => max === Infinity ? 0 : max)
  const texts = bars.map(([, { max, min }]) =>
    max === Infinity ? `${Words.number(min)} or more, no upper bound` : Words.number(max)
  )
  const [labelWidth, textWidth] = [widest(bars.map(([label]) => label)), widest(texts)]
  const room = Math.max(1, width - labelWidth - textWidth - 4)
  const highest = amounts.reduce((highest, amount) => Math.max(highest, amount), 0)
  return bars.map(([label], index) => {
    const length = highest === 0 ? 0 : Math.ceil(amounts[index]! / highest * room)
    const text = `  ${texts[index]!.padStart(textWidth)}  `
    return [label.padEnd(labelWidth), text, { text: "█".repeat(length), means: "call" }]
  })
}

const widest = (texts: ReadonlyArray<string>): number =>
  texts.reduce((widest, { length }) => Math.max(widest, length), 0)
