import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { docs } from "./docs.ts"
import { lint } from "./lint.ts"
import * as TemporaryRepository from "./temporaryRepository.ts"

const { here } = TemporaryRepository

/** The configuration of this repository, with the way to its plugin made absolute. */
const configuration = readFileSync(join(here, ".oxlintrc.json"), "utf8")
  .replace("./scripts/check/oxlint/plugin.ts", join(here, "scripts/check/oxlint/plugin.ts").replaceAll("\\", "/"))

const planted: Readonly<Record<string, string>> = {
  "packages/core/src/Clock.ts": `export const now = () => Date.now()\nexport const luck = () => Math.random()`,
  "packages/core/src/Wait.ts":
    `export const wait = (f: () => void) => setTimeout(f, 1)\nexport const get = () => fetch("/")`,
  "packages/core/src/Speak.ts": `export const speak = (x: any) => console.log(x)`,
  "packages/core/src/Left.ts": `import { right } from "./Right.ts"\nexport const left = () => right()`,
  "packages/core/src/Right.ts": `import { left } from "./Left.ts"\nexport const right = (): unknown => left()`,
  "packages/core/src/Back.ts":
    `import * as MarketData from "@effect-marketdata/client/MarketData"\nexport const md = MarketData`,
  "packages/core/src/Size.ts": `import * as Schema from "effect/Schema"\nexport const size = Schema.ByteSize`,
  "packages/client/src/Whole.ts": `export default 1 // TODO: name it`,
  "packages/client/src/Loose.ts": `export const loose = () => { Promise.resolve(1) }`,
  "packages/client/test/Some.test.ts":
    `import { it } from "@effect/vitest"\nit.only("a", () => {})\nit.skip("b", () => {})`,
  "packages/client/src/Fine.ts": `/**
 * Says what is fine.
 *
 * @since 0.1.0
 */
import type * as Strike from "@effect-marketdata/core/Strike"

/**
 * A price that is fine.
 *
 * @category models
 * @since 0.1.0
 */
export type Fine = Strike.Strike
`
}

describe("lint", () => {
  it("finds in each file what was planted there, and nothing in the one that is fine", async () => {
    const files = {
      ...planted,
      ".oxlintrc.json": configuration,
      "tsconfig.json": `{ "compilerOptions": { "strict": true } }`
    }
    await TemporaryRepository.withFiles(files, async (root) => {
      const { problems } = await lint.run(root)
      const { problems: undocumented } = await docs.run(root)
      const rulesBroken = (name: string, found: ReadonlyArray<string>) =>
        found.filter((problem) => problem.includes(`/${name}`)).map((problem) => problem.split(" ").at(-1) ?? "")
          .toSorted()

      assert.deepStrictEqual(rulesBroken("Clock.ts", problems), [
        "eslint(no-restricted-globals)",
        "eslint(no-restricted-properties)"
      ])
      assert.deepStrictEqual(rulesBroken("Wait.ts", problems), Array(2).fill("eslint(no-restricted-globals)"))
      assert.deepStrictEqual(rulesBroken("Speak.ts", problems), [
        "eslint(no-console)",
        "eslint(no-restricted-globals)",
        "typescript(no-explicit-any)"
      ])
      assert.include(rulesBroken("Left.ts", problems), "import(no-cycle)")
      assert.deepStrictEqual(rulesBroken("Back.ts", problems), ["marketdata(import-direction)"])
      assert.deepStrictEqual(rulesBroken("Size.ts", problems), ["marketdata(stable-effect)"])
      assert.deepStrictEqual(rulesBroken("Whole.ts", problems), [
        "eslint(no-warning-comments)",
        "import(no-default-export)"
      ])
      assert.deepStrictEqual(rulesBroken("Loose.ts", problems), ["typescript(no-floating-promises)"])
      assert.deepStrictEqual(rulesBroken("Some.test.ts", problems), [
        "vitest(no-disabled-tests)",
        "vitest(no-focused-tests)"
      ])
      assert.deepStrictEqual(rulesBroken("Fine.ts", [...problems, ...undocumented]), [])
      assert.deepStrictEqual(rulesBroken("Back.ts", undocumented), [
        "marketdata(export-docs)",
        "marketdata(module-docs)"
      ])
      assert.match(problems[0] ?? "", /^packages\/client\/src\/Loose\.ts:1:\d+ /)
    })
  })
})
