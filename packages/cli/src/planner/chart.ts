/** The chart of a day: a bar for each stretch of time, as high as what is asked in it may cost. */
import * as NewYork from "@effect-marketdata/core/NewYork"
import { inCredits } from "../plans/shown.ts"
import * as Words from "../text/words.ts"
import { html, type Part, svg, table } from "./dom.ts"
import { barsOf, type Outcome } from "./outcome.ts"

const size = { width: 640, height: 200, left: 8, bottom: 22, top: 18 }

const clock = (time: number): string => NewYork.format(time).slice(11, 16)

/** How a stretch of time is called. */
const stretch = (seconds: number): string =>
  seconds === 60 ? "minute" : seconds < 3600 ? `${seconds / 60} minutes` : Words.age(seconds)

/** Draws it; what has no upper bound is as high as its lower one. */
export const draw = (outcome: Outcome): ReadonlyArray<Part> => {
  const { bars, length } = barsOf(outcome)
  const { day } = outcome
  if (day === undefined || bars.length === 0) return []
  const heightOf = ({ max, min }: { readonly max: number; readonly min: number }) => max === Infinity ? min : max
  const highest = bars.reduce((most, { cost }) => Math.max(most, heightOf(cost)), 0)
  const first = bars.reduce((least, { start }) => Math.min(least, start), Infinity)
  const last = bars.reduce((most, { end }) => Math.max(most, end), 0)
  const across = (time: number) => size.left + (time - first) / (last - first) * (size.width - 2 * size.left)
  const high = (credits: number) => highest === 0 ? 0 : credits / highest * (size.height - size.bottom - size.top)
  const base = size.height - size.bottom
  const bar = (start: number, end: number, credits: number, kind: string) =>
    svg("rect", {
      class: kind,
      x: String(across(start) + 1),
      width: String(Math.max(1, across(end) - across(start) - 2)),
      y: String(base - high(credits)),
      height: String(high(credits))
    })
  const caption = `Credits per ${stretch(length)} on ${NewYork.format(day.start).slice(0, 10)}, New York`
  const hasNoBound = bars.some(({ cost }) => cost.max === Infinity)
  const said = `${caption}: at most ${Words.number(highest)}.${
    hasNoBound ? " Some have no upper bound: their bars show the least." : ""
  }`
  return [
    html(
      "figcaption",
      {},
      `${caption}; light bars may cost as much, dark ones at least. ${
        hasNoBound ? "Some have no upper bound: their bars show the least." : ""
      }`
    ),
    svg(
      "svg",
      { viewBox: `0 0 ${size.width} ${size.height}`, role: "img", "aria-label": said },
      svg("line", { x1: "0", x2: String(size.width), y1: String(base), y2: String(base) }),
      svg("line", { x1: "0", x2: String(size.width), y1: String(size.top), y2: String(size.top) }),
      svg("text", { x: "0", y: String(size.top - 6) }, Words.number(highest)),
      ...bars.flatMap(({ cost, end, start }) => [
        bar(start, end, heightOf(cost), "bar most"),
        bar(start, end, cost.min, "bar")
      ]),
      svg("text", { x: "0", y: String(size.height - 6) }, clock(first)),
      svg("text", { x: String(size.width), y: String(size.height - 6), "text-anchor": "end" }, clock(last))
    ),
    html(
      "details",
      {},
      html("summary", {}, "The same as a table"),
      table(
        ["from", "queries", "credits"],
        bars.map(({ cost, start }) => ({
          cells: [clock(start), Words.number(cost.queries), inCredits(cost)]
        })),
        [1, 2]
      )
    )
  ]
}
