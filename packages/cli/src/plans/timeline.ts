/** A plan over time: a bar for each hour, day or month, as long as what it costs. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Workload from "@effect-marketdata/core/Workload"
import type { Line } from "../text/span.ts"
import * as Words from "../text/words.ts"
import * as Cells from "../views/cells.ts"

/** How a moment is called at each coarseness. */
const labels = {
  hour: (start: number) => NewYork.format(start).slice(0, 13) + ":00",
  day: (start: number) => Cells.dayOf(NewYork.dateOf(start)),
  month: (start: number) => CalendarDate.format(NewYork.dateOf(start)).slice(0, 7)
} as const

/** The most bars before they are made coarser. */
const mostBars = 31

type Bars = ReadonlyMap<string, Workload.Cost>

const grouped = (windows: ReadonlyArray<Workload.WindowCost>, label: (start: number) => string): Bars => {
  const bars = new Map<string, Workload.Cost>()
  for (const { cost, start } of windows) {
    bars.set(label(start), Workload.add(bars.get(label(start)) ?? Workload.zero, cost))
  }
  return bars
}

const barsOf = (workload: Workload.Workload): Bars => {
  const days = Workload.byWindow(workload, "day")
  if (days.length <= 1) return grouped(Workload.byWindow(workload, "minute"), labels.hour)
  const byDay = grouped(days, labels.day)
  return byDay.size <= mostBars ? byDay : grouped(days, labels.month)
}

/** Prints the bars, as long as the width allows. What has no upper bound has none: no length would be true of it. */
export const lines = (workload: Workload.Workload, width: number): ReadonlyArray<Line> => {
  const bars = [...barsOf(workload)]
  const amounts = bars.map(([, { max }]) => max === Infinity ? 0 : max)
  const texts = bars.map(([, { max, min }]) =>
    max === Infinity ? `${Words.number(min)} or more, no upper bound` : Words.number(max)
  )
  const [labelWidth, textWidth] = [widest(bars.map(([label]) => label)), widest(texts)]
  const room = Math.max(1, width - labelWidth - textWidth - 4)
  const highest = amounts.reduce((highest, amount) => Math.max(highest, amount), 0)
  return bars.map(([label], index) => {
    const length = highest === 0 ? 0 : Math.ceil(amounts[index]! / highest * room)
    return [
      label.padEnd(labelWidth),
      `  ${texts[index]!.padStart(textWidth)}  `,
      { text: "█".repeat(length), means: "call" }
    ]
  })
}

const widest = (texts: ReadonlyArray<string>): number =>
  texts.reduce((widest, { length }) => Math.max(widest, length), 0)
