/** Each rule of our own finds what was planted, and says nothing of what is fine. */
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root as here } from "../shared/script.ts"
import { withFiles } from "../shared/temporaryRepository.ts"
import * as Tools from "./tools.ts"

const imports = (specifier: string): string => `import * as It from "${specifier}"\nexport const it = It`
const byteSize = `import * as Schema from "effect/Schema"\nexport const size = Schema.ByteSize`

const header = (...lines: ReadonlyArray<string>): string =>
  ["/**", ...lines.map((line) => ` * ${line}`), " */", `import "./a.ts"`, ""].join("\n")
const example = ["@example", "```ts", "1 + 1", "```"]

const documented = (code: string, ...tags: ReadonlyArray<string>): string =>
  [`import "./a.ts"`, "/**", " * What it is.", ...tags.map((tag) => ` * ${tag}`), " */", code].join("\n")

/** By rule: where a file lies, what it holds, and what the rule says of it; nothing where it is fine. Some rules find the same twice. */
const cases: Readonly<Record<string, ReadonlyArray<readonly [where: string, code: string, says?: string]>>> = {
  "marketdata(import-direction)": [
    ["core/src", imports("@effect-marketdata/client/MarketData"), "core may import no other package, not client"],
    ["core/src", imports("@effect-marketdata/core/Strike"), "core imports its own modules by relative path"],
    ["core/src", imports("effect"), "the whole of effect is"],
    ["core/src", imports("effect/http"), "the whole of effect/http is"],
    ["core/src", imports("effect/http/HttpClient"), "HttpClient may change in a minor release"],
    ["core/src", imports("effect/Nonsense"), "effect/Nonsense may change"],
    ["core/src", imports("fast-check"), "core depends on effect alone"],
    ["core/src", `export * from "fast-check"`, "core depends on effect alone"],
    ["core/src", `export { assert } from "fast-check"`, "core depends on effect alone"],
    ["core/src", `export const fc = () => import("fast-check")`, "core depends on effect alone"],
    ["core/src", `export type Fc = import("fast-check").Size`, "core depends on effect alone"],
    ["core/src", imports("effect/Schema")],
    ["client/src", imports("@effect-marketdata/core"), "import a module of core"],
    ["client/src", imports("@effect-marketdata/sandbox/Sandbox"), "client may import core, not sandbox"],
    ["testing/src", imports("@effect-marketdata/core")],
    ["client/src", imports("@effect-marketdata/core/Strike")],
    ["client/src", imports("effect/http/HttpClient")],
    ["client/test/c.test.ts", imports("@effect-marketdata/sandbox/Sandbox")],
    ["client/test/c.test.ts", imports("@effect-marketdata/core")],
    ["sandbox/src", imports("@effect-marketdata/client/MarketData"), "sandbox may import core, not client"],
    ["sandbox/src", imports("@effect/platform-node"), "the whole of @effect/platform-node"],
    ["sandbox/src", imports("@effect/platform-node/NodeHttpServer")],
    ["sandbox/src", imports("node:http")],
    ["cli/src", imports("@effect-marketdata/sandbox/Sandbox")],
    ["cli/src", imports("@effect-marketdata/core")],
    ["cli/src", imports("effect")],
    ["cli/src", imports("effect/cli"), "the whole of effect/cli is"]
  ],
  "marketdata(stable-effect)": [
    ["core/src", byteSize, "ByteSize of effect/Schema may change in a minor release"],
    ["core/src", byteSize.replace("import *", "import type *").replace("const size =", "type Size ="), "ByteSize of"],
    ["core/src", `export { size }\nimport { ByteSize as size } from "effect/Schema"`, "ByteSize of effect/Schema"],
    ["core/src", byteSize.replace("ByteSize", "Literals")],
    ["core/src", byteSize.replace("effect/Schema", "./Schema.ts")],
    ["client/src", byteSize]
  ],
  "marketdata(module-docs)": [
    ["core/src", `import "./a.ts"\nexport const x = 1`, "has no header"],
    // A docstring right before the first export is the export's.
    ["core/src", "/**\n * Types.\n *\n * @since 0.1.0\n */\nexport const x = 1", "has no header"],
    ["core/src", header("Prices.", ...example), "lacks `@since`"],
    ["core/src", header(...example, "@since 0.1.0"), "lacks a sentence"],
    ["core/src", `${header("Prices.", "@since 0.1.0")}export const x = 1`, "lacks an `@example`"],
    ["core/src", `${header("Prices.", ...example, "@since 0.1.0")}export const x = 1`],
    ["core/src", `${header("Types need no example.", "@since 0.1.0")}export interface X {}`],
    ["cli/src", `${header("A program needs no example.", "@since 0.1.0")}export const x = 1`],
    ["core/src/symbol/quote.ts", "export const x = 1"],
    ["core/src/index.ts", "export const x = 1"]
  ],
  "marketdata(export-docs)": [
    ["core/src", "export const x = 1", "x has no docstring"],
    ["core/src", "// One.\nexport const x = 1", "x has no docstring"],
    ["core/src", "export * from './a.ts'", "has no docstring"],
    ["core/src", documented("export type X = 1", "@since 0.1.0"), "the docstring of X lacks `@category`"],
    ["core/src", documented("export class X {}", "@category models"), "X lacks `@since`"],
    ["core/src", documented("export class X {}", "@category models", "@since soon"), "X lacks `@since`"],
    ["core/src", documented("export class X {}", "@category utils", "@since 0.1.0"), "not utils"],
    [
      "core/src",
      documented("export class X {}", "@category models", "@since 0.1.0").replace("What it is.", ""),
      "a sentence"
    ],
    ["core/src", documented("export interface X {}", "@category models", "@since 0.1.0")],
    ["core/src", documented("export * from './a.ts'", "@since 0.1.0")],
    ["core/src", documented("export const x = 1", "@internal")],
    // The first overload speaks for all.
    [
      "core/src",
      documented("export function f(x: 1): void\nexport function f(x: unknown) {}", "@category models", "@since 0.1.0")
    ],
    ["core/src/symbol/other.ts", "export const x = 1"]
  ]
}

const planted = Object.entries(cases).flatMap(([rule, all]) => all.map((one) => [rule, ...one] as const))
  .map(([rule, where, code, says], at) => {
    const path = `packages/${where.endsWith(".ts") ? where : `${where}/Case${at}.ts`}`
    return { rule, path, code, says }
  })

it("each rule finds what was planted, and nothing where it is fine", async () => {
  const plugin = "./scripts/check/oxlint/plugin.ts"
  const configuration = readFileSync(join(here, ".oxlintrc.json"), "utf8")
  const files = {
    ...Object.fromEntries(planted.map(({ code, path }) => [path, code])),
    ".oxlintrc.json": configuration.replace(plugin, join(here, plugin).replaceAll("\\", "/")),
    "tsconfig.json": `{ "compilerOptions": { "strict": true } }`
  }
  await withFiles(files, async (root) => {
    const [lint, docs] = [await Tools.lint.run(root), await Tools.docs.run(root)]
    const found = [...lint.problems, ...docs.problems]
    const wrong = planted.flatMap(({ code, path, rule, says }) => {
      const own = found.filter((line) => line.startsWith(`${path}:`) && line.endsWith(`/${rule}]`))
      const isRight = says === undefined ? own.length === 0 : own.some((line) => line.includes(says))
      return isRight ? [] : [{ code, own, says }]
    })
    assert.deepStrictEqual(wrong, [])
  })
})
