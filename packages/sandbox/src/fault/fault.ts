/** What can go wrong with a request, as data. */
import * as Schema from "effect/Schema"

const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/**
 * What can go wrong with a request.
 *
 * - `Latency`: the reply waits for a number of milliseconds of Effect's clock
 * - `Reset`: the service has done and billed its work, and the connection breaks before the first byte of the reply
 * - `ResetWithinBody`: it breaks after a number of characters of the body
 * - `Truncation`: the body ends after a number of characters, and says that it is whole
 * - `Garbage`: a body that is no JSON under the reply's own status and type
 * - `WrongLength`: the content length is wrong by a number of bytes
 * - `Status`: the web server answers with a status of the 5xx family; the service is never reached
 * - `RaggedColumn`, `ZeroStrike`, `ExtraField`: data that are plausible and wrong: one column too short, a strike of zero, an unknown column
 * - `ClockSkew`: the service answers as if it were a number of seconds later, by its `date` as well
 */
export const Kind = Schema.Union([
  Schema.TaggedStruct("Latency", { millis: count }),
  Schema.TaggedStruct("Reset", {}),
  Schema.TaggedStruct("ResetWithinBody", { after: count }),
  Schema.TaggedStruct("Truncation", { after: count }),
  Schema.TaggedStruct("Garbage", {}),
  Schema.TaggedStruct("WrongLength", { by: Schema.Int }),
  Schema.TaggedStruct("Status", { status: Schema.Int.check(Schema.isBetween({ minimum: 500, maximum: 599 })) }),
  Schema.TaggedStruct("RaggedColumn", {}),
  Schema.TaggedStruct("ZeroStrike", {}),
  Schema.TaggedStruct("ExtraField", {}),
  Schema.TaggedStruct("ClockSkew", { seconds: Schema.Int })
])

/**
 * What can go wrong with a request, as a value.
 */
export type Kind = typeof Kind.Type

/**
 * One line of the script.
 *
 * - `match`: strikes only requests whose target begins like this; any request where it is left out
 * - `count`: strikes so often and no more; without end where it is left out
 * - `probability`: how likely it strikes a request that matches; always where it is left out
 */
export const Fault = Schema.Struct({
  match: Schema.optionalKey(Schema.String),
  count: Schema.optionalKey(count),
  probability: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))),
  kind: Kind
})

/**
 * One line of the script, as a value.
 */
export type Fault = typeof Fault.Type
