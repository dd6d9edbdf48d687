/** Closes a run of the tests with what a developer needs next: the command that repeats a failure, and the files that take longest. */
import { relative, sep } from "node:path"
import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node"

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

/** Prints the commands that repeat what failed; where all passed, the slowest files of a run of ten files or more. */
export class RunReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    if (this.#vitest === undefined) return
    const { config: { root }, logger } = this.#vitest
    const fileOf = ({ moduleId }: TestModule) => relative(root, moduleId).replaceAll(sep, "/")
    const failed = modules.flatMap((module): ReadonlyArray<TestCase> => [...module.children.allTests("failed")])
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
