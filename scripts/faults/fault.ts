/** Faults: small breakages of the sources, each of which the tests of one clause must catch. docs/conformance/README.md tells how to write one. */
import * as Result from "effect/Result"
import { existsSync, globSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import type { Seam } from "../../packages/core/test/support/seam.ts"
import * as Clause from "../conformance/clause.ts"
import * as Plant from "./plant.ts"

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

/** What a module of faults exports: whose tests must find them, where it is not the package alone that they lie in; of interplay, which tests should. */
interface Exported {
  readonly faults: ReadonlyArray<Seam>
  readonly packages?: ReadonlyArray<Clause.Package>
  readonly tests?: ReadonlyArray<string>
}

/** The file, from the root, of a fault's module, which its text names. The test runner rewrites that to the whole path. */
const fileOf = (root: string, from: string, module: Seam["module"]): string => {
  const specifier = /\(\s*["'`](?:\/@fs)?([^"'`]+)["'`]\s*\)\s*$/.exec(String(module))?.[1] ?? ""
  return relative(root, createRequire(join(root, from)).resolve(specifier)).replaceAll("\\", "/")
}

/** Loads the modules of faults that a pattern finds. */
const load = async (root: string, pattern: string) => {
  const all: Array<Breakage & Omit<Exported, "faults"> & Pick<Seam, "about">> = []
  for (const path of globSync(pattern, { cwd: root }).toSorted()) {
    const from = path.replaceAll("\\", "/")
    const { faults, ...exported }: Exported = await import(pathToFileURL(join(root, from)).href)
    for (const [index, { about, broken, declaration, module }] of faults.entries()) {
      const file = fileOf(root, from, module)
      all.push({ ...exported, about, file, declaration, broken: String(broken), from, index })
    }
  }
  return all
}

/** Loads the faults of every package from its `test/faults/`, one for each clause that they break and each package that must find them. */
export const loadAll = async (root: string): Promise<ReadonlyArray<Fault>> =>
  (await load(root, "packages/*/test/faults/*.ts")).flatMap(({ about, packages, ...fault }) =>
    (packages ?? Clause.packages.filter((name) => fault.from.startsWith(`packages/${name}/`))).flatMap((own) =>
      [about].flat().map((clause) => ({ ...fault, clause, package: own }))
    )
  )

/** Loads the faults of interplay. */
export const loadInterplay = async (root: string): Promise<ReadonlyArray<InterplayFault>> =>
  (await load(root, "packages/*/test/faults/interplay/*.ts")).map(({ about, tests = [], ...fault }) => ({
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
    prelude: `import { faults as faults$ } from ${JSON.stringify(relative(dirname(file), from).replaceAll("\\", "/"))}`
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
