/** The pool from which kernels are lent, and the one of the two that is made here: the kernel in WebAssembly. */
import { reserve, wasmModule } from "../wasmModule.ts"
import * as Abi from "./abi.ts"
import { powers, residues } from "./json.ts"
import { hex } from "./kernelModule.ts"
import { TypescriptKernel } from "./typescriptKernel.ts"

/**
 * The most memory that a kernel may hold while it waits for another reply, and all of a kind together. Making a kernel takes longer than reading a small
 * reply, so there is room for a kernel for each small reply that a client reads at once by default. Most of that memory is never touched.
 */
const mostBytesEach = 8 * 1024 * 1024
const mostBytes = 8 * mostBytesEach

/** The free kernels of a kind, and the memory that they hold. */
const idle = {
  wasm: { kernels: new Array<Abi.Kernel>(), bytes: 0 },
  typescript: { kernels: new Array<Abi.Kernel>(), bytes: 0 }
}

const take = (name: Abi.Kernel["name"]): Abi.Kernel | undefined => {
  const kernel = idle[name].kernels.pop()
  idle[name].bytes -= kernel?.memory.bytes.length ?? 0
  return kernel
}

/**
 * Lends a kernel. Each reply that is being read has its own, because its input and its column are in the kernel's memory. A decoder that is dropped before its
 * end is garbage together with its kernel.
 */
export const borrow = ({ name }: { readonly name: "fastest" | Abi.Kernel["name"] }): Abi.Kernel => {
  if (name !== "typescript") {
    const kernel = take("wasm") ?? makeWasm()
    if (kernel !== undefined) return kernel
  }
  return take("typescript") ?? new TypescriptKernel()
}

/**
 * Compiles the WebAssembly kernel in the background, and puts one into the pool. Each loop runs over nothing once: an engine compiles
 * a function when it is called first.
 */
export const prepare = async (): Promise<void> => {
  await module.prepare()
  if (idle.wasm.kernels.length > 0) return
  const kernel = makeWasm()
  if (kernel === undefined) return
  const at = Abi.inputAt
  kernel.numbers(at, at, Abi.columnAt, 0, 0, Abi.columnAt, 0)
  kernel.choices(at, at, Abi.columnAt, 0, 0)
  kernel.texts(at, at, Abi.columnAt, 0, 0, Abi.columnAt, 0)
  giveBack(kernel)
}

/** Takes a kernel back, and keeps it if it is small enough and the pool has room. */
export const giveBack = (kernel: Abi.Kernel): void => {
  const pool = idle[kernel.name]
  const { length } = kernel.memory.bytes
  if (length > mostBytesEach || pool.bytes + length > mostBytes) return
  pool.bytes += length
  pool.kernels.push(kernel)
}

// The kernel in WebAssembly, and the tables that its loops read.

/**
 * By the number of characters from the dot on, 0 if there is none, and 16 more for a minus: what the digits are to be divided by. The sign makes
 * -0 of 0, as it should.
 */
const divisors = /* @__PURE__ */ Float64Array.from(
  { length: 32 },
  (_, at) => (at < 16 ? 1 : -1) * powers[Math.max(0, (at & 15) - 1)]!
)

/** The place of a dot by its bit among eight characters; -1 where there is none. */
const placeOf = (bit: number): number => 31 - Math.clz32(bit)

/** By the bit of the dot, what the digits of eight characters are to be divided by. */
const shares = /* @__PURE__ */ Float64Array.from({ length: 65 }, (_, bit) => bit === 0 ? 1 : powers[7 - placeOf(bit)]!)

/**
 * By the bit of the dot, which of eight characters goes where to close its gap, in the lane that begins at `lane`; 128 yields 0. Only the rows of one bit
 * or none are read: before the loop (`fours.ts`) looks here, it has left two dots, and a dot at the end, to others.
 */
const closing = (lane: number): Uint8Array => {
  const table = new Uint8Array(65 * 8)
  for (const bit of [0, 1, 2, 4, 8, 16, 32, 64]) {
    const place = placeOf(bit)
    for (let at = 0; at < 8; at++) {
      const from = at > place ? at : at - 1
      table[bit * 8 + at] = from < 0 ? 128 : lane + from
    }
  }
  return table
}

const module = /* @__PURE__ */ wasmModule(hex)

/** Returns the compiled kernel; `undefined` where it does not work. */
export const compiled = (): WebAssembly.Module | undefined => module.get()

interface Exports extends Pick<Abi.Kernel, "numbers" | "choices" | "texts"> {
  readonly memory: WebAssembly.Memory
}

/** Makes a kernel with a memory of its own; `undefined` where WebAssembly does not work, or has no more room. */
export const makeWasm = (): Abi.Kernel | undefined => {
  const exports = module.instantiate<Exports>()
  if (exports === undefined) return undefined
  const { choices, memory: linear, numbers, texts } = exports
  const kernel = {
    name: "wasm" as const,
    numbers,
    choices,
    texts,
    memory: Abi.view(linear.buffer),
    reserve: (size: number): void => {
      // Asked of each column: a view knows its length faster than a memory does.
      if (size <= kernel.memory.bytes.length) return
      reserve(linear, size)
      kernel.memory = Abi.view(linear.buffer)
    }
  }
  const { bytes, floats } = kernel.memory
  floats.set(divisors, Abi.divisorsAt / 8)
  floats.set(powers, Abi.powersAt / 8)
  floats.set(residues, Abi.residuesAt / 8)
  floats.set(shares, Abi.sharesAt / 8)
  bytes.set(closing(0), Abi.closeLeftAt)
  bytes.set(closing(8), Abi.closeRightAt)
  return kernel
}
