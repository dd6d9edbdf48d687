/** The whole way, on a small repository in a temporary folder: faults are tried on it. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { withFiles } from "../shared/files.ts"
import * as Fault from "./fault.ts"
import * as Trials from "./trials.ts"

const cache = "export const isHit = (age: number, limit: number): boolean => age <= limit\n"
const file = "packages/core/src/Cache.ts"
const faults = "packages/core/test/faults/cache.ts"

/** Broken versions of it: the last one names what there is not. */
const [stricter, reversed, unknown] = [0, 1, 2]
const broken = [
  "(isHit) => (age, limit) => isHit(age + 1, limit)",
  "(isHit) => (age, limit) => !isHit(age, limit)",
  "(isHit) => (age) => isHit(age, bound)"
]

const files = {
  "vitest.workspace.ts": `
    const project = (name: string) => ({ test: { name, root: "packages/" + name, include: ["test/**/*.test.ts"] } })
    export default { test: { projects: ["core", "client"].map(project) } }`,
  [faults]: `export const faults = [${broken.map((text) => `{ broken: ${text} }`).join()}]`,
  [file]: cache,
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
}

/** Whose tests judge which fault, and how the verdict begins; of the fault its file, its declaration and its module, where they are others. */
const trials: ReadonlyArray<readonly [name: string, fault: number, says: string, over?: ReadonlyArray<string>]> = [
  ["core 8.3-age", stricter, "caught: Cache [8.3-hit] > [8.3-age] holds at the limit"],
  ["client 8.3-hit", reversed, "caught: [8.3-age] [8.3-hit] holds below the limit"],
  ["client 8.3-age", stricter, "missed: its tests pass all the same"],
  ["core 8.3-hit", stricter, `stale: ${file}: it declares no isMiss`, [file, "isMiss"]],
  ["core 8.3-age", stricter, "missed: its tests never load packages/core/src/Unused.ts", [
    "packages/core/src/Unused.ts"
  ]],
  ["core 8.3-hit", unknown, "error: the fault is not a running program: ReferenceError: bound is not"],
  ["core 8.3-hit", stricter, "error: tests could not run: ", [file, "isHit", "packages/core/test/faults/gone.ts"]],
  ["core 8.3-miss", stricter, "error: without the fault this test fails too: [8.3-miss] fails"],
  ["client 8.3-miss", stricter, "error: without the fault no test passes either"]
]

it("Trials tell caught from missed, stale and broken faults, and leave the sources alone", () =>
  withFiles(files, async (root) => {
    const verdicts = new Map<string, string>()
    const planted = trials.map(([name, index, says, [own = file, declaration = "isHit", from = faults] = []]) => {
      const [pkg, clause = ""] = name.split(" ")
      const text = () => Fault.plant(root, own, declaration, from, index)
      return { name, clause, says, file: own, tests: [`packages/${pkg}/test/Cache.test.ts`], text }
    })
    const judging = Trials.judge(
      { root, minutes: 2 },
      planted,
      ({ says }, { detail, outcome }) =>
        Effect.sync(() => verdicts.set(says, `${outcome}: ${detail}`.slice(0, says.length)))
    )
    await Effect.runPromise(judging)
    assert.deepStrictEqual([...verdicts.values()].toSorted(), trials.map(([, , says]) => says).toSorted())
    assert.strictEqual(readFileSync(join(root, file), "utf8"), cache)
  }))
