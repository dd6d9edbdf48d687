import type * as Kernel from "../columns/Kernel.ts"
import type { ChainLanes } from "./chainLanes.ts"
import type { ChainScan } from "./scan.ts"
import { TypescriptChainScan } from "./typescriptChainScan.ts"
import * as WasmChainScan from "./wasmChainScan.ts"

/** From this many rows on, WebAssembly is worth the copies that it needs. */
const many = 512

/** The fastest scan for a chain of that size, by the kernels that may be used. */
export const of = (lanes: ChainLanes, { name }: Kernel.Kernel): ChainScan =>
  (name === "typescript" || lanes.length < many ? undefined : WasmChainScan.of(lanes)) ?? new TypescriptChainScan(lanes)
