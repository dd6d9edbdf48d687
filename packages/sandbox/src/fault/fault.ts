/** What can go wrong with a request, as data. */
import * as Schema from "effect/Schema"
import * as SeededNoise from "../market/seededNoise.ts"

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

/** What is still to strike, and how often chance was asked. */
export interface FaultScript {
  readonly seed: number
  readonly draws: number
  readonly faults: ReadonlyArray<Fault>
}

/** A script at its beginning. */
export const make = (seed: number, faults: ReadonlyArray<Fault>): FaultScript => ({
  seed,
  draws: 0,
  faults: live(faults)
})

/** Another script; chance goes on where it was. */
export const replace = (self: FaultScript, faults: ReadonlyArray<Fault>): FaultScript => ({
  ...self,
  faults: live(faults)
})

/** What is still to strike. */
export const remaining = ({ faults }: FaultScript): ReadonlyArray<Fault> => faults

const live = (faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> => faults.filter(({ count }) => count !== 0)

/** What strikes a request, with a number of its own for what chance decides about it. */
export interface Drawn {
  readonly kind: Kind
  readonly seed: number
}

/** Draws what strikes a request: the first fault that does, which is then used up by one. */
export const draw = (self: FaultScript, target: string): readonly [Drawn | undefined, FaultScript] => {
  let draws = self.draws
  for (const [at, fault] of self.faults.entries()) {
    if (fault.match !== undefined && !target.startsWith(fault.match)) continue
    const seed = SeededNoise.mix(self.seed, draws++)
    if (SeededNoise.unit(seed) >= (fault.probability ?? 1)) continue
    const used = fault.count === undefined ? fault : { ...fault, count: fault.count - 1 }
    return [{ kind: fault.kind, seed }, { ...self, draws, faults: live(self.faults.with(at, used)) }]
  }
  return [undefined, { ...self, draws }]
}
