/**
 * The arguments of tools. Tools that may spend take those of a command, with its rules and descriptions; those of other tools are here. Others are refused.
 */
import { Schema } from "effect"

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
export const text = (description: string, most = 200) =>
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
export const own: Readonly<Record<string, Schema.Top>> = { columns, preset: optional(preset) }

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
