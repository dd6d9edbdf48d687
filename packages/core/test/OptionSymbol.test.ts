import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { calendarDate, hostileText, optionSymbol, side } from "./support/arbitraries.ts"
import { forAll, trials } from "./support/depth.ts"

const runs = trials(2_3)

/** Tells by the letter of the contract whether a text is a symbol, with the platform's calendar. */
const isWellFormed = (text: string): boolean => {
  const match = /^([A-Z0-9]{1,6})(\d{2})(\d{2})(\d{2})[CP]\d{8}$/.exec(text)
  if (match === null || /^\d*$|20$/.test(match[1]!)) return false
  const [year, month, day] = match.slice(2).map(Number)
  const rolled = new Date(Date.UTC(2000 + year!, month! - 1, day))
  return rolled.getUTCMonth() === month! - 1 && rolled.getUTCDate() === day
}

/** A symbol in which a few characters were exchanged, left out or put in. */
const insert = fc.string({ unit: fc.constantFrom(..."A0913CPcp. -"), maxLength: 2 })
const edit = fc.record({ at: fc.nat({ max: 22 }), remove: fc.nat({ max: 2 }), insert })
const edited = fc.tuple(optionSymbol.map(OptionSymbol.format), fc.array(edit, { maxLength: 3 }))
const mutilated = edited.map(([text, edits]) =>
  edits.reduce((text, { at, insert, remove }) => text.slice(0, at) + insert + text.slice(at + remove), text)
)

describe("parse", () => {
  it("[2.3-format] takes exactly the texts that the contract describes", () => {
    forAll(runs, fc.oneof(mutilated, hostileText), (text) => {
      assert.strictEqual(Result.isSuccess(OptionSymbol.parse(text)), isWellFormed(text))
    })
  })

  it("[2.3-strike-integer] [2.3-strike-tenth] [2.3-strike-fraction] reads three implied decimal places", () => {
    const strike = (digits: string) => OptionSymbol.parseUnsafe(`AAPL261120C${digits}`).strike
    assert.deepStrictEqual(["00150000", "00032500", "00032250"].map(strike), [150, 32.5, 32.25])
    assert.deepStrictEqual(["00000000", "00000001", "99999999"].map(strike), [0, 0.001, 99_999.999])
  })
})

it("parseOsi and formatOsi take the padded form and no other", () => {
  forAll(runs, fc.oneof(mutilated, hostileText), (text) => {
    const wellFormed = text.length === 21 && isWellFormed(text.replace(/^(.{1,6}?) {0,5}(?=.{15}$)/s, "$1"))
    assert.strictEqual(Result.isSuccess(OptionSymbol.parseOsi(text)), wellFormed)
  })
  assert.throws(() => OptionSymbol.parseOsiUnsafe("AAPL261120C00150000"), /padded/)
})

describe("make", () => {
  const tag = (parts: Partial<Parameters<typeof OptionSymbol.make>[0]>): string => {
    const made = OptionSymbol.make({ root: "AAPL", expiration: "2026-11-20", side: "call", strike: 150, ...parts })
    const failure = Result.getOrThrow(Result.flip(made))
    return failure._tag === "OptionSymbolError"
      ? failure.reason._tag
      : failure._tag === "StrikeError"
      ? failure.problem
      : failure._tag
  }

  it("[2.3-bad-expiration] refuses what is not a day of 2000 to 2099", () => {
    const tags = ["1999-12-31", "2100-01-01", "2026-02-29"].map((expiration) => tag({ expiration }))
    assert.deepStrictEqual(tags, ["ExpirationInvalid", "ExpirationInvalid", "CalendarDateError"])
  })

  it("[2.3-bad-side] refuses a side that no type has seen", () => {
    for (const side of ["CALL", "C", "", undefined, null, 1, ["call"], { toString: undefined }]) {
      const untyped = { root: "AAPL", expiration: "2026-11-20", side: side as never, strike: 150 }
      const { message } = Result.getOrThrow(Result.flip(OptionSymbol.make(untyped)))
      assert.include(message, `is not "call" or "put"`)
    }
    assert.strictEqual(tag({ side: "CALL" as never }), "SideInvalid")
  })

  it("refuses a root of any length in a few words", () => {
    const parts = { root: "A".repeat(1_000_000), expiration: "2026-11-20", side: "call", strike: 150 } as const
    const failure = Result.getOrThrow(Result.flip(OptionSymbol.make(parts)))
    assert(failure._tag === "OptionSymbolError")
    assert.isAtMost(failure.reason.text.length, 64)
    assert.isBelow(failure.message.length, 400)
  })

  it("refuses an invalid root", () => {
    for (const root of ["", "ABCDEFG", "aapl", "BRK.B", "A B", "AAPL\n", "2026", "AAPL20"]) {
      assert.strictEqual(tag({ root }), "RootInvalid")
    }
    const rootless = () => OptionSymbol.makeUnsafe({ root: "", expiration: "2026-11-20", side: "call", strike: 1 })
    assert.throws(rootless, /its root is missing/)
  })
})

it("isOptionSymbol takes nothing else", () => {
  const symbol = OptionSymbol.parseUnsafe("AAPL261120C00150000")
  const days = [[1999, 1, 1], [2100, 1, 1], [2026, 2, 29]].map(([year, month, day]) => ({ year, month, day }))
  const parts = [
    ...["", "aapl", 1].map((root) => ({ root })),
    ...["2026-11-20", ...days].map((expiration) => ({ expiration })),
    ...["150", 150.0005, 100_000, NaN].map((strike) => ({ strike })),
    { side: "C" }
  ]
  const others: ReadonlyArray<unknown> = [null, undefined, "AAPL261120C00150000", [], {}]
  for (const part of parts) assert.isFalse(OptionSymbol.isOptionSymbol({ ...symbol, ...part }), JSON.stringify(part))
  for (const other of others) assert.isFalse(OptionSymbol.isOptionSymbol(other), JSON.stringify(other))
})

it("[2.3-format] format and formatOsi name no other contract for parts that make refuses", () => {
  const symbol = OptionSymbol.parseUnsafe("AAPL261120C00150000")
  for (
    const wrong of [{ side: "Call" }, { expiration: { ...symbol.expiration, year: 2126 } }, { strike: 1.0004 }, {
      strike: 1n
    }]
  ) {
    const parts = { ...symbol, ...wrong } as never
    for (const format of [OptionSymbol.format, OptionSymbol.formatOsi]) {
      assert.throws(() => format(parts), /, e\.g\.|Expec/)
    }
  }
})

it("Order and Equivalence agree with each other and with the printed form", () => {
  // Few roots, days and strikes, so that symbols are often alike.
  const similar = fc.record({
    root: fc.constantFrom("A", "AA"),
    expiration: calendarDate(2026, 2026).map(({ month }) => ({ year: 2026, month, day: 1 })),
    side,
    strike: fc.constantFrom(9.5, 10)
  })
  forAll(runs, similar, similar, (a, b) => {
    const alike = OptionSymbol.format(a) === OptionSymbol.format(b)
    assert.deepStrictEqual([OptionSymbol.Equivalence(a, b), OptionSymbol.Order(a, b) === 0], [alike, alike])
    assert.strictEqual(OptionSymbol.Order(a, b) + OptionSymbol.Order(b, a), 0)
  })
})

describe("FromString", () => {
  it("decodes and encodes as parse and format do", () => {
    const text = "SPXW261120P06500500"
    const symbol = Schema.decodeUnknownSync(OptionSymbol.FromString)(text)
    assert.deepStrictEqual(symbol, OptionSymbol.parseUnsafe(text))
    assert.strictEqual(Schema.encodeSync(OptionSymbol.FromString)(symbol), text)
  })

  it("fails with the parser's message", () => {
    const failure = Schema.decodeUnknownResult(OptionSymbol.FromString)("AAPL261120C150000")
    assert.include(Result.getOrThrow(Result.flip(failure)).message, "AAPL261120C00150000")
  })
})
