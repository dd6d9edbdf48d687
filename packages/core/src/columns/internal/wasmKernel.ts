import { reserve, WasmModule } from "../../internal/wasmModule.ts"
import { type Kernel, type Memory, view } from "./kernel.ts"
import { hex } from "./kernelModule.ts"
import * as layout from "./layout.ts"
import { powers, residues } from "./numbers.ts"

/**
 * By the number of characters from the dot on, 0 if there is none, and 16 more for a minus: what the digits are to be divided by. The sign makes
 * -0 of 0, as it should.
 */
const divisors = /* @__PURE__ */ Float64Array.from(
  { length: 32 },
  (_, at) => (at < 16 ? 1 : -1) * powers[Math.max(0, (at & 15) - 1)]!
)

const module = new WasmModule(hex)

/** Returns the compiled kernel; `undefined` where it does not work. */
export const compiled = (): WebAssembly.Module | undefined => module.get()

/** Compiles the kernel without holding up anybody. */
export const prepare = (): Promise<void> => module.prepare()

interface Exports {
  readonly memory: WebAssembly.Memory
  readonly numbers: Kernel["numbers"]
  readonly choices: Kernel["choices"]
  readonly texts: Kernel["texts"]
}

/** Makes a kernel with a memory of its own; `undefined` where WebAssembly does not work, or has no more room. */
export const make = (): Kernel | undefined => {
  const exports = module.instantiate<Exports>()
  return exports && new WasmKernel(exports)
}

class WasmKernel implements Kernel {
  readonly name = "wasm"
  readonly numbers: Kernel["numbers"]
  readonly choices: Kernel["choices"]
  readonly texts: Kernel["texts"]
  memory: Memory
  private readonly linear: WebAssembly.Memory

  constructor(exports: Exports) {
    this.numbers = exports.numbers
    this.choices = exports.choices
    this.texts = exports.texts
    this.linear = exports.memory
    this.memory = view(exports.memory.buffer)
    const { floats } = this.memory
    floats.set(divisors, layout.divisorsAt / 8)
    floats.set(powers, layout.powersAt / 8)
    floats.set(residues, layout.residuesAt / 8)
  }

  reserve(size: number): void {
    // Asked of each column: a view knows its length faster than a memory does.
    if (size <= this.memory.bytes.length) return
    reserve(this.linear, size)
    this.memory = view(this.linear.buffer)
  }
}
