import { WasmModule } from "../../internal/wasmModule.ts"
import { type Kernel, type Memory, view } from "./kernel.ts"
import { base64 } from "./kernelModule.ts"

const pageBytes = 65_536

const module = new WasmModule(base64)

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

/** Makes a kernel with a memory of its own; `undefined` where WebAssembly does not work. */
export const make = (): Kernel | undefined => {
  const module = compiled()
  return module === undefined ? undefined : new WasmKernel(module)
}

class WasmKernel implements Kernel {
  readonly name = "wasm"
  readonly numbers: Kernel["numbers"]
  readonly choices: Kernel["choices"]
  readonly texts: Kernel["texts"]
  memory: Memory
  private readonly linear: WebAssembly.Memory

  constructor(module: WebAssembly.Module) {
    // The module is ours; what it exports is written in its source.
    const exports = new WebAssembly.Instance(module, {}).exports as unknown as Exports
    this.numbers = exports.numbers
    this.choices = exports.choices
    this.texts = exports.texts
    this.linear = exports.memory
    this.memory = view(exports.memory.buffer)
  }

  reserve(size: number): void {
    const missing = size - this.memory.bytes.length
    if (missing <= 0) return
    this.linear.grow(Math.ceil(missing / pageBytes))
    this.memory = view(this.linear.buffer)
  }
}
