import type { ChainLanes, Lanes } from "./chainLanes.ts"
import type { ChainScan, Day } from "./scan.ts"
import { hex } from "./chainScanModule.ts"
import { aCent, halfACent } from "./rowFindings.ts"
import { reserve, WasmModule } from "../columns/wasmModule.ts"

/** Where things lie in memory: the codes of a number of rows, with room for one more, the lanes, and the series. */
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
export const of = (content: ChainLanes): ChainScan | undefined => {
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
