import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Expiration from "@effect-marketdata/core/Expiration"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as LookupText from "./lookupText.ts"
import * as Found from "../view/found.ts"
import * as Refusals from "../request/refusals.ts"
import type { View } from "../view/view.ts"

/** The symbol of a contract that somebody describes in words (contract 4.3). */
export const read: Found.Reader = ({ segments }) =>
  Result.gen(function*() {
    const text = segments["description"]!
    const description = LookupText.parse(text)
    if (description === undefined) {
      return yield* Result.fail(
        Refusals.badRequest(
          "Invalid description. Name underlying, expiration, strike and side: AAPL 7/28/2023 200 Call."
        )
      )
    }
    const underlying = Expiration.underlyingOf(description.underlying)
    // Core takes the first word for the underlying; here it is known wherever it stands.
    const query = {
      ...(yield* Refusals.query(Query.optionLookup({ ...description, underlying }))),
      tickers: [underlying]
    }
    return {
      query,
      answer: (view) => {
        const optionSymbol = listed(view, { ...description, underlying })
        return optionSymbol === undefined
          ? Result.fail(Refusals.optionNotFound)
          : Result.succeed(Found.fields({ optionSymbol }))
      }
    }
  })

/** The symbol under which a contract is listed, or was when it expired: the first of the underlying's roots that has it. */
const listed = (view: View, description: LookupText.Description): string | undefined => {
  const { expiration, side, strike, underlying } = description
  const known = view.known("options")
  const today = NewYork.dateOf(known)
  const isOver = CalendarDate.toEpochDay(expiration) < CalendarDate.toEpochDay(today)
  const roots = view.market.find(underlying)?.roots ?? []
  for (const { root } of roots) {
    const symbol = Result.getOrUndefined(
      Result.map(OptionSymbol.make({ root, expiration, side, strike }), OptionSymbol.format)
    )
    if (symbol === undefined) continue
    const quotes = isOver
      ? view.market.optionQuotesAtClose([symbol], expiration)
      : view.market.optionQuotes([symbol], known)
    if (quotes.length > 0) return symbol
  }
  return undefined
}
