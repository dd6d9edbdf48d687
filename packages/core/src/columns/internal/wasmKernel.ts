import { type Kernel, type Memory, view } from "./kernel.ts"
import { base64 } from "./kernelModule.ts"

const pageBytes = 65_536

/** Undefined until it was tried; null where WebAssembly is missing, forbidden, or without SIMD. */
let module: WebAssembly.Module | null | undefined

const bytes = (): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

/** Returns the compiled kernel; `undefined` where it does not work. */
export const compiled = (): WebAssembly.Module | undefined => {
  if (module === undefined) {
    try {
      module = new WebAssembly.Module(bytes())
    } catch {
      module = null
    }
  }
  return module ?? undefined
}

/** Compiles the kernel without holding up anybody. */
export const prepare = async (): Promise<void> => {
  if (module !== undefined) return
  try {
    module = await WebAssembly.compile(bytes())
  } catch {
    module = null
  }
}

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
