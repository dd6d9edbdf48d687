import * as ChainSize from "@effect-marketdata/core/ChainSize"
import * as Effect from "effect/Effect"
import type { Chain, Sizes } from "../asking/asking.ts"

/** How many sizes of a chain are remembered: its filters may be of many kinds, and those that were seen last tell most. */
const sizesOfChain = 32

/** Remembers sizes of a number of chains, those that were used last. What is no number of chains is the usual one. */
export const sizesInMemory = (maxChains = 1000): Sizes => {
  const most = Math.max(1, Math.floor(maxChains) || 1000)
  // In the order in which they were used.
  const chains = new Map<string, ReadonlyMap<string, ChainSize.ChainSize>>()
  const use = (key: string, sizes: ReadonlyMap<string, ChainSize.ChainSize>): void => {
    chains.delete(key)
    chains.set(key, sizes)
    for (const oldest of chains.keys()) {
      if (chains.size <= most) break
      chains.delete(oldest)
    }
  }
  return {
    find: (chain) =>
      Effect.sync(() => {
        const key = keyOf(chain)
        const sizes = chains.get(key)
        if (sizes !== undefined) use(key, sizes)
        return [...sizes?.values() ?? []]
      }),
    keep: (chain, size) =>
      Effect.sync(() => {
        const key = keyOf(chain)
        const sizes = new Map(chains.get(key))
        const name = ChainSize.nameOf(size)
        if ((sizes.get(name)?.seenAt ?? -Infinity) > size.seenAt) return
        sizes.set(name, size)
        const latest = [...sizes].toSorted(([, one], [, other]) => other.seenAt - one.seenAt).slice(0, sizesOfChain)
        use(key, new Map(latest))
      })
  }
}

const keyOf = ({ chain, service }: Chain): string => `${service} ${chain}`
