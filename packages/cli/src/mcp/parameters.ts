/** What a model may say to a tool: every argument with its rule, of which the client shows the model a JSON Schema. Nothing else is accepted. */
import * as Schema from "effect/Schema"

/** A text that is no longer than any that makes sense. */
const text = (description: string, most = 200) =>
  Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(most)).annotate({ description })

const whole = (least: number, most: number, description: string) =>
  Schema.Int.check(Schema.isBetween({ minimum: least, maximum: most })).annotate({ description })

const listOf = (of: Schema.Codec<string>, most: number, description: string) =>
  Schema.Array(of).check(Schema.isMinLength(1), Schema.isMaxLength(most)).annotate({ description })

const optional = Schema.optionalKey

/** The most bytes of rows that a result has where the call asks for no more. */
export const usualBytes = 4000

const bytes = optional(
  whole(
    200,
    1_000_000,
    `The most bytes of rows in the result; ${usualBytes} where it is left out. All rows stay with \`again\``
  )
)

const columns = optional(
  listOf(
    text("A name", 40),
    40,
    "Only these columns, by the names of the service; fewer columns, more rows in a result"
  )
)

/** What every tool takes that may spend. */
const spending = {
  max_credits: optional(
    whole(0, 1_000_000, "The most credits that this call may cost; it is refused unsent if it may cost more")
  ),
  consent: optional(text("The token of a refusal that named a price, once the user has agreed to it", 40)),
  key: optional(
    text("An idempotency key: a call that is repeated with it, after an error or a restart, is never paid twice", 100)
  ),
  bytes
}

const plainModes = optional(
  Schema.Literals(["live", "delayed"]).annotate({
    description: "Which data; the account's plan decides where it is left out"
  })
)

/** Of endpoints that have cached data, which cost least: so they come first. */
const modes = {
  mode: optional(
    Schema.Literals(["cached", "live", "delayed"]).annotate({
      description:
        "cached where it is left out: at most 1 credit, minutes old, and nothing at all where the service has it not in its cache. live costs a credit for each contract or symbol"
    })
  ),
  max_age: optional(text("Of cached data: how old the entry in the cache may be, such as 5min", 20))
}

const symbol = text("A ticker, such as SPX or AAPL", 20)

/** Columns that belong together, by what they are for. */
export const presets = {
  overview: ["optionSymbol", "strike", "side", "bid", "ask", "iv", "delta", "openInterest"],
  smile: ["strike", "side", "iv", "delta", "underlyingPrice"],
  prices: ["optionSymbol", "strike", "side", "bid", "mid", "ask", "last", "volume"],
  greeks: ["optionSymbol", "strike", "side", "iv", "delta", "gamma", "theta", "vega"],
  liquidity: ["optionSymbol", "bidSize", "bid", "ask", "askSize", "volume", "openInterest"]
} as const

const expirations = Schema.Struct({
  symbol,
  strike: optional(Schema.Finite.annotate({ description: "Only expirations that list this strike, in dollars" })),
  mode: plainModes,
  ...spending
})

const chainSlice = Schema.Struct({
  symbol,
  expiration: optional(
    text("One expiration as YYYY-MM-DD; the one closest to 30 days from now where this and dte are left out", 10)
  ),
  dte: optional(whole(0, 20_000, "Instead of expiration: the one that is closest to this many days from now")),
  strikes: optional(
    whole(1, 500, "How many strikes around the money, on either side of it at most; 10 where it is left out")
  ),
  side: optional(Schema.Literals(["call", "put"]).annotate({ description: "Only calls, or only puts" })),
  preset: optional(
    Schema.Literals(Object.keys(presets) as ReadonlyArray<keyof typeof presets>).annotate({
      description: "Which columns; overview where this and columns are left out"
    })
  ),
  columns,
  date: optional(text("The chain of a past trading day, as YYYY-MM-DD; not of cached data", 10)),
  ...modes,
  ...spending
})

const quote = Schema.Struct({
  symbols: listOf(text("An option symbol", 40), 50, "Option symbols, such as AAPL261218C00350000"),
  columns,
  ...modes,
  ...spending
})

const stock = Schema.Struct({
  symbols: listOf(symbol, 50, "Stocks, such as AAPL; one alone for news and earnings"),
  what: optional(
    Schema.Literals(["quote", "prices", "news", "earnings"]).annotate({ description: "quote where it is left out" })
  ),
  countback: optional(whole(1, 200, "Of news and earnings: how many of the latest; 1 where it is left out")),
  columns,
  ...modes,
  ...spending
})

const candles = Schema.Struct({
  symbol,
  kind: optional(Schema.Literals(["stock", "fund"]).annotate({ description: "stock where it is left out" })),
  resolution: optional(text("Minutes such as 5, or H, D, W, M, Y; D where it is left out", 5)),
  from: optional(text("The first day as YYYY-MM-DD, or \"5 days ago\"", 40)),
  to: optional(text("The last day, written in the same way", 40)),
  countback: optional(whole(1, 5000, "Instead of from: how many candles before to, or before now")),
  columns,
  mode: plainModes,
  ...spending
})

/** The tools that may spend, which `estimate` prices. */
export const paid = { expirations, chain_slice: chainSlice, quote, stock, candles }

export type Paid = keyof typeof paid

export const estimate = Schema.Struct({
  tool: Schema.Literals(Object.keys(paid) as ReadonlyArray<Paid>).annotate({
    description: "The tool that would be called"
  }),
  arguments: Schema.Record(Schema.String, Schema.Json).annotate({
    description: "Its arguments, as they would be given to it"
  })
})

export const explainSymbol = Schema.Struct({
  symbol: text(
    "An option symbol or a contract as people write it: AAPL261218C00350000, \"AAPL 12/18/26 350 call\"",
    100
  )
})

export const plan = Schema.Struct({
  plan: text(
    "A plan as YAML or JSON: a list of tasks, each a query by the name of its command, its flags as keys, and when it is asked, " +
      "such as [{ chain: SPX, strike-limit: 10, mode: live, when: every 5min }]",
    20_000
  )
})

/** No arguments: an empty struct would take any value for one. */
export const budget = Object.assign(Schema.Record(Schema.String, Schema.Never), { fields: {} })

export const again = Schema.Struct({
  result: text("The name of a result of this session, such as r1", 10),
  columns,
  where: optional(
    Schema.Array(Schema.Struct({
      column: text("A column of the result, also one that was not shown", 40),
      is: Schema.Literals(["=", "!=", "<", "<=", ">", ">="]),
      value: Schema.Union([Schema.Finite, Schema.String.check(Schema.isMaxLength(200)), Schema.Boolean])
    })).check(Schema.isMaxLength(10)).annotate({ description: "Only rows that meet all of these" })
  ),
  sort: optional(text("The column to sort by, the greatest first; iv:asc for the least first", 50)),
  offset: optional(whole(0, 1_000_000, "How many rows to leave out first")),
  limit: optional(whole(1, 1_000_000, "The most rows")),
  bytes
})
