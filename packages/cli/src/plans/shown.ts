/** Prices and plans for people: a table by task and mode, what a price assumes, what a budget buys, when an allowance runs out. */
import type * as Account from "@effect-marketdata/core/Account"
import * as Credits from "@effect-marketdata/core/Credits"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Workload from "@effect-marketdata/core/Workload"
import { queryNames } from "../asking/flagNames.ts"
import * as Price from "../asking/price.ts"
import * as Grid from "../text/grid.ts"
import type { Line, Meaning, Span } from "../text/span.ts"
import * as Words from "../text/words.ts"
import { labelled } from "../text/wrap.ts"
import type { Buys, Covered } from "./budget.ts"
import { type Choice, clausesOf, flagsOf, type InMode, liveBound, nameOf, type Priced } from "./modes.ts"
import type { Plan } from "./plan.ts"
import * as Schedule from "./schedule.ts"
import * as Timeline from "./timeline.ts"

/** A cost in a cell. */
const cost = ({ max, min, notStated, queries, unavailable }: Workload.Cost): string => {
  if (queries > 0 && unavailable === queries) return "unavailable"
  if (notStated > 0) return "not stated"
  if (max === Infinity) return `${Words.number(min)} or more`
  return min === max ? Words.number(max) : `${Words.number(min)} to ${Words.number(max)}`
}

/** A cost in a sentence. */
const inCredits = (one: Workload.Cost): string => {
  const { max, min, notStated } = one
  if (notStated > 0) return min === 0 ? "not stated" : `at least ${Words.credits(min)}, the rest not stated`
  if (max === Infinity) return `at least ${Words.credits(min)}, no upper bound`
  return min === max ? Words.credits(max) : `${Words.number(min)} to ${Words.credits(max)}`
}

const meaning = ({ max }: Workload.Cost, text: string): Span => max === Infinity ? { text, means: "warning" } : text

const once = ({ workload }: InMode): Workload.Cost =>
  Workload.total(workload.map((task) => ({ ...task, schedule: { ...task.schedule, times: 1 } })))

/** What one time costs: the runs of a schedule are the same query again. */
const oneTime = (mode: InMode, runs: number): Workload.Cost => {
  const { max, min, notStated, queries, unavailable } = once(mode)
  return {
    queries: queries / runs,
    min: min / runs,
    max: max / runs,
    notStated: notStated / runs,
    unavailable: unavailable / runs
  }
}

const isCheapest = ({ choices }: Priced, { mode }: InMode): boolean => choices?.[0]?.mode._tag === mode

/** A row for each mode: its price each time, of all times, the clause behind it. */
const rowsOf = (priced: Priced): ReadonlyArray<ReadonlyArray<Span>> =>
  [priced.asked, ...priced.others].map((mode) => {
    const each = oneTime(mode, priced.task.schedule.length)
    const name = mode === priced.asked ? `${nameOf(mode.mode)} (asked)` : nameOf(mode.mode)
    return [
      isCheapest(priced, mode) ? { text: name, means: "good" } : name,
      meaning(each, cost(each)),
      meaning(mode.cost, cost(mode.cost)),
      clausesOf(mode).join(", ")
    ]
  })

const columns = (times: number): ReadonlyArray<Grid.Column> => [
  { head: "mode", align: "left" },
  { head: times === 1 ? "credits" : "credits each time", align: "right", widest: 48 },
  ...(times === 1 ? [] : [{ head: `${Words.number(times)} times`, align: "right", widest: 48 } as const]),
  { head: "clause", align: "left" }
]

const without = <A>(list: ReadonlyArray<A>, index: number): ReadonlyArray<A> => list.filter((_, at) => at !== index)

const timesOf = ({ task }: Priced): number => Schedule.span(task.schedule).times

const allOf = (assumptions: ReadonlyArray<Credits.Assumption>): string =>
  assumptions.map(({ name, value }) => `${name}: ${value}`).join("; ")

/** What the prices of a task are bounded by, and what they assume: that of the mode that was asked for, or of live data. */
const aboutPrice = ({ asked, requests, task }: Priced, width: number): ReadonlyArray<Line> => {
  const [price] = asked.each
  const { first, last, times } = Schedule.span(task.schedule)
  return [
    ...(price?._tag === "Range" ? labelled("moved by", price.movedBy, width) : []),
    ...(price !== undefined && price.assumptions.length > 0
      ? labelled("assumes", allOf(price.assumptions), width)
      : []),
    ...(price?._tag === "NotStated" ? labelled("not stated", price.what, width) : []),
    ...(price?._tag === "Unavailable" ? labelled("why", price.why, width) : []),
    ...(task.fallbackUpTo === undefined
      ? []
      : labelled(
        "ceiling",
        `live data are asked for only if they cost ${Words.credits(task.fallbackUpTo)} at most`,
        width
      )),
    ...labelled("requests", requests === 1 ? "1" : `${Words.number(requests)} each time`, width),
    ...(times === 1
      ? []
      : labelled(
        "when",
        `${Words.count(times, "time")} from ${NewYork.format(first)} to ${NewYork.format(last)}`,
        width
      ))
  ]
}

const choiceText = (priced: Priced, { expected, mode, ...choice }: Choice): string =>
  `${nameOf(mode._tag)} (${flagsOf(mode, liveBound(priced))}), ${inCredits(choice.cost)}` +
  (expected === undefined || expected.max === choice.cost.max
    ? ""
    : `, ${Words.number(Math.ceil(expected.max))} expected`)

/** The modes that are fresh enough. */
const freshness = (priced: Priced, width: number): ReadonlyArray<Line> => {
  const { choices, task: { need, queries } } = priced
  if (choices === undefined || need === undefined) return []
  const within = `within ${Words.age(need.seconds)}`
  const [first, ...others] = choices
  return first === undefined
    ? labelled("fresh", { text: `no mode has data ${within}`, means: "bad" }, width)
    : [
      ...labelled("fresh", { text: `${within}, the cheapest is ${choiceText(priced, first)}`, means: "good" }, width),
      ...others.flatMap((choice) => labelled("", `also ${choiceText(priced, choice)}`, width)),
      ...(need.mayMiss || !queries[0].cacheable || need.seconds < 60
        ? []
        : labelled("", "where no data may come, cached alone would do, too: --may-miss", width))
    ]
}

const counted = ({ count, unit }: Covered): string =>
  count === Infinity ? `any number of ${unit}` : Words.count(count, unit.slice(0, -1))

/** What a budget buys. */
const budget = (buys: Buys | undefined, width: number): ReadonlyArray<Line> => {
  if (buys === undefined) return []
  const { covered, credits, times, ways } = buys
  const much = covered === undefined ? [] : [`they cover ${counted(covered)} at once`]
  const often = times === undefined
    ? "no query is sure, because this one has no upper bound"
    : times === Infinity
    ? "the query is free"
    : `they cover the query ${Words.count(times, "time")} at its highest price`
  return [
    ...labelled("budget", `${Words.credits(credits)}: ${[...much, often].join("; ")}`, width),
    ...ways.flatMap(({ flags, price }) => labelled("", `within it: ${flags}, ${Credits.format(price)}`, width))
  ]
}

/** Prints the price of one task. */
export const estimated = (
  priced: Priced,
  buys: Buys | undefined,
  bounding: ReadonlyArray<string>,
  width: number
): ReadonlyArray<Line> => {
  const times = timesOf(priced)
  const rows = rowsOf(priced).map((row) => times === 1 ? without(row, 2) : row)
  const peak = times === 1 ? undefined : Workload.peakMinute(priced.asked.workload)
  const each = inCredits(oneTime(priced.asked, priced.task.schedule.length))
  const price = times === 1
    ? each
    : `${inCredits(priced.asked.cost)} for ${Words.count(times, "time")} (each time ${each})`
  return [
    ...labelled("estimate", `${queryNames(priced.task.queries)}: ${price}`, width),
    "",
    ...Grid.format(columns(times), rows, width),
    "",
    ...aboutPrice(priced, width),
    ...(priced.asked.cost.max !== Infinity || bounding.length === 0
      ? []
      : labelled("bound it", `${bounding.join(" or ")}, how many you expect at most`, width)),
    ...(peak === undefined ? [] : labelled("peak", peakText(peak), width)),
    ...freshness(priced, width),
    ...budget(buys, width)
  ]
}

const peakText = ({ cost: highest, start }: Workload.WindowCost): string =>
  `the minute from ${NewYork.format(start)}: ${inCredits(highest)} for ${queries(highest.queries)}`

const queries = (number: number): string => number === 1 ? "1 query" : `${Words.number(number)} queries`

const windows: Readonly<Record<Account.Window, string>> = { day: " a day", minute: " a minute", none: "" }

/** Whether an allowance lasts, and when it runs out. */
const allowanceLines = (
  workload: Workload.Workload,
  allowance: Account.Allowance | undefined,
  width: number
): ReadonlyArray<Line> => {
  if (allowance === undefined) return []
  const granted = `${Words.credits(allowance.credits)}${windows[allowance.window]}`
  const verdict = Workload.fits(workload, allowance)
  const told = (text: string, means: Meaning): ReadonlyArray<Line> =>
    labelled("allowance", { text: `${granted} ${text}`, means }, width)
  switch (verdict._tag) {
    case "Holds": {
      const where = allowance.window === "none" ? "" : ` of the dearest ${allowance.window}`
      return told(`last: ${Words.number(verdict.left)}${where} are left`, "good")
    }
    case "MayRunOut":
      return told(`may run out: at ${NewYork.format(verdict.at)}, if each query costs its most`, "warning")
    case "RunsOut":
      return [
        ...told(`run out: at ${NewYork.format(verdict.at)}, even if each query costs its least`, "bad"),
        ...(verdict.mayRunOutAt === verdict.at
          ? []
          : labelled("", `at ${NewYork.format(verdict.mayRunOutAt)}, if each costs its most`, width))
      ]
  }
}

/** Prints a plan: each task in each mode, all tasks together, and the timeline. */
export const planned = (
  { allowance, hitRate }: Plan,
  all: ReadonlyArray<Priced>,
  width: number
): ReadonlyArray<Line> => {
  const workload = all.flatMap(({ asked }) => asked.workload)
  const total = Workload.total(workload)
  const expected = hitRate === undefined ? undefined : Price.expected(workload, hitRate)
  const peak = Workload.peakMinute(workload)
  const modes = Object.entries(Workload.byMode(workload)).filter(([, { queries }]) => queries > 0)
  return [
    ...all.flatMap((priced, index): ReadonlyArray<Line> => [
      ...(index === 0 ? [] : [""]),
      [{ text: `${index + 1}. ${priced.task.name}`, means: "heading" }, `, ${priced.task.when}`],
      ...estimatedBriefly(priced, width)
    ]),
    "",
    [{ text: "all tasks", means: "heading" }, `, ${queries(total.queries)}`],
    ...labelled("total", meaning(total, inCredits(total)), width),
    ...(modes.length < 2
      ? []
      : modes.flatMap(([mode, total]) => labelled("", `${nameOf(mode as Workload.Mode)}: ${inCredits(total)}`, width))),
    ...(expected === undefined ? [] : labelled("expected", expectedText(expected.max, hitRate!), width)),
    ...(peak === undefined || total.queries < 2 ? [] : labelled("peak", peakText(peak), width)),
    ...allowanceLines(workload, allowance, width),
    "",
    { text: "credits at most, in New York", means: "heading" },
    ...Timeline.lines(workload, width)
  ]
}

const expectedText = (most: number, hitRate: number): string =>
  `${most === Infinity ? "no upper bound" : Words.credits(Math.ceil(most))}, if ${
    Words.number(hitRate * 100)
  }% of the cached requests hit`

const estimatedBriefly = (priced: Priced, width: number): ReadonlyArray<Line> => {
  const times = timesOf(priced)
  return [
    ...Grid.format(columns(times), rowsOf(priced).map((row) => times === 1 ? without(row, 2) : row), width),
    ...aboutPrice(priced, width),
    ...freshness(priced, width)
  ]
}
