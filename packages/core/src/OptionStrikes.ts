/**
 * The strikes that are listed for an underlying, expiration by expiration.
 *
 * @example
 * ```ts
 * import * as OptionStrikes from "@effect-marketdata/core/OptionStrikes"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","updated":1663704000,"2023-01-20":[30,32.5,35]}`
 * Result.getOrThrow(OptionStrikes.decode(body)).expirations[0]?.strikes // => [30, 32.5, 35]
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as CalendarDate from "./CalendarDate.ts"
import type { DecodeError } from "./DecodeError.ts"
import * as Fields from "./internal/fields.ts"
import * as Strike from "./Strike.ts"

/**
 * The strikes of one expiration, in dollars.
 *
 * @category models
 * @since 0.1.0
 */
export interface Listing {
  readonly expiration: CalendarDate.CalendarDate
  readonly strikes: ReadonlyArray<number>
}

/**
 * All listings, in the order of the reply. `updated` is in epoch seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface OptionStrikes {
  readonly expirations: ReadonlyArray<Listing>
  readonly updated: number
}

/**
 * Decodes the body of a reply, bytes or text; fails with `DecodeError`. Each field but `s` and `updated` is named for an expiration.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = (body: Uint8Array | string): Result.Result<OptionStrikes, DecodeError> =>
  Result.gen(function*() {
    const fields = yield* Fields.read(body)
    const expirations: Array<Listing> = []
    for (const name of Object.keys(fields)) {
      if (name === "s" || name === "updated") continue
      const expiration = Result.getOrUndefined(CalendarDate.parse(name))
      if (expiration === undefined) {
        return yield* Fields.fail("UnknownField", name, "an expiration, as YYYY-MM-DD", name)
      }
      expirations.push({ expiration, strikes: yield* Fields.array(fields, name, "a strike in dollars", strike) })
    }
    return { expirations, updated: yield* Fields.number(fields, "updated") }
  })

const strike = (value: unknown): number | undefined =>
  typeof value === "number" ? Result.getOrUndefined(Strike.parse(value)) : undefined
