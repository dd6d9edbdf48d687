import * as Abi from "./abi.ts"
import { TypescriptKernel } from "./typescriptKernel.ts"
import * as WasmKernel from "./wasmKernel.ts"

/**
 * The most memory that a kernel may hold while it waits for another reply, and all of a kind together. Making a kernel takes longer than reading a small
 * reply, so there is room for a kernel for each small reply that a client reads at once by default. Most of that memory is never touched.
 */
const mostBytesEach = 8 * 1024 * 1024
const mostBytes = 8 * mostBytesEach

/** The free kernels, and the memory that they hold. */
class Idle {
  private readonly kernels: Array<Abi.Kernel> = []
  private bytes = 0

  get isEmpty(): boolean {
    return this.kernels.length === 0
  }

  take(): Abi.Kernel | undefined {
    const kernel = this.kernels.pop()
    this.bytes -= kernel?.memory.bytes.length ?? 0
    return kernel
  }

  keep(kernel: Abi.Kernel): void {
    const { length } = kernel.memory.bytes
    if (length > mostBytesEach || this.bytes + length > mostBytes) return
    this.bytes += length
    this.kernels.push(kernel)
  }
}

const idle = { wasm: new Idle(), typescript: new Idle() }

/**
 * Lends a kernel. Each reply that is being read has its own, because its input and its column are in the kernel's memory. A decoder that is dropped before its
 * end is garbage together with its kernel.
 */
export const borrow = ({ name }: { readonly name: "fastest" | Abi.Kernel["name"] }): Abi.Kernel => {
  if (name !== "typescript") {
    const kernel = idle.wasm.take() ?? WasmKernel.make()
    if (kernel !== undefined) return kernel
  }
  return idle.typescript.take() ?? new TypescriptKernel()
}

/**
 * Compiles the WebAssembly kernel in the background, and puts one into the pool. Each loop runs over nothing once: an engine compiles
 * a function when it is called first.
 */
export const prepare = async (): Promise<void> => {
  await WasmKernel.prepare()
  if (!idle.wasm.isEmpty) return
  const kernel = WasmKernel.make()
  if (kernel === undefined) return
  const at = Abi.inputAt
  kernel.numbers(at, at, Abi.columnAt, 0, 0, Abi.columnAt, 0)
  kernel.choices(at, at, Abi.columnAt, 0, 0)
  kernel.texts(at, at, Abi.columnAt, 0, 0, Abi.columnAt, 0)
  giveBack(kernel)
}

/** Takes a kernel back, and keeps it if it is small enough and the pool has room. */
export const giveBack = (kernel: Abi.Kernel): void => idle[kernel.name].keep(kernel)
