/** Ends a run of the tests with the command that repeats each failure. */
import { relative, sep } from "node:path"
import type { Reporter, TestCase } from "vitest/node"

/** The one command that runs this test again, at the depth of this run. Each law prints its seed beside it. */
const repeat = (root: string, { fullName, module }: TestCase): string => {
  const set = ["TEST_DEPTH", "TEST_SEED", "MARKETDATA_TEST_POSTGRES"].flatMap((name) => {
    const value = process.env[name]
    return value ? [`${name}=${value}`] : []
  })
  const pattern = `^${fullName.replaceAll(" > ", " ").replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&")}$`
  const file = relative(root, module.moduleId).replaceAll(sep, "/")
  return [...set, "npm test --", file, "-t", `'${pattern.replaceAll("'", String.raw`'\''`)}'`].join(" ")
}

export class RunReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (test.result().state !== "failed") return
    const { config: { root }, logger } = test.project.vitest
    logger.log(` To repeat it: ${repeat(root, test)}`)
  }
}
