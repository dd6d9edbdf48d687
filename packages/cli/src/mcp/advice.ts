/** Failures as advice to a model: the texts of the command line, with the names of tools and their arguments in the place of commands and flags. */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Problem from "@effect-marketdata/core/Problem"
import * as McpSchema from "effect/ai/McpSchema"
import * as Schema from "effect/Schema"
import * as Failure from "../failure/failure.ts"
import * as Words from "../text/words.ts"

/** What flags are called as arguments of tools, where a dash is not all that differs. */
const argumentOf: Readonly<Record<string, string>> = {
  "strike-limit": "strikes",
  contracts: "strikes",
  budget: "max_credits",
  reply: "result"
}

/** What commands are called as tools; all others are for the user to type. */
const toolOf: Readonly<Record<string, string>> = {
  account: "budget",
  chain: "chain_slice",
  expirations: "expirations",
  plan: "plan",
  "symbol explain": "explain_symbol"
}

const commands = new RegExp(`\`marketdata (${Object.keys(toolOf).join("|")})\\b[^\`]*\``, "g")

/** Puts the names of tools and arguments in the place of commands and flags. */
export const toTools = (text: string): string =>
  text
    // A tool has no flag for it: what is kept is as good as what would come.
    .replace(" To ask the service: --no-cache", "")
    .replaceAll(commands, (_, name: string) => `the tool ${toolOf[name]}`)
    .replaceAll(/--([a-z][a-z0-9-]*)/g, (_, flag: string) => argumentOf[flag] ?? flag.replaceAll("-", "_"))

/** What to do next, where the command line would have somebody type something. */
const next: Readonly<Record<string, string>> = {
  CreditBudgetExceeded:
    "ask for less: fewer strikes, fewer symbols, mode cached; `budget` says what is left. Only the user can raise a budget",
  NoCachedData: "ask again with mode live, or without max_age; `estimate` says what that may cost",
  AlreadySent:
    "it may have been paid before: see what is kept with `again`, or repeat it with another key if it may be paid again",
  TimedOut: "ask again, or for less at once",
  Unauthorized: "the user has to log in: `marketdata auth login` in a terminal"
}

/** A failure as the result of a tool. Programs find its class in `_meta`. */
export const result = (failure: Failure.CommandError): McpSchema.CallToolResult => {
  const { class: name, clause, credits, message, reason, troubles = [], ways = [] } = failure
  const lines = [
    `${reason}: ${message}`,
    ...troubles.slice(1, 10).map(({ column, line, message }) => `line ${line}, column ${column}: ${message}`),
    next[reason] ?? failure.next,
    ...ways.map(({ command, price }) => `${command}: ${price}`),
    credits === undefined || credits.charged + credits.uncertain === 0
      ? undefined
      : `It cost ${Words.credits(credits.charged)}${
        credits.uncertain === 0 ? "" : `, and perhaps ${Words.credits(credits.uncertain)} more`
      }.`
  ]
  return new McpSchema.CallToolResult({
    isError: true,
    content: [{
      type: "text",
      text: lines.flatMap((line) =>
        line === undefined ? [] : [ForeignText.line(toTools(line.replaceAll(/\s*\n\s*/g, " ")), 1500)]
      )
        .join("\n")
    }],
    _meta: {
      "effect-marketdata/failure": JSON.parse(
        JSON.stringify(
          { class: name, reason, clause, credits },
          (_, value: unknown) => value === Infinity ? "Infinity" : value
        )
      )
    }
  })
}

/** What is wrong with arguments, before anything is made of them. */
export const invalid = (
  error: Schema.SchemaError,
  given: unknown,
  names: ReadonlyArray<string>
): Failure.CommandError => {
  const unknown = typeof given === "object" && given !== null
    ? Object.keys(given).filter((name) => !names.includes(name))
    : []
  const meant = unknown.flatMap((name) => {
    const nearest = Problem.nearest(name, names)
    return nearest === undefined ? [] : [`${ForeignText.quote(name)} may be meant as ${nearest}`]
  })
  return Failure.wrong(
    "InvalidArguments",
    `${ForeignText.line(error.message.replaceAll(/\s*\n\s*/g, " "), 600)}. Nothing was sent`,
    `${meant.length === 0 ? "" : `${meant.join(", ")}; `}the arguments are ${
      names.length === 0 ? "none" : names.join(", ")
    }`
  )
}
