/** Every rule that a query can break, in words and with an example of what keeps it. They are written here and nowhere else. */
import { grouped } from "../reason/words.ts"

type Names = ReadonlyArray<string>

const or = (texts: Names): string =>
  texts.length === 1 ? texts[0]! : `${texts.slice(0, -1).join(", ")} or ${texts.at(-1)}`

const quoted = (texts: Names): string => or(texts.map((text) => JSON.stringify(text)))

/** The first names of a list, and that there are more. */
const some = (names: Names): string =>
  names.length === 0 ? "no option" : names.length <= 6 ? names.join(", ") : `${names.slice(0, 6).join(", ")}, …`

// Values of any option.

export const yesOrNo = { rule: "must be true or false", example: "true" }

export const choice = (texts: Names) => ({ rule: `must be ${quoted(texts)}`, example: texts[0]! })

export const integer = (min: number, max: number) => ({
  rule: max < Number.MAX_SAFE_INTEGER
    ? `must be an integer from ${min} to ${max > 9999 ? grouped(max) : max}`
    : min === 1
    ? "must be a positive integer"
    : `must be an integer of ${min} or more`,
  example: String(Math.min(max, Math.max(min, 10)))
})

export const decimal = (max: number) => ({
  rule: `must be a number from 0 to ${grouped(max)} with at most 6 decimals`,
  example: "0.5"
})

export const credits = { rule: "must be a finite number of credits, 0 or more", example: "1" }

export const seen = {
  rule: "must have sizes, as ChainSize makes them, and the current time in epoch seconds as now",
  example: "{ sizes: [], now: 1795190400 }"
}

export const object = (names: Names) => ({ rule: "must be an object", example: `one with ${or(names.slice(0, 3))}` })

export const unknownOption = (nearest: string | undefined, names: Names) =>
  nearest === undefined
    ? { rule: "is not an option here", example: some(names) }
    : { rule: `is not an option here; it looks like ${nearest}`, example: nearest }

// Days and times.

export const notRelative = { rule: "must be a calendar day, not a relative one", example: "2026-11-20" }

export const timeOfDay = { rule: "must have a time from 00:00:00 to 23:59:59", example: "2026-11-20 09:30" }

export const offset = { rule: "must be the time in New York, without an offset", example: "2026-11-20 09:30" }

export const secondOfDay = { rule: "must be an integer from 0 to 86,399 (seconds)", example: "34200" }

export const dayMissing = { rule: "must be a day", example: "2026-11-20" }

export const rangeOrder = (to: string) => ({ rule: "must not be after", against: "to", limit: to, example: to })

export const past = (example: string) => ({
  rule: "must be left out for current data, or be before today in New York",
  example
})

// What goes together.

export const exclusive = (against: string, example: string) => ({ rule: "cannot be combined with", against, example })

export const minAboveMax = (against: string, limit: number) => ({
  rule: "must not be greater than",
  against,
  limit: String(limit),
  example: String(limit)
})

export const cycles = (against: string, value: boolean) => ({
  rule: `must be ${value}, the same as`,
  against,
  example: String(value)
})

export const settlement = (underlying: string) => ({
  rule: `is for options on known indexes only, and ${underlying} is not one`,
  example: "underlying SPX"
})

// Filters by number.

export const numberList = { rule: "must be a non-empty list of numbers", example: "[400, 405]" }

export const numberRange = (from: number, to: number) => ({
  rule: "must go from the smaller number to the greater",
  example: `{ from: ${to}, to: ${from} }`
})

export const numberBounds = {
  rule: "must have from and to, or one of above, atLeast, below and atMost",
  example: "{ from: 400, to: 410 }"
}

// What is asked for.

export const tickerMissing = { rule: "must be a ticker", example: "SPX" }

export const ticker = { rule: "must be a ticker of 1 to 32 letters, digits or . - _ ^ $", example: "BRK.B" }

/** Several tickers where one belongs, with the first of them. */
export const oneTicker = (first: string) => ({ rule: "must be one ticker, not several", example: first })

export const tickers = { rule: "must be a non-empty list of tickers", example: `["SPY"]` }

export const include = { rule: `must be a list of "52week" and "candle"`, example: `["52week"]` }

export const columns = (names: Names) => ({
  rule: "must be left out, or be a non-empty list of columns",
  example: JSON.stringify(names.slice(0, 2))
})

export const column = (name: string, nearest: string | undefined, names: Names) => ({
  rule: "is not a column of",
  against: name,
  example: nearest ?? some(names)
})

export const stockResolution = {
  rule: "must be minutes, or a number with H, D, W, M (months) or Y",
  example: "5, 2H, D or 3M"
}

export const fundResolution = { rule: "must be D, W, M or Y, with or without a number", example: "D or 3M" }

const contract = "AAPL 7/28/2023 200 Call"

export const description = { rule: "must have underlying, expiration, strike and side", example: contract }

export const descriptionLetters = {
  rule: "must contain only letters, digits, spaces and / . , $ ^ _ -",
  example: contract
}

// Modes and prices.

export const mode = {
  rule: `must be "live", "cached", "delayed" or a value of DataMode`,
  example: "DataMode.cachedOrLive()"
}

export const maxAgeUncached = { rule: "is for cached data only", example: `DataMode.cached({ maxAge: "5 minutes" })` }

export const cachedPastDay = { rule: "is not available for past days", example: "live, or no date" }

export const cachedHere = (name: string) => ({ rule: "is not available for", against: name, example: "live" })

export const statedKind = (example: string, against: string) => ({
  rule: "must be the kind that the contract states for",
  against,
  example
})

// How a query is sent.

export const query = { rule: "must be a query", example: `Result.getOrThrow(Query.optionChain("SPX"))` }

export const format = { rule: `must be "csv", or left out for account and status pages`, example: "csv" }

const proxy = "https://api.example.com/proxy"

export const baseUrl = { rule: "must be http or https, a host, and at most a path of plain characters", example: proxy }

export const baseUrlVersion = { rule: "must not end in /v1, which each request adds", example: proxy }
