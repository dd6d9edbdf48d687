/** What the loops in WebAssembly could get wrong: edits of their sources, which are compiled, and the tests that must notice. */
import * as Result from "effect/Result"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Planted } from "../faults/planting.ts"
import { compile } from "./compile.ts"
import { folder, moduleFor, sources } from "./source.ts"

interface LoopFault {
  readonly name: string
  /** The file below `assembly`. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

const ofFours: ReadonlyArray<Omit<LoopFault, "file">> = [
  { name: "two dots", find: "(dots & ((dots | 0x80808080) - 0x01010101)) |", replace: "0 |" },
  { name: "a zero before digits", find: "(zeros & (first + negative) & ~(others >> 1) & 0x7f7f7f7f)", replace: "0" },
  { name: "a dot first", find: "(dots & first) |", replace: "0 |" },
  { name: "a dot last", find: "((others << 1) | 0x80808080)", replace: "(others << 1)" },
  { name: "other bytes than digits", find: "(others ^ dots ^ negative) |", replace: "0 |" },
  { name: "a null where there may be none", find: "if (!(flags & NULLS_ALLOWED)) break", replace: "" },
  { name: "a null in another row", find: "u16(absent << i32(row & 7))", replace: "u16(absent)" },
  { name: "a null that is not counted", find: "load<i32>(NULLS) + popcnt(absent)", replace: "load<i32>(NULLS)" },
  {
    name: "a sign that is lost",
    find: "signB = v128.andnot(sign, v128.eq<i64>(minusB, signB))",
    replace: "signB = signA"
  },
  { name: "more rows than there is room for", find: "out + 32 <= outEnd", replace: "out < outEnd" },
  { name: "nine characters", find: "(length3 - 1)) > 7) break", replace: "(length3 - 1)) > 8) break" },
  {
    name: "a minus within a number",
    find: "negative = (u32(i8x16.bitmask(minusA)) | (u32(i8x16.bitmask(minusB)) << 16)) & first",
    replace: "negative = u32(i8x16.bitmask(minusA)) | (u32(i8x16.bitmask(minusB)) << 16)"
  }
]

const ofSingles: ReadonlyArray<Omit<LoopFault, "file">> = [
  { name: "two dots", find: "(tokenDots & (tokenDots - 1)) |", replace: "0 |" },
  { name: "a zero before digits", find: "(zeros & ~(others >>> 1) & (negative + 1))", replace: "0" },
  {
    name: "a dot or minus out of place",
    find: "((others & (others + others + 1) & upToComma) ^ negative) |",
    replace: "0 |"
  },
  { name: "other bytes than digits", find: "(((others ^ dots) - negative) & token) |", replace: "0 |" },
  {
    name: "more rows than there is room for",
    find: "if (out >= outEnd) return report(FULL, position, row)",
    replace: ""
  }
]

const ofLongs: ReadonlyArray<Omit<LoopFault, "file">> = [
  { name: "no digit behind the dot", find: "u32(digits - 1) >= 24", replace: "u32(digits) > 24" },
  { name: "two dots", find: "(dots & (dots - 1)) | (others", replace: "(others" },
  { name: "other bytes than digits", find: "(others ^ dots ^ negative) ||", replace: "0 ||" },
  { name: "more digits than 64 bits hold", find: "if (first >= 900) break", replace: "" },
  {
    name: "a mantissa that a double does not hold",
    find: "mantissa < 1 << 53 && digits <= EXACT",
    replace: "digits <= EXACT"
  },
  { name: "a zero before digits", find: "integer == 0 ? whole > 1 :", replace: "integer == 0 ? false :" }
]

const ofAlike: ReadonlyArray<Omit<LoopFault, "file">> = [
  {
    name: "another byte where there is no digit",
    find: "| u32(v128.any_true(v128.xor(v128.and(bytes, fixed), fixedBytes))) |",
    replace: "|"
  },
  { name: "a digit missing", find: "((odd ^ others) & upToComma) |", replace: "0 |" },
  { name: "a zero before digits", find: "(equal(bytes, zero) & ~(odd >>> 1) & u32(negative + 1))", replace: "0" },
  { name: "a neighbour that is equal to an earlier one", find: "    repeated = v128.and(bytes, whole)\n", replace: "" },
  {
    name: "more rows than there is room for",
    find: "while (out < outEnd && position < safe) {\n    if (equals",
    replace: "while (position < safe) {\n    if (equals"
  }
]

const ofCareful: ReadonlyArray<Omit<LoopFault, "file">> = [
  { name: "a zero before digits", find: " || (digit == 0 && u32(load<u8>(at + 1)) - 48 <= 9)", replace: "" },
  { name: "no digit behind the dot", find: "if (exponent == 0) return 0", replace: "" },
  {
    name: "a mantissa that a double does not hold",
    find: "mantissa < 1 << 53 && exponent >= -EXACT",
    replace: "exponent >= -EXACT"
  },
  { name: "a null where there may be none", find: "!(flags & NULLS_ALLOWED) || !isEnd(at)", replace: "!isEnd(at)" },
  { name: "something behind a number", find: "  if (!isEnd(at)) return 0\n", replace: "" },
  { name: "a sign that is lost", find: "negative ? -value : value", replace: "value" },
  { name: "an exponent without a digit", find: "    if (digit > 9) return 0\n    let power", replace: "    let power" }
]

const ofTexts: ReadonlyArray<Omit<LoopFault, "file">> = [
  {
    name: "a text that is longer than a key",
    find: "length < digits || length > KEY_BYTES + digits",
    replace: "length < digits"
  },
  { name: "no quote first", find: "(load<u8>(position) != 34) | (load<u16>", replace: "(load<u16>" },
  { name: "another end", find: " | (load<u16>(position + length, 1) != 0x2c22)", replace: "" },
  {
    name: "other bytes than digits",
    find: "if (((word + 0x7676767676767676) | word) & 0x8080808080808080) break",
    replace: ""
  },
  {
    name: "another key under the same hash",
    find: "while (v128.any_true(v128.xor(v128.load(slot), key))) {",
    replace: "while (load<i32>(slot) != i32x4.extract_lane(key, 0)) {"
  }
]

const ofChoices: ReadonlyArray<Omit<LoopFault, "file">> = [
  { name: "another end", find: " && load<u8>(position + length) == 44", replace: "" },
  {
    name: "the first byte alone",
    find: "(word & load<u64>(entry, 8)) != load<u64>(entry)",
    replace: "u8(word) != load<u8>(entry)"
  },
  {
    name: "more rows than there is room for",
    find: "if (row >= capacity) return report(FULL, position, row)",
    replace: ""
  }
]

const ofScan: ReadonlyArray<Omit<LoopFault, "file">> = [
  {
    name: "differences one way only",
    find: "v128.gt<f64>(v128.abs<f64>(difference), tolerance)",
    replace: "v128.gt<f64>(difference, tolerance)"
  },
  {
    name: "the day of the quote",
    find: "v128.or(v128.or(exact, rounded), v128.not(sameDay))",
    replace: "v128.or(exact, rounded)"
  },
  {
    name: "the series of the second row",
    find: "const secondSide = v128.load(second, 16)",
    replace: "const secondSide = v128.load(first, 16)"
  },
  {
    name: "what is equal to the strike",
    find: "v128.gt<f64>(above, ZERO), ONE",
    replace: "v128.ge<f64>(above, ZERO), ONE"
  }
]

const inFile = (file: string, faults: ReadonlyArray<Omit<LoopFault, "file">>): ReadonlyArray<LoopFault> =>
  faults.map((fault) => ({ ...fault, file }))

const all: ReadonlyArray<LoopFault> = [
  ...inFile("columns/fours.ts", ofFours),
  ...inFile("columns/numbers.ts", ofSingles),
  ...inFile("columns/longs.ts", ofLongs),
  ...inFile("columns/alike.ts", ofAlike),
  ...inFile("columns/careful.ts", ofCareful),
  ...inFile("columns/texts.ts", ofTexts),
  ...inFile("columns/choices.ts", ofChoices),
  ...inFile("chain/scan.ts", ofScan)
]

const columnTests = (...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  ["differential", "kernels", ...names].map((name) => `packages/core/test/columns/${name}.test.ts`)

const testsOf = (file: string): ReadonlyArray<string> =>
  file.startsWith("chain/")
    ? ["packages/core/test/chainScan.test.ts"]
    : file.includes("texts") || file.includes("choices")
    ? columnTests("ColumnDecoder")
    : columnTests("numbers")

/** Compiles the sources with one of the edits in them; answers the module that core would have then. */
const broken = ({ file, find, replace }: LoopFault): Result.Result<string, string> => {
  const source = sources.find(({ name }) => file.startsWith(`${name}/`))!
  const copy = mkdtempSync(join(tmpdir(), "loops-"))
  try {
    cpSync(join(folder, "assembly"), copy, { recursive: true })
    const text = readFileSync(join(copy, file), "utf8")
    if (text.split(find).length !== 2) return Result.fail(`"${find}" must occur once in ${file}`)
    writeFileSync(join(copy, file), text.replace(find, () => replace))
    return Result.succeed(moduleFor(source, compile(source, copy)))
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/** All of them; each is compiled when its turn comes. */
export const faults: ReadonlyArray<Planted> = all.map((fault) => ({
  name: `${fault.file}: ${fault.name}`,
  file: sources.find(({ name }) => fault.file.startsWith(`${name}/`))!.modulePath,
  tests: testsOf(fault.file),
  text: () => broken(fault)
}))
