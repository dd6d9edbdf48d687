/**
 * Arbitraries of Effect, for those who test with `effect/Arbitrary` or `it.effect.prop`, and not with fast-check: legal values of core's
 * Schemas, which bring all that is needed with them.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 * import * as Arbitraries from "@effect-marketdata/testing/Arbitraries"
 * import * as Arbitrary from "effect/Arbitrary"
 * import * as Effect from "effect/Effect"
 *
 * const symbols = Effect.runSync(Arbitrary.sampleEffect(Arbitraries.optionSymbol, { count: 5, seed: 1 }))
 * symbols.every(OptionSymbol.isOptionSymbol) // => true
 * ```
 *
 * @since 0.1.0
 */
import type { Answer, Credits, Finding, Provenance } from "@effect-marketdata/core"
import { CalendarDate, OptionSymbol, Reason, Schemas } from "@effect-marketdata/core"
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

/**
 * Values of `Schemas.Estimate`: every kind of them, also without an upper bound.
 *
 * @category schemas
 * @since 0.1.0
 */
export const estimate: Arbitrary.Arbitrary<Credits.Estimate> = Arbitrary.schema(Schemas.Estimate)

/**
 * Values of `Schemas.Finding`: every kind of deviation.
 *
 * @category schemas
 * @since 0.1.0
 */
export const finding: Arbitrary.Arbitrary<Finding.Finding> = Arbitrary.schema(Schemas.Finding)

/**
 * Values of `Schemas.Provenance`. Their times may be any.
 *
 * @category schemas
 * @since 0.1.0
 */
export const provenance: Arbitrary.Arbitrary<Provenance.Provenance> = Arbitrary.schema(Schemas.Provenance)

/**
 * Values of `Schemas.Attempt`: requests that were sent, and what came of them.
 *
 * @category schemas
 * @since 0.1.0
 */
export const attempt: Arbitrary.Arbitrary<Answer.Attempt> = Arbitrary.schema(Schemas.Attempt)
