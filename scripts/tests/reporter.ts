/**
 * Closes a run of the tests with what a developer needs next: the command that repeats a failure, and the files that take longest. A run fails where
 * a test names a clause that does not exist.
 */
import { relative, sep } from "node:path"
import type { Reporter, TestModule, Vitest } from "vitest/node"
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
    for (const { fullName, module } of all) {
      for (const id of Clause.idsIn(fullName).filter((id) => !clauses.has(id))) {
        process.exitCode = 1
        logger.error(
          `${
            fileOf(module)
          }: the test "${fullName}" names the clause [${id}], and ${Clause.path} has none of that id: correct it, or keep it out of square brackets`
        )
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
