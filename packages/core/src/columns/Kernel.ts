/**
 * The kernels: what runs the hot loops of decoding. WebAssembly with SIMD is the fastest. The same loops in plain TypeScript read the
 * same replies where WebAssembly is missing, or where a content security policy forbids it.
 *
 * Unstable: it is there for the packages of this repository, and a minor release may change it.
 *
 * @example
 * ```ts
 * import * as Kernel from "@effect-marketdata/core/Kernel"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const options = { columns: ["strike"], kernel: Kernel.typescript } as const
 * Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[150]}`, options)).strike[0] // => 150
 * ```
 *
 * @since 0.1.0
 */
import * as KernelPool from "./internal/kernelPool.ts"

/**
 * A way to run the hot loops.
 *
 * @category models
 * @since 0.1.0
 */
export interface Kernel {
  readonly name: "fastest" | "wasm" | "typescript"
}

/**
 * WebAssembly where it works, TypeScript elsewhere.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fastest: Kernel = { name: "fastest" }

/**
 * WebAssembly with SIMD. Where it does not work, decoding falls back to TypeScript; see `isWasmAvailable`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const wasm: Kernel = { name: "wasm" }

/**
 * Plain TypeScript.
 *
 * @category constructors
 * @since 0.1.0
 */
export const typescript: Kernel = { name: "typescript" }

/**
 * Compiles the WebAssembly kernel in the background, so that the first reply does not wait for it. Never fails: without WebAssembly there is
 * nothing to prepare.
 *
 * @example
 * ```ts
 * import * as Kernel from "@effect-marketdata/core/Kernel"
 *
 * await Kernel.prepare() // Once, before the first reply, so that it does not wait for the compiler
 * Kernel.isWasmAvailable() // => true
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const prepare: () => Promise<void> = KernelPool.prepare

/**
 * Returns whether the WebAssembly kernel works here, and compiles it if that was not done yet.
 *
 * @example
 * ```ts
 * import * as Kernel from "@effect-marketdata/core/Kernel"
 *
 * // False in a page whose policy forbids it; TypeScript decodes there.
 * typeof Kernel.isWasmAvailable() // => "boolean"
 * ```
 *
 * @category guards
 * @since 0.1.0
 */
export const isWasmAvailable = (): boolean => KernelPool.compiled() !== undefined
