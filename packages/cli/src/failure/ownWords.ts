/** Messages of the library name endpoints and options as programs write them. People at a command line know commands and flags. */
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

/** Reasons whose messages advise in code: what to type stands in the next line instead. */
const adviseInCode: ReadonlySet<string> = new Set(["CreditBudgetExceeded", "FallbackDeclined"])

/** The message of a reason. Of one that advises in code: what happened and what it cost, which are its first and its last sentence. */
export const ofReason = (reason: Tagged): string => {
  const sentences = reason.message.split(/(?<=\.) /)
  return adviseInCode.has(reason._tag)
    ? `${sentences[0]} ${sentences.at(-1)}`
    : of(reason.message).replace("Allow a greater maxAge, or ask for live data. ", "")
}

interface Tagged {
  readonly _tag: string
  readonly message: string
}
