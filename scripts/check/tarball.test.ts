import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Command from "../shared/command.ts"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"
import * as Workspace from "./workspace.ts"

const manifest = JSON.stringify({
  name: "shop",
  type: "module",
  exports: { ".": "./dist/index.js", "./Price": "./dist/Price.js", "./Row": "./dist/Row.js", "./bin": "./dist/bin.js" }
})

describe("package", () => {
  it("finds open modules that cannot be imported, and closed ones that can", async () => {
    const sources = ["index", "bin", "Price", "rows/Row", "internal/quote"]
    // The program imports from where it stands: it is laid beside the installed package, as the rule does.
    const program = readFileSync(join(import.meta.dirname, "tarball", "imports.mjs"), "utf8")
    const installed = "application/node_modules/shop"
    const files = {
      "packages/shop/package.json": manifest,
      ...Object.fromEntries(sources.map((name) => [`packages/shop/src/${name}.ts`, ""])),
      [`${installed}/package.json`]: manifest,
      ...Object.fromEntries(["index", "bin", "internal/quote"].map((name) => [`${installed}/dist/${name}.js`, ""])),
      [`${installed}/dist/Price.js`]: `import "not-installed"`,
      "application/imports.mjs": program
    }
    await TemporaryRepository.withFiles(files, async (root) => {
      const entries = Workspace.packages(root).flatMap((pkg) => [...Workspace.entries(pkg), ...Workspace.paths(pkg)])
      TemporaryRepository.write(root, { "entries.json": JSON.stringify(entries) })
      const cwd = join(root, "application")
      const { output } = await Command.run(process.execPath, ["imports.mjs", join(root, "entries.json")], { cwd })
      assert.deepStrictEqual(Command.lines(output).map((line) => line.split(" ").slice(0, 3).join(" ")), [
        "shop/Price cannot be",
        "shop/bin can be",
        "shop/Row cannot be"
      ])
    })
  })
})
