import { describe, it } from "@effect/vitest"
import { join } from "node:path"
import { RuleTester } from "oxlint/plugins-dev"
import { exportDocs, moduleDocs } from "./docs.ts"
import { importDirection } from "./importDirection.ts"
import { stableEffect } from "./stableEffect.ts"

RuleTester.describe = describe
RuleTester.it = Object.assign((name: string, run: () => void) => it(name, run), {})

const cwd = join(import.meta.dirname, "..", "..", "..")
const tester = new RuleTester({ cwd, languageOptions: { sourceType: "module" } })

const file = (path: string) => join(cwd, "packages", path)
const inCore = file("core/src/symbol/Strike.ts")
const inClient = file("client/src/MarketData.ts")
const inSandbox = file("sandbox/src/Sandbox.ts")
const inTest = file("client/test/MarketData.test.ts")

const imports = ([filename, specifier]: readonly [filename: string, specifier: string]) => ({
  name: `${filename.slice(cwd.length)} imports ${specifier}`,
  filename,
  code: `import * as It from "${specifier}"`
})

tester.run("import-direction", importDirection, {
  valid: ([
    [inCore, "./CalendarDate.ts"],
    [inCore, "effect/Schema"],
    [inCore, "effect/testing/TestClock"],
    [inClient, "@effect-marketdata/core/Strike"],
    [inClient, "effect/http/HttpClient"],
    [inSandbox, "@effect/platform-node/NodeHttpServer"],
    [inSandbox, "node:http"],
    [file("cli/src/Main.ts"), "@effect-marketdata/sandbox/Sandbox"],
    [inTest, "@effect-marketdata/sandbox/Sandbox"],
    [inTest, "@effect/vitest"],
    [join(cwd, "scripts/bench.ts"), "@effect-marketdata/cli"]
  ] as const).map(imports),
  invalid: [
    ...([
      [inCore, "@effect-marketdata/client/MarketData", /core may import no other package, not client/],
      [inCore, "@effect-marketdata/core/Strike", /core imports its own modules by relative path/],
      [inCore, "effect", /the whole of effect/],
      [inCore, "effect/http", /the whole of effect\/http/],
      [inCore, "effect/http/HttpClient", /effect\/http\/HttpClient may change in a minor release/],
      [inCore, "effect/Nonsense", /effect\/Nonsense may change/],
      [inCore, "fast-check", /core depends on effect alone/],
      [inClient, "@effect-marketdata/core", /import a module of core/],
      [inClient, "@effect-marketdata/sandbox/Sandbox", /client may import core, not sandbox/],
      [inSandbox, "@effect-marketdata/client/MarketData", /sandbox may import core, not client/],
      [inSandbox, "@effect/platform-node", /the whole of @effect\/platform-node/]
    ] as const).map(([filename, specifier, says]) => ({ ...imports([filename, specifier]), errors: [says] })),
    ...[
      `export * from "fast-check"`,
      `export { assert } from "fast-check"`,
      `const fc = import("fast-check")`,
      `type Fc = import("fast-check").Size`
    ].map((code) => ({ filename: inCore, code, errors: [/effect alone/] }))
  ]
})

const byteSize = `import * as Schema from "effect/Schema"\nconst size = Schema.ByteSize`

tester.run("stable-effect", stableEffect, {
  valid: [
    { filename: inCore, code: byteSize.replace("ByteSize", "Literals") },
    { filename: inClient, code: byteSize },
    { filename: inCore, code: byteSize.replace("effect/Schema", "./Schema.ts") }
  ],
  invalid: [
    byteSize,
    `import type * as Schema from "effect/Schema"\ntype Size = Schema.ByteSize`,
    `import { ByteSize } from "effect/Schema"`
  ].map((code) => ({ filename: inCore, code, errors: [/ByteSize of effect\/Schema may change in a minor release/] }))
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
const bare = `/**\n * Types.\n *\n * @since 0.1.0\n */\n`
const inMain = file("cli/src/Main.ts")
const hidden = [file("core/src/index.ts"), file("core/src/symbol/quote.ts"), file("core/test/Strike.test.ts")]

tester.run("module-docs", moduleDocs, {
  valid: [
    { filename: inCore, code: `${header}export const x = 1` },
    { filename: inCore, code: `${header.replace(/import \* as Data.*\n/, "")}/** One. */\nexport const x = 1` },
    { name: "types need no example", filename: inCore, code: `${bare}import "./a.ts"\nexport interface X {}` },
    { name: "a program needs no example", filename: inMain, code: `${bare}import "./a.ts"\nexport const x = 1` },
    ...hidden.map((filename) => ({ name: filename.slice(cwd.length), filename, code: `export const x = 1` }))
  ],
  invalid: ([
    [`import "./a.ts"\nexport const x = 1`, /has no header/],
    // A docstring right before the first export is the export's.
    [`${bare}export const x = 1`, /has no header/],
    [header.replace("@since 0.1.0", ""), /lacks `@since`/],
    [header.replace(" * Prices.\n", ""), /lacks a sentence/],
    [`${header.replace("@example", "")}export const x = 1`, /lacks an `@example`/],
    [`${header.replace(`${fence}ts`, "text")}export class X {}`, /lacks an `@example`/]
  ] as const).map(([code, says]) => ({ filename: inCore, code, errors: [says] }))
})

const documented = (code: string, tags = " * @category models\n * @since 0.1.0\n") =>
  `/**\n * What it is.\n *\n${tags} */\n${code}`

tester.run("export-docs", exportDocs, {
  valid: [
    ...[
      documented("export const x = 1"),
      documented("export class X {}"),
      documented("export interface X {}"),
      documented("export { x } from './a.ts'", " * @since 0.1.0\n"),
      documented("export * from './a.ts'", " * @since 0.1.0\n"),
      "/** @internal */\nexport const x = 1",
      // The first overload speaks for all.
      documented("export function f(x: string): void\nexport function f(x: unknown): void {}"),
      "const x = 1"
    ].map((code) => ({ filename: inCore, code })),
    ...hidden.map((filename) => ({ name: filename.slice(cwd.length), filename, code: `export const x = 1` }))
  ],
  invalid: ([
    ["export const x = 1", /x has no docstring/],
    ["// One.\nexport const x = 1", /x has no docstring/],
    ["export * from './a.ts'", /has no docstring/],
    [documented("export type X = 1", " * @since 0.1.0\n"), /the docstring of X lacks `@category`/],
    [documented("export class X {}", " * @category models\n"), /X lacks `@since`/],
    [documented("export class X {}", " * @category models\n * @since soon\n"), /X lacks `@since`/],
    [documented("export class X {}", " * @category utils\n * @since 0.1.0\n"), /of the list .*, not utils/],
    [documented("export const x = 1").replace(" * What it is.\n", ""), /x lacks a sentence/]
  ] as const).map(([code, says]) => ({ filename: inCore, code, errors: [says] }))
})
