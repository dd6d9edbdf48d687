/**
 * The settings, each once: its name in the file of settings, what it means, what it may be, and how the command line reads it. Its variable has its name
 * in capitals, so that a variable and the file are two ways to set the same thing. Settings without a reader are the client's, which has a `Config` of its
 * own for them. The address of the service is also what a token is kept with.
 */
import { DurationText, Problem } from "@effect-marketdata/core"
import { Config, ConfigProvider, Context, Effect, Option } from "effect"

/** One setting. */
interface Setting extends Problem.Problem {
  readonly meaning: string
  /** What holds where it is not set, in words. */
  readonly otherwise: string
  /** Its value; undefined where the text breaks the rule. */
  readonly read?: (text: string) => unknown
}

/** A setting that the client reads: what it must be, an example, and what holds where it is not set. */
const ruled = (what: string, example: string, otherwise: string) => ({ rule: `must be ${what}`, example, otherwise })

/** One of some words. */
const oneOf = <const Words extends ReadonlyArray<string>>(words: Words, example: Words[number], otherwise: string) => ({
  ...ruled(`${words.slice(0, -1).join(", ")} or ${words.at(-1)}`, example, otherwise),
  read: (text: string): Words[number] | undefined => words.find((word) => word === text)
})

/** A whole number, from 0 or from 1. */
const whole = (least: 0 | 1, unit: string, example: string, otherwise: string) => ({
  ...ruled(`${least === 0 ? "0 or " : ""}a positive integer (${unit})`, example, otherwise),
  read: (text: string): number | undefined => {
    const value = Number(text)
    return /^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least ? value : undefined
  }
})

const usualPlace = "on: in the user's folder for such files, but not of a service on this machine"

/** On, off, or a path that does not depend on the working directory. */
const place = (example: string) => ({
  ...ruled("on, off, an absolute path, or one that begins with ~/", example, usualPlace),
  read: (text: string): string | undefined =>
    /^(?:on|off|(?:~[/\\]|\/|[A-Za-z]:[/\\])[^\0]+)$/.test(text) ? text : undefined
})

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
  tokenIn: { meaning: "where a request carries the token", ...ruled("header or query", "header", "header") },
  mode: {
    meaning: "which data to ask for, if --mode is not given",
    ...oneOf(["live", "delayed", "cached"], "cached", "what the account's plan decides")
  },
  confirmAbove: {
    meaning: "the most credits that a command may cost without being asked",
    ...whole(0, "credits", "100", "100 credits")
  },
  timeout: {
    meaning: "how long a command may take, if --timeout is not given",
    ...ruled("a duration", "30s", "no limit"),
    read: (text: string) => Option.getOrUndefined(DurationText.parse(text))
  },
  format: { meaning: "how data are printed, if --format is not given", ...oneOf(formats, "json", "table") },
  cache: { meaning: "where replies are kept, which answer again at no cost: on, off, or a folder", ...place("off") },
  cacheBytes: {
    meaning: "the most bytes of all replies that are kept",
    ...whole(1, "bytes", "1073741824", "268435456")
  },
  ledger: { meaning: "where all commands record what they spend: on, off, or a file", ...place("~/marketdata.db") },
  allowance: {
    meaning: "the credits that all commands together may spend, by the ledger",
    ...whole(0, "credits", "10000", "no limit")
  },
  allowanceWindow: {
    meaning: "when the allowance is full again",
    ...oneOf(["day", "minute", "none"], "day", "day: at 9:30 in New York")
  },
  maxInFlight: { meaning: "the most requests in flight", ...ruled("a positive integer (requests)", "10", "50") },
  maxSymbols: { meaning: "the most tickers in one request", ...whole(1, "tickers", "100", "500") },
  retries: { meaning: "how many retries a command may send at once", ...ruled("0 or a positive number", "10", "50") },
  retriesPerSecond: {
    meaning: "how many more retries it may send each second",
    ...ruled("0 or a positive number", "1", "2")
  },
  maxReplyBytes: {
    meaning: "the largest reply that is read, uncompressed",
    ...ruled("a positive integer (bytes)", "16777216", "what a reply of the endpoint can have")
  },
  maxBytesInFlight: {
    meaning: "the most bytes of all replies that are being read",
    ...ruled("a positive integer (bytes)", "67108864", "134217728")
  },
  maxKeptBytes: {
    meaning: "the most bytes of old replies that a watching command keeps",
    ...ruled("0 or a positive integer (bytes)", "16777216", "0")
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

/** The variable of the token, which the file of settings may not hold. */
export const tokenVariable = "MARKETDATA_TOKEN"

/** The variables that the program was started with, without the file of settings behind them. */
export const Environment = Context.Reference<ConfigProvider.ConfigProvider>("@effect-marketdata/cli/Environment", {
  defaultValue: () => ConfigProvider.fromEnv()
})

/** The text of a variable; undefined where it is not set, or empty. */
export const variable = (name: string): Effect.Effect<string | undefined> =>
  Effect.flatMap(Environment, (given) => Effect.orElseSucceed(Config.String(name).parse(given), () => undefined))

/** The settings that the command line reads itself. */
type Own = { [N in Name]: (typeof settings)[N] extends { readonly read: unknown } ? N : never }[Name]

type Value<N extends Own> = Exclude<ReturnType<(typeof settings)[N]["read"]>, undefined>

/** Reads a setting; a value that breaks its rule fails with that rule. */
export const config = <N extends Own>(name: N): Config.Config<Value<N>> => {
  const { read, ...problem } = settings[name]
  const variable = variableOf(name)
  return Config.mapEffect(Config.String(variable), (text) => {
    const value = read(text) as Value<N> | undefined
    if (value !== undefined) return Effect.succeed(value)
    const message = Problem.format(`${variable} ${Problem.shown(text)}`, problem)
    return Effect.fail(new Config.ConfigError(new ConfigProvider.SourceError({ message })))
  })
}

/** Whether the command line reads a setting itself. */
export const isOwn = (name: Name): name is Own => "read" in settings[name]

/** A service: the one that settings name, or the embedded sandbox, of which nothing is stored. */
export interface Service {
  readonly baseUrl: string
  readonly embedded: boolean
}

/** The service where no setting names another. */
export const publicAddress = "https://api.marketdata.app"

/**
 * The address as it is compared and shown: scheme and host in lower case, without a default port and a slash at the end, and without user, query and
 * fragment, which may hold a secret. What is not an address is refused where it is used.
 */
export const normalAddress = (address: string): string => {
  const url = URL.parse(address)
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:"
  return isWeb ? `${url.origin}${url.pathname}`.replace(/\/+$/, "") : "(no http address)"
}

/** The address that the settings name; it is checked where it is used. */
export const address: Config.Config<string> = Config.String(variableOf("baseUrl")).pipe(
  Config.withDefault(publicAddress),
  Config.map(normalAddress)
)

/** Whether an address is of this machine, where another sandbox may answer tomorrow. */
export const isHere = (address: string): boolean =>
  /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(URL.parse(address)?.hostname ?? "")
