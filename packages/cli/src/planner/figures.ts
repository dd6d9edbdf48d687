/** The figures of a plan: each opens the rule that it follows, what it is the sum of, and what it assumes. */
import * as NewYork from "@effect-marketdata/core/NewYork"
import type * as Plan from "@effect-marketdata/core/Plan"
import * as Workload from "@effect-marketdata/core/Workload"
import * as WorkloadSchedule from "@effect-marketdata/core/WorkloadSchedule"
import * as Result from "effect/Result"
import * as Shown from "../plans/shown.ts"
import * as Words from "../text/words.ts"
import { html, list, table } from "./dom.ts"
import * as Outcome from "./outcome.ts"

/** The rule of a row: its clauses, what moves its price, what that assumes, its requests and its times. */
export const rule = (plan: Plan.Priced): ReadonlyArray<readonly [string, string | undefined]> => {
  const { asked, requests, task } = plan
  const [price] = asked.each
  const { first, last } = WorkloadSchedule.span(task.schedule)
  return [
    ["formula", "credits each time × times"],
    ["clause", Shown.clausesOf(asked).join(", ")],
    ["moved by", price?._tag === "Range" ? price.movedBy : undefined],
    ["not stated", price?._tag === "NotStated" ? price.what : undefined],
    ["why not", price?._tag === "Unavailable" ? price.why : undefined],
    ["assumes", price?.assumptions.map(({ name, value }) => `${name}: ${value}`).join("; ")],
    ["requests", requests === 1 ? "1 each time" : `${Words.number(requests)} each time, in batches`],
    ["from", NewYork.format(first)],
    ["to", NewYork.format(last)]
  ]
}

/** A figure: what it is called, what it comes to, and what stands behind it. */
interface Figure {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly means?: "good" | "warn" | "bad" | undefined
  readonly isLarge?: boolean
  readonly says: ReadonlyArray<readonly [string, string | undefined]>
  readonly cells?: ReadonlyArray<ReadonlyArray<string>>
}

const dayOf = (time: number): string => NewYork.format(time).slice(0, 10)

const verdictOf = ({ allowance, verdict }: Outcome.Outcome): Pick<Figure, "value" | "means"> => {
  if (allowance === undefined || verdict === undefined) return { value: "none is named" }
  switch (verdict._tag) {
    case "Holds":
      return { value: `lasts, ${Words.number(verdict.left)} left`, means: "good" }
    case "MayRunOut":
      return { value: `may run out ${NewYork.format(verdict.at).slice(0, 16)}`, means: "warn" }
    case "RunsOut":
      return { value: `runs out ${NewYork.format(verdict.at).slice(0, 16)}`, means: "bad" }
  }
}

/** A day of an allowance goes by its clock, not by the calendar. */
const windows =
  "a day goes from 9:30 to 9:30 in New York, a minute from second 0 to second 0: the contract states no allowances"

const figuresOf = (outcome: Outcome.Outcome, labels: ReadonlyArray<string>): ReadonlyArray<Figure> => {
  const { allowance, day, expected, month, peak, requests, rows, total, verdict } = outcome
  const plans = rows.flatMap((row, index) =>
    Result.isSuccess(row) ? [{ label: labels[index]!, plan: row.success }] : []
  )
  const left = rows.length - plans.length
  const counted = left === 0
    ? undefined
    : `${Words.count(plans.length, "row")} of ${rows.length}; the others are not right yet`
  const clause = [...new Set(plans.flatMap(({ plan }) => Shown.clausesOf(plan.asked)))].join(", ")
  const costOn = (plan: Plan.Priced, window: Workload.WindowCost | undefined, length: "day" | "minute") =>
    Workload.byWindow(plan.asked.workload, length).find(({ start }) => start === window?.start)?.cost ?? Workload.zero
  const perRow = (cost: (plan: Plan.Priced) => Workload.Cost) =>
    plans.map(({ label, plan }) => [label, Words.number(cost(plan).queries), Shown.cost(cost(plan))])
  return [
    {
      id: "day",
      label: "Credits on the dearest day",
      value: day === undefined ? "0" : Shown.cost(day.cost),
      isLarge: true,
      says: [
        ["day", day && `${dayOf(day.start)}, ${Words.count(day.cost.queries, "query", "queries")}`],
        ["formula", "the sum over the rows: credits each time × times on this day"],
        ["clause", clause],
        ["assumes", windows],
        ["counted", counted]
      ],
      cells: perRow((plan) => costOn(plan, day, "day"))
    },
    {
      id: "month",
      label: month === undefined ? "Credits in a month" : `Credits in ${month.name}`,
      value: month === undefined ? "0" : Shown.cost(month.cost),
      isLarge: true,
      says: [
        ["month", month && `${month.name}, ${Words.count(month.days, "day")} on which something is asked`],
        ["formula", "the sum of the days of the dearest month"],
        [
          "assumes",
          "a row that names no days is asked on each trading day of the next whole month, by the calendar of the NYSE"
        ],
        ["clause", clause]
      ]
    },
    {
      id: "total",
      label: "Credits of the plan",
      value: Shown.cost(total),
      says: [
        ["formula", "the sum over the rows: credits each time × times"],
        ["clause", clause],
        ["counted", counted],
        [
          "not stated",
          total.notStated === 0
            ? undefined
            : `${Words.count(total.notStated, "query", "queries")} without a stated price (clause 8.5-not-shown)`
        ]
      ],
      cells: perRow(({ asked }) => asked.cost)
    },
    {
      id: "expected",
      label: "Credits expected",
      value: expected === undefined
        ? "no hit rate is named"
        : expected.max === Infinity
        ? "no upper bound"
        : Words.number(Math.ceil(expected.max)),
      says: [
        [
          "formula",
          "hit rate × a hit + (1 − hit rate) × a miss, at the highest prices; a miss is free, and with a ceiling live data follow it"
        ],
        ["assumes", expected && `${Words.number(expected.hitRate * 100)} % of the cached requests hit`],
        ["clause", "8.3-fallback"]
      ]
    },
    {
      id: "requests",
      label: "Requests",
      value: Words.number(requests),
      says: [
        ["formula", "batches each time × times"],
        ["assumes", "a list of symbols is cut where a request line would be longer than 4,094 bytes"],
        ["clause", "8.1-request-line"]
      ],
      cells: plans.map(({ label, plan }) => [
        label,
        Words.number(Outcome.timesOf(plan)),
        Words.count(plan.requests, "batch", "batches")
      ])
    },
    {
      id: "peak",
      label: "Credits in the peak minute",
      value: peak === undefined ? "0" : Shown.cost(peak.cost),
      says: [
        ["minute", peak && NewYork.format(peak.start)],
        ["queries", peak && Words.number(peak.cost.queries)],
        ["formula", "the minute whose queries cost the most, the earliest if there are several"],
        ["clause", clause]
      ],
      cells: perRow((plan) => costOn(plan, peak, "minute"))
    },
    {
      id: "allowance",
      label: "Allowance",
      ...verdictOf(outcome),
      says: [
        ["allowance", allowance && `${Words.credits(allowance.credits)}${Shown.windows[allowance.window]}`],
        [
          "at most",
          verdict?._tag === "RunsOut"
            ? `${NewYork.format(verdict.mayRunOutAt)}, if each query costs its most`
            : undefined
        ],
        [
          "formula",
          "the first query that what is left does not cover; it may run out if each costs its most, and does if each costs its least"
        ],
        ["clause", "8.5-not-shown"],
        ["assumes", windows]
      ]
    }
  ]
}

/** The two figures that matter most, where there is room for one line. */
export const glance = ({ day, month }: Outcome.Outcome): string =>
  day === undefined || month === undefined
    ? "Nothing is asked yet"
    : `A day ${Shown.cost(day.cost)} · a month ${Shown.cost(month.cost)}`

/** Shows the figures; what was open stays open. */
export const show = (place: HTMLElement, outcome: Outcome.Outcome, labels: ReadonlyArray<string>): void => {
  const heads: Readonly<Record<string, ReadonlyArray<string>>> = { requests: ["row", "times", "each time"] }
  for (const { cells = [], id, isLarge, label, means, says, value } of figuresOf(outcome, labels)) {
    const name = `figure-${id}`
    let figure = place.querySelector(`#${name}`)
    if (figure === null) {
      figure = html(
        "details",
        { id: name, class: isLarge === true ? "figure large" : "figure" },
        html("summary"),
        html("div", { class: "body" })
      )
      place.append(figure)
    }
    const [summary, body] = figure.children
    const valued = html("span", { class: `value ${means ?? ""}`.trim() }, value)
    summary!.replaceChildren(html("span", { class: "label" }, label), valued)
    body!.replaceChildren(
      list(says),
      ...cells.length < 2
        ? []
        : [table(heads[id] ?? ["row", "queries", "credits"], cells.map((cells) => ({ cells })), [1, 2])]
    )
  }
}
