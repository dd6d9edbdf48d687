import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { effect } from "./effect.ts"
import * as TemporaryRepository from "./temporaryRepository.ts"

const project = (include: string) => JSON.stringify({ extends: "../../tsconfig.base.json", include: [include] })

describe("effect", () => {
  it("finds an Effect that never runs, in tests too, and a clock of the machine", async () => {
    const floating = `import * as Effect from "effect/Effect"\nexport const f = () => { Effect.succeed(1) }\n`
    const clock = `export const g = () => Date.now()\n`
    const files = {
      "tsconfig.base.json": readFileSync(join(TemporaryRepository.here, "tsconfig.base.json"), "utf8"),
      "packages/core/package.json": `{ "name": "@effect-marketdata/core", "type": "module" }`,
      "packages/core/tsconfig.json": project("src"),
      "packages/core/src/Loose.ts": floating + clock,
      "packages/core/test/tsconfig.json": project(".").replace("../../", "../../../"),
      "packages/core/test/Loose.test.ts": floating + clock
    }
    await TemporaryRepository.withFiles(files, async (root) => {
      const { notChecked, problems } = await effect.run(root)
      if (process.platform !== "linux" || process.arch !== "x64") return assert.include(notChecked, process.platform)
      const found = problems.map((problem) => problem.replace(/: error effect\((\w+)\).*$/, " $1"))
      assert.deepStrictEqual(found, [
        "packages/core/src/Loose.ts(2,26) floatingEffect",
        "packages/core/src/Loose.ts(3,24) globalDate",
        "packages/core/test/Loose.test.ts(2,26) floatingEffect"
      ])
    })
  })
})
