import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as TemporaryRepository from "./temporaryRepository.ts"
import { unused } from "./unused.ts"

const exports = { ".": "./dist/index.js", "./*": "./dist/*.js", "./internal/*": null }

describe("unused", () => {
  it("takes every public export for used, and finds what is dead behind them", async () => {
    const files = {
      "knip.json": readFileSync(join(TemporaryRepository.here, "knip.json"), "utf8"),
      "package.json": JSON.stringify({ name: "root", private: true, type: "module", workspaces: ["packages/*"] }),
      "packages/core/package.json": JSON.stringify({ name: "@effect-marketdata/core", type: "module", exports }),
      "packages/core/src/index.ts": "export {}",
      "packages/core/src/symbol/Strike.ts": `import { used } from "./internal/quote.ts"\nexport const free = used`,
      "packages/core/src/Leap.ts": `import { leap } from "not-listed"\nexport const year = leap`,
      "packages/core/src/internal/quote.ts": "export const used = 1\nexport const dead = 2",
      "packages/core/src/internal/forgotten.ts": "export const a = 1",
      "packages/core/src/columns/internal/forgotten.ts": "export const b = 1"
    }
    await TemporaryRepository.withFiles(files, async (root) => {
      const { problems } = await unused.run(root)
      assert.deepStrictEqual(problems.toSorted(), [
        "packages/core/src/Leap.ts:1 not-listed: a dependency that package.json does not list",
        "packages/core/src/columns/internal/forgotten.ts an unused file",
        "packages/core/src/internal/forgotten.ts an unused file",
        "packages/core/src/internal/quote.ts:2 dead: an unused export"
      ])
    })
  })
})
