/** Each tool is set up so that it finds what was planted, and says nothing of what is fine. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"
import { root as here } from "../shared/script.ts"
import * as Tools from "./tools.ts"

const { withFiles } = TemporaryRepository
const configuration = (name: string): string => readFileSync(join(here, name), "utf8")

/** What is planted in a file, and the rules that must find it. */
const planted: Readonly<Record<string, readonly [code: string, ...rules: ReadonlyArray<string>]>> = {
  "core/src/Clock.ts": [
    `export const now = () => [Date.now(), Math.random(), setTimeout(() => {}, 1), fetch("/"), console.log(1)]`,
    "eslint(no-console)",
    ...Array.from({ length: 4 }, () => "eslint(no-restricted-globals)"),
    "eslint(no-restricted-properties)"
  ],
  "core/src/Left.ts": [`import { right } from "./Right.ts"\nexport const left = () => right()`, "import(no-cycle)"],
  "core/src/Right.ts": [
    `import { left } from "./Left.ts"\nexport const right = (x: any): unknown => left() ?? x`,
    "import(no-cycle)",
    "typescript(no-explicit-any)"
  ],
  "core/src/Back.ts": [
    `import * as MarketData from "@effect-marketdata/client/MarketData"\nexport const md = MarketData`,
    "marketdata(import-direction)"
  ],
  "core/src/Size.ts": [
    `import * as Schema from "effect/Schema"\nexport const size = Schema.ByteSize`,
    "marketdata(stable-effect)"
  ],
  "client/src/Whole.ts": [
    `export default () => { Promise.resolve(1) } // TODO: name it`,
    "eslint(no-warning-comments)",
    "import(no-default-export)",
    "typescript(no-floating-promises)"
  ],
  "client/test/Some.test.ts": [
    `import { it } from "@effect/vitest"\nit.only("a", () => {})\nit.skip("b", () => {})`,
    "vitest(no-disabled-tests)",
    "vitest(no-focused-tests)"
  ],
  "client/src/Fine.ts": [`/**
 * What is fine.
 *
 * @since 0.1.0
 */
import type * as Strike from "@effect-marketdata/core/Strike"

/**
 * A price.
 *
 * @category models
 * @since 0.1.0
 */
export type Fine = Strike.Strike
`]
}

const fileOf = (path: string): string => `packages/${path}`

describe("lint and docs", () => {
  it("find in each file what was planted there, and nothing in the one that is fine", () => {
    const plugin = "./scripts/check/oxlint/plugin.ts"
    const files = {
      ...Object.fromEntries(Object.entries(planted).map(([path, [code]]) => [fileOf(path), code])),
      ".oxlintrc.json": configuration(".oxlintrc.json").replace(plugin, join(here, plugin).replaceAll("\\", "/")),
      "tsconfig.json": `{ "compilerOptions": { "strict": true } }`
    }
    return withFiles(files, async (root) => {
      const { problems } = await Tools.lint.run(root)
      const { problems: undocumented } = await Tools.docs.run(root)
      const rulesOf = (path: string, found: ReadonlyArray<string>) =>
        found.filter((line) => line.startsWith(`${fileOf(path)}:`))
          .map((line) => /\[Error\/(.*)\]$/.exec(line)?.[1] ?? line).toSorted()
      for (const [path, [, ...rules]] of Object.entries(planted)) assert.deepStrictEqual(rulesOf(path, problems), rules)
      assert.deepStrictEqual(rulesOf("client/src/Fine.ts", undocumented), [])
      assert.deepStrictEqual(rulesOf("core/src/Back.ts", undocumented), [
        "marketdata(export-docs)",
        "marketdata(module-docs)"
      ])
    })
  })
})

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
