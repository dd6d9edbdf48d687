/** Notes, in the one run of the test suite, which tests of which package name which clause and how they ended. */
import * as Result from "effect/Result"
import { globSync } from "node:fs"
import { join, sep } from "node:path"
import type { Reporter, TestModule, TestRunEndReason, TestSpecification, Vitest } from "vitest/node"
import * as Clause from "./clause.ts"
import * as Fingerprint from "./fingerprint.ts"
import * as Report from "./report.ts"

/**
 * Fails the run when a test names a clause that does not exist.
 * Leaves a report only when every test file of the proving packages ran, unfiltered: a narrower run says too little.
 */
export class ConformanceReporter implements Reporter {
  #vitest: Vitest | undefined
  #fingerprint: string | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunStart(specifications: ReadonlyArray<TestSpecification>): void {
    const vitest = this.#vitest
    const complete = vitest !== undefined && isComplete(vitest, specifications)
    this.#fingerprint = complete ? Fingerprint.of(vitest.config.root) : undefined
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, _errors: ReadonlyArray<unknown>, reason: TestRunEndReason): void {
    if (this.#vitest === undefined) return
    const { config: { root }, logger } = this.#vitest
    // A clause is proven at the depth of `npm test`.
    const tests = modules.filter(({ moduleId }) => !moduleId.endsWith(".full.test.ts"))
      .flatMap((module) => [...module.children.allTests()])
      .map((test) => Report.testOf(test, root))
      .filter(({ clauses }) => clauses.length > 0)
    const unknown = complaints(tests, Result.getOrThrow(Clause.read(root)))
    for (const complaint of unknown) logger.error(complaint)
    if (unknown.length > 0) process.exitCode = 1
    else if (this.#fingerprint !== undefined && reason !== "interrupted") {
      Report.write(root, { fingerprint: this.#fingerprint, tests })
    }
  }
}

/** Returns one line for each test name that claims a clause nobody knows. */
const complaints = (
  tests: ReadonlyArray<Report.ClauseTest>,
  clauses: ReadonlyArray<Clause.Clause>
): ReadonlyArray<string> => {
  const known = new Set(clauses.map(({ id }) => id))
  return tests.flatMap(({ clauses, file, name }) =>
    clauses.filter((id) => !known.has(id)).map((id) =>
      `${file}: the test "${name}" names the clause [${id}], and ${Clause.path} has none of that id: correct it, or keep it out of square brackets`
    )
  )
}

const isComplete = (vitest: Vitest, specifications: ReadonlyArray<TestSpecification>): boolean => {
  if (vitest.getGlobalTestNamePattern() !== undefined || specifications.some(isNarrowed)) return false
  const { root } = vitest.config
  const planned = new Set(specifications.map(({ moduleId }) => moduleId))
  const files = globSync(`packages/{${Clause.packages.join()}}/test/**/*.test.ts`, {
    cwd: root,
    exclude: ["**/*.full.test.ts"]
  })
  return files.every((file) => planned.has(join(root, file).replaceAll(sep, "/")))
}

const isNarrowed = (specification: TestSpecification): boolean => {
  const { testIds, testLines, testNamePattern, testNames, testTagsFilter } = specification
  return [testIds, testLines, testNamePattern, testNames, testTagsFilter].some((filter) => filter !== undefined)
}
