/** Messages of the library name endpoints and options as programs write them. People at a command line know commands and flags. */
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import type * as Query from "@effect-marketdata/core/Query"

/** The command that asks each endpoint. */
const commands = {
  optionChain: "chain",
  optionQuote: "quote",
  optionLookup: "lookup",
  optionExpirations: "expirations",
  optionStrikes: "strikes",
  stockQuotes: "stock quote",
  stockPrices: "stock prices",
  stockCandles: "stock candles",
  stockBulkCandles: "stock bulk-candles",
  stockNews: "stock news",
  stockEarnings: "stock earnings",
  fundCandles: "fund candles",
  marketStatus: "market status",
  account: "account",
  serviceStatus: "doctor",
  requestHeaders: "the page of headers"
} satisfies { readonly [Name in keyof typeof Query.endpoints]: string }

const endpoint = new RegExp(`\\b(?:${Object.keys(commands).join("|")})\\b`, "g")

/** The same text with the names of commands. */
export const of = (text: string): string => text.replaceAll(endpoint, (name) => commands[name as keyof typeof commands])

/** Reasons that advise in code: what to type stands in the next line instead. */
const adviseInCode: ReadonlySet<string> = new Set(["CreditBudgetExceeded", "FallbackDeclined", "NoCachedData"])

/** The message of a reason; of one that advises in code, what happened and what it cost. */
export const ofReason = (reason: MarketDataError["reason"]): string =>
  reason._tag !== "Incomplete" && adviseInCode.has(reason._tag)
    ? `${reason.said.what}. ${reason.said.cost}.`
    : of(reason.message)
