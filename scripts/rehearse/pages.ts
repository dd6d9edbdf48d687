/** The programs of the pages, grouped by what a page says to install before them. */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import * as Fence from "../check/examples/fence.ts"
import { documents } from "../check/pages.ts"
import * as Workspace from "../check/workspace.ts"

interface Group {
  /** What stands behind `npm i`. */
  readonly install: string
  readonly fences: ReadonlyArray<Fence.Fence>
  /** Whether all of it promises to run on Node 20. */
  readonly runsOn20: boolean
}

export const groups = (root: string): ReadonlyArray<Group> => {
  // SQLite comes with Node 22, and its pages are about nothing else.
  const alsoNewer = ["@effect/platform-node", "@effect-marketdata/sql"]
  const newer = Workspace.packages(root)
    .filter(({ manifest }) => Number(/\d+/.exec(manifest.engines?.node ?? "0")) > 20)
    .map(({ manifest }) => manifest.name)
  const pages = globSync(documents, { cwd: root }).toSorted().map((file) => {
    const text = readFileSync(join(root, file), "utf8")
    const lines = Array.from(text.matchAll(/^npm i (?:--save-dev )?(.+)$/gm), ([, names = ""]) => names)
    return { install: lines.join(" "), fences: Fence.extract(file, text).fences }
  })
  const named = [...new Set(pages.map(({ install }) => install))].filter((install) => install !== "")
  return named.map((install) => ({
    install,
    fences: pages.filter((page) => page.install === install).flatMap(({ fences }) => fences),
    runsOn20: !install.split(" ").some((name) => [...newer, ...alsoNewer].includes(name))
  })).filter(({ fences }) => fences.length > 0)
}

/** Imports each file that it is given, and prints those that fail. What is not to be run has to find what it imports. */
const runner = `
let failed = 0
for (const file of process.argv.slice(2)) {
  try {
    if (file.endsWith(".json")) for (const name of (await import(file, { with: { type: "json" } })).default) import.meta.resolve(name)
    else await import(file)
  } catch (error) {
    failed++
    console.error(file, error)
  }
}
process.exit(failed)
`

/** Writes the programs of a group into a folder: the files for a Node that reads TypeScript, and for one that does not. */
export const write = (folder: string, { fences }: Group) => {
  writeFileSync(join(folder, "run.mjs"), runner)
  const save = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return `./${name}`
  }
  const named = fences.map((fence) => ({ ...fence, name: Fence.nameOf(fence) }))
  const imports = named.filter(({ runs }) => !runs).flatMap(({ code }) =>
    Array.from(code.matchAll(/ from "([^."][^"]*)"/g), ([, name = ""]) => name)
  )
  const resolved = save("imports.json", JSON.stringify(imports))
  const run = named.filter(({ runs }) => runs)
  return {
    typed: [resolved, ...run.map(({ code, name }) => save(name, code))],
    plain: [resolved, ...run.map(({ code, name }) => save(`${name}.mjs`, stripTypeScriptTypes(code)))]
  }
}
