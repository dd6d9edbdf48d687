import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root as here } from "../shared/script.ts"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"
import { examples } from "./examples.ts"
import * as Fence from "./examples/fence.ts"
import { instrument } from "./examples/instrument.ts"

const ticks = "```"
const fence = (code: string, flags = "") => `${ticks}ts${flags}\n${code}\n${ticks}\n`

describe("extract", () => {
  it("finds the fences of a page and of docstrings, without their indentation and stars, and no template literal", () => {
    const page = `# Title\n\n${ticks}sh\nnpm i\n${ticks}\n\n${fence("b()", " no-run")}
- item\n\n  ${ticks}ts\n  a()\n    b()\n  ${ticks}\n`
    const docs =
      `/**\n * One.\n *\n * ${ticks}ts\n * if (a) {\n *\n *   b()\n * }\n * ${ticks}\n */\nconst x = \`\n${ticks}ts\n${ticks}\``
    assert.deepStrictEqual([...Fence.extract("a.md", page).fences, ...Fence.extract("a.ts", docs).fences], [
      { file: "a.md", line: 8, code: "b()", runs: false },
      { file: "a.md", line: 14, code: "a()\n  b()", runs: true },
      { file: "a.ts", line: 5, code: "if (a) {\n\n  b()\n}", runs: true }
    ])
  })

  it("refuses what would escape it", () => {
    const page = `${fence("a", " norun")}${ticks}typescript\na\n${ticks}\n${ticks}ts\nb`
    assert.deepStrictEqual(Fence.extract("a.md", page).problems, [
      "a.md:1 `norun` means nothing after `ts`: write `no-run` or nothing",
      "a.md:4 mark the fence `ts`, so that it is checked",
      "a.md:7 the fence is never closed"
    ])
  })
})

describe("instrument", () => {
  it.each([
    ["f(1) // => 2", "$expect(0, f(1), (2)) // => 2"],
    ["const a = f(1) // => 2", "const a = $expect(0, f(1), (2)) // => 2"],
    ["console.log(a) // => 2", "console.log($expect(0, a, (2))) // => 2"],
    ["if (a) b // => 2", "if (a) $expect(0, b, (2)) // => 2"],
    ["run(() => {\n  return b // => 2\n})", "run(() => {\n  return $expect(0, b, (2)) // => 2\n})"],
    ["f(1)\n// => 2", "$expect(0, f(1), (2))\n// => 2"],
    ["f() // => { a: 1,\n//   b: 2 }", "$expect(0, f(), ({ a: 1,\nb: 2 })) // => { a: 1,\n//   b: 2 }"],
    ["f(1) // gives 2\nconst g = () => 1", "f(1) // gives 2\nconst g = () => 1"]
  ])("asserts the value of the innermost statement before the comment: %s", (code, asserted) => {
    assert.strictEqual(instrument(code).code, asserted)
  })

  it("says which comment asserts nothing", () => {
    assert.deepStrictEqual(instrument("// => 1\nf() // => fails with Boom").problems, [
      { line: 1, message: "no value stands before `// => 1`" },
      { line: 2, message: "`fails with Boom` is no expression to compare with" }
    ])
  })
})

describe("examples", () => {
  const check = (...fences: ReadonlyArray<string>) => {
    const base = readFileSync(join(here, "tsconfig.base.json"), "utf8")
    return TemporaryRepository.withFiles(
      { "README.md": fences.join("\n"), "tsconfig.base.json": base },
      (root) => examples.run(root)
    )
  }

  it("compiles and runs them, and points at the line of each that is wrong", async () => {
    const { notes, problems } = await check(
      fence(
        `import { parse, type Url } from "node:url"\nconst url: Url = parse("a?b=1")\nurl.query // => "b=1"\nArray.of(1, 2) // => [1, 2]`
      ),
      fence("const sum = 1 + 1\nsum // => 3"),
      fence(`const text: string = 1`),
      fence(`throw new RangeError("boom")`),
      fence(`throw new RangeError("not run")`, " no-run"),
      fence("const never = () => {\n  1 // => 1\n}"),
      fence("await Promise.resolve({ a: NaN }) // => { a: NaN }"),
      fence("setTimeout(() => { throw new Error('late') }, 0)\nawait new Promise(() => {})")
    )
    assert.deepStrictEqual(notes, ["8 examples"])
    assert.deepStrictEqual(problems, [
      "README.md:14 error TS2322: Type 'number' is not assignable to type 'string'.",
      "README.md:10 is 2, not 3",
      "README.md:18 failed: RangeError: boom",
      "README.md:27 was never reached, so nothing shows that it is 1",
      "README.md:36 failed: Error: late"
    ])
  })

  it("names the example that ends the process", async () => {
    const { problems } = await check(fence("Array.of(1) // => [1]"), fence("process.exit(0)"), fence("export {}"))
    assert.lengthOf(problems, 1)
    assert.match(problems[0]!, /^README\.md:6 ended the process \(1 examples after it did not run\)/)
  })
})
