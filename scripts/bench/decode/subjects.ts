/** Our own way from the bytes of a reply to columns, by kernel. */
import * as Kernel from "@effect-marketdata/core/columns/Kernel"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Result from "effect/Result"

/** A way, which is made ready before it is measured. */
export type Subject = () => Promise<(bytes: Uint8Array) => unknown>

const kernel = (kernel: Kernel.Kernel): Subject => async () => (bytes) =>
  Result.getOrThrow(OptionChain.decode(bytes, { kernel }))

/** Ours by kernel. */
export const ours = { fastest: kernel(Kernel.fastest), typescript: kernel(Kernel.typescript) } as const
