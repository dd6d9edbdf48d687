/**
 * Closes a run of the tests with what a developer needs next: the command that repeats a failure, and the files that take longest. A run fails where
 * a test names a clause that does not exist or that `npm test` would not prove, and where it may take longer than any other.
 */
import { relative, sep } from "node:path"
import type { Reporter, TestModule, Vitest } from "vitest/node"
import { isFull, testTimeout } from "../../packages/core/test/support/depth.ts"
import * as Clause from "../conformance/clause.ts"

const shown = 10

/** The one command that runs this test again, at the depth of this run. Each law prints its seed beside it. */
export const repeat = (
  test: { readonly file: string; readonly name: string },
  variables: Readonly<Record<string, string | undefined>>
): string => {
  const set = ["TEST_DEPTH", "TEST_SEED", "MARKETDATA_TEST_POSTGRES"].flatMap((name) => {
    const value = variables[name]
    return value ? [`${name}=${value}`] : []
  })
  const pattern = `^${test.name.replaceAll(" > ", " ").replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&")}$`
  return [...set, "npm test --", test.file, "-t", `'${pattern.replaceAll("'", String.raw`'\''`)}'`].join(" ")
}

/** What is wrong with a test, whether or not it passes. */
export const complaints = (
  { file, ids, timeout = 0 }: {
    readonly file: string
    readonly ids: ReadonlyArray<string>
    readonly timeout?: number | undefined
  },
  clauses: ReadonlySet<string>
): ReadonlyArray<string> => {
  const isOnlyFull = file.endsWith(".full.test.ts")
  return [
    ...ids.filter((id) => !clauses.has(id)).map((id) =>
      `names the clause [${id}], and ${Clause.path} has none of that id: correct it, or keep it out of square brackets`
    ),
    ...isOnlyFull && ids.length > 0
      ? [`proves ${ids.join(" and ")}, as npm test must: move it out of *.full.test.ts`]
      : [],
    ...!isOnlyFull && timeout > (isFull ? 5 : 1) * testTimeout
      ? [`may take ${timeout} ms: make it smaller, or move it to *.full.test.ts`]
      : []
  ]
}

export class RunReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    if (this.#vitest === undefined) return
    const { config: { root }, logger } = this.#vitest
    const fileOf = ({ moduleId }: TestModule) => relative(root, moduleId).replaceAll(sep, "/")
    const all = modules.flatMap((module) => [...module.children.allTests()])
    const clauses = new Set(Clause.read(root).map(({ id }) => id))
    for (const { fullName, module, options } of all) {
      const said = { file: fileOf(module), ids: Clause.idsIn(fullName), timeout: options.timeout }
      for (const complaint of complaints(said, clauses)) {
        process.exitCode = 1
        logger.error(`${said.file}: the test "${fullName}" ${complaint}`)
      }
    }
    const failed = all.filter((test) => test.result().state === "failed")
    if (failed.length > 0) {
      logger.log("\n To repeat what failed:")
      for (const { fullName, module } of failed) {
        logger.log(`  ${repeat({ file: fileOf(module), name: fullName }, process.env)}`)
      }
    } else if (modules.length >= shown) {
      logger.log("\n Slowest files:")
      const slowest = modules.map((module) => ({ file: fileOf(module), ms: module.diagnostic().duration }))
        .toSorted((one, other) => other.ms - one.ms)
      for (const { file, ms } of slowest.slice(0, shown)) {
        logger.log(`  ${(ms / 1000).toFixed(1).padStart(5)} s  ${file}`)
      }
    }
  }
}
