/** The names that the command line has for the library's: an endpoint is a command, an option is a flag. And whole commands to type, made of the typed one. */
import { type Credits, ForeignText, Problem, type Query } from "@effect-marketdata/core"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import { Context } from "effect"

/** The command that asks each endpoint. */
const commands: Readonly<Record<string, string>> = {
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

/** The command of an endpoint. */
export const commandOf = (endpoint: string): string =>
  Object.hasOwn(commands, endpoint) ? commands[endpoint]! : endpoint

/** The label of a query, with the command in place of the endpoint that it begins with. */
export const label = (query: string): string => query.replace(/^\w+/, commandOf)

/** A short list of names: up to three, or two and how many more there are. */
export const few = (names: ReadonlyArray<string>): string =>
  names.length <= 3 ? names.join(", ") : `${names.slice(0, 2).join(", ")} and ${names.length - 2} more`

/** The name of queries to one endpoint. */
export const queryNames = ([first, ...others]: readonly [Query.Query, ...ReadonlyArray<Query.Query>]): string => {
  const subjects = [first, ...others].map(({ subject }) => subject).filter((subject) => subject !== "")
  return `${commandOf(first.endpoint.name)} ${few(subjects)}`.trimEnd()
}

/** `strikeLimit` is `strike-limit`, as in flags and plans. */
export const plain = (option: string): string => option.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)

/** An option as a flag; commands that check an option themselves name the flag already. */
export const flagOf = (option: string): string => option.startsWith("-") ? option : `--${plain(option)}`

/** The options of a cheaper way to ask, as flags with their values; one without a value is left out. */
export const flagsOf = ({ options }: Credits.Way): Readonly<Record<string, string | undefined>> => {
  const { assume, ...others } = options
  const given = Object.entries<string | number | undefined>({ ...others, ...Object(assume) })
  return Object.fromEntries(given.map(([option, value]) => [flagOf(option), value?.toString()]))
}

/** Options that are arguments of a command, not flags. */
const isArgument = new Set(["underlying", "optionSymbol", "symbol", "symbols", "description", "resolution"])

/** Says what is wrong with an option, by the names of flags and commands. */
export const invalid = ({ against, parameter, said, value, ...problem }: InvalidQuery): string => {
  const name = ForeignText.line(isArgument.has(parameter) ? parameter : flagOf(parameter), 60)
  const told = { ...problem, ...against && { against: commands[against] ?? flagOf(against) } }
  return `${Problem.format(`${name} ${value}`, told)} ${said.cost}.`
}

/** The command line as it was typed: the words behind `marketdata`. */
export const Typed = /* @__PURE__ */ Context.Reference<ReadonlyArray<string>>("@effect-marketdata/cli/Typed", {
  defaultValue: () => []
})

/** Flags with their values: `true` is a flag without a value, undefined removes the flag. */
export type Flags = Readonly<Record<string, string | true | undefined>>

const quoted = (word: string): string =>
  /^[\w./:,=+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** A command that may be typed instead: its words after `marketdata`, and its price in words. */
export interface Instead {
  readonly words: ReadonlyArray<string>
  readonly price: string
}

/** A command, quoted for a shell. */
export const shellLine = (words: ReadonlyArray<string>): string => ["marketdata", ...words].map(quoted).join(" ")

/** The same command with these flags in place of the typed ones of the same names. */
export const withFlags = (typed: ReadonlyArray<string>, flags: Flags): ReadonlyArray<string> => {
  const kept = typed.filter((word, index) => {
    const [name = ""] = word.split("=")
    if (Object.hasOwn(flags, name)) return false
    const before = typed[index - 1] ?? ""
    return !(Object.hasOwn(flags, before) && flags[before] !== true)
  })
  const added = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : value === true ? [name] : [name, value]
  )
  // After `--` there are only arguments.
  const end = kept.includes("--") ? kept.indexOf("--") : kept.length
  return kept.toSpliced(end, 0, ...added)
}
