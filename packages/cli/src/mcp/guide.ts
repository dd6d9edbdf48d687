/** What a model can read beside the tools: what there is to ask, what it costs, whether the market is open, how to read a chain; and three ways to begin. */
import { NewYork, TradingCalendar } from "@effect-marketdata/core"
import { Effect, Layer, Option, Schema } from "effect"
import * as McpServer from "effect/ai/McpServer"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { commandOf } from "../failure/names.ts"
import { epochSeconds } from "../text/words.ts"

/** The guide's page on this server: beside the program, or where the sources are. */
const shipped = ["./mcp.md", "../../../../docs/guide/mcp.md"].map((path) => new URL(path, import.meta.url))

/** A chapter of that page. */
const chapter = (heading: string) =>
  Effect.promise(() => readFile(shipped.find((url) => existsSync(url))!, "utf8")).pipe(
    Effect.map((page) => page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? page)
  )

const endpoints = Effect.map(
  Effect.promise(() => import("@effect-marketdata/core/Query")),
  ({ endpoints }) =>
    Object.values(endpoints).map(({ cached, columns, name, path }) => {
      const of = columns.length === 0 ? "no table" : columns.join(", ")
      return `## ${commandOf(name)}\n\n\`${path}\`${cached ? "; cached data too" : ""}\n\nColumns: ${of}`
    }).join("\n\n")
)

const market = Effect.map(epochSeconds, (now) => {
  const session = Option.getOrUndefined(TradingCalendar.sessionOf(TradingCalendar.NYSE, now))
  const isOpen = session !== undefined && now >= session.open && now < session.close
  const hours = session && `; the session is from ${NewYork.format(session.open)} to ${NewYork.format(session.close)}`
  const state = `The market is ${isOpen ? "open" : "closed"}${hours ?? ""}.`
  return `It is ${NewYork.format(now)} in New York. ${state} By the calendar of this program; nothing was asked.`
})

const page = <E, R>(name: string, description: string, content: Effect.Effect<string, E, R>) =>
  McpServer.resource({ uri: `marketdata://${name}`, name, description, mimeType: "text/markdown", content })

const told = {
  symbol: Schema.String.annotate({ description: "The underlying, such as SPX" }),
  credits: Schema.String.annotate({ description: "The most credits that the answer may cost" })
}

/** A prompt; in the place of a name stands what a person typed, in one line and not too long. */
const prompt = (name: string, description: string, parameters: Partial<typeof told>, text: string) => {
  const content = (given: Readonly<Record<string, string>>) =>
    Effect.succeed(text.replaceAll(/\{(\w+)\}/g, (_, name: string) => JSON.stringify(given[name]!.slice(0, 60))))
  return McpServer.prompt({ name, description, parameters: parameters as typeof told, content })
}

const smile =
  "What does the volatility smile of {symbol} look like, for at most {credits} credits? Ask for the nearest monthly expiration with chain_slice, preset smile, cached data and max_credits. Describe level, skew and curvature, say how old the data are, and what it cost."
const compare =
  "With estimate, say what chain_slice of {symbol} with 10 strikes costs live, delayed and cached, and which you would take. Spend nothing."
const review =
  "With budget, say what this session has spent and what is left. Name the results that are kept, and what can still be answered from them at no cost."

/** Pages and prompts. */
export const layer = Layer.mergeAll(
  page("endpoints", "What the service can be asked, and the columns of each reply", endpoints),
  page("prices", "What each tool does and costs", chapter("What an agent can do")),
  page("budgets", "Who decides what is spent", chapter("Who decides what is spent")),
  page("market", "Whether the market is open now", market),
  page("reading-a-chain", "How to find out about options for few credits", chapter("How to read a chain")),
  prompt("smile", "What an underlying's smile looks like, for few credits", told, smile),
  prompt("compare", "What a slice would cost in each mode, before it is asked for", { symbol: told.symbol }, compare),
  prompt("review", "What this session has spent, and on what", {}, review)
)
