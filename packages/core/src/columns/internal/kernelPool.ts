import * as Abi from "./abi.ts"
import { TypescriptKernel } from "./typescriptKernel.ts"
import * as WasmKernel from "./wasmKernel.ts"

/** The most kernels that wait for another reply, and the most memory that a waiting one may hold. */
const mostIdle = 4
const mostIdleBytes = 8 * 1024 * 1024

const idle: { readonly [Name in Abi.Kernel["name"]]: Array<Abi.Kernel> } = { wasm: [], typescript: [] }

/**
 * Lends a kernel: each reply that is being read has its own, because its input and its column lie in the kernel's memory. A decoder that is
 * dropped half way takes its kernel with it.
 */
export const borrow = ({ name }: { readonly name: "fastest" | Abi.Kernel["name"] }): Abi.Kernel => {
  if (name !== "typescript") {
    const kernel = idle.wasm.pop() ?? WasmKernel.make()
    if (kernel !== undefined) return kernel
  }
  return idle.typescript.pop() ?? new TypescriptKernel()
}

/**
 * Compiles the WebAssembly kernel without holding up anybody, and puts one into the pool. Each loop runs over nothing once: an engine compiles
 * a function when it is called first.
 */
export const prepare = async (): Promise<void> => {
  await WasmKernel.prepare()
  if (idle.wasm.length > 0) return
  const kernel = WasmKernel.make()
  if (kernel === undefined) return
  const at = Abi.inputAt
  kernel.numbers(at, at, Abi.columnAt, 0, 0, Abi.columnAt, 0)
  kernel.choices(at, at, Abi.columnAt, 0, 0)
  kernel.texts(at, at, Abi.columnAt, 0, 0, Abi.columnAt, 0)
  giveBack(kernel)
}

/** Takes a kernel back, and keeps it if it is not too large and there are not enough. */
export const giveBack = (kernel: Abi.Kernel): void => {
  if (idle[kernel.name].length < mostIdle && kernel.memory.bytes.length <= mostIdleBytes) idle[kernel.name].push(kernel)
}
