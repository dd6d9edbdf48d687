/**
 * The settings, each once: its name in the file of settings, its environment variable, what it means and what it may be. The commands read them
 * through Effect's `Config` by the name of the variable, so that a variable and the file are two ways to set the same thing.
 */

/** One setting. */
export interface Setting {
  readonly variable: string
  readonly meaning: string
  /** What it may be, in words. */
  readonly rule: string
  readonly example: string
  /** What holds where it is not set, in words. */
  readonly otherwise: string
}

/** All settings by their name in the file. */
export const settings = {
  baseUrl: {
    variable: "MARKETDATA_BASE_URL",
    meaning: "the address of the service",
    rule: "must be an http or https URL without /v1",
    example: "https://api.marketdata.app",
    otherwise: "the public service with a token, an embedded sandbox without one"
  },
  tokenIn: {
    variable: "MARKETDATA_TOKEN_IN",
    meaning: "where a request carries the token",
    rule: "must be header or query",
    example: "header",
    otherwise: "header"
  },
  mode: {
    variable: "MARKETDATA_MODE",
    meaning: "which data to ask for where --mode is left out",
    rule: "must be live, delayed or cached",
    example: "cached",
    otherwise: "what the account's plan decides"
  },
  confirmAbove: {
    variable: "MARKETDATA_CONFIRM_ABOVE",
    meaning: "the most credits that a command may cost without being asked",
    rule: "must be 0 or a positive integer (credits)",
    example: "100",
    otherwise: "100 credits"
  },
  timeout: {
    variable: "MARKETDATA_TIMEOUT",
    meaning: "how long a command may take where --timeout is left out",
    rule: "must be a duration",
    example: "30s",
    otherwise: "no limit"
  },
  format: {
    variable: "MARKETDATA_FORMAT",
    meaning: "how data are printed where --format is left out",
    rule: "must be table, json, jsonl or csv",
    example: "json",
    otherwise: "table"
  },
  cache: {
    variable: "MARKETDATA_CACHE",
    meaning: "where replies are kept, which answer again at no cost: on, off, or a folder",
    rule: "must be on, off, a whole path, or one that begins with ~/",
    example: "off",
    otherwise: "on: in the user's folder for such files, but not of a service on this machine"
  },
  cacheBytes: {
    variable: "MARKETDATA_CACHE_BYTES",
    meaning: "the most bytes of all replies that are kept",
    rule: "must be a positive integer (bytes)",
    example: "1073741824",
    otherwise: "268435456"
  },
  ledger: {
    variable: "MARKETDATA_LEDGER",
    meaning: "where all commands record what they spend: on, off, or a file",
    rule: "must be on, off, a whole path, or one that begins with ~/",
    example: "~/marketdata.db",
    otherwise: "on: in the user's folder for such files, but not of a service on this machine"
  },
  allowance: {
    variable: "MARKETDATA_ALLOWANCE",
    meaning: "the credits that all commands together may spend, by the ledger",
    rule: "must be 0 or a positive integer (credits)",
    example: "10000",
    otherwise: "no limit"
  },
  allowanceWindow: {
    variable: "MARKETDATA_ALLOWANCE_WINDOW",
    meaning: "when the allowance is full again",
    rule: "must be day, minute or none",
    example: "day",
    otherwise: "day: at 9:30 in New York"
  },
  maxInFlight: {
    variable: "MARKETDATA_MAX_IN_FLIGHT",
    meaning: "the most requests in flight",
    rule: "must be a positive integer (requests)",
    example: "10",
    otherwise: "50"
  },
  maxSymbols: {
    variable: "MARKETDATA_MAX_SYMBOLS",
    meaning: "the most tickers in one request",
    rule: "must be a positive integer (tickers)",
    example: "100",
    otherwise: "500"
  },
  retries: {
    variable: "MARKETDATA_RETRIES",
    meaning: "how many retries a command may send at once",
    rule: "must be 0 or a positive number",
    example: "10",
    otherwise: "50"
  },
  retriesPerSecond: {
    variable: "MARKETDATA_RETRIES_PER_SECOND",
    meaning: "how many more retries it may send each second",
    rule: "must be 0 or a positive number",
    example: "1",
    otherwise: "2"
  },
  maxReplyBytes: {
    variable: "MARKETDATA_MAX_REPLY_BYTES",
    meaning: "the largest reply that is read, uncompressed",
    rule: "must be a positive integer (bytes)",
    example: "16777216",
    otherwise: "what a reply of the endpoint can have"
  },
  maxBytesInFlight: {
    variable: "MARKETDATA_MAX_BYTES_IN_FLIGHT",
    meaning: "the most bytes of all replies that are being read",
    rule: "must be a positive integer (bytes)",
    example: "67108864",
    otherwise: "134217728"
  },
  maxKeptBytes: {
    variable: "MARKETDATA_MAX_KEPT_BYTES",
    meaning: "the most bytes of old replies that a watching command keeps",
    rule: "must be 0 or a positive integer (bytes)",
    example: "16777216",
    otherwise: "0"
  }
} as const satisfies Readonly<Record<string, Setting>>

/** The name of a setting. */
export type Name = keyof typeof settings

export const names = Object.keys(settings) as ReadonlyArray<Name>

export const isName = (text: string): text is Name => Object.hasOwn(settings, text)

/** The setting that a variable sets, if it sets one. */
export const nameOf = (variable: string): Name | undefined => names.find((name) => settings[name].variable === variable)
