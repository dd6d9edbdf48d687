/**
 * Arbitraries of Effect, for those who test with `effect/Arbitrary` or `it.effect.prop`, and not with fast-check: legal values of core's
 * Schemas, which bring all that is needed with them.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 * import * as Schemas from "@effect-marketdata/testing/Schemas"
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
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Reason from "@effect-marketdata/core/Reason"
import * as Arbitrary from "effect/Arbitrary"

/**
 * Values of `CalendarDate.FromString`: the days of the years 2000 to 2099.
 *
 * @category schemas
 * @since 0.1.0
 */
export const calendarDate: Arbitrary.Arbitrary<CalendarDate.CalendarDate> = Arbitrary.schema(CalendarDate.FromString)

/**
 * Values of `OptionSymbol.FromString`: any root, day, side and strike that a symbol can carry.
 *
 * @category schemas
 * @since 0.1.0
 */
export const optionSymbol: Arbitrary.Arbitrary<OptionSymbol.OptionSymbol> = Arbitrary.schema(OptionSymbol.FromString)

/**
 * Values of `Reason.Reason`: every reason for which there can be no data. Their numbers may be any.
 *
 * @category schemas
 * @since 0.1.0
 */
export const reason: Arbitrary.Arbitrary<Reason.Reason> = Arbitrary.schema(Reason.Reason)
