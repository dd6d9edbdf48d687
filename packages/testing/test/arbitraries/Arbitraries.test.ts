import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Reason from "@effect-marketdata/core/Reason"
import * as Schemas from "@effect-marketdata/core/Schemas"
import * as Arbitraries from "@effect-marketdata/testing/Arbitraries"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

describe("Arbitraries", () => {
  const drawn = <A>(arbitrary: Arbitrary.Arbitrary<A>): ReadonlyArray<A> =>
    Effect.runSync(Arbitrary.sampleEffect(arbitrary, { count: 1000, seed: 11 }))

  it("are legal values of core's Schemas", () => {
    const isSymbol = Schema.is(OptionSymbol.FromString)
    const isDay = Schema.is(CalendarDate.FromString)
    const isReason = Schema.is(Reason.Reason)
    for (const symbol of drawn(Arbitraries.optionSymbol)) assert.isTrue(isSymbol(symbol), JSON.stringify(symbol))
    for (const day of drawn(Arbitraries.calendarDate)) assert.isTrue(isDay(day))
    for (const reason of drawn(Arbitraries.reason)) assert.isTrue(isReason(reason))
  })

  it("draw of a struct of a user's own, in either direction", () => {
    const Position = Schema.Struct({ symbol: OptionSymbol.FromString, opened: CalendarDate.FromString })
    const decode = Schema.decodeUnknownSync(Position)
    const encode = Schema.encodeUnknownSync(Position)
    for (const position of drawn(Arbitrary.schema(Position))) {
      assert.deepStrictEqual(decode(encode(position)), position)
    }
  })

  it("draw last days of months, leap days and both sides", () => {
    const days = drawn(Arbitraries.calendarDate)
    assert.isTrue(days.some(({ day, month }) => month === 2 && day === 29))
    assert.isTrue(days.some(({ day }) => day === 31))
    const symbols = drawn(Arbitraries.optionSymbol)
    assert.isTrue(symbols.some(({ expiration: { day, month } }) => month === 2 && day === 29))
    assert.sameMembers([...new Set(symbols.map(({ side }) => side))], ["call", "put"])
  })

  it("draw what an answer holds, and every kind of estimate", () => {
    const [isEstimate, isFinding] = [Schema.is(Schemas.Estimate), Schema.is(Schemas.Finding)]
    const [isProvenance, isAttempt] = [Schema.is(Schemas.Provenance), Schema.is(Schemas.Attempt)]
    const estimates = drawn(Arbitraries.estimate)
    assert.isTrue(estimates.every(isEstimate))
    assert.strictEqual(new Set(estimates.map(({ _tag }) => _tag)).size, 5)
    assert.isTrue(estimates.some((estimate) => estimate._tag === "Range" && estimate.max === Infinity))
    assert.isTrue(drawn(Arbitraries.finding).every(isFinding))
    assert.isTrue(drawn(Arbitraries.provenance).every(isProvenance))
    assert.isTrue(drawn(Arbitraries.attempt).every(isAttempt))
  })

  it("draw every reason", () => {
    assert.isAtLeast(new Set(drawn(Arbitraries.reason).map(({ _tag }) => _tag)).size, 19)
  })
})
