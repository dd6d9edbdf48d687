/** The types that editors show for frequent expressions, and the errors for frequent mistakes, as the compiler prints them. */
import { join } from "node:path"
import * as Command from "../shared/command.ts"
import * as Files from "../shared/files.ts"
import type { Rule } from "./rule.ts"
import * as Written from "./written.ts"

const path = "scripts/check/hovers.json"

const preamble = `
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as Query from "@effect-marketdata/core/Query"
import * as Effect from "effect/Effect"
`.trim()

const firstLine = preamble.split("\n").length + 1

/** What the compiler prints for each expression: its type, which it names when the value is assigned to `never`, or its error. */
const hear = async (root: string, expressions: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const lines = expressions.map((expression, at) => `export const _${at}: never = ${expression}`)
  const files = new Map([["written/expressions.ts", [preamble, ...lines].join("\n")]])
  Written.layOut(root, "hovers", files, { noErrorTruncation: true, skipLibCheck: true })
  const { output } = await Command.runInstalled(root, "tsc", ["-p", join(root, "dist/hovers"), "--pretty", "false"])
  return expressions.map((_, at) => {
    const place = `dist/hovers/written/expressions.ts(${at + firstLine},`
    const said = Command.messages(output).filter((message) => message.startsWith(place))
    const mistake = said.find((message) => !message.includes("to type 'never'"))
    const type = said.map((message) => /Type '(.*)' is not assignable to type 'never'/.exec(message)?.[1])[0]
    return mistake?.replace(/^.*? error TS\d+: /, "").split("\n", 1)[0] ?? type ?? output
  })
}

export const hovers: Rule = {
  why: "A type that nobody can read is one that nobody checks.",
  run: async (root, write = false) => {
    const expressions = Object.keys(Files.json(root, path))
    const heard = await hear(root, expressions)
    const said = Object.fromEntries(expressions.map((expression, at) => [expression, heard[at]]))
    const problems = Written.file({ root, path, rule: "hovers", write }, `${JSON.stringify(said, undefined, 2)}\n`)
    return { problems, notes: [`${expressions.length} types`] }
  }
}
