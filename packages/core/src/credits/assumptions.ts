/** What a price may take for granted, beside what its query assumes. */
import * as Result from "effect/Result"
import * as Assumptions from "../query/assumptions.ts"
import type { Endpoint } from "../query/Endpoint.ts"
import type * as Named from "../query/named.ts"
import * as Parameter from "../query/parameter.ts"
import * as Rules from "../query/rules.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as Untyped from "../text/untyped.ts"
import type * as Estimate from "./estimate.ts"
import * as ChainSize from "./ChainSize.ts"

/** Sizes that were seen, each of them read. */
const seen: Parameter.Reader<Estimate.Seen> = (name, input) => {
  const { now, sizes } = Untyped.fields(input, ["sizes", "now"]) ?? {}
  const read = Untyped.list(sizes)?.map(ChainSize.read)
  return typeof now === "number" && Number.isFinite(now) && read?.every((size) => size !== undefined) === true
    ? Result.succeed({ sizes: read, now })
    : Parameter.refuse(name, input, Rules.seen)
}

const ofPrice = {
  ...Assumptions.ofQuery,
  profile: Parameter.choice(["contract", "public"]),
  rounding: Parameter.choice(["up", "down", "nearest"]),
  quoteData: Parameter.choice(["any", "all"]),
  requests: Parameter.number(
    Rules.integer(1, Infinity),
    (input) => Number.isSafeInteger(input) && input >= 1
  ),
  figures: Parameter.choice(["any", "possible", "explained"]),
  refusal: Parameter.number(Rules.credits, (input) => input >= 0 && input < Infinity),
  seen
} satisfies Named.ReadersOf<Estimate.PriceOptions>

/** Reads what the price of a query to an endpoint assumes. */
export const readForPrice = (row: Endpoint, input: unknown): Result.Result<Estimate.PriceOptions, InvalidQuery> =>
  Assumptions.read(ofPrice, row, input)
