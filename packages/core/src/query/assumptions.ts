import * as Result from "effect/Result"
import type { Endpoint } from "./Endpoint.ts"
import type * as Query from "./query.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as Parameter from "./parameter.ts"
import * as Rules from "./rules.ts"

const count = Parameter.number(
  Rules.integer(0, Infinity),
  (input) => Number.isSafeInteger(input) && input >= 0
)

/** What a query may assume of its reply. */
export const ofQuery = {
  contracts: count,
  candles: count,
  symbols: count,
  credits: count,
  historical: Parameter.yesOrNo,
  kind: Parameter.choice(["chain", "quotes", "candles", "bulkCandles", "other", "free"])
} satisfies Parameter.ReadersOf<Query.Assumptions>

/** Reads assumptions about an endpoint, which messages call by their names behind `assume.`. */
export const read = <R extends Parameter.Readers & Pick<typeof ofQuery, "kind">>(
  readers: R,
  row: Endpoint,
  input: unknown
): Result.Result<Parameter.GivenOptions<R>, InvalidQuery> =>
  Result.flatMap(
    Parameter.readOptions("assume", input, readers, "assume."),
    (given) =>
      row.kindStated && given.kind !== undefined && given.kind !== row.kind
        ? Parameter.refuse("assume.kind", given.kind, Rules.statedKind(row.kind, row.name))
        : Result.succeed(given)
  )

/** Reads what a query to an endpoint assumes. */
export const readForQuery = (row: Endpoint, input: unknown): Result.Result<Query.Assumptions, InvalidQuery> =>
  read(ofQuery, row, input)
