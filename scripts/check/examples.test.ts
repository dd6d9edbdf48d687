import { assert, describe, it } from "@effect/vitest"
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
