/** From the words of `lookup` to its query and view. */
import type * as OptionLookup from "@effect-marketdata/core/OptionLookup"
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Query from "@effect-marketdata/core/Query"
import * as Effect from "effect/Effect"
import { uncachedModeOf } from "../asking/mode.ts"
import type { Input } from "../commands/lookup.ts"
import * as Rows from "../output/rows.ts"

const rows = ({ contract, optionSymbol }: OptionLookup.OptionLookup): Rows.Rows =>
  Rows.of(["optionSymbol", "root", "expiration", "side", "strike"], [
    [optionSymbol, contract.root, CalendarDate.format(contract.expiration), contract.side, contract.strike]
  ])

export const of = Effect.fnUntraced(function*({ words, ...input }: Input) {
  const query = yield* Effect.fromResult(Query.optionLookup(words.join(" "), { mode: yield* uncachedModeOf(input) }))
  return { query, view: { rows } }
})
