/** Faults: small changes that break the sources, each of which certain tests must catch. docs/conformance/README.md says how to write one. */
import * as Result from "effect/Result"
import { cpSync, existsSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { parseSync } from "oxc-parser"
import { loops, testsOf } from "../../packages/core/test/support/loopFaults.ts"
import type { Seam } from "../../packages/core/test/support/seam.ts"
import * as Clause from "../conformance/clause.ts"
import { assembly, compile, moduleFor, sources } from "../kernel/source.ts"
import * as Files from "../shared/files.ts"
import { ScriptError } from "../shared/script.ts"

/** A fault: a file, its text with the fault, and the test files that must fail. Paths are from the root of the repository. */
export interface Fault {
  readonly name: string
  readonly file: string
  /** The tests that judge it are those that name this clause, or all of the files where it breaks none. */
  readonly clause?: string
  readonly tests: ReadonlyArray<string>
  /** The text of the file with the fault in it. A failure says why it cannot be planted: the fault is stale. */
  readonly text: () => Result.Result<string, string>
}

/** The exports of a module of faults: the packages whose tests must find them, by default their own; and, for interplay, which tests. */
interface Exported {
  readonly faults: ReadonlyArray<Seam>
  readonly packages?: ReadonlyArray<Clause.Package>
  readonly tests?: ReadonlyArray<string>
}

/** The path, from the root, of the module that a fault breaks, as the fault names it; the test runner rewrites that name to an absolute path. */
const fileOf = (root: string, from: string, module: Seam["module"]): string => {
  const specifier = /\(\s*["'`](?:\/@fs)?([^"'`]+)["'`]\s*\)\s*$/.exec(String(module))?.[1] ?? ""
  return relative(root, createRequire(join(root, from)).resolve(specifier)).replaceAll("\\", "/")
}

/**
 * The text of a file in which the fault at `index` of the module `from` is applied to what it declares and exports as `name`: that is renamed, and the broken
 * version declared behind it. The faults are imported in the first line, so that the others keep their numbers.
 */
export const plant = (root: string, file: string, name: string, from: string, index: number) => {
  if (!existsSync(join(root, file))) return Result.fail(`there is no file ${file}`)
  const source = Files.text(root, file)
  const { errors, module } = parseSync("source.ts", source, { sourceType: "module" })
  if (errors[0] !== undefined) return Result.fail(`${file}: ${errors[0].message}`)
  for (const { end, entries } of module.staticExports) {
    // A name alone, in braces, declares nothing, and a type cannot be broken.
    const [at] = entries.flatMap(({ isType, localName: own, start }) =>
      !isType && own.name === name && own.start! > start ? own.start! : []
    )
    if (at === undefined) continue
    const faults = JSON.stringify(relative(dirname(file), from).replaceAll("\\", "/"))
    const renamed = `${source.slice(0, at)}${name}$sound${source.slice(at + name.length, end)}`
    const own = `export const ${name} = faults$[${index}].broken(${name}$sound)`
    return Result.succeed(`import { faults as faults$ } from ${faults}; ${renamed}; ${own}${source.slice(end)}`)
  }
  return Result.fail(`${file}: it declares no ${name}`)
}

/** Loads the modules of faults that a pattern finds. */
const load = async (root: string, pattern: string) => {
  const modules = Files.found(root, pattern).map(async (from) => {
    const { faults, ...exported }: Exported = await import(pathToFileURL(join(root, from)).href)
    return faults.map(({ about, declaration, module }, index) => {
      const file = fileOf(root, from, module)
      return { ...exported, about: [about].flat(), from, file, text: () => plant(root, file, declaration, from, index) }
    })
  })
  return (await Promise.all(modules)).flat()
}

/** Loads the faults of the clauses, one for each clause that they break and each package that must find them. */
export const ofClauses = async (root: string): Promise<ReadonlyArray<Fault>> => {
  const files = Files.found(root, `packages/{${Clause.packages.join()}}/test/**/*.test.ts`)
    // A clause is proven at the depth of `npm test`.
    .filter((path) => !path.endsWith(".full.test.ts"))
    .map((path) => ({ path, text: Files.text(root, path) }))
  /** A file names a clause by its id; where it tries all laws, each says which it proves. */
  const naming = (own: string, clause: string) =>
    files.filter(({ path, text }) =>
      path.startsWith(`packages/${own}/`) && (text.includes(clause) || text.includes("Laws.all"))
    ).map(({ path }) => path)
  return (await load(root, "packages/*/test/faults/*.ts")).flatMap(({ about, file, from, packages, text }) =>
    (packages ?? Clause.packages.filter((name) => from.startsWith(`packages/${name}/`))).flatMap((own) =>
      about.map((clause) => ({ name: `${own} ${clause}`, clause, file, tests: naming(own, clause), text }))
    )
  )
}

/** Loads the faults of interplay, which no clause names: each is named by its package and what it does. */
export const ofInterplay = async (root: string): Promise<ReadonlyArray<Fault>> =>
  (await load(root, "packages/*/test/faults/interplay/*.ts")).map(({ about, file, from, tests = [], text }) => ({
    name: `${from.split("/")[1]}: ${about.join(" ")}`,
    file,
    tests: tests.map((name) => `packages/${name.replace("/", "/test/")}.test.ts`),
    text
  }))

/** The faults of the loops in WebAssembly: each is compiled when its turn comes. */
export const ofLoops: ReadonlyArray<Fault> = Object.entries(loops).map(([file, [name, find, replace]]) => {
  const source = sources.find(({ name }) => file.startsWith(`${name}/`))!
  return {
    name: `${file}: ${name}`,
    file: source.modulePath,
    tests: testsOf(file),
    text: () => {
      using copy = Files.temporaryFolder()
      cpSync(assembly, copy.path, { recursive: true })
      const text = Files.text(copy.path, file)
      if (text.split(find).length !== 2) return Result.fail(`"${find}" must occur once in ${file}`)
      writeFileSync(join(copy.path, file), text.replace(find, () => replace))
      return Result.succeed(moduleFor(source, compile(source, copy.path)))
    }
  }
})

/** What a name says, word by word. */
const wordsOf = ({ name }: Fault): ReadonlyArray<string> => name.split(/[ :,/]+/)

/** The faults that match the words: one of the packages among them, if any, and one of the other words, if any. */
export const named = (faults: ReadonlyArray<Fault>, words: ReadonlyArray<string>): ReadonlyArray<Fault> => {
  const packages = new Set(faults.map((fault) => wordsOf(fault)[0]))
  const kinds = [words.filter((word) => packages.has(word)), words.filter((word) => !packages.has(word))]
  const unknown = words.filter((word) => !faults.some((fault) => wordsOf(fault).includes(word)))
  if (unknown.length > 0) throw new ScriptError(`no fault's name has the words ${unknown.join(", ")}`)
  const chosen = faults.filter((fault) =>
    kinds.every((kind) => kind.length === 0 || kind.some((word) => wordsOf(fault).includes(word)))
  )
  if (chosen.length === 0) throw new ScriptError(`no fault is written for ${words.join(" ")}`)
  return chosen
}
