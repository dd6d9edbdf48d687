/** Our own way from the bytes of a reply to columns, by kernel. */
import * as Kernel from "@effect-marketdata/core/Kernel"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as SlabPool from "@effect-marketdata/core/SlabPool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

/** A way, which is made ready before it is measured. */
export type Subject = () => Promise<(bytes: Uint8Array) => unknown>

const kernel = (kernel: Kernel.Kernel): Subject => async () => (bytes) =>
  Result.getOrThrow(OptionChain.decode(bytes, { kernel }))

/** Ours by kernel. */
export const ours = { fastest: kernel(Kernel.fastest), typescript: kernel(Kernel.typescript) } as const

/** With the one buffer of a pool: whoever asks reads what is wanted of a table, and lets it go. */
export const recycled: Subject = async () => {
  const pool = SlabPool.make()
  return (bytes) =>
    Effect.runSync(Effect.scoped(Effect.map(
      SlabPool.decode(pool, (recycled) => OptionChain.decode(bytes, { recycled })),
      (chain) => chain.bid[0]
    )))
}
