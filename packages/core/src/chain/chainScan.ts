/** Finds the rows of a chain that may deviate from the contract: one loop over the columns that are compared, in WebAssembly and in TypeScript. */
import { memoize } from "effect/Function"
import type { Vectors } from "../columns/ColumnSpec.ts"
import type { Content } from "../columns/ColumnTable.ts"
import type { Finding } from "../columns/Finding.ts"
import type * as Kernel from "../columns/Kernel.ts"
import { reserve, wasmModule } from "../columns/wasmModule.ts"
import * as Expiration from "../symbol/Expiration.ts"
import * as Strike from "../symbol/Strike.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as NewYork from "../time/NewYork.ts"
import { hex } from "./chainScanModule.ts"
import type { Spec } from "./columns.ts"
import { aCent, codeOfSide, halfACent, rowFindings } from "./rowFindings.ts"

type Columns = Partial<Vectors<Spec>>

/** A lane of numbers, one a row; NaN stands for null. */
type Lane = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>

/** The lanes that are compared, in the order in which WebAssembly takes them. */
const laneNames = [
  "thousandths",
  "strike",
  "side",
  "expiration",
  "updated",
  "dte",
  "bid",
  "ask",
  "mid",
  "underlyingPrice",
  "inTheMoney",
  "intrinsicValue",
  "extrinsicValue"
] as const

/** The lanes by their names; `undefined` for a missing column. */
type Lanes = {
  readonly [Name in typeof laneNames[number]]:
    | Lane
    | (Name extends "thousandths" | "updated" ? never : undefined)
}

/** The input of a scan: the lanes of a chain, and the series of its symbols. */
export interface ChainLanes {
  readonly length: number
  /** The series of each row. */
  readonly codes: NonNullable<Columns["optionSymbol"]>["codes"]
  readonly lanes: Lanes
  /**
   * Four numbers a series: the instant at which it expires, Infinity where that is not the same for all its rows; the day on which it does, if days
   * can be compared at all; its side as in the column; and 1 for calls, -1 for puts.
   */
  readonly series: Float64Array<ArrayBuffer>
}

/** How many numbers describe a series. */
const numbersPerSeries = 4

/** Picks what is compared from the columns of a chain. */
const lanesOf = (columns: Columns, length: number): ChainLanes => {
  const { optionSymbol, updated = new Float64Array(length) } = columns
  const { codes, series, thousandths } = optionSymbol === undefined
    ? withoutSymbols(columns, length)
    : { ...optionSymbol, series: seriesOf(optionSymbol.series, columns) }
  const given = { ...columns, thousandths, updated }
  const lanes = Object.fromEntries(laneNames.map((name) => [name, given[name]])) as unknown as Lanes
  return { length, codes, lanes, series }
}

const seriesOf = (
  series: NonNullable<Columns["optionSymbol"]>["series"],
  columns: Columns
): Float64Array<ArrayBuffer> => {
  const table = new Float64Array(series.length * numbersPerSeries)
  const hasDays = columns.expiration !== undefined && columns.updated !== undefined
  const instant = instantOf(columns)
  for (let code = 0, at = 0; code < series.length; code++) {
    const { expiration, side } = series[code]!
    table[at++] = instant(series[code]!)
    table[at++] = hasDays ? CalendarDate.toEpochDay(expiration) : NaN
    table[at++] = codeOfSide[side]
    table[at++] = side === "call" ? 1 : -1
  }
  return table
}

const instantOf = ({ underlying }: Columns): (series: Parameters<typeof Expiration.instant>[0]) => number => {
  if (underlying === undefined || underlying.values.length === 0) return (series) => Expiration.instant(series)
  const [symbol, ...others] = underlying.values
  const isIndex = Expiration.indexUnderlyings.has(symbol!)
  return others.length > 0 ? () => Infinity : ({ expiration }) => Expiration.closing(expiration, isIndex)
}

/** Without symbols the columns say what is bought: calls are one series and puts another, and what a row expires on is only known from itself. */
const withoutSymbols = ({ expiration, side, strike, updated }: Columns, length: number) => {
  const day = expiration !== undefined && updated !== undefined ? Infinity : NaN
  const thousandths = new Float64Array(length).fill(NaN)
  if (side !== undefined && strike !== undefined) {
    for (let row = 0; row < length; row++) thousandths[row] = strike[row]! * 1000
  }
  return {
    codes: side ?? new Uint8Array(length),
    thousandths,
    series: Float64Array.of(NaN, day, codeOfSide.call, 1, NaN, day, codeOfSide.put, -1)
  }
}

/** A day in New York: the instants at which it begins and ends, and its number. NaN is on no day. */
export type Day = ReturnType<typeof dayOf>

/**
 * Finds the rows of a chain to compare in detail: those whose columns do not agree, and perhaps a few others. Returns the first row from `from` on that
 * could deviate, or was not quoted on that day; or else the number of rows.
 */
export type ChainScan = (from: number, day: Day) => number

const none = /* @__PURE__ */ new Float64Array(0)

/**
 * The scan in plain TypeScript. It is one loop and not nine, because the first reply of a process runs it before it is compiled. A column that is
 * not there is full of NaN, as one full of nulls is: no comparison with NaN finds anything.
 */
export const typescriptScan = ({ codes, lanes, length, series }: ChainLanes): ChainScan => {
  const isWhole = Object.values(lanes).every((lane) => lane !== undefined)
  const nothing = isWhole ? none : new Float64Array(length).fill(NaN)
  return (from, { begins, ends, number: day }) => {
    const { ask = nothing, bid = nothing, dte = nothing, expiration = nothing, extrinsicValue = nothing } = lanes
    const { inTheMoney = nothing, intrinsicValue = nothing, mid = nothing, side = nothing, strike = nothing } = lanes
    const { thousandths, underlyingPrice = nothing, updated } = lanes
    for (let row = from; row < length; row++) {
      const at = codes[row]! * numbersPerSeries
      const expected = Strike.fromThousandths(thousandths[row]!)
      const above = (underlyingPrice[row]! - expected) * series[at + 3]!
      const intrinsic = Math.max(0, above)
      if (
        !(updated[row]! >= begins && updated[row]! < ends) ||
        Math.abs(strike[row]! - expected) > 0 ||
        Math.abs(side[row]! - series[at + 2]!) > 0 ||
        Math.abs(expiration[row]! - series[at]!) > 0 ||
        Math.abs(dte[row]! - (series[at + 1]! - day)) > 0 ||
        Math.abs(mid[row]! - (bid[row]! + ask[row]!) / 2) > halfACent ||
        Math.abs(inTheMoney[row]! - Math.sign(intrinsic)) > 0 ||
        Math.abs(intrinsicValue[row]! - intrinsic) > aCent ||
        Math.abs(Math.abs(extrinsicValue[row]!) - Math.abs(mid[row]! - intrinsic)) > aCent
      ) return row
    }
    return length
  }
}

/** Where things lie in the memory of WebAssembly: the codes of a number of rows, with room for one more, the lanes, and the series. */
export const layout = { rows: 1024, codes: 1024, lanes: 5136, series: 111_632 } as const

interface Exports {
  readonly memory: WebAssembly.Memory
  readonly scan: (
    row: number,
    rows: number,
    begins: number,
    ends: number,
    day: number,
    halfACent: number,
    aCent: number
  ) => number
}

const module = /* @__PURE__ */ wasmModule(hex)

/** One instance for all replies: nothing in its memory is needed from one reply to the next. */
let instance: Exports | undefined

/** Counts how often the memory was taken over by another scan: replies that are scanned in steps take turns. */
let turns = 0

/** The places of codes, lanes and series in its memory; a memory that has grown is another buffer. */
const placesIn = /* @__PURE__ */ memoize((buffer: ArrayBuffer) => ({
  codes: new Uint32Array(buffer, layout.codes, layout.rows),
  lanes: laneNames.map((_, at) => new Float64Array(buffer, layout.lanes + at * layout.rows * 8, layout.rows)),
  series: new Float64Array(buffer, layout.series)
}))

/** Compiles the scan in the background. It runs once without rows, because an engine compiles a function at its first call. */
export const prepare = async (): Promise<void> => {
  await module.prepare()
  instance ??= module.instantiate()
  instance?.scan(0, 0, 0, 0, 0, 0, 0)
}

/**
 * The scan in WebAssembly, which compares two rows at once, compiled from the first row on; `undefined` if that is not available. Rows are brought into
 * its memory a block at a time.
 */
export const wasmScan = ({ codes, lanes, length, series }: ChainLanes): ChainScan | undefined => {
  instance ??= module.instantiate()
  if (instance === undefined) return undefined
  const { memory, scan } = instance
  let turn = -1
  // The rows that are in memory.
  let [begin, end] = [0, 0]
  /** Each block copies its whole input, because another scan may have used the memory. */
  const bring = (row: number): void => {
    turn = ++turns
    begin = row
    end = Math.min(length, row + layout.rows)
    reserve(memory, layout.series + series.byteLength)
    const places = placesIn(memory.buffer)
    places.series.set(series)
    // A view costs as much as the copy of a few rows.
    const isAll = row === 0 && end === length
    places.codes.set(isAll ? codes : codes.subarray(row, end))
    for (let at = 0; at < laneNames.length; at++) {
      const lane = lanes[laneNames[at]!]
      if (lane === undefined) places.lanes[at]!.fill(NaN)
      else places.lanes[at]!.set(isAll ? lane : lane.subarray(row, end))
    }
  }
  return (from, { begins, ends, number: day }) => {
    for (let row = from; row < length; row = end) {
      if (row >= end || turn !== turns) bring(row)
      const found = begin + scan(row - begin, end - begin, begins, ends, day, halfACent, aCent)
      if (found < end) return found
    }
    return length
  }
}

/** From this many rows on, WebAssembly is faster in spite of its copies. */
const worthCopies = 32

/** From this many rows on, it is faster even if it must be compiled first. */
const worthCompiling = 512

/** The fastest scan for a chain of that size, by the kernels that may be used. */
const scanOf = (lanes: ChainLanes, { name }: Kernel.Kernel): ChainScan => {
  const fewest = instance === undefined ? worthCompiling : worthCopies
  return (name === "typescript" || lanes.length < fewest ? undefined : wasmScan(lanes)) ??
    typescriptScan(lanes)
}

/**
 * Compares the columns of a chain with each other: strike, side and expiration with the option symbol, mid with bid and ask, dte with
 * the days, moneyness with the prices. Columns that are not there are not compared.
 *
 * The scan only says whether a row could deviate; such a row is then compared in detail. That takes a while if all rows could deviate, so it is done in
 * steps.
 */
export const chainFindings = function*(
  { length, nulls, vectors }: Content,
  kernel: Kernel.Kernel
): Work<ReadonlyArray<Finding>> {
  const columns: Partial<Vectors<Spec>> = vectors
  const lanes = lanesOf(columns, length)
  const { updated } = lanes.lanes
  const scan = scanOf(lanes, kernel)
  let rows: ReturnType<typeof rowFindings> | undefined
  // The quotes of a chain are mostly of one day.
  let day = dayOf(updated[0] ?? NaN)
  let examined = 0
  for (let row = scan(0, day); row < length; row = scan(row + 1, day)) {
    rows ??= rowFindings(columns, nulls["inTheMoney"])
    rows.examine(row)
    if (++examined % rowsPerStep === 0) yield
    if (!(updated[row]! >= day.begins && updated[row]! < day.ends)) day = dayOf(updated[row]!)
  }
  return rows?.findings() ?? []
}

/** How many rows are checked in detail in one step: a few milliseconds. */
const rowsPerStep = 2048

const dayOf = (instant: number) => {
  const number = NewYork.epochDayOf(instant)
  const beginning = (number: number) => NewYork.midnight(CalendarDate.fromEpochDay(number))
  return { begins: beginning(number), ends: beginning(number + 1), number }
}

/** Work in steps, so that it does not block the program. */
type Work<A> = Generator<void, A>

/** Runs all steps. */
export const whole = <A>(work: Work<A>): A => {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Work as a decoder offers it: step by step, and what is left of it at once. */
export const inSteps = <A>(work: Work<A>): { readonly advance: () => boolean; readonly end: () => A } => {
  let done: { readonly value: A } | undefined
  return {
    advance: () => {
      const step = done === undefined ? work.next() : undefined
      if (step?.done === true) done = step
      return done === undefined
    },
    end: () => (done ??= { value: whole(work) }).value
  }
}
