import { ColumnDecoder, ColumnKind } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { elementsOf, errorLine, everyWay, inPieces, kernels, type Options } from "../support/decodings.ts"
import { isFull } from "../support/depth.ts"

const spec = {
  name: { kind: ColumnKind.dictionary, null: "finding" },
  close: { kind: ColumnKind.number, null: "finding" }
} as const

const options: Options = { columns: "present" }

/** Cuts that meet every edge of the window: below, at and above what enters it at once. */
const cuts = (isFull ? [65_536, 131_071, 131_072, 131_073] : [131_071, 131_073]).map((size) => () => size)

/** The longest token that is read. */
const longest = 1_048_576

it("is as large as the longest token, wherever that stands", () => {
  const text = "x".repeat(longest - 2)
  const number = `1${"0".repeat(longest - 10)}e-${longest - 10}`
  assert.strictEqual(number.length, longest)
  const bodies = [
    `{"s":"ok","note":"${text}","close":[1,2]}`,
    `{"s":"ok","${text}":1,"close":[1,2]}`,
    `{"s":"ok","note":[1,{"a":"${text}"}],"close":[1,2]}`,
    `{"s":"ok","name":["a","${text}"],"close":[1,2]}`,
    `{"s":"ok","close":[${number},2]}`,
    `{"s":"ok","note":${number},"close":[1,2]}`
  ]
  for (const body of bodies) {
    const reply: Readonly<Record<string, unknown>> = JSON.parse(body)
    for (const outcome of everyWay(spec, body, options, cuts)) {
      const decoded = Result.getOrThrow(outcome)
      for (const name of Object.keys(decoded.vectors)) {
        assert.deepStrictEqual(elementsOf(spec, decoded, name), reply[name])
      }
    }
  }
})

it("takes no longer token, however much longer, and says where that begins", () => {
  for (const surplus of isFull ? [1, 131_072, 1_000_000] : [1, 131_072]) {
    const text = "x".repeat(longest - 2 + surplus)
    const digits = "1".repeat(longest + surplus)
    const bodies: ReadonlyArray<readonly [string, column: string | undefined, index: number | undefined]> = [
      [`{"s":"ok","note":"${text}","close":[1,2]}`, "note", undefined],
      [`{"s":"ok","${text}":1,"close":[1,2]}`, undefined, undefined],
      [`{"s":"ok","name":["a","${text}"],"close":[1,2]}`, "name", 1],
      [`{"s":"ok","close":[1,2,${digits}]}`, "close", 2],
      [`{"s":"ok","note":{"a":${digits}}}`, "note", undefined],
      [`{"s":"ok","name":["${text}x`, "name", 0],
      [`{"s":"ok","note":${digits}`, "note", undefined]
    ]
    for (const [body, column, index] of bodies) {
      for (const outcome of everyWay(spec, body, options, cuts)) {
        const error = Result.getOrThrow(Result.flip(outcome))
        assert.deepInclude(error, { code: "TokenTooLong", column, index, offset: body.search(/"x{9}|1{9}/) })
      }
    }
  }
})

it("keeps what was read of a column while a long token grows behind it", () => {
  const names = [...Array.from({ length: 3000 }, (_, at) => `T${at}`), "x".repeat(longest - 2), "end"]
  const body = JSON.stringify({ s: "ok", name: names })
  for (const outcome of everyWay(spec, body, options, cuts)) {
    assert.deepStrictEqual(elementsOf(spec, Result.getOrThrow(outcome), "name"), names)
  }
})

it("lets whitespace of any length through", () => {
  const blank = " \n\r\t".repeat(75_000)
  const body =
    `${blank}{${blank}"s"${blank}:"ok",${blank}"close":${blank}[${blank}1${blank},${blank}2${blank}]${blank}}${blank}`
  for (const outcome of everyWay(spec, body, options, cuts)) {
    assert.deepStrictEqual(elementsOf(spec, Result.getOrThrow(outcome), "close"), [1, 2])
  }
})

it("meets the end of a piece at every byte of a reply", () => {
  const body = `{"s":"ok","name":["a","é\\n",null],"x":[{"y":-1.5e-3},true],"close":[1.25,-0,null]}`
  const bytes = new TextEncoder().encode(body)
  for (const kernel of kernels) {
    const whole = Result.getOrThrow(ColumnDecoder.decode(spec, bytes, { ...options, kernel }))
    for (let first = 1; first < bytes.length; first++) {
      let cut = first
      const outcome = inPieces(spec, bytes, () => [cut, cut = bytes.length][0]!, { ...options, kernel })
      assert.deepStrictEqual(Result.getOrThrow(outcome).vectors, whole.vectors)
    }
  }
})

it("says the same of a reply that ends at any byte", () => {
  const body = `{"s":"ok","name":["a","e\\n",null],"x":[{"y":-1.5e-3},true],"close":[1.25,-0,null]}`
  const bytes = new TextEncoder().encode(body)
  for (let end = 0; end < bytes.length; end++) {
    const outcomes = everyWay(spec, bytes.subarray(0, end), options, [() => 1, () => 9])
    const { code, offset } = Result.getOrThrow(Result.flip(outcomes[0]!))
    for (const outcome of outcomes) assert.strictEqual(errorLine(outcome), errorLine(outcomes[0]!))
    // A word or a number that is cut is one that does not exist.
    const token = /(?:nu?l?|tr?u?|-1\.|-1\.5e-?|1\.|-)$/.exec(body.slice(0, end))
    if (code === "UnexpectedEnd") assert.strictEqual(offset, end)
    else assert.isNotNull(token)
  }
})

it("has enough of a reply once nothing can change the outcome", () => {
  for (const kernel of kernels) {
    const decoder = ColumnDecoder.make(spec, { kernel })
    const push = (text: string) => decoder.push(new TextEncoder().encode(text))
    assert.isTrue(push("{\"s\":\"ok\","))
    assert.isFalse(push("no key"))
    assert.isFalse(push("\"close\":[]}"))
    const outcome = decoder.end()
    assert.strictEqual(Result.getOrThrow(Result.flip(outcome)).offset, 10)
    assert.strictEqual(decoder.end(), outcome)
    assert.isFalse(push("{}"))
    assert.strictEqual(decoder.end(), outcome)
  }
})
