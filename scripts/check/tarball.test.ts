import { assert, describe, it } from "@effect/vitest"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Command from "./command.ts"
import * as TemporaryRepository from "./temporaryRepository.ts"
import * as Workspace from "./workspace.ts"

const manifest = JSON.stringify({
  name: "@effect-marketdata/shop",
  version: "0.1.0",
  type: "module",
  bin: { shop: "./dist/bin.js" },
  exports: { ".": "./dist/index.js", "./*": "./dist/*.js", "./internal/*": null }
})

const packaged = {
  "packages/shop/package.json": manifest,
  "packages/shop/src/index.ts": "",
  "packages/shop/src/bin.ts": "",
  "packages/shop/src/Price.ts": "",
  "packages/shop/src/rows/Row.ts": "",
  "packages/shop/src/internal/quote.ts": "",
  "packages/shop/src/rows/internal/bits.ts": ""
}

const entries = [
  { specifier: "@effect-marketdata/shop/Price", isPublic: true },
  { specifier: "@effect-marketdata/shop/bin", isPublic: false },
  { specifier: "@effect-marketdata/shop", isPublic: true },
  { specifier: "@effect-marketdata/shop/internal/quote", isPublic: false },
  { specifier: "@effect-marketdata/shop/rows/Row", isPublic: true },
  { specifier: "@effect-marketdata/shop/rows/internal/bits", isPublic: false }
]

describe("package", () => {
  it("takes every module for public but programs and what lies under internal/", async () => {
    await TemporaryRepository.withFiles(packaged, async (root) => {
      assert.deepStrictEqual(Workspace.packages(root).flatMap(Workspace.entries), entries)
    })
  })

  it("finds public modules that cannot be imported and closed ones that can", async () => {
    const program = join(import.meta.dirname, "tarball", "imports.mjs")
    // The program imports from where it stands: it is laid beside the installed package, as the rule does.
    const installed = {
      "application/imports.mjs": readFileSync(program, "utf8"),
      "application/node_modules/@effect-marketdata/shop/package.json": manifest,
      "application/node_modules/@effect-marketdata/shop/dist/index.js": "export {}",
      "application/node_modules/@effect-marketdata/shop/dist/bin.js": "export {}",
      "application/node_modules/@effect-marketdata/shop/dist/Price.js": `import "not-installed"`,
      "application/node_modules/@effect-marketdata/shop/dist/internal/quote.js": "export {}",
      "application/node_modules/@effect-marketdata/shop/dist/rows/internal/bits.js": "export {}"
    }
    await TemporaryRepository.withFiles(installed, async (root) => {
      writeFileSync(join(root, "entries.json"), JSON.stringify(entries))
      const cwd = join(root, "application")
      const { output } = await Command.run(process.execPath, ["imports.mjs", join(root, "entries.json")], { cwd })
      assert.deepStrictEqual(Command.lines(output).map((line) => line.split(" ").slice(0, 3).join(" ")), [
        "@effect-marketdata/shop/Price cannot be",
        "@effect-marketdata/shop/bin can be",
        "@effect-marketdata/shop/rows/Row cannot be",
        "@effect-marketdata/shop/rows/internal/bits can be"
      ])
    })
  })
})
