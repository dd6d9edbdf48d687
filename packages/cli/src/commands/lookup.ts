/** `marketdata lookup WORDS…`: the symbol of a contract that is described in words. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Query from "@effect-marketdata/core/Query"
import * as Argument from "effect/cli/Argument"
import * as Effect from "effect/Effect"
import { asks } from "../asking/command.ts"
import * as Asking from "../asking/flags.ts"
import { uncached } from "../asking/mode.ts"
import * as Document from "../output/document.ts"
import { view } from "../views/table.ts"

export const lookup = asks({
  examples: [
    ["AAPL 12/18/2026 250 call", "The symbol, and its parts"],
    ["\"SPY 12/18/2026 \\$600 put\"", "As one text"],
    ["AAPL 12/18/2026 250 put --format json", "As JSON"]
  ],
  flags: {
    words: Argument.String("words").pipe(
      Argument.withDescription("Underlying, expiration, strike and side, such as: AAPL 12/18/2026 250 call"),
      Argument.atLeast(1)
    ),
    ...Asking.uncached
  },
  call: Effect.fnUntraced(function*({ words, ...flags }) {
    return yield* view(Query.optionLookup(words.join(" "), yield* uncached(flags)), {
      rows: ({ contract, optionSymbol }) =>
        Document.rows(["optionSymbol", "root", "expiration", "side", "strike"], [
          [optionSymbol, contract.root, CalendarDate.format(contract.expiration), contract.side, contract.strike]
        ])
    })
  })
})
