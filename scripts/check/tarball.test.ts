import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Command from "../shared/command.ts"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"
import * as Workspace from "./workspace.ts"

const manifest = JSON.stringify({
  name: "shop",
  type: "module",
  exports: {
    "./package.json": "./package.json",
    ".": "./dist/index.js",
    "./Price": "./dist/Price.js",
    "./Row": "./Row.js"
  }
})

it("package finds modules that cannot be imported", () => {
  const files = {
    "packages/shop/package.json": manifest,
    "application/node_modules/shop/package.json": manifest,
    "application/node_modules/shop/dist/index.js": "",
    "application/node_modules/shop/dist/Price.js": `import "not-installed"`,
    // The program imports from where it stands: it is laid beside the installed package, as the rule does.
    "application/imports.mjs": readFileSync(join(import.meta.dirname, "tarball", "imports.mjs"), "utf8")
  }
  return TemporaryRepository.withFiles(files, async (root) => {
    const specifiers = Workspace.packages(root).flatMap(Workspace.specifiers)
    const cwd = join(root, "application")
    const { output } = await Command.run(process.execPath, ["imports.mjs", ...specifiers], { cwd })
    const lines = Command.lines(output).map((line) => line.split(" on Node")[0])
    assert.deepStrictEqual(lines, ["shop/Price cannot be imported", "shop/Row cannot be imported"])
  })
})
