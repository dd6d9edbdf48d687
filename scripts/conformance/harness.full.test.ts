/** The whole way, on a small repository in a temporary folder: a test run leaves a report, and faults are tried on it. */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Fault } from "../faults/fault.ts"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"
import * as Fingerprint from "./fingerprint.ts"
import * as Report from "./report.ts"
import * as Trials from "./trials.ts"

const repository = dirname(dirname(import.meta.dirname))
const cache = "export const isHit = (age: number, limit: number): boolean => age <= limit\n"

/** Broken versions of it: one of them names what there is not. */
const [stricter, reversed, unknown] = [
  "(isHit) => (age, limit) => isHit(age + 1, limit)",
  "(isHit) => (age, limit) => !isHit(age, limit)",
  "(isHit) => (age) => isHit(age, bound)"
] as const
const broken: ReadonlyArray<string> = [stricter, reversed, unknown]

const root = TemporaryRepository.make({
  "vitest.workspace.ts": `import { ConformanceReporter } from ${
    JSON.stringify(join(import.meta.dirname, "reporter.ts"))
  }
    const project = (name: string) => ({ test: { name, root: "packages/" + name, include: ["test/**/*.test.ts"] } })
    export default {
      test: { reporters: [new ConformanceReporter()], fsModuleCache: false, projects: ["core", "client"].map(project) }
    }`,
  "docs/conformance/clauses.md": ["age", "hit", "miss"].map((name) => `| 8.3-${name} | A rule. | core, client |`)
    .join("\n"),
  "packages/core/test/faults/cache.ts": `export const faults = [${broken.map((text) => `{ broken: ${text} }`).join()}]`
})

afterAll(() => TemporaryRepository.remove(root))

beforeEach(() => {
  TemporaryRepository.write(root, {
    "packages/core/src/Cache.ts": cache,
    "packages/core/src/Unused.ts": cache,
    "packages/core/test/Cache.test.ts": `import { assert, describe, it } from "vitest"
    import { isHit } from "../src/Cache.ts"
    describe("Cache [8.3-hit]", () => {
      it("[8.3-age] holds at the limit", () => assert.isTrue(isHit(5, 5)))
      it("holds below", () => assert.isTrue(isHit(4, 5)))
    })
    it("[8.3-miss] fails", () => assert.isTrue(isHit(6, 5)))`,
    "packages/client/test/Cache.test.ts": `import { assert, it } from "vitest"
    import { isHit } from "../../core/src/Cache.ts"
    it("[8.3-age] [8.3-hit] holds below the limit", () => assert.isTrue(isHit(4, 5)))`
  })
  Report.remove(root)
})

const runVitest = (...args: ReadonlyArray<string>) =>
  spawnSync(
    process.execPath,
    [join(repository, "node_modules/vitest/vitest.mjs"), "run", "--config", "vitest.workspace.ts", ...args],
    { cwd: root, encoding: "utf8" }
  )

describe("ConformanceReporter", () => {
  it("reports what a complete run says, and the sources it ran on", () => {
    runVitest()
    const report = Report.read(root)
    assert.strictEqual(report?.fingerprint, Fingerprint.of(root))
    const tests = report?.tests.map((test) => [test.package, test.name, test.clauses.join(" "), test.state].join("; "))
    assert.sameMembers([...tests ?? []], [
      "core; Cache [8.3-hit] > [8.3-age] holds at the limit; 8.3-hit 8.3-age; passed",
      "core; Cache [8.3-hit] > holds below; 8.3-hit; passed",
      "core; [8.3-miss] fails; 8.3-miss; failed",
      "client; [8.3-age] [8.3-hit] holds below the limit; 8.3-age 8.3-hit; passed"
    ])
  })

  it("takes no part for the whole", () => {
    for (const narrower of [["--project", "core"], ["-t", "8.3-age"]]) {
      runVitest(...narrower)
      assert.isUndefined(Report.read(root), narrower.join(" "))
    }
  })

  it("fails the run on an unknown clause, however narrow", () => {
    const id = ["8.3", "old"].join("-")
    TemporaryRepository.write(root, {
      "packages/client/test/Cache.test.ts": `import { it } from "vitest"\nit("[${id}] passes", () => {})`
    })
    const { status, stderr } = runVitest("--project", "client")
    assert.strictEqual(status, 1)
    assert.include(stderr, `the test "[${id}] passes" names the clause [${id}]`)
    assert.strictEqual(runVitest().status, 1)
    assert.isUndefined(Report.read(root))
  })
})

describe("Trials", () => {
  it.live("tells caught from missed, stale and broken faults, and leaves the sources alone", () =>
    Effect.gen(function*() {
      runVitest()
      const fault = (own: Fault["package"], clause: string, text: string, over: Partial<Fault> = {}): Fault => ({
        package: own,
        clause,
        file: "packages/core/src/Cache.ts",
        declaration: "isHit",
        broken: text,
        from: "packages/core/test/faults/cache.ts",
        index: broken.indexOf(text),
        ...over
      })
      const trials = new Map([
        [fault("core", "8.3-age", stricter), "caught: Cache [8.3-hit] > [8.3-age] holds at the limit"],
        [fault("client", "8.3-hit", reversed), "caught: [8.3-age] [8.3-hit] holds below the limit"],
        [fault("client", "8.3-age", stricter), "missed: its tests pass all the same"],
        [
          fault("core", "8.3-hit", stricter, { declaration: "isMiss" }),
          "stale: packages/core/src/Cache.ts: it declares no isMiss"
        ],
        [
          fault("core", "8.3-age", stricter, { file: "packages/core/src/Unused.ts" }),
          "missed: its tests never load packages/core/src/Unused.ts"
        ],
        [fault("core", "8.3-hit", unknown), "error: the fault is no running program: ReferenceError: bound is not"],
        [
          fault("core", "8.3-hit", stricter, { from: "packages/core/test/faults/gone.ts" }),
          "error: tests could not run: "
        ],
        [fault("core", "8.3-miss", stricter), "error: without the fault this test fails too: [8.3-miss] fails"],
        [fault("client", "8.3-miss", stricter), "error: without the fault no test passes either"]
      ])
      const verdicts = new Map<Fault, string>()
      const tests = Report.read(root)?.tests ?? []
      const uncaught = yield* Trials.run({
        root,
        faults: Array.from(trials.keys(), (own) => ({ ...Trials.ofClause(root, own, tests), own })),
        minutes: 2,
        onVerdict: ({ own }, { detail, outcome }) => Effect.sync(() => verdicts.set(own, `${outcome}: ${detail}`))
      })
      assert.strictEqual(uncaught, 7)
      for (const [fault, verdict] of trials) assert.strictEqual(verdicts.get(fault)?.slice(0, verdict.length), verdict)
      assert.strictEqual(readFileSync(join(root, "packages/core/src/Cache.ts"), "utf8"), cache)
    }))
})
