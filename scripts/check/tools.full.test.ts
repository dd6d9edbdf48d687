/** Each tool is set up so that it finds what was planted, and says nothing of what is fine. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"
import { root as here } from "../shared/script.ts"
import * as Tools from "./tools.ts"

const { withFiles } = TemporaryRepository
const configuration = (name: string): string => readFileSync(join(here, name), "utf8")

describe("unused", () => {
  it("takes every public export for used, and finds what is dead behind them", () => {
    const files = {
      "knip.json": configuration("knip.json"),
      "package.json": JSON.stringify({ name: "root", private: true, type: "module", workspaces: ["packages/*"] }),
      "packages/core/package.json": `{ "name": "core", "type": "module" }`,
      "packages/core/src/symbol/Strike.ts": `import { used } from "./quote.ts"\nexport const free = used`,
      "packages/core/src/Leap.ts": `import { leap } from "not-listed"\nexport const year = leap`,
      "packages/core/src/symbol/quote.ts": "export const used = 1\nexport const dead = 2",
      "packages/core/src/columns/forgotten.ts": "export const a = 1"
    }
    return withFiles(files, async (root) => {
      const { problems } = await Tools.unused.run(root)
      assert.deepStrictEqual(problems.map((line) => line.replaceAll(/ {2,}/g, " ")), [
        "Unused files (1)",
        "packages/core/src/columns/forgotten.ts",
        "Unlisted dependencies (1)",
        "not-listed packages/core/src/Leap.ts:1:22",
        "Unused exports (1)",
        "dead packages/core/src/symbol/quote.ts:2:14"
      ])
    })
  })
})

describe("effect", () => {
  it("finds an Effect that never runs, in tests too, and a clock of the machine", () => {
    const project = (include: string) => JSON.stringify({ extends: "../../tsconfig.base.json", include: [include] })
    const code = `import * as Effect from "effect/Effect"
export const f = () => { Effect.succeed(1) }
export const g = () => Date.now()
`
    const files = {
      "tsconfig.base.json": configuration("tsconfig.base.json"),
      "packages/core/tsconfig.json": project("src"),
      "packages/core/src/Loose.ts": code,
      "packages/core/test/tsconfig.json": project(".").replace("../../", "../../../"),
      "packages/core/test/Loose.test.ts": code
    }
    return withFiles(files, async (root) => {
      const { notChecked, problems } = await Tools.effect.run(root)
      if (process.platform !== "linux" || process.arch !== "x64") return assert.include(notChecked, process.platform)
      assert.deepStrictEqual(problems.map((line) => line.replace(/: error effect\((\w+)\).*$/, " $1")).toSorted(), [
        "packages/core/src/Loose.ts(2,26) floatingEffect",
        "packages/core/src/Loose.ts(3,24) globalDate",
        "packages/core/test/Loose.test.ts(2,26) floatingEffect"
      ])
    })
  })
})
