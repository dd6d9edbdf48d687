/** The rules that compile and run what they judge find what was planted. */
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Command from "../shared/command.ts"
import { withFiles } from "../shared/files.ts"
import { root as here } from "../shared/script.ts"
import { examples } from "./examples.ts"
import { effect } from "./tools.ts"
import * as Written from "./written.ts"

const ticks = "```"
const fence = (code: string, flags = "") => `${ticks}ts${flags}\n${code}\n${ticks}\n`
const base = { "tsconfig.base.json": readFileSync(join(here, "tsconfig.base.json"), "utf8") }

it("examples are compiled and run, and the line of each that is wrong is told", () => {
  const fences = [
    fence(
      `import { parse, type Url } from "node:url"\nconst url: Url = parse("a?b=1")\nurl.query // => "b=1"\nArray.of(1, 2) // => [1, 2]`
    ),
    fence("const sum = 1 + 1\nsum // => 3"),
    fence(`const text: string = 1`),
    fence(`throw new RangeError("boom")`),
    fence(`throw new RangeError("not run")`, " no-run"),
    fence("const never = () => {\n  1 // => 1\n}"),
    fence("await Promise.resolve({ a: NaN })\n// => { a:\n// NaN }\nif (1) 2 // => 2\nNumber(1) // => 1"),
    fence("// => 1\nString(1) // => fails with Boom"),
    fence("setTimeout(() => { throw new Error('late') }, 0)\nawait new Promise(() => {})"),
    fence("process.exit(0)"),
    fence("export {}", " norun"),
    `${ticks}typescript\na\n${ticks}\n`,
    `${ticks}ts\nb`
  ]
  const module = `/**\n * One.\n *\n * ${ticks}ts\n * if (1) {\n *\n *   2 // => 3\n * }\n * ${ticks}\n */\n`
  return withFiles({ ...base, "README.md": fences.join("\n"), "packages/core/src/A.ts": module }, async (root) => {
    const { notes, problems } = await examples.run(root)
    assert.deepStrictEqual(notes, ["12 examples"])
    assert.deepStrictEqual(problems, [
      "README.md:53 `norun` means nothing after `ts`: write `no-run` or nothing",
      "README.md:57 mark the fence `ts`, so that it is checked",
      "README.md:61 the fence is never closed",
      "README.md:14 error TS2322: Type 'number' is not assignable to type 'string'.",
      "README.md:10 is 2, not 3",
      "README.md:18 failed: RangeError: boom",
      "README.md:27 was never reached, so nothing shows that it is 1",
      "README.md:40 no value stands before `// => 1`",
      "README.md:41 `fails with Boom` is not an expression to compare with",
      "README.md:45 failed: Error: late",
      "README.md:50 ended the process (2 examples after it did not run)"
    ])
  })
})

it("effect finds an Effect that never runs, in tests too, and a clock of the machine", () => {
  const project = (base: string, include: string) => JSON.stringify({ extends: base, include: [include] })
  const code = `import * as Effect from "effect/Effect"
export const f = () => { Effect.succeed(1) }
export const g = () => Date.now()
`
  const files = {
    ...base,
    "packages/core/tsconfig.json": project("../../tsconfig.base.json", "src"),
    "packages/core/src/Loose.ts": code,
    "packages/core/test/tsconfig.json": project("../../../tsconfig.base.json", "."),
    "packages/core/test/Loose.test.ts": code
  }
  return withFiles(files, async (root) => {
    const { notChecked, problems } = await effect.run(root)
    if (process.platform !== "linux" || process.arch !== "x64") return assert.include(notChecked, process.platform)
    assert.deepStrictEqual(problems.map((line) => line.replace(/: error effect\((\w+)\).*$/, " $1")).toSorted(), [
      "packages/core/src/Loose.ts(2,26) floatingEffect",
      "packages/core/src/Loose.ts(3,24) globalDate",
      "packages/core/test/Loose.test.ts(2,26) floatingEffect"
    ])
  })
})

it("a library may export what it infers from ours: the declarations that are emitted can name each type", async () => {
  const code = `import * as Arrow from "@effect-marketdata/export/Arrow"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
export const made = (chain: OptionChain.OptionChain) => [OptionChain.spec, OptionChain.updatedSpan(chain), Arrow.encoder(), Arrow.encode(chain)]`
  const folder = Written.layOut(here, "declarations", new Map([["written/exports.ts", code]]), { declaration: true })
  assert.strictEqual((await Command.runInstalled(here, "tsc", ["-p", folder, "--pretty", "false"])).output, "")
})
