/**
 * A child process that keeps Vitest loaded and tries faults, one at a time.
 * A fault is planted in the memory of Vite, so the working tree is never touched and needs no restoring.
 */
import * as Predicate from "effect/Predicate"
import { realpathSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { pathToFileURL } from "node:url"
import type { ViteUserConfig } from "vitest/config"
import { createVitest, type Vite, type Vitest } from "vitest/node"
import * as Clause from "../conformance/clause.ts"

const root = realpathSync(process.argv[2] ?? ".")

/** The tests to run, and the file that gets another text. */
export interface Run {
  /** The tests that name one of these, or all tests where there is none. */
  readonly clauses: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
  readonly overlay?: { readonly file: string; readonly text: string }
}

/** What the tests of a run did. */
export type Observation = Awaited<ReturnType<typeof answer>>

let overlay: { readonly path: string; readonly text: string } | undefined
let loaded = false

const plugin: Vite.Plugin = {
  name: "conformance-fault",
  enforce: "pre",
  load(id) {
    if (overlay === undefined || id !== overlay.path) return
    loaded = true
    return overlay.text
  }
}

/** Starts Vitest as the repository configures it, with our plugin in every project. */
const start = async (): Promise<Vitest> => {
  const path = pathToFileURL(join(root, "vitest.workspace.ts")).href
  const module: { readonly default: ViteUserConfig } = await import(path)
  const { projects = [], ...settings } = module.default.test ?? {}
  const vitest = await createVitest({
    ...settings,
    root,
    config: false,
    watch: false,
    reporters: [],
    // Threads end with this process even when a fault makes them loop forever.
    pool: "threads",
    // Modules that Node itself loads would not have the fault.
    experimental: { viteModuleRunner: true },
    // The cache on disk is shared with ordinary runs and must not learn of faults.
    fsModuleCache: false,
    projects: projects.map((project) => {
      if (typeof project !== "object" || !("test" in project)) return project
      // A worker that has seen a fault must not judge the next one. No thread takes flags of V8.
      const test = { ...project.test, isolate: true, execArgv: [] }
      return { ...project, test, plugins: [...project.plugins ?? [], plugin] }
    })
  })
  await vitest.standalone()
  return vitest
}

const starting = start()

const answer = async (run: Run) => {
  const vitest = await starting
  if (overlay !== undefined) vitest.invalidateFile(overlay.path)
  overlay = run.overlay && { path: join(root, run.overlay.file), text: run.overlay.text }
  if (overlay !== undefined) vitest.invalidateFile(overlay.path)
  loaded = false

  const testNamePattern = new RegExp(run.clauses.map((id) => `\\[${id.replaceAll(".", "\\.")}\\]`).join("|"))
  const specifications = run.files.map((file) =>
    vitest.getProjectByName(file.split("/")[1]!).createSpecification(join(root, file), { testNamePattern })
  )
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  const asked = new Set(specifications.map(({ moduleId }) => moduleId))
  const modules = testModules.filter(({ moduleId }) => asked.has(moduleId))
  return {
    tests: modules.flatMap((module) =>
      Array.from(module.children.allTests()).flatMap((test) => {
        const { errors: thrown = [], state } = test.result()
        if (state !== "passed" && state !== "failed") return []
        const file = relative(root, module.moduleId).replaceAll(sep, "/")
        const errors = thrown.map(({ message, name }) => `${name}: ${message}`)
        return [{ file, name: test.fullName, clauses: Clause.idsIn(test.fullName), state, errors }]
      })
    ),
    /** Errors that kept tests from running, and those that no test owns. */
    errors: [
      ...modules.flatMap((module) => [module, ...module.children.allSuites()]).flatMap((suite) => suite.errors()),
      ...unhandledErrors
    ].map((error) => Predicate.hasProperty(error, "message") ? String(error.message) : String(error)),
    /** True when a test loaded the overlaid file. */
    loaded
  }
}

process.on("message", async (run: Run) => process.send?.(await answer(run)))
process.on("disconnect", () => process.exit())
