/** Failures as advice to a model: the texts of the command line, with the names of tools and their arguments in the place of commands and flags. */
import { ForeignText, Problem } from "@effect-marketdata/core"
import * as McpSchema from "effect/ai/McpSchema"
import type { Schema } from "effect"
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
    // The server sets the limit, by the price that was told.
    .replace(/--limit allows\. There may be more: .*/, "the price is for: ask for more strikes if some are missing")
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
  const { credits: { charged, uncertain } = { charged: 0, uncertain: 0 }, message, reason } = failure
  const texts = Failure.texts({ ...failure, message, next: next[reason] ?? failure.next }).map(toTools)
  const cost = charged + uncertain === 0 ? [] : [`It cost ${Words.spent(charged, uncertain)}.`]
  const { code: _, message: _1, next: _2, troubles: _3, ways: _4, ...told } = JSON.parse(Failure.json(failure)).error
  const text = `${reason}: ${[...texts, ...cost].join("\n")}`
  const _meta = { "effect-marketdata/failure": told }
  return new McpSchema.CallToolResult({ isError: true, content: [{ type: "text", text }], _meta })
}

/** What is wrong with arguments, before anything is made of them. */
export const invalid = (error: Schema.SchemaError, given: unknown, names: ReadonlyArray<string>) => {
  const unknown = Object.keys(Object(given)).filter((name) => !names.includes(name))
  const meant = unknown.flatMap((name) => {
    const nearest = Problem.nearest(name, names)
    return nearest === undefined ? [] : [`${ForeignText.quote(name)} may be meant as ${nearest}`]
  })
  return Failure.wrong(
    "InvalidArguments",
    `${ForeignText.line(error.message.replaceAll(/\s*\n\s*/g, " "), 600)}. Nothing was sent`,
    [...meant, names.length === 0 ? "it takes no arguments" : `the arguments are ${names.join(", ")}`].join("; ")
  )
}
