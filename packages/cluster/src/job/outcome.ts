/** What became of a query of a job. */
import * as MarketDataError from "@effect-marketdata/client/MarketDataError"
import * as Schemas from "@effect-marketdata/core/Schemas"
import * as Schema from "effect/Schema"

/** What a query was charged in all, and at most in addition, in credits. */
const cost = { credits: Schemas.Amount, uncertain: Schemas.Amount }

/** The schema of outcomes, see `Job.Outcome`. */
export const Outcome = Schema.Union([
  Schema.TaggedStruct("Answered", { ...cost, missing: Schema.Array(Schema.String) }),
  Schema.TaggedStruct("Failed", { ...cost, error: MarketDataError.FromJson }),
  Schema.TaggedStruct("Lost", { ...cost, detail: Schema.String }),
  Schema.TaggedStruct("NotAsked", { ...cost, bound: Schemas.Amount })
])

export type Outcome = typeof Outcome.Type

export const Stored = Schema.fromJsonString(Outcome)
