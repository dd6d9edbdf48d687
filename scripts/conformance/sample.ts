/** Chooses a part of a list by a seed: the same seed, the same part. */
import { createHash } from "node:crypto"

/** Returns a tenth of the items, at least one where there are any, in their own order. */
export const tenth = <A>(items: ReadonlyArray<A>, seed: string, keyOf: (item: A) => string): ReadonlyArray<A> => {
  const rank = (item: A): string => createHash("sha256").update(`${seed}\0${keyOf(item)}`).digest("hex")
  const ranked = items.map((item) => ({ item, rank: rank(item) })).toSorted((a, b) => a.rank < b.rank ? -1 : 1)
  const chosen = new Set(ranked.slice(0, Math.ceil(items.length / 10)).map(({ item }) => item))
  return items.filter((item) => chosen.has(item))
}
