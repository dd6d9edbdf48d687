/** Replies that are not a table: the same whichever pieces they come in, whatever else is in them, and never more than they can be. */
import { AccountStatus, CalendarDate, OptionExpirations, RequestHeaders } from "@effect-marketdata/core"
import type { ColumnDecoder } from "@effect-marketdata/core/ColumnDecoder"
import type { DecodeError } from "@effect-marketdata/core/DecodeError"
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { forAll, trials } from "../support/depth.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Pushes a reply in pieces of a size. */
const inPieces = <A>(decoder: ColumnDecoder<A>, body: string, size: number): Result.Result<A, DecodeError> => {
  const bytes = bytesOf(body)
  for (let at = 0; at < bytes.length; at += size) if (!decoder.push(bytes.slice(at, at + size))) break
  return decoder.end()
}

const error = (read: Result.Result<unknown, DecodeError>) => {
  const { code, column, index } = Result.getOrThrow(Result.flip(read))
  return [code, column, index]
}

it("hold the values that were written, in any order and among other fields", () => {
  const dates = fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  const days = fc.array(dates.map((date) => date.toISOString().slice(0, 10)), { maxLength: 20 })
  const others = fc.dictionary(fc.string().map((name) => `other ${name}`), fc.jsonValue())
  forAll(
    trials(14_1),
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

it("hold no more elements and fields than any of them has", () => {
  const ones = Array(65_536).fill("1").join()
  const most = Result.getOrThrow(OptionExpirations.decode(`{"expirations":[${ones}],"updated":1}`)).expirations.length
  assert.strictEqual(most, 65_536)
  const large = error(OptionExpirations.decode(`{"expirations":[${ones},1],"updated":1}`))
  assert.deepStrictEqual(large, ["TooManyRows", "expirations", 65_536])
  const headers = Array.from({ length: 1025 }, (_, at) => `"h${at}":""`).join()
  assert.deepStrictEqual(error(RequestHeaders.decode(`{${headers}}`)), ["TooManyFields", undefined, undefined])
})

it("keep names that objects have anyway apart from those", () => {
  const body = `{"__proto__":"a","constructor":"b","toString":"c"}`
  const inherited = [...Result.getOrThrow(RequestHeaders.decode(body))]
  assert.deepStrictEqual(inherited, [["__proto__", "a"], ["constructor", "b"], ["toString", "c"]])
  assert.strictEqual(error(AccountStatus.decode(body))[0], "MissingColumn")
})
