/**
 * The settings, each once: its name in the file of settings, what it means, what it may be, and how the command line reads it. Its variable has its name
 * in capitals, so that a variable and the file are two ways to set the same thing. Settings without a reader are the client's, which has a `Config` of its
 * own for them.
 */
import * as DurationText from "@effect-marketdata/core/DurationText"
import * as Problem from "@effect-marketdata/core/Problem"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** One setting. */
interface Setting {
  readonly meaning: string
  /** What it may be, in words. */
  readonly rule: string
  readonly example: string
  /** What holds where it is not set, in words. */
  readonly otherwise: string
  readonly read?: (text: string) => Option.Option<unknown>
}

const oneOf =
  <const Values extends ReadonlyArray<string>>(values: Values) => (text: string): Option.Option<Values[number]> =>
    Option.fromNullishOr(values.find((value) => value === text))

const amount = (text: string): Option.Option<number> => {
  const value = Number(text)
  return /^\d+$/.test(text) && Number.isSafeInteger(value) ? Option.some(value) : Option.none()
}

const count = (text: string): Option.Option<number> => Option.filter(amount(text), (value) => value >= 1)

/** On, off, or a path that means the same wherever a command is typed. */
const place = (text: string): Option.Option<string> =>
  text === "on" || text === "off" || /^(?:~[/\\]|\/|[A-Za-z]:[/\\])[^\0]+$/.test(text)
    ? Option.some(text)
    : Option.none()

/** How data can be printed. */
export const formats = ["table", "json", "jsonl", "csv"] as const

/** All settings by their name in the file. */
export const settings = {
  baseUrl: {
    meaning: "the address of the service",
    rule: "must be an http or https URL without /v1",
    example: "https://api.marketdata.app",
    otherwise: "the public service with a token, an embedded sandbox without one"
  },
  tokenIn: {
    meaning: "where a request carries the token",
    rule: "must be header or query",
    example: "header",
    otherwise: "header"
  },
  mode: {
    meaning: "which data to ask for where --mode is left out",
    rule: "must be live, delayed or cached",
    example: "cached",
    otherwise: "what the account's plan decides",
    read: oneOf(["live", "cached", "delayed"])
  },
  confirmAbove: {
    meaning: "the most credits that a command may cost without being asked",
    rule: "must be 0 or a positive integer (credits)",
    example: "100",
    otherwise: "100 credits",
    read: amount
  },
  timeout: {
    meaning: "how long a command may take where --timeout is left out",
    rule: "must be a duration",
    example: "30s",
    otherwise: "no limit",
    read: DurationText.parse
  },
  format: {
    meaning: "how data are printed where --format is left out",
    rule: "must be table, json, jsonl or csv",
    example: "json",
    otherwise: "table",
    read: oneOf(formats)
  },
  cache: {
    meaning: "where replies are kept, which answer again at no cost: on, off, or a folder",
    rule: "must be on, off, a whole path, or one that begins with ~/",
    example: "off",
    otherwise: "on: in the user's folder for such files, but not of a service on this machine",
    read: place
  },
  cacheBytes: {
    meaning: "the most bytes of all replies that are kept",
    rule: "must be a positive integer (bytes)",
    example: "1073741824",
    otherwise: "268435456",
    read: count
  },
  ledger: {
    meaning: "where all commands record what they spend: on, off, or a file",
    rule: "must be on, off, a whole path, or one that begins with ~/",
    example: "~/marketdata.db",
    otherwise: "on: in the user's folder for such files, but not of a service on this machine",
    read: place
  },
  allowance: {
    meaning: "the credits that all commands together may spend, by the ledger",
    rule: "must be 0 or a positive integer (credits)",
    example: "10000",
    otherwise: "no limit",
    read: amount
  },
  allowanceWindow: {
    meaning: "when the allowance is full again",
    rule: "must be day, minute or none",
    example: "day",
    otherwise: "day: at 9:30 in New York",
    read: oneOf(["day", "minute", "none"])
  },
  maxInFlight: {
    meaning: "the most requests in flight",
    rule: "must be a positive integer (requests)",
    example: "10",
    otherwise: "50"
  },
  maxSymbols: {
    meaning: "the most tickers in one request",
    rule: "must be a positive integer (tickers)",
    example: "100",
    otherwise: "500",
    read: count
  },
  retries: {
    meaning: "how many retries a command may send at once",
    rule: "must be 0 or a positive number",
    example: "10",
    otherwise: "50"
  },
  retriesPerSecond: {
    meaning: "how many more retries it may send each second",
    rule: "must be 0 or a positive number",
    example: "1",
    otherwise: "2"
  },
  maxReplyBytes: {
    meaning: "the largest reply that is read, uncompressed",
    rule: "must be a positive integer (bytes)",
    example: "16777216",
    otherwise: "what a reply of the endpoint can have"
  },
  maxBytesInFlight: {
    meaning: "the most bytes of all replies that are being read",
    rule: "must be a positive integer (bytes)",
    example: "67108864",
    otherwise: "134217728"
  },
  maxKeptBytes: {
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

/** The variable of a setting. */
export const variableOf = (name: Name): string =>
  `MARKETDATA_${name.replaceAll(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase()}`

/** The setting that a variable sets, if it sets one. */
export const nameOf = (variable: string): Name | undefined => names.find((name) => variableOf(name) === variable)

/** The settings that the command line reads itself. */
type Own = { [N in Name]: (typeof settings)[N] extends { readonly read: unknown } ? N : never }[Name]

type Value<N extends Own> = (typeof settings)[N]["read"] extends (text: string) => Option.Option<infer A> ? A : never

/** Reads a setting; one that breaks its rule fails by it. */
export const config = <N extends Own>(name: N): Config.Config<Value<N>> => {
  const { read, ...problem } = settings[name]
  const variable = variableOf(name)
  return Config.mapEffect(Config.String(variable), (text) =>
    Option.match(read(text) as Option.Option<Value<N>>, {
      onSome: Effect.succeed,
      onNone: () =>
        Effect.fail(
          new Config.ConfigError(
            new ConfigProvider.SourceError({ message: Problem.format(`${variable} ${Problem.shown(text)}`, problem) })
          )
        )
    }))
}

/** Whether the command line reads a setting itself. */
export const isOwn = (name: Name): name is Own => "read" in settings[name]
