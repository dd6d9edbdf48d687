/** Checks what untyped callers give to be drawn, and makes its texts printable. */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Problem from "@effect-marketdata/core/Problem"
import { InvalidInput } from "@effect-marketdata/volatility/InvalidInput"
import * as Result from "effect/Result"
import type { About, Axis, Chart, Point, Series, Unit } from "./Chart.ts"

/** What is wrong with a value. */
export const wrong = (parameter: string, value: unknown, { example, rule }: Problem.Problem): InvalidInput =>
  new InvalidInput({ parameter, value: Problem.shown(value), rule, example })

/** Refuses what breaks a rule. */
export const refuse = (parameter: string, value: unknown, problem: Problem.Problem) =>
  Result.fail(wrong(parameter, value, problem))

/** Makes every text of a value printable: control characters, U+FFFE and U+FFFF are invalid in XML, and the first are commands to a terminal. */
const printable = <A>(value: A): A => {
  if (typeof value === "string") return ForeignText.line(value).replace(/[\ufffe\uffff]/g, "\ufffd") as A
  if (Array.isArray(value)) return Array.from(value, printable) as A
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, printable(field)])) as A
    // JSON has no other kinds of values.
    : ["number", "boolean", "object"].includes(typeof value)
    ? value
    : undefined as A
}

/** Copies a value with its texts printable, and checks it; a value that throws when it is read is refused. */
export const checked = <A>(parameter: string, value: A, is: (value: A) => boolean, problem: Problem.Problem) =>
  Result.filterOrFail(
    Result.mapError(Result.try(() => printable(value)), () => wrong(parameter, value, problem)),
    (copy) => Result.getOrElse(Result.try(() => is(copy)), () => false),
    () => wrong(parameter, value, problem)
  )

/** Takes a number between two bounds. */
export const ranged = (parameter: string, value: number, least: number, most: number, example: string) =>
  typeof value === "number" && value >= least && value <= most
    ? Result.succeed(value)
    : refuse(parameter, value, { rule: `must be a number from ${least} to ${most}`, example })

export const isText = (value: unknown): boolean => typeof value === "string"

/** Whether a value is a number that can be drawn; the difference of larger ones may be infinite. */
export const isNumber = (value: unknown): value is number => typeof value === "number" && Math.abs(value) <= 1e15

/** Whether a value is such a number, or null. */
export const isValue = (value: unknown): boolean => value === null || isNumber(value)

/** Whether a value is one of the units. */
export const isUnit = (value: Unit): boolean => units.includes(value)

const units: ReadonlyArray<Unit> = ["dollars", "percent", "count", "days", "strike", "ratio"]

const isAxis = ({ label, unit }: Axis): boolean => isText(label) && isUnit(unit)

const isPoint = ([x, y, dim, low = null, high = null]: Point): boolean =>
  isNumber(x) && [y, low, high].every(isValue) && (dim === 0 || dim === 1)

/** The most points of a series: no picture could show more of them. */
const mostPoints = 10_000

const isSeries = ({ mark, name, points, tone }: Series): boolean =>
  isText(name) && ["call", "put", "one", "two"].includes(tone) && ["band", "line", "bar"].includes(mark) &&
  points.length <= mostPoints && points.every(isPoint)

export const isChart = ({ id, notes, rules, series, title, x, y }: Chart): boolean =>
  isText(id) && /^[\w-]+$/.test(id) && isText(title) && isAxis(x) && isAxis(y) && series.length <= 10 &&
  series.every(isSeries) && notes.every(isText) &&
  rules.every(([place, label]) => isNumber(place) && isText(label))

/** Takes a chart. */
export const chart = (value: Chart) =>
  checked("chart", value, isChart, {
    rule: "must be a chart: an id of letters and digits, axes, and at most 10 series of 10000 points, numbers to 1e15",
    example: "ChainView.chart(view, \"smile\")"
  })

/** Takes what is said beside what is drawn. */
export const about = (value: About) =>
  checked("about", value, ({ source, symbol, time }) => [source, symbol, time].every(isText), {
    rule: "must have the strings symbol, time and source",
    example: "{ symbol: \"SPX\", time: \"2026-11-20 12:00:00 EST\", source: \"asked as cached\" }"
  })
