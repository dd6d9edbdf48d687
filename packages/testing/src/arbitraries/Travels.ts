/**
 * Requests of one account from several addresses, for fast-check: the times are those at which blocks begin and end.
 *
 * @example
 * ```ts
 * import * as Travels from "@effect-marketdata/testing/Travels"
 * import * as fc from "fast-check"
 *
 * const [steps] = fc.sample(Travels.travel, { seed: 1, numRuns: 1 })
 * steps!.every(({ pause }) => pause <= 700) // => true
 * ```
 *
 * @since 0.1.0
 */
import * as fc from "fast-check"

/**
 * Somebody wants to send a request from an address, `pause` seconds after what happened before. It is `travel` seconds on its way to the
 * service, and its reply `answer` seconds on the way back.
 *
 * @category models
 * @since 0.1.0
 */
export interface Step {
  readonly address: "A" | "B" | "C"
  readonly pause: number
  readonly travel: number
  readonly answer: number
}

const seconds = fc.oneof(fc.constant(0), fc.nat({ max: 30 }))

/**
 * Up to 20 requests, one after the other, from up to three addresses. Pauses are short, or around the five minutes that a return to an
 * address must wait for.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const travel: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.record<Step>({
    address: fc.constantFrom("A", "B", "C"),
    pause: fc.oneof(fc.nat({ max: 10 }), fc.nat({ max: 700 }), fc.constantFrom(299, 300, 301)),
    travel: seconds,
    answer: seconds
  }),
  { maxLength: 20, size: "max" }
)
