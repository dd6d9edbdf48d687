import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root as here } from "../shared/script.ts"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"
import { examples } from "./examples.ts"

const ticks = "```"
const fence = (code: string, flags = "") => `${ticks}ts${flags}\n${code}\n${ticks}\n`

const check = (...fences: ReadonlyArray<string>) => {
  const base = readFileSync(join(here, "tsconfig.base.json"), "utf8")
  return TemporaryRepository.withFiles(
    { "README.md": fences.join("\n"), "tsconfig.base.json": base },
    (root) => examples.run(root)
  )
}

it("examples are compiled and run, and the line of each that is wrong is told", async () => {
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
    fence("setTimeout(() => { throw new Error('late') }, 0)\nawait new Promise(() => {})"),
    fence("process.exit(0)"),
    fence("export {}")
  )
  assert.deepStrictEqual(notes, ["10 examples"])
  assert.deepStrictEqual(problems, [
    "README.md:14 error TS2322: Type 'number' is not assignable to type 'string'.",
    "README.md:10 is 2, not 3",
    "README.md:18 failed: RangeError: boom",
    "README.md:27 was never reached, so nothing shows that it is 1",
    "README.md:36 failed: Error: late",
    "README.md:41 ended the process (1 examples after it did not run)"
  ])
})
