/** What of the table a command is about: words that are clause ids or packages. */
import * as Result from "effect/Result"
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
