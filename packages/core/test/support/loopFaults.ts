/** What the loops in WebAssembly could get wrong: edits of their sources, which `npm run conformance -- --faults --of loops` compiles, and the tests that must notice. */

/** One of each loop, by the file below packages/core/assembly: what is broken, the text that says it, and what stands there instead. */
export const loops: Readonly<Record<string, readonly [name: string, find: string, replace: string]>> = {
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

/** The tests that must notice a fault in a file. */
export const testsOf = (file: string): ReadonlyArray<string> => {
  if (file.startsWith("chain/")) return ["packages/core/test/chainScan.test.ts"]
  const own = /texts|choices/.test(file) ? "ColumnDecoder" : "numbers"
  return ["differential", "kernels", own].map((name) => `packages/core/test/columns/${name}.test.ts`)
}
