/**
 * The arguments of tools. Tools that may spend ask by a command, from whose declaration come their arguments, query, price and rows; the arguments of other
 * tools are here. Others are refused.
 */
import { DataMode } from "@effect-marketdata/core"
import { Array as Arr, Effect, Option, Record, Schema } from "effect"
import { queriesOf, QueryCommands } from "../call/command.ts"
import * as Kept from "../call/kept.ts"
import { wrong } from "../failure/failure.ts"
import * as FlagValues from "../plans/flagValues.ts"

/** The default for the most bytes of rows in a result. */
export const usualBytes = 4000

/** Columns that belong together, by what they are for. */
export const presets = {
  overview: ["optionSymbol", "strike", "side", "bid", "ask", "iv", "delta", "openInterest"],
  smile: ["strike", "side", "iv", "delta", "dte", "underlyingPrice"],
  prices: ["optionSymbol", "strike", "side", "bid", "mid", "ask", "last", "volume"],
  greeks: ["optionSymbol", "strike", "side", "iv", "delta", "gamma", "theta", "vega"],
  liquidity: ["optionSymbol", "bidSize", "bid", "ask", "askSize", "volume", "openInterest"]
}

/** A tool that may spend: the commands that it asks by, the argument that chooses among several, what it takes of them, and what it says of that itself. */
export interface Spending {
  readonly by?: string
  readonly commands: Readonly<Record<string, string>>
  readonly takes: ReadonlyArray<string>
  readonly says?: Readonly<Record<string, string>>
}

/** The tools that may spend, which `estimate` prices. */
export const paid = {
  expirations: { commands: { all: "expirations" }, takes: ["symbol", "strike", "mode"] },
  chain_slice: {
    commands: { slice: "chain" },
    takes: ["symbol", "expiration", "dte", "strikes", "side", "preset", "columns", "date", "mode", "max_age"]
  },
  quote: { commands: { quote: "quote" }, takes: ["symbols", "columns", "mode", "max_age"] },
  stock: {
    by: "what",
    commands: { quote: "stock quote", prices: "stock prices", news: "stock news", earnings: "stock earnings" },
    takes: ["symbols", "countback", "columns", "mode", "max_age"]
  },
  candles: {
    by: "kind",
    commands: { stock: "stock candles", fund: "fund candles" },
    takes: ["symbol", "resolution", "from", "to", "countback", "columns", "mode"],
    says: { symbol: "One symbol, e.g. AAPL", countback: "How many candles before to, or before now; instead of from" }
  }
} satisfies Readonly<Record<string, Spending>>

export type Paid = keyof typeof paid

/** A text of bounded length. */
const text = (description: string, most = 200) =>
  Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(most)).annotate({ description })

const optional = Schema.optionalKey
const anyText = (description: string, most: number) => optional(text(description, most))
const anyWhole = (minimum: number, maximum: number, description: string) =>
  optional(Schema.Int.check(Schema.isBetween({ minimum, maximum })).annotate({ description }))

const bytes = anyWhole(200, 1_000_000, `The most bytes of rows; ${usualBytes} by default`)

const told = "Only these columns, by the names of the service; fewer columns, more rows in a result"
const names = Schema.Array(text("A name", 40)).check(Schema.isMinLength(1), Schema.isMaxLength(40))
const columns = optional(names.annotate({ description: told }))
const purpose = "Columns for a purpose, unless columns are given; overview by default"
const preset = Schema.Literals(Object.keys(presets)).annotate({ description: purpose })

/** Arguments whose schema is not that of a flag. */
const own: Readonly<Record<string, Schema.Top>> = { columns, preset: optional(preset) }

/** Arguments of every tool that may spend. */
export const spending = {
  max_credits: anyWhole(0, 1_000_000, "The most that this call may cost; it is refused unsent if it may cost more"),
  consent: anyText("The token of a refusal that named a price, once the user has agreed to it", 40),
  key: anyText("An idempotency key: equal calls with it, at once or after a restart, are never paid twice", 100),
  bytes
}

/** The decoded arguments of a tool that may spend. */
export interface Given extends Schema.Struct.Type<typeof spending> {
  readonly columns?: ReadonlyArray<string>
  readonly preset?: keyof typeof presets
  readonly [flag: string]: unknown
}

/** A schema of arguments, with their names. */
export interface Arguments<A> extends Schema.Codec<A, unknown> {
  readonly fields: object
}

const condition = Schema.Struct({
  column: text("A column of the result, also one that was not shown", 40),
  is: Schema.Literals(["=", "!=", "<", "<=", ">", ">="]),
  value: Schema.Union([Schema.Finite, Schema.String.check(Schema.isMaxLength(200)), Schema.Boolean])
})

const contract = text("An option symbol, or a contract as people write it: \"AAPL 12/18/26 350 call\"")
const plan = text("As YAML or JSON, such as [{ chain: SPX, strike-limit: 10, mode: live, when: every 5min }]", 20_000)

/** The tools that send nothing. */
export const free = {
  estimate: Schema.Struct({
    tool: Schema.Literals(Object.keys(paid) as ReadonlyArray<Paid>),
    arguments: Schema.Record(Schema.String, Schema.Json).annotate({ description: "As they would be given to it" })
  }),
  explain_symbol: Schema.Struct({ symbol: contract }),
  plan: Schema.Struct({ plan }),
  // `Schema.Struct({})` would accept any value.
  budget: Object.assign(Schema.Record(Schema.String, Schema.Never), { fields: {} }),
  again: Schema.Struct({
    result: text("The name of a result of this session, such as r1", 10),
    columns,
    where: optional(Schema.Array(condition).check(Schema.isMaxLength(10))),
    sort: anyText("The column to sort by, the greatest first; iv:asc for the least first", 50),
    offset: anyWhole(0, 1_000_000, "How many rows to leave out first"),
    limit: anyWhole(1, 1_000_000, "The most rows"),
    bytes
  })
}

/** The flag that an argument becomes. */
const flagOf = (name: string): string =>
  ({ strikes: "strike-limit", symbols: "symbol" })[name] ?? name.replaceAll("_", "-")

/** The arguments of tools whose flags have another name, dashes aside. */
const argumentOf: Readonly<Record<string, string>> = {
  "strike-limit": "strikes",
  contracts: "strikes",
  budget: "max_credits",
  reply: "result"
}

/** The tools of commands; commands without a tool are for the user to type. */
const toolOf: Readonly<Record<string, string>> = {
  account: "budget",
  chain: "chain_slice",
  expirations: "expirations",
  plan: "plan",
  "symbol explain": "explain_symbol"
}

const commandsInText = new RegExp(`\`marketdata (${Object.keys(toolOf).join("|")})\\b[^\`]*\``, "g")

/** Puts the names of tools and arguments in the place of commands and flags. */
export const toTools = (text: string): string =>
  text
    // No tool has these.
    .replaceAll(/ To [a-z ]+: --no-(?:cache|nonstandard)/g, "")
    // The limit was set by the server, to hold the price.
    .replaceAll(/--limit allows\. There may be more: .*/g, "the price is for: ask for more strikes if some are missing")
    .replaceAll(commandsInText, (_, name: string) => `the tool ${toolOf[name]}`)
    .replaceAll(/--([a-z][a-z0-9-]*)/g, (_, flag: string) => argumentOf[flag] ?? flag.replaceAll("-", "_"))

/** Defaults of arguments that differ from those of the command. */
const usual = { strikes: 10, dte: 30, countback: 1 }

const leftOut: Readonly<Record<string, string>> = {
  strikes: `; ${usual.strikes} by default`,
  dte: `; ${usual.dte} if neither this nor expiration is given`,
  date: "; 1 credit for each 1,000 contracts, whatever the mode",
  countback: `; of news and earnings ${usual.countback} by default`
}

/** What is said of `mode` where there are cached data, which are the default then. */
const cachedFirst =
  "Which data to ask for; cached by default: minutes old, at most 1 credit, of quote 1 for each contract. live and delayed cost a credit for each contract or symbol"

/** The schema of an argument, from the flag of the command. */
const ruleOf = (name: string, flags: ReadonlyArray<FlagValues.Named>, own?: string) => {
  const { kind, param } = flags.find((flag) => flag.name === flagOf(name))!
  const { description, primitiveType } = FlagValues.singleOf(param)
  const { choiceKeys: choices } = primitiveType as { readonly choiceKeys?: ReadonlyArray<string> }
  const said = Option.getOrElse(description, () => "")
  const rule = { Int: Schema.Int, Finite: Schema.Finite }[primitiveType._tag] ??
    (choices === undefined ? text(said, 40) : Schema.Literals(choices))
  const usually = choices?.includes("cached") ? cachedFirst : said + (leftOut[name] ?? "")
  const told = { description: own ?? toTools(usually) }
  const all: Schema.Top = name === "symbols"
    ? Schema.Array(rule).check(Schema.isMinLength(1), Schema.isMaxLength(50)).annotate(told)
    : rule.annotate(told)
  return kind === "argument" ? all : Schema.optionalKey(all)
}

/** A command that a tool asks by: its flags, and the call that it makes of arguments. */
const commandOf = Effect.fnUntraced(function*(name: string) {
  const { call, flags } = yield* Effect.promise((yield* QueryCommands).find((row) => row.name === name)!.load)
  const { named, read } = FlagValues.reader(flags)
  const has = (name: string) => named.some((flag) => flag.name === name)
  const callOf = Effect.fnUntraced(function*(given: Readonly<Record<string, unknown>>) {
    const values = Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[flagOf(name), Arr.ensure(value).map(String)] as const]
    )
    const { input, refused: [refused] } = yield* read(new Map(values))
    const [strange] = values.filter(([name]) => !has(name))
    // A command that takes one symbol would silently take the first of a list.
    const takesOne = (name: string) => named.some((one) => one.name === name && !one.isVariadic)
    const isList = values.some(([name, texts]) => texts.length > 1 && takesOne(name))
    const message = refused?.error.message ?? (strange && `--${strange[0]} says nothing here.`) ??
      (isList ? "symbols must be a list of one symbol here: make a call for each." : undefined)
    return yield* message === undefined ? call(input) : wrong("InvalidArguments", `${message} Nothing was sent.`)
  })
  return { named, callOf, hasCached: has("max-age"), untrusted: name === "stock news" || name === "stock earnings" }
})

/** The arguments of a tool, by the flags of its commands. */
const parametersOf = ({ by, commands, says, takes }: Spending, flags: ReadonlyArray<FlagValues.Named>) => {
  const words = Object.keys(commands)
  const choice = Schema.Literals(words).annotate({ description: `${words[0]} by default` })
  return Schema.Struct({
    ...Object.fromEntries(takes.map((name) => [name, own[name] ?? ruleOf(name, flags, says?.[name])])),
    ...by !== undefined && { [by]: Schema.optionalKey(choice) },
    ...spending
  })
}

const paidTool = Effect.fnUntraced(function*(tool: Paid, about: Spending) {
  const { by = "" } = about
  const commands = yield* Effect.all(Record.map(about.commands, commandOf))
  const [first] = Object.keys(commands)
  /** Makes and prices a call. A live chain, which costs a credit a contract, is limited to as many as its price is for. */
  const priced = Effect.fnUntraced(function*(all: Given, baseUrl: string) {
    const { bytes: _, columns, consent: _1, key: _2, max_credits: _3, preset, ...given } = all
    const { [by]: chosen = first, ...asked } = given
    const { callOf, hasCached, untrusted } = commands[String(chosen)]!
    const shown = columns ?? (preset && presets[preset])
    const usually = tool === "chain_slice" ? presets.overview : undefined
    const dte = asked["expiration"] === undefined ? usual.dte : undefined
    const values = {
      // Without `dte` or a day all expirations would come, and the price would have no bound.
      ...tool === "chain_slice" && { strikes: usual.strikes, dte },
      ...untrusted && { countback: usual.countback },
      ...hasCached && asked["date"] === undefined && { mode: "cached" },
      ...asked,
      // The age of the quotes comes with the column `updated`, at no cost.
      columns: shown && [...new Set([...shown, ...hasCached ? ["updated"] : []])].join()
    }
    const of = Effect.fnUntraced(function*(limit?: number) {
      const call = yield* callOf({ ...values, limit })
      const estimates = yield* Kept.pricesOf(queriesOf(call), baseUrl, call.fallbackUpTo)
      return { tool, call, estimates, most: Kept.boundOf(estimates), shown: shown ?? usually, untrusted }
    })
    const unlimited = yield* of()
    const { call: { query }, most } = unlimited
    const isHeld = query.kind === "chain" && !DataMode.isCached(query.mode) && most > 0 && most < Infinity
    return isHeld ? yield* of(query.historical ? 1000 * most : most) : unlimited
  })
  return { parameters: parametersOf(about, Object.values(commands).flatMap(({ named }) => named)), priced }
})

/** The tools that may spend: the arguments of each, and the function that makes and prices a call. Made once, for all calls. */
export const paidTools = Effect.all(Record.map(paid, (about, tool) => paidTool(tool, about)))

/** A call that is priced: what it asks, the most that it may cost, the columns that are shown, and whether strangers wrote some of its texts. */
export type Priced = Effect.Success<ReturnType<Effect.Success<ReturnType<typeof paidTool>>["priced"]>>
