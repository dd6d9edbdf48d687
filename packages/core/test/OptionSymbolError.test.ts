import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import type { OptionSymbolError, OptionSymbolReason } from "@effect-marketdata/core/OptionSymbolError"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { hostileText, optionSymbol } from "./support/arbitraries.ts"
import { forAll, trials } from "./support/depth.ts"

const runs = trials(2_3)

const failure = (text: string, parse = OptionSymbol.parse): OptionSymbolError =>
  Result.getOrThrow(Result.flip(parse(text)))

/** The reason as plain data. */
const reason = (text: string, parse = OptionSymbol.parse) => {
  const { reason } = failure(text, parse)
  const place = { _tag: reason._tag, offset: reason.offset, text: reason.text }
  return reason._tag === "StrikeNotPadded"
    ? { ...place, expected: reason.expected, inDollars: reason.inDollars }
    : reason._tag === "StrikeDecimal"
    ? { ...place, expected: reason.expected }
    : reason._tag === "RootInvalid"
    ? { ...place, problem: reason.problem }
    : place
}

/** States for texts where the fault lies and what stands there. */
const places = (
  tag: OptionSymbolReason["_tag"],
  cases: ReadonlyArray<readonly [input: string, offset: number, text: string]>
): void => {
  for (const [input, offset, text] of cases) assert.deepStrictEqual(reason(input), { _tag: tag, offset, text })
}

describe("ExpirationInvalid", () => {
  it("[2.3-bad-expiration] refuses an expiration that is not six digits", () => {
    places("ExpirationInvalid", [
      ["AAPL26112C00150000", 4, "26112"],
      ["GOOGL20261120C00150000", 5, "20261120"],
      ["AAPL2026-11-20C00150000", 4, "2026-11-20"],
      ["AAPL26NOV20C00150000", 4, "26NOV20"],
      ["AAPLC00150000", 4, ""],
      ["", 0, ""]
    ])
  })

  it("[2.3-bad-expiration] refuses a year of four digits behind any root, and says what to write", () => {
    const cases = [
      ["AAPL20261218C00300000", 4, "20261218"],
      ["20261218C00150000", 0, "20261218"],
      ["F20261218P00150000", 1, "20261218"],
      ["SPXW20201218P00150000", 4, "20201218"],
      ["AAPL120261218C00300000", 5, "20261218"],
      ["GOOGL20261120C00150000", 5, "20261120"],
      ["AAPL20261218X00300000", 4, "20261218"],
      ["AAPL2026121800300000", 4, "20261218"],
      ["AAPL20261218C300", 4, "20261218"],
      ["aapl20261218C00300000", 4, "20261218"],
      ["AAPL2026-12-18C00300000", 4, "2026-12-18"]
    ] as const
    for (const [input, offset, text] of cases) {
      assert.deepStrictEqual(reason(input), { _tag: "ExpirationInvalid", offset, text })
      assert.include(failure(input).message, "has a year of four digits instead of two")
    }
    assert.include(failure("AAPL2026-12-18C00300000").message, "Expected e.g. AAPL261218C00300000.")
    const longDate = reason("AAPL20261218C00300000", OptionSymbol.parseOsi)
    assert.deepStrictEqual(longDate, { _tag: "ExpirationInvalid", offset: 4, text: "20261218" })
    // There is nothing to write for a day that does not exist.
    for (const text of ["20261318", "20260229", "2026-02-29"]) {
      assert.include(failure(`AAPL${text}C00300000`).message, "is not a day")
    }
  })

  it("[2.3-bad-expiration] refuses a day that does not exist, and says what to write", () => {
    places("ExpirationInvalid", [
      ["AAPL261320C00150000", 4, "261320"],
      ["AAPL260229C00150000", 4, "260229"],
      ["AAPL261100C00150000", 4, "261100"],
      ["AAPL260431P00150000", 4, "260431"],
      ["F000000C00150000", 1, "000000"]
    ])
    const { message } = failure("AAPL261320C00150000")
    assert.include(message, `expiration "261320" at position 4`)
    assert.include(message, "YYMMDD")
  })
})

it("shows a symbol in lower case as it must be written, and only where nothing else is wrong", () => {
  for (const input of ["aapl261218c00100000", "AAPL261218c00100000"]) {
    assert.strictEqual(
      failure(input).message,
      `"${input}" is not an OCC option symbol; it must be written in capital letters. Expected e.g. AAPL261218C00100000.`
    )
  }
  assert.include(failure("aapl261218C00100000").message, "has a lower-case letter. Expected e.g. AAPL261218C00100000.")
  assert.include(failure("AAPL261218c100").message, `it has "c" at position 10`)
})

it("[2.3-bad-strike-length] StrikeNotEightDigits refuses more than eight digits, and none", () => {
  places("StrikeNotEightDigits", [
    ["AAPL261120C000150000", 11, "000150000"],
    ["AAPL261120P123456789", 11, "123456789"],
    ["AAPL261120C", 11, ""],
    ["AAPL261120C0015000A", 11, "0015000A"],
    ["AAPL261120C00150000 ", 11, "00150000 "],
    ["AAPL261120C00150000\n", 11, "00150000\n"]
  ])
  assert.include(failure("AAPL261120C000150000").message, "is not the strike times 1000 in eight digits")
})

it("[2.3-bad-strike-padding] StrikeNotPadded offers both readings of a short number: dollars, and thousandths of one", () => {
  const advice = (digits: string) => failure(`AAPL261218C${digits}`).message.split(/: |\. Expected/)[1]
  assert.strictEqual(advice("150"), "00150000 is 150 dollars, 00000150 is 0.15 dollars")
  assert.strictEqual(advice("7"), "00007000 is 7 dollars, 00000007 is 0.007 dollars")
  // More dollars than eight digits can carry, and nothing either way.
  assert.strictEqual(advice("150000"), "00150000 is 150 dollars")
  assert.strictEqual(advice("0"), "00000000 is 0 dollars")
})

describe("StrikeDecimal", () => {
  it("[2.3-bad-strike-decimal] refuses a decimal point or a sign, and shows the right eight digits", () => {
    const cases = [
      ["32.5", "00032500"],
      ["32.25", "00032250"],
      ["00032.50", "00032500"],
      ["32,5", "00032500"],
      ["150.", "00150000"],
      [".5", "00000500"],
      ["+150", "00150000"],
      ["-150", "00150000"],
      ["99999.999", "99999999"]
    ] as const
    for (const [text, expected] of cases) {
      const input = `AAPL261120C${text}`
      assert.deepStrictEqual(reason(input), { _tag: "StrikeDecimal", offset: 11, text, expected })
      assert.include(failure(input).message, expected)
    }
  })

  it("[2.3-bad-strike-decimal] shows no digits for a number that they cannot carry", () => {
    for (const text of ["32.2505", "123456.5", "+99999999", "-", ".", ",", "+.", "-,"]) {
      const input = `AAPL261120C${text}`
      assert.deepStrictEqual(reason(input), { _tag: "StrikeDecimal", offset: 11, text, expected: undefined })
      assert.include(failure(input).message, "times 1000")
    }
  })
})

describe("LegacySymbol", () => {
  it("[2.3-legacy] refuses the form in use before 2010", () => {
    for (const text of ["IBMAT", "IBM AT", ".IBMAT", "FAA", "F XZ", "MSQMB"]) {
      assert.deepStrictEqual(reason(text), { _tag: "LegacySymbol", offset: 0, text })
    }
  })

  it("[2.3-legacy] refuses a ticker that looks the same, and names both", () => {
    assert.deepStrictEqual(reason("AAPL"), { _tag: "LegacySymbol", offset: 0, text: "AAPL" })
    const words = `"AAPL" is not an OCC option symbol; it looks like a ticker. Expected e.g. AAPL261218C00150000.`
    assert.strictEqual(failure("AAPL").message, words)
    for (const text of ["IBMAT", "IBM AT"]) {
      assert.include(failure(text).message, "it has the form retired in 2010, or is a ticker")
    }
  })
})

describe("RootInvalid", () => {
  it("[2.3-precedence] names each way to get a root wrong, as a reason of our own", () => {
    const cases = [
      ["261120C00150000", 0, "", "Empty"],
      ["1261120C00150000", 0, "1", "NoLetter"],
      ["261121261120C00150000", 0, "261121", "NoLetter"],
      ["ABCDEFG261120C00150000", 0, "ABCDEFG", "TooLong"],
      ["aapl261120C00150000", 0, "a", "LowerCase"],
      ["AApL261120C00150000", 2, "p", "LowerCase"],
      ["AAPL  261120C00150000", 4, " ", "Blank"],
      [" AAPL261120C00150000", 0, " ", "Blank"],
      ["BRK.B261120C00150000", 3, ".", "OtherCharacter"],
      ["AAPL\t261120C00150000", 4, "\t", "Blank"],
      ["ÄPL261120C00150000", 0, "Ä", "OtherCharacter"]
    ] as const
    for (const [input, offset, text, problem] of cases) {
      assert.deepStrictEqual(reason(input), { _tag: "RootInvalid", offset, text, problem })
      assert.include(failure(input).message, "root ")
    }
  })

  it("refuses a root that ends in 20 where nothing follows it, and says why", () => {
    const endsIn20 = reason("AAP20 261120C00150000", OptionSymbol.parseOsi)
    assert.deepStrictEqual(endsIn20, { _tag: "RootInvalid", offset: 0, text: "AAP20", problem: "EndsIn20" })
    assert.include(failure("AAP20 261120C00150000", OptionSymbol.parseOsi).message, "a year of four digits")
  })

  it("says what each form of a symbol wants of blanks", () => {
    assert.include(failure("AAPL  261120C00150000").message, "parseOsi")
    assert.notInclude(failure(" AAPL 261120C00150000", OptionSymbol.parseOsi).message, "parseOsi")
    const notPadded = reason("AAPL261120C00150000", OptionSymbol.parseOsi)
    assert.deepStrictEqual(notPadded, { _tag: "RootInvalid", offset: 0, text: "AAPL26", problem: "NotPadded" })
  })
})

it("[2.3-precedence] of several faults names the first of date, side, decimal, padding and length, and the root last", () => {
  interface Parts {
    readonly root: string
    readonly expiration: string
    readonly side: string
    readonly strike: string
  }
  const faulty: fc.Arbitrary<Parts> = fc.record({
    root: fc.constantFrom("AAPL", "aapl", "BRK.B", "ABCDEFG", ""),
    expiration: fc.constantFrom("261120", "261320", "000000"),
    side: fc.constantFrom("C", "P", "X", "c", ""),
    strike: fc.constantFrom("00150000", "32.5", "-1", "150", "  150000", "000150000", "")
    // Fifteen digits in a row could be cut in two ways.
  }).filter(({ side, strike }) => side !== "" || strike !== "000150000")
  const expected = ({ expiration, root, side, strike }: Parts) => {
    if (expiration !== "261120") return "ExpirationInvalid"
    if (side !== "C" && side !== "P") return "SideMissing"
    if (strike === "32.5" || strike === "-1") return "StrikeDecimal"
    if (strike === "150" || strike === "  150000") return "StrikeNotPadded"
    if (strike !== "00150000") return "StrikeNotEightDigits"
    return root === "AAPL" ? undefined : "RootInvalid"
  }
  forAll(runs, faulty, (parts) => {
    const parsed = OptionSymbol.parse(parts.root + parts.expiration + parts.side + parts.strike)
    assert.strictEqual(Result.isFailure(parsed) ? parsed.failure.reason._tag : undefined, expected(parts))
  })
})

it("always names a place in the input, and the text that stands there", () => {
  const broken = fc.tuple(optionSymbol.map(OptionSymbol.format), hostileText, fc.nat({ max: 21 })).map((
    [symbol, text, at]
  ) => symbol.slice(0, at) + text + symbol.slice(at))
  const padded = fc.tuple(optionSymbol.map(OptionSymbol.formatOsi), fc.nat({ max: 20 }), fc.constantFrom(..."C09. x"))
    .map(([symbol, at, character]) => symbol.slice(0, at) + character + symbol.slice(at + 1))
  const parsers = fc.constantFrom(OptionSymbol.parse, OptionSymbol.parseOsi)
  forAll(runs, parsers, fc.oneof(broken, padded, hostileText), (parse, text) => {
    const parsed = parse(text)
    if (Result.isSuccess(parsed)) return
    const { reason } = parsed.failure
    assert.strictEqual(text.slice(reason.offset, reason.offset + reason.text.length), reason.text)
  })
})

it("answers hostile texts of any length with a short message in one line", () => {
  const long = ["A", "1", "C", "261120", " ", ".", "0", "P0", "\n", "😀", "A1C"].map((part) => part.repeat(500_000))
  for (const text of [...long, `AAPL261120C${"0".repeat(1_000_000)}`, `${"A".repeat(1_000_000)}261120C00150000`]) {
    const error = failure(text)
    assert.strictEqual(error.input, text)
    assert.isBelow(error.message.length, 1000)
    assert.isBelow(error.reason.text.length, 65)
    assert.notInclude(error.message, "\n")
  }
})
