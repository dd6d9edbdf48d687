/**
 * Where the time of a decode goes: each stage by itself, without what it calls. Its floor is what copying takes of the bytes that it reads and
 * writes: no way of decoding is faster than that. Timers go only around what is public, by its type: a name that is gone does not compile, and a
 * stage that does not happen is an error.
 */
import { ColumnDecoder, ColumnTable, Kernel, OptionChain, TableMemory } from "@effect-marketdata/core"
import * as Result from "effect/Result"
import { chainFindings, whole } from "../../src/chain/chainFindings.ts"
import { lanesOf } from "../../src/chain/chainScan.ts"
import { ColumnBuffer } from "../../src/columns/internal/columnBuffer.ts"
import * as Abi from "../../src/columns/internal/abi.ts"
import type { Kernel as Loops } from "../../src/columns/internal/abi.ts"
import * as KernelPool from "../../src/columns/internal/kernelPool.ts"
import { Slab } from "../../src/columns/internal/slab.ts"
import { InputBuffer } from "../../src/columns/internal/json.ts"

const names = [
  "numbers",
  "texts and choices",
  "repeats",
  "symbols",
  "fresh memory",
  "copies",
  "chain scan",
  "the rest"
] as const

type Name = (typeof names)[number]

/** The milliseconds of a stage in the median decode, and its floor. */
export interface Stage extends Readonly<Record<"milliseconds" | "floor", number>> {}

export type Stages = Readonly<Record<Name, Stage>>

/** What one decode took so far: milliseconds, bytes that were read and written, how often the stage began. */
const nothing = () => ({ milliseconds: 0, bytes: 0, times: 0 })
const fresh = () =>
  Object.fromEntries(names.map((name) => [name, nothing()])) as Record<Name, ReturnType<typeof nothing>>

let taken = fresh()
let stage: Name = "the rest"
let since = 0

/** Goes over to another stage, and returns the one before. */
const enter = (next: Name): Name => {
  const now = performance.now()
  taken[stage].milliseconds += now - since
  since = now
  const before = stage
  stage = next
  return before
}

const timed = <A>(name: Name, work: () => A, bytesOf: (result: A) => number = () => 0): A => {
  const before = enter(name)
  const result = work()
  enter(before)
  taken[name].times++
  taken[name].bytes += bytesOf(result)
  return result
}

/** A method with a timer around it; `bytesOf` says how many bytes it reads and writes. */
const watched = <This, Args extends ReadonlyArray<unknown>, A>(
  method: (this: This, ...args: Args) => A,
  name: Name | ((...args: Args) => Name),
  bytesOf?: (result: A, ...args: Args) => number
) =>
  function(this: This, ...args: Args): A {
    return timed(
      typeof name === "string" ? name : name(...args),
      () => method.apply(this, args as never),
      (result) => bytesOf?.(result, ...args) ?? 0
    )
  }

type Method<Owner, Name extends keyof Owner> = Extract<Owner[Name], (...args: never) => unknown>

/** Puts a timer around a public method that copies. */
const watchCopy = <Owner, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  bytesOf?: (result: ReturnType<Method<Owner, Name>>, ...args: Parameters<Method<Owner, Name>>) => number
): void => {
  owner[name] = watched(owner[name] as never, "copies", bytesOf as never) as never
}

/** What a loop has read of the reply, and written at so many bytes an element. */
const loopBytes =
  (kernel: Loops, width: number) => (_: number, position: number, ...rest: ReadonlyArray<number>): number =>
    kernel.memory.words[Abi.positionRegister]! - position + (kernel.memory.words[Abi.rowRegister]! - rest[2]!) * width

/** Memory of which every page was written once: the system gives a page only then, and that time does not belong to the copies. */
const allocate = (size: number): ArrayBuffer => {
  const { buffer } = Buffer.allocUnsafeSlow(size)
  const bytes = new Uint8Array(buffer)
  for (let at = 0; at < size; at += 4096) bytes[at] = 0
  return buffer
}

/** Puts timers around the loops of the kernel that is lent next, and around what moves bytes. */
const watch = (): void => {
  const kernel = KernelPool.borrow(Kernel.fastest)
  const loops: Pick<Loops, "numbers" | "choices" | "texts"> = {
    numbers: watched(
      kernel.numbers,
      (...[, , , , , , flags]) => (flags & Abi.repeats) === 0 ? "numbers" : "repeats",
      loopBytes(kernel, 8)
    ),
    choices: watched(kernel.choices, "texts and choices", loopBytes(kernel, 1)),
    texts: watched(
      kernel.texts,
      (...[, , , , , , digits]) => digits === 0 ? "texts and choices" : "symbols",
      (...args) => loopBytes(kernel, args[7] === 0 ? 4 : 8)(...args)
    )
  }
  KernelPool.giveBack(Object.assign(kernel, loops))
  TableMemory.use((size) => timed("fresh memory", () => allocate(size)))
  watchCopy(InputBuffer.prototype, "fill", (end, _, start) => 2 * (end - start))
  watchCopy(ColumnBuffer.prototype, "keep")
  watchCopy(Slab.prototype, "relieve", (next, end) => 2 * (end - next))
  watchCopy(Slab.prototype, "close", (_, end) => 2 * (end - Abi.columnAt))
}

watch()

/** The bytes of the columns that the scan of a chain reads. */
const scanned = ({ length, vectors }: ColumnDecoder.Decoded): number => {
  const { codes, lanes } = lanesOf(vectors, length)
  return [codes, ...Object.values(lanes)].reduce((sum, lane) => sum + (lane?.byteLength ?? 0), 0)
}

const median = (figures: ReadonlyArray<number>): number => figures.toSorted((a, b) => a - b)[figures.length >> 1]!

/** Milliseconds that copying takes for each byte that it reads or writes, among as many as are given. */
const copying = (from: Uint8Array): number => {
  const to = new Uint8Array(from.length)
  const times = Array.from({ length: 50 }, () => {
    const start = performance.now()
    to.set(from)
    return performance.now() - start
  })
  return median(times) / from.length / 2
}

/** One decode, as `OptionChain.decode` does it. */
const decode = (bytes: Uint8Array): ReturnType<typeof fresh> => {
  taken = fresh()
  stage = "the rest"
  since = performance.now()
  const decoded = Result.getOrThrow(ColumnDecoder.decode(OptionChain.spec, bytes))
  const findings = timed("chain scan", () => whole(chainFindings(decoded, Kernel.fastest)))
  ColumnTable.make(OptionChain.spec, { ...decoded, findings: [...decoded.findings, ...findings] })
  enter("the rest")
  taken["chain scan"].bytes = scanned(decoded)
  return taken
}

/** Decodes a chain for so many milliseconds, the first third of which only warms up, and says where the time went. */
export const stages = (bytes: Uint8Array, milliseconds: number): Stages => {
  const decodes: Array<ReturnType<typeof fresh>> = []
  const end = performance.now() + milliseconds
  while (performance.now() < end || decodes.length < 20) decodes.push(decode(bytes))
  const warm = decodes.slice(decodes.length / 3)
  const perByte = copying(bytes)
  const entries = names.map((name) => {
    const of = (figure: keyof ReturnType<typeof nothing>) => median(warm.map((taken) => taken[name][figure]))
    if (name !== "the rest" && of("times") === 0) {
      throw new Error(`no stage "${name}" happened: what stages.ts puts its timers around is no longer called`)
    }
    return [name, { milliseconds: of("milliseconds"), floor: of("bytes") * perByte }] as const
  })
  return Object.fromEntries(entries) as Record<Name, Stage>
}
