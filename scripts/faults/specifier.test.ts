import { afterAll, assert, describe, it } from "@effect/vitest"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"
import * as Specifier from "./specifier.ts"

const source = "@effect-marketdata/source"
const exports = { "./Strike": { [source]: "./src/symbols/Strike.ts" }, "./package.json": "./package.json" }
const root = TemporaryRepository.make({
  "packages/core/package.json": JSON.stringify({ exports }),
  "all.ts": `export * from "effect/Result"\nexport * from "./type.ts"\nexport { b } from "./some.ts"`,
  "type.ts": "export interface a {}\nexport const c = 1",
  "some.ts": `export * from "./one.ts"`,
  "one.ts": "export const a = 1, b = a"
})
afterAll(() => TemporaryRepository.remove(root))

/** A function that would import this, as the sources have it. */
const thunk = (specifier: string) =>
  Object.assign(() => Promise.resolve(), { toString: () => `() => import("${specifier}")` })

describe("specifier", () => {
  it.each([
    ["@effect-marketdata/core/Strike", "packages/core/src/symbols/Strike.ts"],
    ["../../../packages/core/src/credits/tariff.ts", "packages/core/src/credits/tariff.ts"],
    [`/@fs${root}/packages/core/src/Reply.ts`, "packages/core/src/Reply.ts"],
    ["@effect-marketdata/core/package.json", undefined],
    ["@effect-marketdata/gone/Reply", undefined],
    ["effect/Result", undefined]
  ])("finds the file of %s", (specifier, file) => {
    assert.strictEqual(Specifier.fileOf(root, "scripts/faults/core/replies.ts", thunk(specifier)), file)
  })

  it("follows what is exported to the file that declares it", () => {
    const declaring = (name: string) => Specifier.declaring(root, "all.ts", name)
    assert.deepStrictEqual(["b", "c", "gone"].map(declaring), ["one.ts", "type.ts", "all.ts"])
  })
})
