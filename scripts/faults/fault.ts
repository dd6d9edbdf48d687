/** Faults: small breakages of the sources, each of which the tests of one clause must catch. docs/conformance/README.md tells how to write one. */
import * as Result from "effect/Result"
import { existsSync, globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { pathToFileURL } from "node:url"
import * as Clause from "../conformance/clause.ts"
import * as Plant from "./plant.ts"
import type { Seam } from "./seam.ts"
import * as Specifier from "./specifier.ts"

/** A broken version of one declaration of a file, which may lie in another package than the tests. */
export interface Breakage {
  readonly file: string
  readonly declaration: string
  /** The text of the broken version; what runs is the one at `index` of the faults in the file `from`. */
  readonly broken: string
  readonly from: string
  readonly index: number
}

/** A breakage against a clause: the tests of a package that name the clause must fail under it. */
export interface Fault extends Breakage {
  readonly clause: string
  readonly package: Clause.Package
}

/** A fault that no clause names, and the tests that should find it, from the root of the repository. */
export interface InterplayFault extends Breakage {
  readonly name: string
  readonly tests: ReadonlyArray<string>
}

/** What a module of faults exports; those of interplay name the tests that should find them. */
interface Exported {
  readonly faults: ReadonlyArray<Seam>
  readonly tests?: ReadonlyArray<string>
}

/** Loads the modules in a folder of faults. */
const load = async (root: string, folder: string) => {
  const all: Array<Breakage & Pick<Seam, "about"> & { readonly tests: ReadonlyArray<string> }> = []
  for (const from of globSync(`scripts/faults/${folder}/*.ts`, { cwd: root }).toSorted()) {
    const { faults, tests = [] }: Exported = await import(pathToFileURL(join(root, from)).href)
    for (const [index, { about, broken, declaration, module }] of faults.entries()) {
      const file = Specifier.fileOf(root, from, module) ?? String(module)
      all.push({ about, tests, file, declaration, broken: String(broken), from, index })
    }
  }
  return all
}

/**
 * Loads the faults of every package, one for each clause that they break: from `scripts/faults/<package>/` of the repository at `root`, and from
 * folders that several packages share, such as `core+client`.
 */
export const loadAll = async (root: string): Promise<ReadonlyArray<Fault>> => {
  const folders = globSync("scripts/faults/*/", { cwd: root }).map((path) => basename(path)).toSorted()
  const all: Array<Fault> = []
  for (const folder of folders) {
    const owners = folder.split("+").filter(Clause.isPackage)
    for (const { about, tests: _, ...fault } of owners.length === 0 ? [] : await load(root, folder)) {
      for (const own of owners) for (const clause of [about].flat()) all.push({ ...fault, clause, package: own })
    }
  }
  return all
}

/** Loads the faults of interplay. */
export const loadInterplay = async (root: string): Promise<ReadonlyArray<InterplayFault>> =>
  (await load(root, "interplay")).map(({ about, tests, ...fault }) => ({
    ...fault,
    name: String(about),
    tests: tests.map((name) => `packages/${name.replace("/", "/test/")}.test.ts`)
  }))

/**
 * Returns the text of the fault's file with the fault in it, or says why the fault is stale.
 * Nothing is written: a fault lives in the memory of the test runner only.
 */
export const plant = (root: string, { declaration, file, from, index }: Breakage): Result.Result<string, string> => {
  const path = join(root, file)
  if (!existsSync(path)) return Result.fail(`there is no file ${file}`)
  const planted = Plant.plant(readFileSync(path, "utf8"), {
    name: declaration,
    broken: `faults$[${index}].broken`,
    prelude: `import { faults as faults$ } from ${JSON.stringify(Specifier.between(file, from))}`
  })
  return Result.mapError(planted, (reason) => `${file}: ${reason}`)
}

/** Says why a fault belongs to nothing: its clause does not exist, or is not asked of its package. */
export const misplacement = (
  fault: Pick<Fault, "clause" | "package">,
  clauses: ReadonlyArray<Clause.Clause>
): string | undefined => {
  const clause = clauses.find(({ id }) => id === fault.clause)
  if (clause === undefined) return `${Clause.path} has no clause ${fault.clause}`
  return clause.where.includes(fault.package) ? undefined : `${fault.clause} is not asked of ${fault.package}`
}
