/** What a model can read beside the tools: what there is to ask, what it costs, whether the market is open, how to read a chain; and three ways to begin. */
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Query from "@effect-marketdata/core/Query"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as McpServer from "effect/ai/McpServer"
import { commandOf } from "../failure/names.ts"
import { epochSeconds } from "../text/words.ts"
import { presets } from "./parameters.ts"

const endpoints = Object.values(Query.endpoints)
  .map(({ cached, columns, name, path }) =>
    `## ${commandOf(name)}\n\n\`${path}\`${cached ? "; cached data too" : ""}\n\nColumns: ${
      columns.join(", ") || "no table"
    }`
  ).join("\n\n")

const prices = `What a call costs, in credits. \`estimate\` says it of the very call, and sends nothing.

| what | live | cached |
| --- | --- | --- |
| chain_slice | 1 for each contract; a call and a put at each strike, on either side of the money: up to 4 for each of \`strikes\`, 8 of an index | at most 1 for the whole reply |
| quote, stock quote, stock prices | 1 for each symbol | at most 1 |
| expirations | 1 | not there |
| candles | 1 for each 1,000 candles | not there |
| news, earnings | 1 | not there |
| estimate, explain_symbol, plan, budget, again | nothing is sent | |

A cached call that finds nothing costs nothing, and says so: then ask with mode live. An empty answer may cost 1 credit.`

const reading = `How to find out about options for few credits.

1. \`expirations\` says which days there are: 1 credit.
2. \`chain_slice\` with a preset (${
  Object.keys(presets).join(", ")
}) asks for the strikes around the money of one day. Cached data come first: they cost at most 1 credit and are minutes old; \`provenance\` says how old.
3. \`again\` selects among all rows of a result at no cost: other columns, conditions, an order.

Volatility (\`iv\`) is that of a year, as a fraction: 0.25 is 25 percent. A smile is \`iv\` by \`strike\` of one expiration; out of the money options tell most of it: puts below the price of the underlying, calls above it. \`delta\` is from 0 to 1 for calls, from -1 to 0 for puts. Times are in epoch seconds. An empty cell is a number that the service did not give.`

const market = Effect.map(epochSeconds, (now) => {
  const next = (session: TradingCalendar.Session) =>
    `from ${NewYork.format(session.open)} to ${NewYork.format(session.close)}`
  const session = TradingCalendar.sessionOf(TradingCalendar.NYSE, now)
  const isOpen = Option.exists(session, ({ close, open }) => now >= open && now < close)
  return `It is ${NewYork.format(now)} in New York. The market is ${isOpen ? "open" : "closed"}${
    Option.match(session, { onNone: () => "", onSome: (session) => `; the session is ${next(session)}` })
  }. By the calendar of this program; nothing was asked.`
})

const page = (name: string, description: string, content: string | Effect.Effect<string>) =>
  McpServer.resource({
    uri: `marketdata://${name}`,
    name,
    description,
    mimeType: "text/markdown",
    content: Effect.isEffect(content) ? content : Effect.succeed(content)
  })

const symbol = { symbol: Schema.String.annotate({ description: "The underlying, such as SPX" }) }
const credits = { credits: Schema.String.annotate({ description: "The most credits that the answer may cost" }) }

/** What stands in a prompt is what a person typed, in one line and not too long. */
const typed = (text: string): string => JSON.stringify(text.slice(0, 60))

const prompt = <Fields extends Schema.Struct.Fields>(
  name: string,
  description: string,
  parameters: Fields,
  content: (given: Schema.Struct<Fields>["Type"]) => string
) => McpServer.prompt({ name, description, parameters, content: (given) => Effect.succeed(content(given as never)) })

/** Pages and prompts. */
export const layer = Layer.mergeAll(
  page("endpoints", "What the service can be asked, and the columns of each reply", endpoints),
  page("prices", "What each tool costs", prices),
  page("market", "Whether the market is open now", market),
  page("reading-a-chain", "How to find out about options for few credits", reading),
  prompt(
    "smile",
    "What an underlying's smile looks like, for few credits",
    { ...symbol, ...credits },
    ({ credits, symbol }) =>
      `What does the volatility smile of ${typed(symbol)} look like, for at most ${
        typed(credits)
      } credits? Ask for the nearest monthly expiration with ` +
      "chain_slice, preset smile, cached data and max_credits. Describe level, skew and curvature, say how old the data are, and what it cost."
  ),
  prompt(
    "compare",
    "What a slice would cost in each mode, before it is asked for",
    symbol,
    ({ symbol }) =>
      `With estimate, say what chain_slice of ${
        typed(symbol)
      } with 10 strikes costs live, delayed and cached, and which you would take. Spend nothing.`
  ),
  prompt(
    "review",
    "What this session has spent, and on what",
    {},
    () =>
      "With budget, say what this session has spent and what is left. Name the results that are kept, and what can still be answered from them at no cost."
  )
)
