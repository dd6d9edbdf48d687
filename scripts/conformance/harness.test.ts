/** The whole way, on a small repository in a temporary folder: a test run leaves a report, and faults are tried on it. */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Fault } from "../faults/fault.ts"
import * as Fingerprint from "./fingerprint.ts"
import * as Report from "./report.ts"
import * as Trials from "./trials.ts"

const repository = dirname(dirname(import.meta.dirname))
const root = realpathSync(mkdtempSync(join(tmpdir(), "conformance-")))
afterAll(() => rmSync(root, { recursive: true }))

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

symlinkSync(join(repository, "node_modules"), join(root, "node_modules"))

write("package.json", `{ "type": "module" }`)

write(
  "vitest.workspace.ts",
  `import { ConformanceReporter } from ${JSON.stringify(join(import.meta.dirname, "reporter.ts"))}
  const project = (name: string) => ({ test: { name, root: "packages/" + name, include: ["test/**/*.test.ts"] } })
  export default {
    test: { reporters: [new ConformanceReporter()], fsModuleCache: false, projects: ["core", "client"].map(project) }
  }`
)

write(
  "docs/conformance/clauses.md",
  ["age", "hit", "miss"].map((name) => `| 8.3-${name} | A rule. | core, client |`).join("\n")
)

const cache = "export const isHit = (age: number, limit: number): boolean => age <= limit\n"

/** Broken versions of it: one of them names what there is not. */
const broken = [
  "(isHit) => (age, limit) => isHit(age + 1, limit)",
  "(isHit) => (age, limit) => !isHit(age, limit)",
  "(isHit) => (age) => isHit(age, bound)"
] as const

beforeEach(() => {
  write("packages/core/src/Cache.ts", cache)
  write(
    "packages/core/test/Cache.test.ts",
    `import { assert, describe, it } from "vitest"
    import { isHit } from "../src/Cache.ts"
    describe("Cache [8.3-hit]", () => {
      it("[8.3-age] holds at the limit", () => assert.isTrue(isHit(5, 5)))
      it("holds below", () => assert.isTrue(isHit(4, 5)))
    })
    it("[8.3-miss] fails", () => assert.isTrue(isHit(6, 5)))`
  )
  write(
    "packages/client/test/Cache.test.ts",
    `import { assert, it } from "vitest"
    import { isHit } from "../../core/src/Cache.ts"
    it("[8.3-age] [8.3-hit] holds below the limit", () => assert.isTrue(isHit(4, 5)))`
  )
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
    assert.sameDeepMembers(
      (report?.tests ?? []).map(({ clauses, name, package: own, state }) => ({ clauses, name, own, state })),
      [
        {
          own: "core",
          name: "Cache [8.3-hit] > [8.3-age] holds at the limit",
          clauses: ["8.3-hit", "8.3-age"],
          state: "passed"
        },
        { own: "core", name: "Cache [8.3-hit] > holds below", clauses: ["8.3-hit"], state: "passed" },
        { own: "core", name: "[8.3-miss] fails", clauses: ["8.3-miss"], state: "failed" },
        {
          own: "client",
          name: "[8.3-age] [8.3-hit] holds below the limit",
          clauses: ["8.3-age", "8.3-hit"],
          state: "passed"
        }
      ]
    )
  })

  it("takes no part for the whole", () => {
    for (const narrower of [["--project", "core"], ["-t", "8.3-age"]]) {
      runVitest(...narrower)
      assert.isUndefined(Report.read(root), narrower.join(" "))
    }
  })

  it("fails the run on an unknown clause, however narrow", () => {
    const id = ["8.3", "old"].join("-")
    write("packages/client/test/Cache.test.ts", `import { it } from "vitest"\nit("[${id}] passes", () => {})`)
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
      write(
        "scripts/faults/core/cache.ts",
        `export const faults = [${broken.map((text) => `{ broken: ${text} }`).join()}]`
      )
      const fault = (own: Fault["package"], clause: string, text: typeof broken[number], over = "isHit"): Fault => ({
        package: own,
        clause,
        file: "packages/core/src/Cache.ts",
        declaration: over,
        broken: text,
        from: "scripts/faults/core/cache.ts",
        index: broken.indexOf(text)
      })
      const [stricter, reversed, unknown] = broken
      const trials = [
        {
          fault: fault("core", "8.3-age", stricter),
          verdict: "caught: Cache [8.3-hit] > [8.3-age] holds at the limit"
        },
        {
          fault: fault("client", "8.3-hit", reversed),
          verdict: "caught: [8.3-age] [8.3-hit] holds below the limit"
        },
        {
          fault: fault("client", "8.3-age", stricter),
          verdict: "missed: its tests pass all the same"
        },
        {
          fault: fault("core", "8.3-hit", stricter, "isMiss"),
          verdict: "stale: packages/core/src/Cache.ts: it declares no isMiss"
        },
        {
          fault: fault("core", "8.3-hit", unknown),
          verdict: "error: the fault is no running program: ReferenceError: bound is not defined"
        },
        {
          fault: { ...fault("core", "8.3-hit", stricter), from: "scripts/faults/core/gone.ts" },
          verdict: "error: tests could not run: "
        },
        {
          fault: fault("core", "8.3-miss", stricter),
          verdict: "error: without the fault this test fails too: [8.3-miss] fails"
        },
        {
          fault: fault("client", "8.3-miss", stricter),
          verdict: "error: without the fault no test passes either"
        }
      ]
      const verdicts = new Map<Fault, string>()
      yield* Trials.run({
        root,
        faults: trials.map(({ fault }) => fault),
        tests: Report.read(root)?.tests ?? [],
        onVerdict: (fault, { detail, outcome }) => Effect.sync(() => verdicts.set(fault, `${outcome}: ${detail}`))
      })
      for (const { fault, verdict } of trials) {
        assert.strictEqual(verdicts.get(fault)?.slice(0, verdict.length), verdict)
      }
      assert.strictEqual(readFileSync(join(root, "packages/core/src/Cache.ts"), "utf8"), cache)
    }))
})
