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
