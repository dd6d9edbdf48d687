/** The chart of a day: a bar for each stretch of time, as high as what is asked in it may cost. */
import { NewYork, PlanReport, Workload } from "@effect-marketdata/core"
import * as Words from "../text/words.ts"
import { type Parts, table, tag } from "./dom.ts"

/** How long a stretch may be, in seconds: the first that makes few enough bars. */
const lengths = [60, 300, 900, 1800, 3600, 7200]
const mostBars = 48

const [width, height, top, base] = [640, 200, 18, 178]

const clock = (time: number): string => NewYork.format(time).slice(11, 16)

/** What has no upper bound is as high as its lower one. */
const high = ({ max, min }: Workload.Cost): number => max === Infinity ? min : max

export const chart = (workload: Workload.Workload, day: Workload.WindowCost): Parts => {
  const minutes = Workload.byWindow(workload, "minute").filter(({ start }) => start >= day.start && start < day.end)
  const [from, to] = [minutes[0]!.start, minutes.at(-1)!.start]
  const length = lengths.find((length) => (to - from) / length < mostBars) ?? 7200
  const timeOf = (start: number) => Math.floor(start / length) * length
  const grouped = PlanReport.grouped(minutes, (start) => String(timeOf(start)))
  const bars = Array.from(grouped, ([time, cost]) => ({ time: Number(time), cost }))
  const [first, last] = [timeOf(from), timeOf(to) + length]
  const highest = Math.max(...bars.map(({ cost }) => high(cost)))
  const wide = width * length / (last - first)
  const bar = (kind: string, time: number, credits: number) => {
    const size = highest === 0 ? 0 : credits / highest * (base - top)
    const [x, thick] = [(time - first) / length * wide + 1, Math.max(1, wide - 2)]
    return tag("rect", { class: kind, x: `${x}`, y: `${base - size}`, width: `${thick}`, height: `${size}` })
  }
  const text = (x: number, y: number, text: string) =>
    tag("text", { x: `${x}`, y: `${y}`, "text-anchor": x === 0 ? "start" : "end" }, text)
  const line = (y: number) => tag("line", { x2: `${width}`, y1: `${y}`, y2: `${y}` })
  const date = NewYork.format(day.start).slice(0, 10)
  const caption = `Credits per ${length === 60 ? "minute" : Words.age(length)} on ${date}, New York`
  const unbound = bars.some(({ cost }) => cost.max === Infinity)
    ? " Some have no upper bound: their bars show the least."
    : ""
  const said = `${caption}: at most ${Words.number(highest)}.${unbound}`
  const rows = bars.map(({ cost, time }) => [clock(time), Words.number(cost.queries), PlanReport.format(cost)])
  return [
    tag("figcaption", {}, `${caption}; light bars may cost as much, dark ones at least.${unbound}`),
    tag(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": said },
      line(base),
      line(top),
      text(0, top - 6, Words.number(highest)),
      ...bars.flatMap(({ cost, time }) => [bar("bar most", time, high(cost)), bar("bar", time, cost.min)]),
      text(0, height - 6, clock(first)),
      text(width, height - 6, clock(last))
    ),
    tag("details", {}, tag("summary", {}, "The same as a table"), table([["from", "queries", "credits"], ...rows]))
  ]
}
