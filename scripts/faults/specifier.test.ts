import { afterAll, assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Specifier from "./specifier.ts"

const root = mkdtempSync(join(tmpdir(), "specifier-"))
afterAll(() => rmSync(root, { recursive: true }))

const source = "@effect-marketdata/source"
mkdirSync(join(root, "packages/core"), { recursive: true })
writeFileSync(
  join(root, "packages/core/package.json"),
  JSON.stringify({
    exports: {
      "./*": { [source]: "./src/*.ts" },
      "./columns/*": { [source]: "./src/columns/public/*.ts" },
      "./Strike": { [source]: "./src/symbols/Strike.ts" },
      "./internal/*": null
    }
  })
)

/** A function that would import this, as the sources have it. */
const thunk = (specifier: string) =>
  Object.assign(() => Promise.resolve(), { toString: () => `() => import("${specifier}")` })

const fileOf = (specifier: string) => Specifier.fileOf(root, "scripts/faults/core/replies.ts", thunk(specifier))

describe("specifier", () => {
  it("finds the file of a public module by the exports of its package", () => {
    assert.strictEqual(fileOf("@effect-marketdata/core/Reply"), "packages/core/src/Reply.ts")
    assert.strictEqual(fileOf("@effect-marketdata/core/columns/Kinds"), "packages/core/src/columns/public/Kinds.ts")
    assert.strictEqual(fileOf("@effect-marketdata/core/Strike"), "packages/core/src/symbols/Strike.ts")
  })

  it("finds a file by its path", () => {
    assert.strictEqual(fileOf("../../../packages/core/src/credits/tariff.ts"), "packages/core/src/credits/tariff.ts")
    assert.strictEqual(fileOf(`/@fs${root}/packages/core/src/Reply.ts`), "packages/core/src/Reply.ts")
  })

  it("finds nothing where there is nothing to find", () => {
    for (const one of ["@effect-marketdata/core/internal/tariff", "@effect-marketdata/gone/Reply", "effect/Result"]) {
      assert.isUndefined(fileOf(one), one)
    }
    assert.isUndefined(Specifier.fileOf(root, "a.ts", () => Promise.resolve()))
  })

  it("reads a module as it stands in a file of faults", () => {
    const repository = dirname(dirname(import.meta.dirname))
    const from = "scripts/faults/core/replies.ts"
    for (
      const module of [
        () => import("@effect-marketdata/core/Reply"),
        () => import("../../packages/core/src/index.ts")
      ]
    ) {
      const file = Specifier.fileOf(repository, from, module)
      assert.isTrue(file !== undefined && existsSync(join(repository, file)), String(file))
    }
  })

  it("follows what is exported to the file that declares it", () => {
    const write = (path: string, text: string) => writeFileSync(join(root, path), text)
    write("all.ts", `export * from "effect/Result"\nexport * from "./type.ts"\nexport { b } from "./some.ts"`)
    write("type.ts", "export interface a {}\nexport const c = 1")
    write("some.ts", `export * from "./one.ts"`)
    write("one.ts", "export const a = 1, b = a")
    const declaring = (name: string) => Specifier.declaring(root, "all.ts", name)
    assert.deepStrictEqual(["b", "c", "gone"].map(declaring), ["one.ts", "type.ts", "all.ts"])
    assert.strictEqual(Specifier.declaring(root, "gone.ts", "a"), "gone.ts")
  })

  it("says how one file imports another", () => {
    assert.strictEqual(
      Specifier.between("packages/core/src/a.ts", "scripts/faults/b.ts"),
      "../../../scripts/faults/b.ts"
    )
    assert.strictEqual(Specifier.between("a.ts", "b/c.ts"), "./b/c.ts")
  })
})
