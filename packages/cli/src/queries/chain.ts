/** From the flags of `chain` to its query and view. */
import * as Query from "@effect-marketdata/core/Query"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { modeOf } from "../asking/mode.ts"
import type { Input } from "../commands/chain.ts"
import * as Rows from "../output/rows.ts"
import * as Ladder from "../views/ladder.ts"

export const of = Effect.fnUntraced(function*(input: Input) {
  const query = yield* Effect.fromResult(Query.optionChain(input.symbol, {
    mode: yield* modeOf(input),
    date: Option.getOrUndefined(input.date),
    expiration: Option.getOrUndefined(input.expiration),
    side: Option.getOrUndefined(input.side),
    assume: { contracts: Option.getOrUndefined(input.contracts) }
  }))
  return { query, view: { rows: Rows.ofTable, lines: Ladder.lines }, fallbackUpTo: input.fallbackUpTo }
})
