/** A worker in which WebAssembly is missing, or forbidden as a content security policy forbids it: tells how decoding went there. */
import { parentPort, workerData } from "node:worker_threads"
import type * as Loops from "../../src/columns/internal/kernelPool.ts"

/** What the worker is told: how WebAssembly is to fail, and what to decode. */
export interface Task {
  readonly how: "missing" | "forbidden" | "exhausted" | "works"
  readonly body: string
}

const { body, how }: Task = workerData

const forbidden = () => new WebAssembly.CompileError("code generation is disallowed by the policy")

if (how === "missing") Reflect.deleteProperty(globalThis, "WebAssembly")
if (how === "forbidden") {
  Object.assign(WebAssembly, {
    // A constructor, as the one that it stands for.
    Module: function() {
      throw forbidden()
    },
    compile: () => Promise.reject(forbidden())
  })
}

if (how === "exhausted") {
  Object.assign(WebAssembly, {
    Instance: function() {
      throw new RangeError("WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance")
    }
  })
}

// Imported only now, lest a kernel is compiled before.
const Kernel = await import("@effect-marketdata/core/Kernel")
const OptionChain = await import("@effect-marketdata/core/OptionChain")
const ColumnTable = await import("@effect-marketdata/core/ColumnTable")
const Result = await import("effect/Result")
const pool: typeof Loops = await import("../../src/columns/internal/kernelPool.ts")

await Kernel.prepare()
const kernels = [undefined, Kernel.fastest, Kernel.wasm, Kernel.typescript]
/** What the worker answers: the kernels that were lent, and what each read, printed again. */
const answer = {
  isWasmAvailable: Kernel.isWasmAvailable(),
  lent: kernels.map((kernel = Kernel.fastest) => pool.borrow(kernel).name),
  printed: kernels.map((kernel) =>
    ColumnTable.encode(Result.getOrThrow(OptionChain.decode(body, { columns: ["strike", "last"], kernel })))
  )
}
parentPort?.postMessage(answer)

export type Answer = typeof answer
