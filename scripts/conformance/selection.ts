/** What of the table a command is about: words that are clause ids or packages. */
import * as Result from "effect/Result"
import { type Clause, isPackage, type Package, packages } from "./clause.ts"

/** Whether a clause in a package is meant. */
export type Selection = (clause: string, name: Package) => boolean

/** Reads the words, which commas may join; a kind that none names is selected whole. Fails with what means nothing. */
export const parse = (
  input: ReadonlyArray<string>,
  clauses: ReadonlyArray<Clause>
): Result.Result<Selection, string> => {
  const words = input.flatMap((word) => word.split(","))
  const [names, ids] = [words.filter(isPackage), words.filter((word) => !isPackage(word))]
  const unknown = ids.filter((word) => clauses.every(({ id }) => id !== word))
  return unknown.length > 0
    ? Result.fail(`neither a clause nor one of ${packages.join(", ")}: ${unknown.join(" ")}`)
    : Result.succeed((clause, name) =>
      (ids.length === 0 || ids.includes(clause)) && (names.length === 0 || names.includes(name))
    )
}
