import { ColumnKind, OptionChain } from "@effect-marketdata/core"
import type { Code } from "@effect-marketdata/core/DecodeError"
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { columns as chainColumns, names } from "../support/chains.ts"
import { everyWay, type Options, plain } from "../support/decodings.ts"
import * as Depth from "../support/depth.ts"
import * as Random from "../support/random.ts"

const spec = {
  name: { kind: ColumnKind.dictionary, null: "identity" },
  close: { kind: ColumnKind.number, null: "finding" },
  side: { kind: ColumnKind.choices(["call", "put"]), null: "finding" },
  size: { kind: ColumnKind.quotedNumber((text) => text === "1K" ? 1000 : undefined), null: "nullable" },
  symbol: OptionChain.spec.optionSymbol
} as const

/** A reply that cannot be read, and what is said of it: code, column, row, offset, what was expected and what received. */
type Case = readonly [
  body: string | Uint8Array,
  code: Code,
  column: string | undefined,
  index: number | undefined,
  offset: number | undefined,
  expected: string,
  received: string,
  options?: Options
]

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))

const none = undefined
const strictly = (...columns: ReadonlyArray<string>): Options => ({ columns, strict: true })
const strictBoth = strictly("close", "side")

/** What is expected in many of them. */
const character = "a character that JSON allows in a string"
const asDescribed = "a reply as the contract describes it"
const nested = "at most 512 arrays and objects in each other"
const known = "the contract's fields and no others"
const keys = Array.from({ length: 1025 }, (_, at) => `"${1000 + at}":0`).join()
const long = `{"name":["${"x".repeat(1_048_575)}"]}`
const badSide = `an option symbol (it has "X" at position 10 where C (call) or P (put) must be)`
const mixed = `{"name":["a"],"close":[1,null,[2,[3]],"x",{"a":[]}]}`

/** So many elements that the loops have begun when the one after them comes. */
const ones = "1,".repeat(50)
const sides = "\"call\",".repeat(50)
const a = "\"a\",".repeat(50)

const cases: ReadonlyArray<Case> = [
  // The bytes are not text.
  [latin1(`{"close":[1],"a":"\xe9"}`), "InvalidUtf8", "a", undefined, 18, "UTF-8 text", "byte 0xe9"],
  [latin1(`{"\xff":1}`), "InvalidUtf8", undefined, undefined, 2, "UTF-8 text", "byte 0xff"],
  [latin1(`{"name":[${a}"b\xc0\x80"]}`), "InvalidUtf8", "name", 50, 211, "UTF-8 text", "byte 0xc0"],
  [latin1(`{"s":"\xed\xa0\x80"}`), "InvalidUtf8", "s", undefined, 6, "UTF-8 text", "byte 0xed"],
  [`{"a":"\\x"}`, "InvalidEscape", "a", undefined, 6, "one of the escapes of JSON after a backslash", "\"x\""],
  [`{"name":["\\u12"]}`, "InvalidEscape", "name", 0, 10, "four hexadecimal digits after \\u", "\"12\""],
  [`{"\\ ":1}`, "InvalidEscape", undefined, undefined, 2, "one of the escapes of JSON after a backslash", "byte 0x20"],
  [`{"name":["a\n"]}`, "ControlCharacter", "name", 0, 11, character, "byte 0x0a"],
  [`{"a":{"b\u0000":1}}`, "ControlCharacter", "a", undefined, 8, character, "byte 0x00"],

  // The text is not JSON.
  [`{"close":[${ones}01]}`, "InvalidNumber", "close", 50, 110, "a number of JSON", "\"01\""],
  [`{"close":[-]}`, "InvalidNumber", "close", 0, 10, "a number of JSON", "\"-\""],
  [`{"close":[1.e5]}`, "InvalidNumber", "close", 0, 10, "a number of JSON", "\"1.e5\""],
  [`{"a":[1,1e]}`, "InvalidNumber", "a", undefined, 8, "a number of JSON", "\"1e\""],
  [`{"s":-x}`, "InvalidNumber", "s", undefined, 5, "a number of JSON", "\"-x\""],
  [`{"close":[${ones}nul]}`, "UnexpectedToken", "close", 50, 110, "a number", "\"nul\""],
  [`{"close":[${ones}]}`, "UnexpectedToken", "close", 50, 110, "a number", "\"]\""],
  [`{"close":[\0null,${ones}1]}`, "UnexpectedToken", "close", 0, 10, "a number", "byte 0x00"],
  [`{"close":[1,2,3,\0\0\0\0null,${ones}1]}`, "UnexpectedToken", "close", 3, 16, "a number", "byte 0x00"],
  [`{"close":[,1]}`, "UnexpectedToken", "close", 0, 10, "a number", "\",\""],
  [`{"close":[.5]}`, "UnexpectedToken", "close", 0, 10, "a number", "\".5\""],
  [`{"close":[+1]}`, "UnexpectedToken", "close", 0, 10, "a number", "\"+1\""],
  [`{"close":[1 2]}`, "UnexpectedToken", "close", 0, 12, "\",\" or \"]\"", "\"2\""],
  [`{"close":[1}`, "UnexpectedToken", "close", 0, 11, "\",\" or \"]\"", "\"}\""],
  [`{"name":["a""b"]}`, "UnexpectedToken", "name", 0, 12, "\",\" or \"]\"", "\"\\\"\""],
  [`{"side":[${sides}call]}`, "UnexpectedToken", "side", 50, 359, "\"call\" or \"put\"", "\"call\""],
  [`{"side":['put']}`, "UnexpectedToken", "side", 0, 9, "\"call\" or \"put\"", "\"'\""],
  [`{"close" [1]}`, "UnexpectedToken", "close", undefined, 9, "\":\"", "\"[\""],
  [`{"close":[1],}`, "UnexpectedToken", undefined, undefined, 13, "a key", "\"}\""],
  [`{,}`, "UnexpectedToken", undefined, undefined, 1, "a key or \"}\"", "\",\""],
  [`{a:1}`, "UnexpectedToken", undefined, undefined, 1, "a key or \"}\"", "\"a\""],
  [`{"close":[1]]`, "UnexpectedToken", undefined, undefined, 12, "\",\" or \"}\"", "\"]\""],
  [`{"a":}`, "UnexpectedToken", "a", undefined, 5, "a value", "\"}\""],
  [`{"a":[1,]}`, "UnexpectedToken", "a", undefined, 8, "a value", "\"]\""],
  [`{"a":{"b":1,}}`, "UnexpectedToken", "a", undefined, 12, "a key", "\"}\""],
  [`{"a":{"b" 1}}`, "UnexpectedToken", "a", undefined, 10, "\":\"", "\"1\""],
  [`{"a":{1:1}}`, "UnexpectedToken", "a", undefined, 6, "a key", "\"1\""],
  [`{"a":[1 2]}`, "UnexpectedToken", "a", undefined, 8, "\",\" or \"]\"", "\"2\""],
  [`{"a":{"b":1 2}}`, "UnexpectedToken", "a", undefined, 12, "\",\" or \"}\"", "\"2\""],
  [`{"a":[1}}`, "UnexpectedToken", "a", undefined, 7, "\",\" or \"]\"", "\"}\""],
  [`{"a":NaN}`, "UnexpectedToken", "a", undefined, 5, "a value", "\"NaN\""],
  [`{"s":ok}`, "UnexpectedToken", "s", undefined, 5, "\"ok\"", "\"ok\""],
  ["", "UnexpectedEnd", undefined, undefined, 0, "one JSON object", "an empty body"],
  [" \n", "UnexpectedEnd", undefined, undefined, 2, "one JSON object", "an empty body"],
  ["{", "UnexpectedEnd", undefined, undefined, 1, "a key or \"}\"", "the end of the reply"],
  [`{"a`, "UnexpectedEnd", undefined, undefined, 3, "the end of a string", "the end of the reply"],
  [`{"close":[${ones}`, "UnexpectedEnd", "close", 50, 110, "a number", "the end of the reply"],
  [`{"close":[1`, "UnexpectedEnd", "close", 0, 11, "\",\" or \"]\"", "the end of the reply"],
  [`{"close":[${ones}1.`, "UnexpectedEnd", "close", 50, 112, "a number", "the end of the reply"],
  [`{"close":[1,-`, "UnexpectedEnd", "close", 1, 13, "a number", "the end of the reply"],
  [`{"close":[1,nul`, "UnexpectedEnd", "close", 1, 15, "a number", "the end of the reply"],
  [`{"close":[1],"a":[`, "UnexpectedEnd", "a", undefined, 18, "a value", "the end of the reply"],
  [`{"close":[1]`, "UnexpectedEnd", undefined, undefined, 12, "\",\" or \"}\"", "the end of the reply"],
  [`{"close":[1]} {}`, "TrailingData", undefined, undefined, 14, "nothing after the object", "\"{\""],
  [`{"close":[1]}\0`, "TrailingData", undefined, undefined, 13, "nothing after the object", "byte 0x00"],

  // The JSON is too much.
  [`{"close":[${ones}1e309]}`, "NumberOutOfRange", "close", 50, 110, "a number that a double can hold", "a larger one"],
  [`{"size":[-1e400]}`, "NumberOutOfRange", "size", 0, 9, "a number that a double can hold", "a larger one"],
  [`{"a":${"[".repeat(513)}`, "TooDeep", "a", undefined, 517, nested, "one more"],
  [`{${keys}}`, "TooManyFields", undefined, undefined, 1 + 1024 * 9, "at most 1024 fields", "\"2024\""],
  [long, "TokenTooLong", "name", 0, 9, "no token of more than 1048576 bytes", "a longer one"],

  // The JSON is not a table of this resource.
  ["[]", "NotAnObject", undefined, undefined, 0, "one JSON object", "\"[\""],
  ["null", "NotAnObject", undefined, undefined, 0, "one JSON object", "\"n\""],
  ["\ufeff\ufeff{}", "NotAnObject", undefined, undefined, 3, "one JSON object", "byte 0xef"],
  [" \ufeff{}", "NotAnObject", undefined, undefined, 1, "one JSON object", "byte 0xef"],
  [`{"close":1.50}`, "NotAnArray", "close", undefined, 9, "an array", "1.5"],
  [`{"close":null}`, "NotAnArray", "close", undefined, 9, "an array", "null"],
  [`{"close":{"a":1}}`, "NotAnArray", "close", undefined, 9, "an array", "an object"],
  [`{"name":"abc"}`, "NotAnArray", "name", undefined, 8, "an array", "\"abc\""],
  [`{"s":"no_data"}`, "NotOk", "s", undefined, 5, "\"ok\"", "\"no_data\""],
  [`{"s":null}`, "NotOk", "s", undefined, 5, "\"ok\"", "null"],
  [`{"s":["ok"]}`, "NotOk", "s", undefined, 5, "\"ok\"", "an array"],
  [`{"s":{}}`, "NotOk", "s", undefined, 5, "\"ok\"", "an object"],
  [`{"close":[1],"close":[1]}`, "DuplicateKey", undefined, undefined, 13, "each key once", "\"close\""],
  [`{"a":1,"\\u0061":1}`, "DuplicateKey", undefined, undefined, 7, "each key once", "\"a\""],
  [`{"s":"ok","s":"ok"}`, "DuplicateKey", undefined, undefined, 10, "each key once", "\"s\""],
  [`{"name":["a"],"close":[1,2]}`, "LengthMismatch", "close", 1, 25, "1 element, as in name", "2"],
  [mixed, "LengthMismatch", "close", 1, 25, "1 element, as in name", "5"],
  [`{"name":["a","b"],"close":[1,2, 3,4 ]}`, "LengthMismatch", "close", 2, 32, "2 elements, as in name", "4"],
  [`{"name":["a"],"close":[1,2,]}`, "UnexpectedToken", "close", 1, 27, "a value", "\"]\""],
  [`{"name":["a"],"close":[1,2}`, "UnexpectedToken", "close", 1, 26, "\",\" or \"]\"", "\"}\""],
  [`{"name":["a"],"close":[1,2`, "UnexpectedEnd", "close", 1, 26, "\",\" or \"]\"", "the end of the reply"],
  [`{"close":[${ones}1],"size":[1]}`, "LengthMismatch", "size", 1, 122, "51 elements, as in close", "1"],
  [`{"close":[],"size":[null]}`, "LengthMismatch", "size", 0, 20, "0 elements, as in close", "1"],
  [`{"close":[1],"size":[]}`, "LengthMismatch", "size", 0, 21, "1 element, as in close", "0"],
  [`{"close":[1]}`, "MissingColumn", "name", undefined, 13, "an array", "nothing"],
  [`{"s":"ok"}`, "MissingColumn", "name", undefined, 10, "an array", "no column of this resource"],
  [`{"close":["1"]}`, "WrongType", "close", 0, 10, "a number", "\"1\""],
  [`{"close":[${ones}[1]]}`, "WrongType", "close", 50, 110, "a number", "an array"],
  [`{"name":[{}]}`, "WrongType", "name", 0, 9, "a string", "an object"],
  [`{"name":[1]}`, "WrongType", "name", 0, 9, "a string", "1"],
  [`{"side":[true]}`, "WrongType", "side", 0, 9, "\"call\" or \"put\"", "true"],
  [`{"side":[${sides}"Call"]}`, "WrongValue", "side", 50, 359, "\"call\" or \"put\"", "\"Call\""],
  [`{"size":["1M"]}`, "WrongValue", "size", 0, 9, "a number", "\"1M\""],
  [`{"size":[true]}`, "WrongType", "size", 0, 9, "a number", "true"],
  [`{"symbol":["AAPL261120X00150000"]}`, "WrongValue", "symbol", 0, 11, badSide, "\"AAPL261120X00150000\""],
  [`{"name":[${a}null]}`, "NullNotAllowed", "name", 50, 209, "a value", "null"],
  [`{"close":[null]}`, "NullNotAllowed", "close", 0, 10, "a value", "null", { strict: true }],
  [`{"close":[1],"b":1}`, "UnknownField", "b", undefined, 13, known, "\"b\"", { strict: true }],
  [`{"close":[1]}`, "Deviation", none, none, none, asDescribed, "MissingStatus", strictly("close")],
  [`{"s":"ok","close":[1]}`, "MissingColumn", "side", none, none, asDescribed, "MissingColumn", strictBoth]
]

for (const [body, code, column, index, offset, expected, received, options] of cases) {
  const shown = typeof body === "string" ? body : String(Buffer.from(body))
  it(`${code}: ${JSON.stringify(shown.length > 60 ? `${shown.slice(0, 30)}…${shown.slice(-20)}` : shown)}`, () => {
    for (const outcome of everyWay(spec, body, options)) {
      const error = plain(Result.getOrThrow(Result.flip(outcome)))
      assert.deepStrictEqual(error, { code, column, index, offset, expected, received })
    }
  })
}

it("name values in a bounded message", () => {
  const text = "x".repeat(10_000)
  for (const body of [`{"name":"${text}"}`, `{"s":"${text}"}`, `{"close":["${text}"]}`, `{"close":[${text}]}`]) {
    for (const outcome of everyWay(spec, body)) {
      assert.isBelow(Result.getOrThrow(Result.flip(outcome)).message.length, 250)
    }
  }
})

it("stay the same where a reply breaks at its first wrong byte, whatever follows", () => {
  const broken = `{"s":"ok","close":[1,x`
  for (const rest of ["", "]}", "\xff\xff", "]".repeat(1000), "\u0000"]) {
    const [first] = everyWay(spec, `${broken} ${rest}`).map((outcome) => plain(Result.getOrThrow(Result.flip(outcome))))
    assert.deepStrictEqual([first?.code, first?.offset, first?.index], ["UnexpectedToken", 21, 1])
  }
})

it("name column, row and byte of one wrong element among thousands, in every column", () => {
  const random = Random.make(Depth.seed)
  const { below, pick } = random
  const rows = Depth.runs(3000, 400)
  const good = chainColumns(rows)
  const tokens = names.map((name) => good[name].map((value) => JSON.stringify(value)))
  const wrong = String.raw`tru nul - 1. 01 {} [1] 1e999 "\x" 0x10 .5 +1 NaN`.split(" ").concat("1 2", "\"\u0001\"")
  for (let trial = 0; trial < Depth.runs(120, 50); trial++) {
    const column = trial % names.length
    const name = names[column]!
    const index = pick([0, 1, rows - 1, below(rows), below(rows), below(rows)])
    const bad = pick(wrong)
    let body = `{"s":"ok"`
    let offset = 0
    for (const [at, elements] of tokens.entries()) {
      body += `,"${names[at]}":[`
      if (at === column) {
        const before = elements.slice(0, index).map((token) => `${token},`).join("")
        offset = body.length + before.length
        body += [before + bad, ...elements.slice(index + 1)].join()
      } else body += elements.join()
      body += "]"
    }
    const size = 1000 + below(rows * 20)
    for (const outcome of everyWay(OptionChain.spec, `${body}}`, {}, [() => 1 + below(size)])) {
      const error = Result.getOrThrow(Result.flip(outcome))
      assert.strictEqual(error.column, name, `${bad}: ${error.message}`)
      assert.strictEqual(error.index, index, `${bad}: ${error.message}`)
      // Some tokens are wrong only at their second or third byte.
      const isNumberFirst = bad === "1 2" && typeof good[name][0] === "number"
      const at = isNumberFirst ? 2 : bad.startsWith("\"") ? 1 : 0
      assert.strictEqual(error.offset, offset + at, `${bad}: ${error.message}`)
    }
  }
})
