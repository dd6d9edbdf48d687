import { ColumnDecoder, ColumnKind } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { everyWay, kernels } from "../support/decodings.ts"
import { runs, seed } from "../support/depth.ts"
import { anyNumber } from "../support/numberTexts.ts"
import * as Random from "../support/random.ts"

const spec = {
  close: { kind: ColumnKind.number, null: "nullable" },
  time: { kind: ColumnKind.repeatedNumber, null: "nullable" }
} as const

/** Every text of so many characters that numbers are made of. */
const textsOf = (length: number): ReadonlyArray<string> =>
  length === 0 ? [""] : textsOf(length - 1).flatMap((text) => [..."019.-+eE"].map((character) => text + character))

/** What `JSON.parse` makes of a text, if that is a finite number. */
const parsed = (text: string): unknown =>
  Result.getOrUndefined(Result.filterOrFail(Result.try((): unknown => JSON.parse(text)), Number.isFinite, () => text))

const characters = runs(4, 3)

it(`are those of JSON: every text of up to ${characters} characters is judged as JSON.parse judges it`, () => {
  for (const column of ["close", "time"]) {
    for (const text of [1, 2, 3, 4].slice(0, characters).flatMap(textsOf)) {
      const expected = parsed(text)
      for (const body of [`{"${column}":[7,${text}]}`, `{"${column}":[${text},7,7]}`]) {
        for (const kernel of kernels) {
          const outcome = ColumnDecoder.decode(spec, body, { columns: [column], kernel })
          const read = Result.isFailure(outcome)
            ? undefined
            : (outcome.success.vectors[column] as Float64Array)[body.endsWith("7]}") ? 0 : 1]
          if (!Object.is(read, expected)) assert.fail(`${body} is read as ${read} by ${kernel.name}`)
        }
      }
    }
  }
})

/** Reads a body with each kernel, and holds the row to what `JSON.parse` makes of its text. */
const judge = (column: "close" | "time", body: string, row: number, text: string): void => {
  const expected = text === "null" ? NaN : parsed(text)
  for (const kernel of kernels) {
    const outcome = ColumnDecoder.decode(spec, body, { columns: [column], kernel })
    const read = Result.isFailure(outcome) ? undefined : (outcome.success.vectors[column] as Float64Array)[row]
    if (!Object.is(read, expected)) assert.fail(`${body.slice(0, 80)} is read as ${read} by ${kernel.name}`)
  }
}

/** Enough numbers behind others that the loops which read several at once get to them. */
const behind = ",1".repeat(60)

it("are those of JSON in each place of four that are read at once", () => {
  const neighbours = ["7", "-12.25", "null", "1234.678"]
  for (const text of [1, 2, 3].flatMap(textsOf)) {
    const place = text.length % 4
    const row = [...neighbours.slice(0, place), text, ...neighbours.slice(place + 1)]
    judge("close", `{"close":[${row.join()}${behind}]}`, place, text)
  }
  const { below, pick } = Random.make(seed)
  for (let trial = 0; trial < runs(20_000, 2500); trial++) {
    const text = Array.from({ length: 5 + below(5) }, () => pick("0011599.-e")).join("")
    const place = below(4)
    const row = [...neighbours.slice(0, place), text, ...neighbours.slice(place + 1)]
    judge("close", `{"close":[${row.join()}${behind}]}`, place, text)
  }
})

it("are those of JSON where one digit, dot or sign differs from the number before", () => {
  const { below, pick } = Random.make(seed)
  for (let trial = 0; trial < runs(20_000, 1000); trial++) {
    const before = anyNumber(Random.make(seed + trial)).slice(0, 15)
    if (typeof parsed(before) !== "number") continue
    const at = below(before.length)
    const text = before.slice(0, at) + pick("0123456789.-e") + before.slice(at + 1)
    // The first few are read one by one, those that are written alike follow.
    judge("time", `{"time":[${`${before},`.repeat(12)}${text}${behind}]}`, 12, text)
  }
})

it("are refused where they are written alike but for a zero before digits, and where a long one has two dots", () => {
  // The end of a reply is read with care: these stand far from it.
  const far = ",1.5".repeat(160)
  judge("time", `{"time":[${"10.5,".repeat(12)}00.5${far}]}`, 12, "00.5")
  judge("time", `{"time":[${"-10.5,".repeat(12)}-00.5${far}]}`, 12, "-00.5")
  for (const text of ["3.14159.265358979", "0.12345678.12345678", "-0.1234567890123456.7"]) {
    judge("close", `{"close":[0.1234567890123456,0.1234567890123456,${text}${far}]}`, 2, text)
  }
})

it("are those of JSON, however many digits stand on either side of the dot", () => {
  // The last wraps around to 0 in 64 bits.
  for (const whole of ["0", "00", "1", "9", "92233720368547758", "999999999999999999", "18446744073709551616"]) {
    for (let digits = 0; digits <= 26; digits++) {
      for (const digit of ["0", "1", "9"]) {
        const text = `${whole}.${digit.repeat(Math.max(0, digits - 1))}${digits === 0 ? "" : "5"}`
        judge("close", `{"close":[-0.12345678901234567,${text}${behind}]}`, 1, text)
        judge("close", `{"close":[-0.12345678901234567,-${text}${behind}]}`, 1, `-${text}`)
      }
    }
  }
})

it("are refused where digits run into something else", () => {
  const texts = [...`1x 1" 1.5.5 1-1 1e5e5 --1 1, 0x1 1_0 ١ 1n`.split(" "), "12\u0000", `${"9".repeat(40)}z`]
  for (const text of texts) {
    for (const outcome of everyWay(spec, `{"close":[${"1,".repeat(40)}${text}]}`, { columns: ["close"] })) {
      assert.isTrue(Result.isFailure(outcome), text)
    }
  }
})

it("keep the sign of zero", () => {
  for (const text of ["-0", "-0.0", "-0e5", "-0.000000000000000000000000000000000001e-400", "-1e-400"]) {
    for (const outcome of everyWay(spec, `{"close":[${text},${text}, ${text} ]}`, { columns: ["close"] })) {
      const read = Result.getOrThrow(outcome).vectors["close"] as Float64Array
      assert.deepStrictEqual([...read].map((value) => Object.is(value, -0)), [true, true, true], text)
    }
  }
})

it("are the nearest double, however many digits they have", () => {
  for (const digits of [1, 8, 9, 10, 14, 15, 16, 17, 18, 19, 20, 25, 40, 55, 56, 57, 63, 64, 65, 200, 800]) {
    for (const dot of [0, 1, Math.floor(digits / 2), digits]) {
      const all = "1234567890".repeat(80).slice(0, digits)
      const text = dot === digits ? all : `${all.slice(0, dot) || "0"}.${all.slice(dot)}`
      for (const spelled of [text, `-${text}`, `${text}e-7`, `${text}E+12`]) {
        for (const column of ["close", "time"]) {
          const expected = Number(spelled)
          if (!Number.isFinite(expected)) continue
          const body = `{"${column}":[${spelled},${spelled},${spelled},0,${spelled}]}`
          for (const outcome of everyWay(spec, body, { columns: [column] })) {
            const read = Result.getOrThrow(outcome).vectors[column] as Float64Array
            assert.deepStrictEqual([...read], [expected, expected, expected, 0, expected], spelled)
          }
        }
      }
    }
  }
})

it("repeat one of two numbers that are written alike, however often and however many there are", () => {
  const rows = [...Array(12).fill("10.5"), ...Array(9).fill("20.5"), "10.5", "20.5", ...Array(99).fill("20.5")]
  const many = Array.from({ length: 9001 }, (_, row) => row % 2 === 0 ? "10.5" : "20.5")
  for (const tokens of [rows, many]) {
    for (const outcome of everyWay(spec, `{"time":[${tokens.join()}]}`, { columns: ["time"] })) {
      const { vectors } = Result.getOrThrow(outcome)
      assert.deepStrictEqual(Array.from(vectors["time"] as Float64Array), tokens.map(Number))
    }
  }
})

it("repeat, and stop repeating, at any length", () => {
  const texts = Array.from({ length: 18 }, (_, length) => `1${"7".repeat(length)}`)
  for (const text of texts) {
    // Neighbours that begin alike, that end alike, and nulls in between.
    const others = [`${text}0`, text, text.slice(1) || "2", `-${text}`, text, text, "null", text, `${text}.5`]
    const row = [text, text, ...others, text]
    const tokens = [...row, ...row.toReversed(), ...row]
    const expected = tokens.map((token) => token === "null" ? NaN : Number(token))
    for (const outcome of everyWay(spec, `{"time":[${tokens.join()}]}`, { columns: ["time"] })) {
      const { nulls, vectors } = Result.getOrThrow(outcome)
      assert.deepStrictEqual([...vectors["time"] as Float64Array], expected)
      const bits = tokens.map((_, row) => (nulls["time"]![row >> 3]! >> (row & 7)) & 1)
      assert.deepStrictEqual(bits, tokens.map((token) => token === "null" ? 1 : 0))
    }
  }
})
