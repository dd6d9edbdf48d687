/** The page of all messages, which is written from the failures themselves. */
import { reasons } from "../../packages/testing/test/support/messages/reasons.ts"
import { rules } from "../../packages/testing/test/support/messages/rules.ts"
import { values } from "../../packages/testing/test/support/messages/values.ts"
import type { Rule } from "./rule.ts"
import * as Written from "./written.ts"

const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``

const lines = (texts: ReadonlyArray<string>): string => ["```text", ...texts, "```"].join("\n")

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const all = [head, ...rows]
  const widths = head.map((_, at) => Math.max(3, ...all.map((row) => [...row[at]!].length)))
  const line = (row: ReadonlyArray<string>) =>
    `| ${row.map((text, at) => text + " ".repeat(widths[at]! - [...text].length)).join(" | ")} |`
  const [first, ...others] = all.map(line)
  return [first, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...others].join("\n")
}

const costs = { none: "nothing", notStated: "counts as free", possible: "perhaps", full: "yes" } as const

const tables = (): Readonly<Record<string, string>> => ({
  reasons: table(
    ["reason", "charged", "retried", "message"],
    Object.values(reasons).flat().map((reason) => [
      code(reason._tag),
      costs[reason.cost],
      reason.isRetryable ? "yes" : "no",
      code(reason.message)
    ])
  ),
  rules: lines(rules.map(([, { message }]) => message)),
  values: lines(values.map(([, message]) => message))
})

export const messages: Rule = {
  why: "Who looks up a message has to find it, in the words that the program printed.",
  run: async (root, write = false) => ({
    problems: Written.parts({ root, path: "docs/guide/errors.md", rule: "messages", write }, tables())
  })
}
