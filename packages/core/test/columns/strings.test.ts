import { ColumnDecoder, ColumnKind } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { elementsOf, everyWay } from "../support/decodings.ts"
import * as Depth from "../support/depth.ts"

const spec = { name: { kind: ColumnKind.dictionary, null: "identity" } } as const

/** Reads one column of texts, of which there are so many before that the loops have begun. */
const read = (tokens: ReadonlyArray<string | Uint8Array>) => {
  const encoder = new TextEncoder()
  const parts = tokens.flatMap((token, at) => [
    ...(at === 0 ? [] : [44]),
    ...(typeof token === "string" ? encoder.encode(token) : token)
  ])
  const body = Uint8Array.of(...encoder.encode(`{"s":"ok","name":[`), ...parts, ...encoder.encode("]}"))
  return everyWay(spec, body)
}

const codes = (tokens: ReadonlyArray<string | Uint8Array>): ReadonlyArray<string> =>
  read(tokens).map((outcome) => Result.isFailure(outcome) ? outcome.failure.code : "read")

/** What every way of reading says, if all say the same. */
const agreed = <A>(answers: ReadonlyArray<A>): A => {
  for (const answer of answers) assert.deepStrictEqual(answer, answers[0])
  return answers[0]!
}

const quoted = (bytes: ReadonlyArray<number>): Uint8Array => Uint8Array.of(34, ...bytes, 34)

/** Enough rows for the loops to start, and more than fill a cache line of the first capacity. */
const warm = Array.from({ length: 40 }, (_, at) => JSON.stringify(["AAPL", "a", "", "BRK.B"][at % 4]))

it("are what JSON.parse makes of them, with all escapes and characters of any length", () => {
  const tokens = [
    ...warm,
    String.raw`"\"\\\/\b\f\n\r\t"`,
    String.raw`"\u0041\u00e9\u20AC\uD83D\uDE00"`,
    String.raw`"a\ud800"`,
    String.raw`"\udc00\ud800"`,
    "\"\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}\ufeff\u2028\"",
    "\"exactly 16 bytes\"",
    "\"17 bytes, one more\"",
    JSON.stringify("é".repeat(1000)),
    JSON.stringify("x".repeat(70_000)),
    ...warm
  ]
  const expected: unknown = JSON.parse(`[${tokens.join()}]`)
  for (const outcome of read(tokens)) {
    assert.deepStrictEqual(elementsOf(spec, Result.getOrThrow(outcome), "name"), expected)
  }
})

it("are equal however they are spelled", () => {
  for (const outcome of read([...warm, String.raw`"\u0041APL"`, String.raw`"AAP\u004c"`, "\"AAPL\""])) {
    const { values } = Result.getOrThrow(outcome).vectors["name"] as ColumnKind.Dictionary
    assert.deepStrictEqual(values, ["AAPL", "a", "", "BRK.B"])
  }
})

it("take every sequence of UTF-8 that the platform takes, and refuse every other", () => {
  const utf8 = new TextDecoder("utf-8", { fatal: true })
  const bytes = "7f 80 8f 90 9f a0 bf c0 c1 c2 df e0 e1 ec ed ee ef f0".split(" ").map((hex) => parseInt(hex, 16))
  const all = [0x41, ...bytes, 0xf1, 0xf3, 0xf4, 0xf5, 0xff]
  const texts = all.flatMap((a) => all.flatMap((b) => [[a, b], ...all.map((c) => [a, b, c])]))
  const before = new TextEncoder().encode(`{"s":"ok","name":[`)
  const longer = texts.filter(([a]) => a! >= 0xf0 && a! <= 0xf4).flatMap((text) => all.map((d) => [...text, d]))
  for (const [at, text] of [...texts, ...longer].entries()) {
    // All of two bytes; of the longer ones each third or thirteenth, whose bytes meet all others in turn.
    if (text.length > 2 && at % Depth.runs(3, 13) !== 0) continue
    const token = quoted(text)
    const expected = Result.try({ try: () => utf8.decode(Uint8Array.from(text)), catch: () => "InvalidUtf8" })
    const outcome = Result.match(ColumnDecoder.decode(spec, Uint8Array.of(...before, ...token, 93, 125)), {
      onFailure: ({ code }) => code,
      onSuccess: ({ vectors }) => (vectors["name"] as ColumnKind.Dictionary).values[0]
    })
    assert.strictEqual(outcome, Result.merge(expected), String(text))
  }
})

it("refuse control characters, also at the end of a text that is known", () => {
  for (const control of [0, 1, 9, 10, 13, 31]) {
    for (const text of ["", "a", "AAPL", "0123456789abcde"]) {
      const token = quoted([...new TextEncoder().encode(text), control])
      assert.strictEqual(agreed(codes([...warm, JSON.stringify(text), token, ...warm])), "ControlCharacter")
    }
  }
  assert.strictEqual(agreed(codes([...warm, quoted([0, 0]), ...warm])), "ControlCharacter")
  assert.strictEqual(agreed(codes([...warm, quoted(Array.from({ length: 16 }, () => 0)), ...warm])), "ControlCharacter")
})

it("refuse bytes of ones, whichever their number: no mark of an empty cache is a text", () => {
  for (const length of [1, 4, 15, 16, 17, 24]) {
    const token = quoted(Array.from({ length }, () => 255))
    assert.strictEqual(agreed(codes([token, ...warm])), "InvalidUtf8")
    assert.strictEqual(agreed(codes([...warm, token, ...warm])), "InvalidUtf8")
  }
})

it("refuse escapes that JSON does not have", () => {
  for (const escape of ["\\x", "\\u12g4", "\\u", "\\u123", "\\U0041", "\\'", "\\0", "\\\u0001", "\\é"]) {
    assert.strictEqual(agreed(codes([...warm, `"a${escape}"`, ...warm])), "InvalidEscape", escape)
  }
})

it("end at the first quote that is not escaped", () => {
  for (const token of [String.raw`"a\"`, String.raw`"a\\\"`, "\"a"]) {
    assert.strictEqual(agreed(codes([...warm, token])), "UnexpectedEnd", token)
  }
  const tokens = [...warm, String.raw`"a\\"`, String.raw`"\\\""`, String.raw`"a\","`]
  for (const outcome of read(tokens)) {
    assert.deepStrictEqual(elementsOf(spec, Result.getOrThrow(outcome), "name"), JSON.parse(`[${tokens.join()}]`))
  }
})

it("have codes as wide as their number needs", () => {
  const cases = [[256, Uint8Array], [257, Uint16Array], [65_536, Uint16Array], [65_537, Uint32Array]] as const
  for (const [distinct, type] of cases) {
    if (!Depth.isFull && distinct === 65_536) continue
    const texts = Array.from({ length: distinct }, (_, at) => `T${at}`)
    const rows = [...texts, ...texts.slice(0, 100).toReversed()]
    for (const outcome of everyWay(spec, `{"s":"ok","name":${JSON.stringify(rows)}}`, {}, [() => 60_000])) {
      const decoded = Result.getOrThrow(outcome)
      const { codes, values } = decoded.vectors["name"] as ColumnKind.Dictionary
      assert.strictEqual(codes.constructor, type)
      assert.deepStrictEqual(values, texts)
      assert.deepStrictEqual(elementsOf(spec, decoded, "name"), rows)
    }
  }
})
