/** Faults: small wrong edits of the sources, each of which the tests of one clause must catch. */
import * as Result from "effect/Result"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import * as Clause from "../conformance/clause.ts"
import type { InterplayFault } from "./found.ts"
import * as Plant from "./plant.ts"
import type { Seam } from "./seam.ts"
import * as Specifier from "./specifier.ts"

/** A wrong edit of one place: `find` occurs exactly once in `file`, and `replace` takes its place. */
export interface Edit {
  /** The file to break, from the root of the repository; it may lie in another package than the tests. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** A broken version of one declaration. It is the one at `index` of the faults in the file `from`, which runs beside what it breaks. */
interface Broken {
  readonly file: string
  readonly declaration: string
  /** Its text. */
  readonly broken: string
  readonly from: string
  readonly index: number
}

/** What a fault does to the sources. */
export type Breakage = Edit | Broken

/** A fault against a clause: its tests must fail under the fault. */
export type Fault = Breakage & { readonly clause: string }

/** A fault with the package whose tests must catch it. */
export type PackageFault = Fault & { readonly package: Clause.Package }

const fileOf = (root: string, from: string, { declaration, module }: Seam): string => {
  const file = Specifier.fileOf(root, from, module)
  return file === undefined ? String(module) : Specifier.declaring(root, file, declaration)
}

/** Loads the faults of one module; its path is one from the root. */
const load = async <Kind extends Seam>(
  root: string,
  from: string
): Promise<ReadonlyArray<Kind & Broken | Edit & { readonly clause: string }>> => {
  const module: { readonly faults: ReadonlyArray<Kind | Edit & { readonly clause: string }> } = await import(
    pathToFileURL(join(root, from)).href
  )
  return module.faults.map((own, index) =>
    "find" in own ? own : {
      ...own,
      file: fileOf(root, from, own),
      broken: String(own.broken),
      from,
      index
    }
  )
}

/** Loads `scripts/faults/<package>/*.ts` of the repository at `root`; each of these modules exports its `faults`. */
export const loadAll = async (root: string): Promise<ReadonlyArray<PackageFault>> => {
  const all: Array<PackageFault> = []
  for (const own of Clause.packages) {
    for (const path of globSync(`scripts/faults/${own}/*.ts`, { cwd: root }).toSorted()) {
      for (const fault of await load(root, path)) {
        if ("find" in fault) all.push({ ...fault, package: own })
        else {
          const { about, broken, declaration, file, from, index } = fault
          for (const clause of [about].flat()) {
            all.push({ clause, package: own, file, declaration, broken, from, index })
          }
        }
      }
    }
  }
  return all
}

/** Loads the faults of interplay, each with the tests that should find it. */
export const loadInterplay = async (
  root: string
): Promise<ReadonlyArray<Broken & { readonly name: string; readonly tests: ReadonlyArray<string> }>> => {
  const paths = globSync("scripts/faults/interplay/*.ts", { cwd: root }).toSorted()
  const all = await Promise.all(paths.map((path) => load<InterplayFault>(root, path)))
  return all.flat().flatMap((fault) => "find" in fault ? [] : [{ ...fault, name: [fault.about].flat().join() }])
}

const countOf = (text: string, part: string): number => part === "" ? 0 : text.split(part).length - 1

/**
 * Returns the text of the fault's file with the fault in it, or says why the fault is stale.
 * Nothing is written: a fault lives in the memory of the test runner only.
 */
export const plant = (root: string, fault: Breakage): Result.Result<string, string> => {
  const path = join(root, fault.file)
  if (!existsSync(path)) return Result.fail(`there is no file ${fault.file}`)
  const source = readFileSync(path, "utf8")
  if (!("find" in fault)) {
    const { declaration: name, file, from, index } = fault
    const prelude = `import { faults as faults$ } from ${JSON.stringify(Specifier.between(file, from))}`
    return Result.mapError(
      Plant.plant(source, { name, broken: `faults$[${index}].broken`, prelude }),
      (reason) => `${file}: ${reason}`
    )
  }
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
