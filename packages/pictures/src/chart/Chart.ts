/**
 * Charts as plain data, before they are drawn: points, gaps and labels. A chart can be stored as JSON, sent, or made by hand.
 *
 * @example
 * ```ts
 * import type * as Chart from "@effect-marketdata/pictures/Chart"
 * import * as Picture from "@effect-marketdata/pictures/Picture"
 * import * as Result from "effect/Result"
 *
 * const chart: Chart.Chart = {
 *   id: "spread",
 *   title: "What a bid lacks to the ask",
 *   x: { label: "strike", unit: "strike" },
 *   y: { label: "dollars a share", unit: "dollars" },
 *   series: [{ name: "calls", tone: "call", mark: "line", points: [[95, 0.1, 0], [100, 0.05, 0], [105, null, 0]] }],
 *   rules: [[101.5, "underlying"]],
 *   notes: []
 * }
 * Result.isSuccess(Picture.svg(chart, { symbol: "XYZ", time: "2026-11-20 12:00:00 EST", source: "an example" })) // => true
 * ```
 *
 * @since 0.1.0
 */

/**
 * How values of an axis are printed.
 *
 * - `dollars`, `ratio`: with two decimals
 * - `percent`: values are fractions, 0.25 is printed as 25.0%
 * - `count`, `days`: whole numbers; days stand at their square root, so that near ones have room
 * - `strike`: dollars, with as many decimals as a strike has
 *
 * @category models
 * @since 0.1.0
 */
export type Unit = "dollars" | "percent" | "count" | "days" | "strike" | "ratio"

/**
 * What an axis shows.
 *
 * @category models
 * @since 0.1.0
 */
export interface Axis {
  readonly label: string
  readonly unit: Unit
}

/**
 * A value at a place, null where there is none; 1 if it is dimmed, else 0; and for a band what the value lies between.
 *
 * @category models
 * @since 0.1.0
 */
export type Point = readonly [x: number, y: number | null, dim: 0 | 1, low?: number | null, high?: number | null]

/**
 * Values of one kind, in the order of their places. Bars that are `down` hang from zero. A tone is a colour: `call` and `put` are those of the two
 * sides, `one` and `two` are for all else.
 *
 * @category models
 * @since 0.1.0
 */
export interface Series {
  readonly name: string
  readonly tone: "call" | "put" | "one" | "two"
  readonly mark: "band" | "line" | "bar"
  readonly down?: boolean
  readonly points: ReadonlyArray<Point>
}

/**
 * What is drawn.
 *
 * - `id`: its name in a page, such as `smile`
 * - `rules`: places that are marked, each with its label; a reader begins at the first
 * - `notes`: sentences that belong to it
 *
 * @category models
 * @since 0.1.0
 */
export interface Chart {
  readonly id: string
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly series: ReadonlyArray<Series>
  readonly rules: ReadonlyArray<readonly [x: number, label: string]>
  readonly notes: ReadonlyArray<string>
}

/**
 * What is said beside what is drawn: the symbol, when its quotes were taken, and where they come from. All of it is shown as it is given; times are best
 * those of New York, as `NewYork.format` prints them.
 *
 * @category models
 * @since 0.1.0
 */
export interface About {
  readonly symbol: string
  readonly time: string
  readonly source: string
}
