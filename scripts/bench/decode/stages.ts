/**
 * Where the time of a decode goes: each stage is timed by itself, what it calls not included. The floor of a stage is what copying the bytes
 * takes that it reads and writes: no way of decoding can be faster than that.
 */
import * as ColumnDecoder from "@effect-marketdata/core/ColumnDecoder"
import * as Kernel from "@effect-marketdata/core/Kernel"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Result from "effect/Result"
import { ColumnBuffer } from "../../../packages/core/src/columns/internal/columnBuffer.ts"
import { ElementReader } from "../../../packages/core/src/columns/internal/elementReader.ts"
import * as Flag from "../../../packages/core/src/columns/internal/flag.ts"
import * as KernelPool from "../../../packages/core/src/columns/internal/kernelPool.ts"
import * as layout from "../../../packages/core/src/columns/internal/layout.ts"
import * as Register from "../../../packages/core/src/columns/internal/register.ts"
import { Slab } from "../../../packages/core/src/columns/internal/slab.ts"
import { TableBuilder } from "../../../packages/core/src/columns/internal/tableBuilder.ts"
import { Window } from "../../../packages/core/src/columns/internal/window.ts"
import { chainFindings } from "../../../packages/core/src/chain/chainFindings.ts"
import { median } from "../statistics.ts"
import type { Stage } from "./stage.ts"

/** A stage of one decode: its milliseconds, and how many bytes it reads and writes. */
interface Taken {
  milliseconds: number
  bytes: number
}

let taken = new Map<string, Taken>()
let stage = "driver"
let since = 0

const entry = (name: string): Taken => {
  const present = taken.get(name) ?? { milliseconds: 0, bytes: 0 }
  taken.set(name, present)
  return present
}

/** Goes over to another stage, and returns the one before. */
const enter = (next: string): string => {
  const now = performance.now()
  entry(stage).milliseconds += now - since
  since = now
  const before = stage
  stage = next
  return before
}

const timed = <A>(name: string, work: () => A, bytesOf: (result: A) => number = () => 0): A => {
  const before = enter(name)
  const result = work()
  enter(before)
  entry(name).bytes += bytesOf(result)
  return result
}

/** Puts a timer around a method of a class. */
const watch = (
  prototype: object,
  method: string,
  name: string,
  bytesOf?: (result: never, args: never) => number
): void => {
  const target = prototype as Record<string, (...args: Array<unknown>) => unknown>
  const original = target[method]!
  target[method] = function(...args) {
    return timed(name, () => original.apply(this, args), (result) => bytesOf?.(result as never, args as never) ?? 0)
  }
}

const watchAll = (): void => {
  const kernel = KernelPool.borrow(Kernel.fastest) as unknown as Record<"numbers" | "choices" | "texts", Loop>
  for (const loop of ["numbers", "choices", "texts"] as const) {
    const original = kernel[loop]
    kernel[loop] = (...args) => {
      const [position = 0, , , row = 0, , , extra = 0] = args
      const name = loop === "choices"
        ? "choices"
        : loop === "texts"
        ? extra > 0 ? "texts: option symbols" : "texts: dictionaries"
        : (extra & Flag.repeats) !== 0
        ? "numbers: repeated"
        : "numbers: plain"
      const { words } = (kernel as unknown as { readonly memory: { readonly words: Int32Array } }).memory
      const width = loop === "choices" ? 1 : 8
      return timed(
        name,
        () => original(...args),
        () => words[Register.position]! - position + (words[Register.row]! - row) * width
      )
    }
  }
  KernelPool.giveBack(kernel as never)
  watch(
    Window.prototype,
    "fill",
    "copy in: bytes of the reply",
    (end: number, [, start]: [unknown, number]) => 2 * (end - start)
  )
  watch(ElementReader.prototype, "learn", "learn texts")
  watch(ElementReader.prototype, "start", "begin a column")
  watch(ColumnBuffer.prototype, "keep", "end a column")
  watch(Slab.prototype, "move", "copy out: columns", (_, [end]: [number]) => 2 * (end - layout.columnAt))
  watch(Slab.prototype, "partFor", "memory of the table")
  watch(TableBuilder.prototype, "finish", "make the table")
}

type Loop = (...args: Array<number>) => number

/** Milliseconds that copying one byte takes, among so many. */
const copying = (bytes: number): number => {
  const from = new Uint8Array(bytes).fill(1)
  const to = new Uint8Array(bytes)
  const times = Array.from({ length: 50 }, () => {
    const start = performance.now()
    to.set(from)
    return performance.now() - start
  })
  return median(times) / bytes
}

/** Runs work in parts to its end, without a pause. */
const finish = <A>(parts: Generator<void, A>): A => {
  for (;;) {
    const part = parts.next()
    if (part.done === true) return part.value
  }
}

/** Decodes a reply for so many milliseconds, and says where the time of the median decode went, the longest stage first. */
export const stages = (bytes: Uint8Array, milliseconds: number): ReadonlyArray<Stage> => {
  watchAll()
  const decodes: Array<Map<string, Taken>> = []
  const end = performance.now() + milliseconds
  while (performance.now() < end || decodes.length < 20) {
    taken = new Map()
    stage = "driver"
    since = performance.now()
    const decoded = Result.getOrThrow(ColumnDecoder.decode(OptionChain.spec, bytes))
    const findings = timed(
      "compare the columns of the chain",
      () => finish(chainFindings(decoded as never, Kernel.fastest))
    )
    timed("make the table", () => ColumnTable.make(OptionChain.spec, { ...decoded, findings }))
    enter("between decodes")
    decodes.push(taken)
  }
  // The first third only warms up.
  const warm = decodes.slice(decodes.length / 3)
  const perByte = copying(bytes.length) / 2
  const found = [...new Set(warm.flatMap((taken) => [...taken.keys()]))].map((name) => {
    const of = (figure: keyof Taken) => median(warm.map((taken) => taken.get(name)?.[figure] ?? 0))
    return { stage: name, milliseconds: of("milliseconds"), floor: of("bytes") * perByte }
  })
  // Not the median of whole decodes, which the collector may interrupt anywhere.
  const total = found.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  return found
    .map((stage) => ({ ...stage, share: stage.milliseconds / total }))
    .filter(({ share }) => share >= 0.001)
    .toSorted((a, b) => b.milliseconds - a.milliseconds)
}
