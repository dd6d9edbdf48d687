import type * as Kernel from "../columns/Kernel.ts"
import type { ChainLanes } from "./chainLanes.ts"
import { TypescriptChainScan } from "./typescriptChainScan.ts"
import * as WasmChainScan from "./wasmChainScan.ts"

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

/** From so many rows on, WebAssembly is worth the copies that it needs. */
const many = 512

/** The fastest scan for a chain of that size, by the kernels that may be used. */
export const of = (lanes: ChainLanes, { name }: Kernel.Kernel): ChainScan =>
  (name === "typescript" || lanes.length < many ? undefined : WasmChainScan.of(lanes)) ?? new TypescriptChainScan(lanes)
