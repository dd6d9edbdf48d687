import { describe, it } from "@effect/vitest"
import { join } from "node:path"
import { RuleTester } from "oxlint/plugins-dev"
import { exportDocs } from "./exportDocs.ts"
import { importDirection } from "./importDirection.ts"
import { moduleDocs } from "./moduleDocs.ts"
import { stableEffect } from "./stableEffect.ts"

RuleTester.describe = describe
RuleTester.it = Object.assign((name: string, run: () => void) => it(name, run), {})

const cwd = join(import.meta.dirname, "..", "..", "..")
const tester = new RuleTester({ cwd, languageOptions: { sourceType: "module" } })

const file = (path: string) => join(cwd, "packages", path)
const inCore = file("core/src/Strike.ts")
const inClient = file("client/src/MarketData.ts")
const inSandbox = file("sandbox/src/Sandbox.ts")
const inTest = file("client/test/MarketData.test.ts")

const imports = (filename: string, specifier: string) => ({
  name: `${filename.slice(cwd.length)} imports ${specifier}`,
  filename,
  code: `import * as It from "${specifier}"`
})

tester.run("import-direction", importDirection, {
  valid: [
    imports(inCore, "./CalendarDate.ts"),
    imports(inCore, "./text/quote.ts"),
    imports(file("core/src/columns/Column.ts"), "../Strike.ts"),
    imports(inCore, "effect/Schema"),
    imports(inCore, "effect/testing/TestClock"),
    imports(inClient, "@effect-marketdata/core/Strike"),
    imports(inClient, "effect/http/HttpClient"),
    imports(inSandbox, "@effect/platform-node/NodeHttpServer"),
    imports(inSandbox, "node:http"),
    imports(file("cli/src/Main.ts"), "@effect-marketdata/sandbox/Sandbox"),
    imports(inTest, "@effect-marketdata/sandbox/Sandbox"),
    imports(inTest, "@effect/vitest"),
    imports(inTest, "../src/internal/transport.ts"),
    imports(join(cwd, "scripts/bench.ts"), "@effect-marketdata/cli")
  ],
  invalid: [
    { ...imports(inCore, "@effect-marketdata/client/MarketData"), errors: [/core imports no other package/] },
    { ...imports(inCore, "@effect-marketdata/core/Strike"), errors: [/core imports its own modules by relative path/] },
    { ...imports(inCore, "node:fs"), errors: [/core runs without Node/] },
    { ...imports(inCore, "fs"), errors: [/core runs without Node/] },
    { ...imports(inCore, "effect"), errors: [/the whole of effect/] },
    { ...imports(inCore, "effect/http"), errors: [/the whole of effect\/http/] },
    {
      ...imports(inCore, "effect/http/HttpClient"),
      errors: [/effect\/http\/HttpClient may change in a minor release/]
    },
    { ...imports(inCore, "effect/ExecutionPlan"), errors: [/effect\/ExecutionPlan may change/] },
    { ...imports(inCore, "effect/Nonsense"), errors: [/effect\/Nonsense may change/] },
    { ...imports(inCore, "fast-check"), errors: [/core depends on effect alone/] },
    { ...imports(inCore, "../../client/src/MarketData.ts"), errors: [/by its name, not by the path/] },
    { ...imports(inClient, "@effect-marketdata/core"), errors: [/import a module of core/] },
    { ...imports(inClient, "@effect-marketdata/core/internal/quote"), errors: [/internal to core/] },
    { ...imports(inClient, "@effect-marketdata/core/columns/internal/bits"), errors: [/internal to core/] },
    { ...imports(inClient, "@effect-marketdata/sandbox/Sandbox"), errors: [/client may import core, not sandbox/] },
    { ...imports(inClient, "node:crypto"), errors: [/client runs without Node/] },
    { ...imports(inSandbox, "@effect-marketdata/client/MarketData"), errors: [/sandbox may import core, not client/] },
    { ...imports(inSandbox, "@effect/platform-node"), errors: [/the whole of @effect\/platform-node/] },
    { ...imports(inTest, "../../core/src/Strike.ts"), errors: [/by its name, not by the path/] },
    { ...imports(inTest, "@effect-marketdata/core/internal/quote"), errors: [/internal to core/] },
    { ...imports(file("attic/src/Old.ts"), "effect/Effect"), errors: [/room.ts does not know attic/] },
    { filename: inCore, code: `export * from "node:fs"`, errors: [/without Node/] },
    { filename: inCore, code: `export { join } from "node:path"`, errors: [/without Node/] },
    { filename: inCore, code: `const fs = import("node:fs")`, errors: [/without Node/] },
    { filename: inCore, code: `type Fs = import("node:fs").Stats`, errors: [/without Node/] },
    { filename: inCore, code: `import type { Stats } from "node:fs"`, errors: [/without Node/] }
  ]
})

tester.run("stable-effect", stableEffect, {
  valid: [
    { filename: inCore, code: `import * as Schema from "effect/Schema"\nconst side = Schema.Literals(["call"])` },
    { filename: inClient, code: `import * as Schema from "effect/Schema"\nconst size = Schema.ByteSize` },
    { filename: inCore, code: `import * as Other from "./Other.ts"\nconst size = Other.ByteSize` }
  ],
  invalid: [
    {
      filename: inCore,
      code: `import * as Schema from "effect/Schema"\nconst size = Schema.ByteSize`,
      errors: [{ message: /ByteSize of effect\/Schema may change in a minor release/, line: 2 }]
    },
    {
      filename: inCore,
      code: `import type * as Schema from "effect/Schema"\ntype Size = Schema.ByteSize`,
      errors: [/ByteSize of effect\/Schema/]
    },
    { filename: inCore, code: `import { ByteSize } from "effect/Schema"`, errors: [/ByteSize of effect\/Schema/] }
  ]
})

const fence = "```"
const header = `/**
 * Prices.
 *
 * @example
 * ${fence}ts
 * import * as Strike from "@effect-marketdata/core/Strike"
 * ${fence}
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
`

tester.run("module-docs", moduleDocs, {
  valid: [
    { filename: inCore, code: `${header}export const x = 1` },
    { filename: inCore, code: `${header.replace(/import \* as Data.*\n/, "")}/** One. */\nexport const x = 1` },
    {
      name: "types need no example",
      filename: inCore,
      code: `/**\n * Types.\n *\n * @since 0.1.0\n */\nimport "./a.ts"\nexport interface X {}`
    },
    {
      name: "a program needs no example",
      filename: file("cli/src/Main.ts"),
      code: `/**\n * The program.\n *\n * @since 0.1.0\n */\nimport "./a.ts"\nexport const x = 1`
    },
    { filename: file("core/src/index.ts"), code: `export * as Strike from "./Strike.ts"` },
    { filename: file("core/src/text/quote.ts"), code: `export const x = 1` },
    { filename: file("core/test/Strike.test.ts"), code: `export const x = 1` }
  ],
  invalid: [
    { filename: inCore, code: `import "./a.ts"\nexport const x = 1`, errors: [/has no header/] },
    {
      name: "a docstring right before the first export is the export's",
      filename: inCore,
      code: `/**\n * One.\n *\n * @since 0.1.0\n */\nexport const x = 1`,
      errors: [/has no header/]
    },
    { filename: inCore, code: header.replace("@since 0.1.0", ""), errors: [/lacks `@since`/] },
    { filename: inCore, code: header.replace(" * Prices.\n", ""), errors: [/lacks a sentence/] },
    { filename: inCore, code: `${header.replace("@example", "")}export const x = 1`, errors: [/lacks an `@example`/] },
    {
      filename: inCore,
      code: `${header.replace(`${fence}ts`, "text")}export class X {}`,
      errors: [/lacks an `@example`/]
    }
  ]
})

const documented = (code: string, tags = " * @category models\n * @since 0.1.0\n") =>
  `/**\n * What it is.\n *\n${tags} */\n${code}`

tester.run("export-docs", exportDocs, {
  valid: [
    { filename: inCore, code: documented("export const x = 1") },
    { filename: inCore, code: documented("export class X {}") },
    { filename: inCore, code: documented("export interface X {}") },
    { filename: inCore, code: documented("export { x } from './a.ts'", " * @since 0.1.0\n") },
    { filename: inCore, code: documented("export * from './a.ts'", " * @since 0.1.0\n") },
    { filename: inCore, code: "/** @internal */\nexport const x = 1" },
    {
      name: "the first overload speaks for all",
      filename: inCore,
      code: documented("export function f(x: string): void\nexport function f(x: unknown): void {}")
    },
    { filename: inCore, code: "const x = 1" },
    { filename: file("core/src/index.ts"), code: "export const x = 1" },
    { filename: file("core/src/text/quote.ts"), code: "export const x = 1" }
  ],
  invalid: [
    { filename: inCore, code: "export const x = 1", errors: [/x has no docstring/] },
    { filename: inCore, code: "// One.\nexport const x = 1", errors: [/x has no docstring/] },
    {
      filename: inCore,
      code: documented("export type X = 1", " * @since 0.1.0\n"),
      errors: [/the docstring of X lacks `@category`/]
    },
    { filename: inCore, code: documented("export class X {}", " * @category models\n"), errors: [/X lacks `@since`/] },
    {
      filename: inCore,
      code: documented("export class X {}", " * @category models\n * @since soon\n"),
      errors: [/X lacks `@since`/]
    },
    {
      filename: inCore,
      code: documented("export class X {}", " * @category utils\n * @since 0.1.0\n"),
      errors: [/says more than utils/]
    },
    {
      filename: inCore,
      code: "/**\n * @category models\n * @since 0.1.0\n */\nexport const x = 1",
      errors: [/x lacks a sentence/]
    },
    { filename: inCore, code: "export * from './a.ts'", errors: [/has no docstring/] }
  ]
})
