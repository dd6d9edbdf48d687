/** The compiler with Effect's language service finds what was planted. */
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { withFiles } from "../shared/temporaryRepository.ts"
import { root as here } from "../shared/script.ts"
import * as Tools from "./tools.ts"

const configuration = (name: string): string => readFileSync(join(here, name), "utf8")

it("effect finds an Effect that never runs, in tests too, and a clock of the machine", () => {
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
