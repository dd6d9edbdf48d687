/** `marketdata quote SYMBOL…`: quotes of options, or a saved reply that holds them. */
import { ColumnTable, OptionQuote, QueryText } from "@effect-marketdata/core"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Argument from "effect/cli/Argument"
import { Effect, Option } from "effect"
import { type Answered, asks } from "../asking/command.ts"
import * as Asking from "../asking/flags.ts"
import { modeOf, optionsOf, withSymbol } from "../asking/mode.ts"
import * as SavedReply from "../asking/savedReply.ts"
import * as Document from "../output/document.ts"
import type { Size } from "../output/output.ts"
import * as Flags from "../text/flags.ts"
import * as Contracts from "../views/contracts.ts"

type AnyQuotes = Omit<OptionQuote.OptionQuote, OptionQuote.Column>

const viewOf = Effect.fnUntraced(function*(sort: Option.Option<string>, columns: ReadonlyArray<string>) {
  const order = yield* Contracts.orderOf(Option.getOrUndefined(sort), columns)
  return {
    rows: (quotes: AnyQuotes) => Document.ofTable(Contracts.sorted(quotes, order)),
    lines: (quotes: AnyQuotes, size: Size, now: number) => Contracts.lines(Contracts.sorted(quotes, order), size, now)
  }
})

export const quote = asks({
  examples: [
    ["AAPL261218C00350000", "One contract"],
    ["AAPL261218C00350000 AAPL261218P00350000 --mode cached", "Several, from the cache"],
    ["AAPL261218C00350000 --format json", "As JSON"]
  ],
  flags: {
    symbols: Argument.String("symbol").pipe(
      Argument.withDescription("Option symbols, such as AAPL261218C00350000; padded with blanks as well"),
      Argument.atLeast(0)
    ),
    ...Asking.mode,
    past: {
      date: Flags.text("date", "DAY", "The quote of a past trading day, as YYYY-MM-DD"),
      from: Flags.text("from", "DAY", "A quote for each day from this one on, as YYYY-MM-DD"),
      to: Flags.text("to", "DAY", "And up to the day before this one"),
      limit: Flags.whole("limit", "COUNT", "At most this many rows of each symbol"),
      offset: Flags.whole("offset", "COUNT", "Leave out this many rows at the beginning"),
      ...Asking.columns
    },
    credits: Flags.credits(
      "credits",
      "What you expect the quotes of past days to cost at most, for each symbol: the contract states no price for them"
    )
  },
  display: { ...Asking.sort, ...Asking.watch, ...Asking.reply },
  call: Effect.fnUntraced(function*({ credits, past, symbols, ...modes }, display) {
    const mode = yield* modeOf(modes, [past.date, past.from, past.to].some((day) => Option.isSome(day)))
    const columns = withSymbol(past.columns, symbols.length > 1, "optionSymbol")
    const options = { ...optionsOf({ ...past, columns }), mode, assume: optionsOf({ credits }) }
    const [query, ...others] = yield* Effect.fromResult(QueryText.optionQuotes(symbols, options))
    if (query === undefined) {
      return yield* InvalidQuery.of("symbol", "", {
        rule: "must be an option symbol, or leave it out with --reply FILE",
        example: "marketdata quote AAPL261218C00350000"
      })
    }
    return {
      query,
      list: {
        others,
        join: (parts: ReadonlyArray<Answered<OptionQuote.OptionQuote>>) =>
          ColumnTable.merge(OptionQuote.spec, parts.map(({ answer }) => answer.data))
      },
      view: yield* viewOf(display?.sort ?? Option.none(), query.returns),
      ...optionsOf({ fallbackUpTo: modes.fallbackUpTo, every: display?.watch })
    }
  }),
  savedReply: ({ symbols }, { reply, sort }) =>
    Option.isNone(reply) ? undefined : SavedReply.shown(reply.value, {
      isAlone: symbols.length === 0,
      viewOf: (columns) => viewOf(sort, columns)
    })
})
