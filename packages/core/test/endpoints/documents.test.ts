/** Replies that are no table: the same whichever pieces they come in, whatever else is in them, and never more than they can be. */
import * as AccountStatus from "@effect-marketdata/core/AccountStatus"
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type { ColumnDecoder } from "@effect-marketdata/core/ColumnDecoder"
import type { DecodeError } from "@effect-marketdata/core/DecodeError"
import * as OptionExpirations from "@effect-marketdata/core/OptionExpirations"
import * as OptionLookup from "@effect-marketdata/core/OptionLookup"
import * as OptionStrikes from "@effect-marketdata/core/OptionStrikes"
import * as RequestHeaders from "@effect-marketdata/core/RequestHeaders"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { trials } from "../support/depth.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Pushes a reply in pieces of a size. */
const inPieces = <A>(decoder: ColumnDecoder<A>, body: string, size: number): Result.Result<A, DecodeError> => {
  const bytes = bytesOf(body)
  for (let at = 0; at < bytes.length; at += size) {
    if (!decoder.push(bytes.slice(at, at + size))) break
  }
  return decoder.end()
}

const decoders: Readonly<Record<string, () => ColumnDecoder<unknown>>> = {
  account: AccountStatus.decoder,
  expirations: OptionExpirations.decoder,
  headers: RequestHeaders.decoder,
  lookup: OptionLookup.decoder,
  strikes: OptionStrikes.decoder
}

/** What came of it, each error with all of its fields. */
const outcome = (read: Result.Result<unknown, DecodeError>): unknown =>
  Result.match(read, { onFailure: (error) => ({ ...error, message: error.message }), onSuccess: (value) => value })

const error = (read: Result.Result<unknown, DecodeError>) => {
  const { code, column, index } = Result.getOrThrow(Result.flip(read))
  return [code, column, index]
}

describe("replies that are no table", () => {
  const bodies = [
    `{"s":"ok","optionSymbol":"AAPL230728C00200000"}`,
    `{"s":"ok","expirations":["2022-09-23",1664568000],"updated":1663704000}`,
    `\ufeff { "updated" : 1, "2023-01-20" : [ 30, 32.5 ] , "s" : "ok" , "2023-01-27":[]}`,
    `{"x-ratelimit-requests-remaining":99,"x-ratelimit-requests-limit":100,"x-options-data-permissions":"\\u00e9"}`,
    `{"accept":"*/*","x":"é€😀"}`,
    `{"s":"no_data"}`,
    `{"updated":1,"updated":2}`,
    `{"expirations":[[1]],"updated":1}`,
    `{"extra":{"deep":[{},[],"}"]},"accept":"a"`,
    "",
    "[]",
    `{"accept":"a"} x`
  ]

  it("say the same whichever pieces they come in", () => {
    for (const body of bodies) {
      for (const decoder of Object.values(decoders)) {
        const whole = outcome(inPieces(decoder(), body, body.length + 9))
        for (const size of [1, 2, 3, 7, 20]) assert.deepStrictEqual(outcome(inPieces(decoder(), body, size)), whole)
      }
    }
  })

  it("hold the values that were written, in any order and among other fields", () => {
    const dates = fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
    const days = fc.array(dates.map((date) => date.toISOString().slice(0, 10)), { maxLength: 20 })
    const others = fc.dictionary(fc.string().map((name) => `other ${name}`), fc.jsonValue())
    fc.assert(
      fc.property(
        days,
        fc.nat(),
        others,
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        (expirations, updated, extra, first, size) => {
          const known = { s: "ok", expirations, updated }
          const body = JSON.stringify(first ? { ...extra, ...known } : { ...known, ...extra })
          const read = Result.getOrThrow(inPieces(OptionExpirations.decoder(), body, size))
          assert.deepStrictEqual(read, { expirations: expirations.map(CalendarDate.parseUnsafe), updated })
        }
      ),
      trials(14_1)
    )
  })

  it("are JSON in all that nobody asked for, too", () => {
    const before = `{"s":"ok","optionSymbol":"AAPL230728C00200000","extra":`
    for (const extra of ["01", "[1,]", "\"\\x\"", "{"]) {
      assert.strictEqual(error(OptionLookup.decode(`${before}${extra}}`))[0], "UnexpectedToken")
    }
    for (const body of ["", " ", before, `${before}1`, `${before}"a`, "{"]) {
      assert.strictEqual(error(OptionLookup.decode(body))[0], "UnexpectedEnd")
    }
    const deep = 100_000
    assert.isTrue(Result.isSuccess(OptionLookup.decode(`${before}${"[".repeat(deep)}${"]".repeat(deep)}}`)))
    assert.strictEqual(error(OptionLookup.decode(bytesOf("{}").with(1, 255)))[0], "InvalidUtf8")
  })

  it("have a field once, and the last of it where it comes twice", () => {
    assert.deepStrictEqual(
      Result.map(RequestHeaders.decode(`{"a":"1","a":"2"}`), Object.fromEntries),
      Result.succeed({ a: "2" })
    )
  })

  it("take no more bytes than the service sends of any", () => {
    const body = `{"accept":"${"a".repeat(1_048_576 - 13)}"}`
    assert.isTrue(Result.isSuccess(RequestHeaders.decode(body)))
    const decoder = RequestHeaders.decoder()
    assert.isTrue(decoder.push(bytesOf(body)))
    assert.isFalse(decoder.push(bytesOf(" ")))
    assert.deepStrictEqual(error(decoder.end()), ["TokenTooLong", undefined, undefined])
  })

  it("name what has the wrong type, arrays and objects included", () => {
    for (
      const [value, received] of [["[]", "an array"], ["{}", "an object"], ["true", "true"], [`"1"`, "\"1\""]] as const
    ) {
      const failed = Result.getOrThrow(Result.flip(OptionExpirations.decode(`{"expirations":[],"updated":${value}}`)))
      assert.deepInclude(failed, { code: "WrongType", column: "updated", expected: "a number", received })
    }
    assert.deepStrictEqual(error(OptionExpirations.decode(`{"expirations":[1,[]],"updated":1}`)), [
      "WrongType",
      "expirations",
      1
    ])
    assert.strictEqual(error(OptionExpirations.decode(`{"expirations":[],"updated":1e999}`))[0], "WrongType")
  })

  it("hold no more elements and fields than any of them has", () => {
    const ones = Array(65_536).fill("1").join()
    assert.strictEqual(
      Result.getOrThrow(OptionExpirations.decode(`{"expirations":[${ones}],"updated":1}`)).expirations.length,
      65_536
    )
    assert.deepStrictEqual(error(OptionExpirations.decode(`{"expirations":[${ones},1],"updated":1}`)), [
      "TooManyRows",
      "expirations",
      65_536
    ])
    const headers = Array.from({ length: 1025 }, (_, at) => `"h${at}":""`).join()
    assert.deepStrictEqual(error(RequestHeaders.decode(`{${headers}}`)), ["TooManyFields", undefined, undefined])
  })

  it("keep names that objects have anyway apart from those", () => {
    const body = `{"__proto__":"a","constructor":"b","toString":"c"}`
    assert.deepStrictEqual([...Result.getOrThrow(RequestHeaders.decode(body))], [
      ["__proto__", "a"],
      ["constructor", "b"],
      ["toString", "c"]
    ])
    assert.strictEqual(error(AccountStatus.decode(body))[0], "MissingColumn")
  })
})
