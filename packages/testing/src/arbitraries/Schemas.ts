/**
 * Arbitraries of Effect, for those who test with `effect/Arbitrary` or `it.effect.prop`, and not with fast-check: legal values of core's
 * Schemas.
 *
 * `Arbitrary.schema` derives reasons from their Schema by itself. Days and symbols are checked by a function that it cannot look into: theirs
 * are made of parts, and are values of those Schemas all the same.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 * import * as Schemas from "@effect-marketdata/testing/arbitraries/Schemas"
 * import * as Arbitrary from "effect/Arbitrary"
 * import * as Effect from "effect/Effect"
 *
 * const symbols = Effect.runSync(Arbitrary.sampleEffect(Schemas.optionSymbol, { count: 5, seed: 1 }))
 * symbols.every(OptionSymbol.isOptionSymbol) // => true
 * ```
 *
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Reason from "@effect-marketdata/core/Reason"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"

const whole = (minimum: number, maximum: number): Arbitrary.Arbitrary<number> =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

/**
 * Values of `CalendarDate.FromString`: the days of the years 2000 to 2099.
 *
 * @category schemas
 * @since 0.1.0
 */
export const calendarDate: Arbitrary.Arbitrary<CalendarDate.CalendarDate> = Arbitrary.map(
  whole(
    CalendarDate.toEpochDay({ year: 2000, month: 1, day: 1 }),
    CalendarDate.toEpochDay({ year: 2099, month: 12, day: 31 })
  ),
  CalendarDate.fromEpochDay
)

/**
 * Values of `OptionSymbol.FromString`: any root, day, side and strike that a symbol can carry.
 *
 * @category schemas
 * @since 0.1.0
 */
export const optionSymbol: Arbitrary.Arbitrary<OptionSymbol.OptionSymbol> = Arbitrary.all({
  root: Arbitrary.schema(Schema.String.check(Schema.isPattern(/^[A-Z0-9]{1,6}$/))),
  expiration: calendarDate,
  side: Arbitrary.schema(Schema.Literals(["call", "put"])),
  strike: Arbitrary.map(whole(0, 99_999_999), (thousandths) => thousandths / 1000)
})

/**
 * Values of `Reason.Reason`: every reason for which there can be no data. Their numbers may be any.
 *
 * @category schemas
 * @since 0.1.0
 */
export const reason: Arbitrary.Arbitrary<Reason.Reason> = Arbitrary.schema(Reason.Reason)
