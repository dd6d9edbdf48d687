/** The whole way, on a small repository in a temporary folder: faults are tried on it. */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"
import * as Fault from "./fault.ts"
import type * as Trial from "./trial.ts"
import * as Trials from "./trials.ts"

const cache = "export const isHit = (age: number, limit: number): boolean => age <= limit\n"

/** Broken versions of it: one of them names what there is not. */
const [stricter, reversed, unknown] = [
  "(isHit) => (age, limit) => isHit(age + 1, limit)",
  "(isHit) => (age, limit) => !isHit(age, limit)",
  "(isHit) => (age) => isHit(age, bound)"
] as const
const broken: ReadonlyArray<string> = [stricter, reversed, unknown]

const root = TemporaryRepository.make({
  "vitest.workspace.ts": `
    const project = (name: string) => ({ test: { name, root: "packages/" + name, include: ["test/**/*.test.ts"] } })
    export default { test: { projects: ["core", "client"].map(project) } }`,
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
})

describe("Trials", () => {
  const file = "packages/core/src/Cache.ts"
  const from = "packages/core/test/faults/cache.ts"
  const planted = (text: string, over: { file?: string; declaration?: string; from?: string } = {}) => ({
    file: over.file ?? file,
    text: () =>
      Fault.plant(root, over.file ?? file, over.declaration ?? "isHit", over.from ?? from, broken.indexOf(text))
  })

  it.live("tell caught from missed, stale and broken faults, and leave the sources alone", () =>
    Effect.gen(function*() {
      const trials = [
        ["core 8.3-age", planted(stricter), "caught: Cache [8.3-hit] > [8.3-age] holds at the limit"],
        ["client 8.3-hit", planted(reversed), "caught: [8.3-age] [8.3-hit] holds below the limit"],
        ["client 8.3-age", planted(stricter), "missed: its tests pass all the same"],
        ["core 8.3-hit", planted(stricter, { declaration: "isMiss" }), `stale: ${file}: it declares no isMiss`],
        [
          "core 8.3-age",
          planted(stricter, { file: "packages/core/src/Unused.ts" }),
          "missed: its tests never load packages/core/src/Unused.ts"
        ],
        ["core 8.3-hit", planted(unknown), "error: the fault is no running program: ReferenceError: bound is not"],
        [
          "core 8.3-hit",
          planted(stricter, { from: "packages/core/test/faults/gone.ts" }),
          "error: tests could not run: "
        ],
        ["core 8.3-miss", planted(stricter), "error: without the fault this test fails too: [8.3-miss] fails"],
        ["client 8.3-miss", planted(stricter), "error: without the fault no test passes either"]
      ] as const
      const verdicts = new Map<string, string>()
      const faults = trials.map(([name, fault, expected]) => {
        const [own, clause = ""] = name.split(" ")
        return { ...fault, name, clause, expected, tests: [`packages/${own}/test/Cache.test.ts`] }
      })
      yield* Trials.judge(
        { root, minutes: 2 },
        faults,
        ({ expected }, { detail, outcome }: Trial.Verdict) =>
          Effect.sync(() => verdicts.set(expected, `${outcome}: ${detail}`))
      )
      for (const { expected } of faults) assert.strictEqual(verdicts.get(expected)?.slice(0, expected.length), expected)
      assert.strictEqual(readFileSync(join(root, file), "utf8"), cache)
    }))
})
