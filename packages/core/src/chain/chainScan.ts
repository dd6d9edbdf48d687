/** Which rows of a chain are worth looking at in detail: one loop over the columns that are compared with each other, in WebAssembly and in TypeScript. */
import type { Vectors } from "../columns/ColumnSpec.ts"
import type * as Kernel from "../columns/Kernel.ts"
import { reserve, WasmModule } from "../columns/wasmModule.ts"
import * as Expiration from "../symbol/Expiration.ts"
import * as Strike from "../symbol/Strike.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import { hex } from "./chainScanModule.ts"
import type { Spec } from "./columns.ts"
import { aCent, codeOfSide, halfACent } from "./rowFindings.ts"

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

/** They by their names; `undefined` where a column is not there. */
type Lanes = {
  readonly [Name in typeof laneNames[number]]:
    | Lane
    | (Name extends "thousandths" | "updated" ? never : undefined)
}

/** What is compared in every row of a chain, and with what. */
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

/** How many numbers tell of a series. */
const numbersPerSeries = 4

/** Picks what is compared from the columns of a chain. */
export const lanesOf = (columns: Columns, length: number): ChainLanes => {
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

const instantOf = (
  { underlying }: Columns
): (series: Parameters<typeof Expiration.instant>[0]) => number => {
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
export interface Day {
  readonly begins: number
  readonly ends: number
  readonly number: number
}

/** Finds the rows of a chain that are worth looking at in detail: those whose columns do not agree, and perhaps a few others. */
export interface ChainScan {
  /** Returns the first row from `from` on that could deviate, or was not quoted on that day; the number of rows if there is none. */
  readonly next: (from: number, day: Day) => number
}

const none = /* @__PURE__ */ new Float64Array(0)

/**
 * The scan in plain TypeScript. It is one loop and not nine, because the first reply of a process runs it before it is compiled. A column that is
 * not there is full of NaN, as one full of nulls is: no comparison with NaN finds anything.
 */
export class TypescriptChainScan implements ChainScan {
  private readonly content: ChainLanes
  private readonly nothing: Float64Array<ArrayBuffer>

  constructor(content: ChainLanes) {
    this.content = content
    const isWhole = Object.values(content.lanes).every((lane) => lane !== undefined)
    this.nothing = isWhole ? none : new Float64Array(content.length).fill(NaN)
  }

  next(from: number, { begins, ends, number: day }: Day): number {
    const { content: { codes, lanes, length, series }, nothing } = this
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

const module = new WasmModule(hex)

/** One for all: nothing stays in its memory from one reply to the next. */
let instance: Exports | undefined

/** Compiles the scan without holding up anybody. It runs over nothing once: an engine compiles a function when it is called first. */
export const prepare = async (): Promise<void> => {
  await module.prepare()
  instance ??= module.instantiate()
  instance?.scan(0, 0, 0, 0, 0, 0, 0)
}

/** The scan in WebAssembly; `undefined` where that does not work. */
export const wasmScan = (content: ChainLanes): ChainScan | undefined => {
  instance ??= module.instantiate()
  return instance && new WasmChainScan(content, instance)
}

/** Compares two rows at once, compiled from the first row on. Rows are brought into its memory a block at a time. */
class WasmChainScan implements ChainScan {
  private readonly content: ChainLanes
  private readonly scan: Exports["scan"]
  private readonly codes: Uint32Array<ArrayBuffer>
  /** Each lane that is there, with its place in memory. */
  private readonly lanes: ReadonlyArray<readonly [from: NonNullable<Lanes[keyof Lanes]>, to: Float64Array<ArrayBuffer>]>
  /** The rows that are in memory. */
  private begin = 0
  private end = 0

  constructor(content: ChainLanes, { memory, scan }: Exports) {
    const { lanes, series } = content
    this.content = content
    this.scan = scan
    reserve(memory, layout.series + series.byteLength)
    new Float64Array(memory.buffer, layout.series, series.length).set(series)
    this.codes = new Uint32Array(memory.buffer, layout.codes, layout.rows)
    this.lanes = Object.values(lanes).flatMap((lane: Lanes[keyof Lanes], at) => {
      const place = new Float64Array(memory.buffer, layout.lanes + at * layout.rows * 8, layout.rows)
      if (lane !== undefined) return [[lane, place] as const]
      place.fill(NaN)
      return []
    })
  }

  next(from: number, { begins, ends, number: day }: Day): number {
    const { content: { length } } = this
    for (let row = from; row < length; row = this.end) {
      if (row >= this.end) this.bring(row)
      const rows = this.end - this.begin
      const found = this.scan(row - this.begin, rows, begins, ends, day, halfACent, aCent)
      if (found < rows) return this.begin + found
    }
    return length
  }

  private bring(row: number): void {
    const { codes, length } = this.content
    this.begin = row
    this.end = Math.min(length, row + layout.rows)
    this.codes.set(codes.subarray(row, this.end))
    for (const [from, to] of this.lanes) to.set(from.subarray(row, this.end))
  }
}

/** From this many rows on, WebAssembly is worth the copies that it needs. */
const many = 512

/** The fastest scan for a chain of that size, by the kernels that may be used. */
export const scanOf = (lanes: ChainLanes, { name }: Kernel.Kernel): ChainScan =>
  (name === "typescript" || lanes.length < many ? undefined : wasmScan(lanes)) ?? new TypescriptChainScan(lanes)
