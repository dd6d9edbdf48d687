import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { floors } from "./floors.ts"
import { rooms } from "./oxlint/room.ts"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"

const src = "packages/core/src"

/** Every floor of a package with one module, which imports the one below it. */
const storeys = (name: string, floors: ReadonlyArray<string>): ReadonlyArray<readonly [path: string, code: string]> => [
  ...floors.map((floor, level) =>
    [
      `packages/${name}/src/${floor}/Module.ts`,
      level === 0 ? "export const x = 1" : `export { x } from "../${floors[level - 1]}/Module.ts"`
    ] as const
  ),
  [`packages/${name}/src/index.ts`, `export * as Top from "./${floors.at(-1)}/Module.ts"`]
]

const house: Readonly<Record<string, string>> = {
  "CONTRIBUTING.md": "# The house\n\n<!-- floors -->\n<!-- /floors -->\n\nThe end.\n",
  ...Object.fromEntries(
    [...rooms].flatMap(([name, { floors }]) =>
      Object.keys(floors).length === 0 ? [] : storeys(name, Object.keys(floors))
    )
  ),
  "packages/client/src/config/Client.ts":
    `import type { x } from "@effect-marketdata/core/Module"\nexport type X = typeof x`
}

const problemsOf = (files: Readonly<Record<string, string | undefined>>) => {
  const all = Object.entries({ ...house, ...files }).flatMap(([path, text]) => text === undefined ? [] : [[path, text]])
  return TemporaryRepository.withFiles(Object.fromEntries(all), async (root) => (await floors.run(root, true)).problems)
}

describe("floors", () => {
  it("draws what imports what, and says when the picture is out of date", () =>
    TemporaryRepository.withFiles(house, async (root) => {
      assert.match((await floors.run(root)).problems.join(), /^CONTRIBUTING.md is out of date/)
      assert.deepStrictEqual((await floors.run(root, true)).problems, [])
      assert.deepStrictEqual((await floors.run(root)).problems, [])
      const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8")
      assert.match(page, /^# The house\n\n<!-- floors -->\n\n```mermaid\n[^]*```\n\n<!-- \/floors -->\n\nThe end\.\n$/)
      assert.include(page, "  client --> core\n")
      assert.include(page, "  core/columns --> core/text\n")
      assert.notInclude(page, "core/time --> core/text")
    }))

  it.each([
    ["import", `import { x } from "../plan/Module.ts"\nexport const y = x`],
    ["import of a type", `import type { x } from "../plan/Module.ts"\nexport type Y = typeof x`],
    ["type written where it is used", `export type Y = typeof import("../plan/Module.ts").x`],
    ["re-export", `export * from "../plan/Module.ts"`]
  ])("finds an upward %s", async (_, code) => {
    const says = `${src}/columns/Upward.ts imports plan/Module.ts, which stands on a higher floor`
    assert.include(await problemsOf({ [`${src}/columns/Upward.ts`]: code }), says)
  })

  it("lets a module load what stands above it when it is needed", async () => {
    const code = `export const y = () => import("../plan/Module.ts")`
    assert.deepStrictEqual(await problemsOf({ [`${src}/columns/Later.ts`]: code }), [])
  })

  it.each<[string, Readonly<Record<string, string | undefined>>, string]>([
    ["a folder that is no floor", { [`${src}/attic/Old.ts`]: "" }, "attic/Old.ts stands on no floor that"],
    ["a module without a floor", { [`${src}/Flat.ts`]: "" }, "Flat.ts stands on no floor that"],
    ["a floor without a module", { [`${src}/text/Module.ts`]: undefined }, "no module stands on the floor text"],
    ["no place for the picture", { "CONTRIBUTING.md": "" }, "no place for <!-- floors -->"]
  ])("finds %s", async (_, files, says) => {
    assert.include((await problemsOf(files)).join(), says)
  })
})
