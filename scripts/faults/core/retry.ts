import type { Fault } from "../fault.ts"

const retry = "packages/core/src/reply/Retry.ts"
const refusals = "packages/core/src/reason/refusals.ts"

/** A retry rule that asks again after a reason that does not pass. */
const repeats = (clause: string, tag: string): Fault => ({
  clause,
  file: retry,
  find: "if (!failure.reason.isRetryable) return",
  replace: `if (!failure.reason.isRetryable && failure.reason._tag !== "${tag}") return`
})

/** What could be asked again that must not be: after a refusal it is no use, and a miss is an answer. */
export const faults: ReadonlyArray<Fault> = [
  repeats("7.1-204", "NoCachedData"),
  repeats("7.1-400", "BadRequest"),
  repeats("5.7-401", "Unauthorized"),
  repeats("7.1-402", "PlanRequired"),
  repeats("7.1-403", "AddressBlocked"),
  repeats("7.1-404", "NotFound"),
  {
    clause: "7.1-404",
    file: refusals,
    find:
      "nextTime: Schema.optional(Schema.Finite),\n  body: Body,\n  charged: Charged\n}) {\n  readonly isRetryable = false",
    replace:
      "nextTime: Schema.optional(Schema.Finite),\n  body: Body,\n  charged: Charged\n}) {\n  readonly isRetryable = true"
  }
]
