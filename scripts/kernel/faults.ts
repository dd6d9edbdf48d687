/** What the loops in WebAssembly could get wrong: edits of their sources, which are compiled, and the tests that must notice. */
import * as Result from "effect/Result"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Planted } from "../faults/planting.ts"
import { compile } from "./compile.ts"
import { assembly, moduleFor, sources } from "./source.ts"

/** One of each loop, by the file below packages/core/assembly: what is broken, the text that says it, and what stands there instead. */
const all: Readonly<Record<string, readonly [name: string, find: string, replace: string]>> = {
  "columns/fours.ts": ["a null in another row", "u16(absent << i32(row & 7))", "u16(absent)"],
  "columns/numbers.ts": ["a zero before digits", "(zeros & ~(others >>> 1) & (negative + 1))", "0"],
  "columns/longs.ts": [
    "a mantissa that a double does not hold",
    "mantissa < 1 << 53 && digits <= EXACT",
    "digits <= EXACT"
  ],
  "columns/alike.ts": ["a digit missing", "((odd ^ others) & upToComma) |", "0 |"],
  "columns/careful.ts": ["a null where there may be none", "!(flags & NULLS_ALLOWED) || !isEnd(at)", "!isEnd(at)"],
  "columns/texts.ts": ["another end", " | (load<u16>(position + length, 1) != 0x2c22)", ""],
  "columns/choices.ts": [
    "more rows than there is room for",
    "if (row >= capacity) return report(FULL, position, row)",
    ""
  ],
  "chain/scan.ts": ["what is equal to the strike", "v128.gt<f64>(above, ZERO), ONE", "v128.ge<f64>(above, ZERO), ONE"]
}

const testsOf = (file: string): ReadonlyArray<string> => {
  if (file.startsWith("chain/")) return ["packages/core/test/chainScan.test.ts"]
  const own = /texts|choices/.test(file) ? "ColumnDecoder" : "numbers"
  return ["differential", "kernels", own].map((name) => `packages/core/test/columns/${name}.test.ts`)
}

/** Each is compiled when its turn comes. */
export const faults: ReadonlyArray<Planted> = Object.entries(all).map(([file, [name, find, replace]]) => {
  const source = sources.find(({ name }) => file.startsWith(`${name}/`))!
  return {
    name: `${file}: ${name}`,
    file: source.modulePath,
    tests: testsOf(file),
    text: () => {
      const copy = mkdtempSync(join(tmpdir(), "loops-"))
      try {
        cpSync(assembly, copy, { recursive: true })
        const text = readFileSync(join(copy, file), "utf8")
        if (text.split(find).length !== 2) return Result.fail(`"${find}" must occur once in ${file}`)
        writeFileSync(join(copy, file), text.replace(find, () => replace))
        return Result.succeed(moduleFor(source, compile(source, copy)))
      } finally {
        rmSync(copy, { recursive: true })
      }
    }
  }
})
