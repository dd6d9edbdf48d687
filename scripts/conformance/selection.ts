/** What of the table a command is about: words that are clause ids or packages, or a tenth by a seed. */
import * as Result from "effect/Result"
import { createHash } from "node:crypto"
import { type Clause, isPackage, type Package, packages } from "./clause.ts"

export interface Selection {
  readonly clauses: ReadonlySet<string>
  readonly packages: ReadonlySet<string>
}

/** Reads the words, which commas may join; a kind that none names is selected whole. Fails with what means nothing. */
export const parse = (
  input: ReadonlyArray<string>,
  clauses: ReadonlyArray<Clause>
): Result.Result<Selection, string> => {
  const words = input.flatMap((word) => word.split(","))
  const ids = clauses.map(({ id }) => id)
  const unknown = words.filter((word) => !isPackage(word) && !ids.includes(word))
  if (unknown.length > 0) {
    return Result.fail(`neither a clause nor one of ${packages.join(", ")}: ${unknown.join(" ")}`)
  }
  const orAll = (chosen: ReadonlyArray<string>, all: ReadonlyArray<string>) => new Set(chosen.length > 0 ? chosen : all)
  return Result.succeed({
    clauses: orAll(words.filter((word) => !isPackage(word)), ids),
    packages: orAll(words.filter(isPackage), packages)
  })
}

export const includes = (self: Selection, clause: string, name: Package): boolean =>
  self.clauses.has(clause) && self.packages.has(name)

/** Returns a tenth of the items, at least one where there are any, in their own order: the same seed, the same part. */
export const tenth = <A>(items: ReadonlyArray<A>, seed: string, keyOf: (item: A) => string): ReadonlyArray<A> => {
  const rank = (item: A): string => createHash("sha256").update(`${seed}\0${keyOf(item)}`).digest("hex")
  const ranked = items.map((item) => ({ item, rank: rank(item) })).toSorted((a, b) => a.rank < b.rank ? -1 : 1)
  const chosen = new Set(ranked.slice(0, Math.ceil(items.length / 10)).map(({ item }) => item))
  return items.filter((item) => chosen.has(item))
}
