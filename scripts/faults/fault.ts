/** Faults: small wrong edits of the sources, each of which the tests of one clause must catch. */
import * as Result from "effect/Result"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as Clause from "../conformance/clause.ts"

/** A wrong edit of one place: `find` occurs exactly once in `file`, and `replace` takes its place. */
export interface Edit {
  /** The file to break, from the root of the repository; it may lie in another package than the tests. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** A fault against a clause. */
export interface Fault extends Edit {
  /** The clause whose tests must fail under the fault. */
  readonly clause: string
}

/** A fault with the package whose tests must catch it. */
export interface PackageFault extends Fault {
  readonly package: Clause.Package
}

/** Loads `scripts/faults/<package>/*.ts` of the repository at `root`; each of these modules exports its `faults`. */
export const loadAll = async (root: string): Promise<ReadonlyArray<PackageFault>> => {
  const all: Array<PackageFault> = []
  for (const name of Clause.packages) {
    for (const path of globSync(`scripts/faults/${name}/*.ts`, { cwd: root }).toSorted()) {
      const module: { readonly faults: ReadonlyArray<Fault> } = await import(pathToFileURL(join(root, path)).href)
      all.push(...module.faults.map((fault) => ({ ...fault, package: name })))
    }
  }
  return all
}

const countOf = (text: string, part: string): number => part === "" ? 0 : text.split(part).length - 1

/**
 * Returns the text of the fault's file with the fault in it, or says why the fault is stale.
 * Nothing is written: a fault lives in the memory of the test runner only.
 */
export const plant = (root: string, fault: Edit): Result.Result<string, string> => {
  const path = join(root, fault.file)
  if (!existsSync(path)) return Result.fail(`there is no file ${fault.file}`)
  const source = readFileSync(path, "utf8")
  const count = countOf(source, fault.find)
  if (count !== 1) {
    return Result.fail(`${JSON.stringify(fault.find)} must occur once in ${fault.file} and occurs ${count} times`)
  }
  if (fault.find === fault.replace) return Result.fail("`replace` is the same as `find`")
  const at = source.indexOf(fault.find)
  return Result.succeed(source.slice(0, at) + fault.replace + source.slice(at + fault.find.length))
}

/** Says why a fault belongs to nothing: its clause does not exist, or is not asked of its package. */
export const misplacement = (fault: PackageFault, clauses: ReadonlyArray<Clause.Clause>): string | undefined => {
  const clause = clauses.find(({ id }) => id === fault.clause)
  if (clause === undefined) return `${Clause.path} has no clause ${fault.clause}`
  return clause.where.includes(fault.package) ? undefined : `${fault.clause} is not asked of ${fault.package}`
}
