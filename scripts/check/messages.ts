/** The page of all messages, which is written from the failures themselves. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { reasons } from "../../packages/testing/test/support/messages/reasons.ts"
import { rules } from "../../packages/testing/test/support/messages/rules.ts"
import { values } from "../../packages/testing/test/support/messages/values.ts"
import type { Rule } from "./rule.ts"

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

const page = "docs/guide/errors.md"

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
  run: (root, write = false) => {
    const path = join(root, page)
    const text = existsSync(path) ? readFileSync(path, "utf8") : ""
    const problems: Array<string> = []
    let current = text
    for (const [name, rows] of Object.entries(tables())) {
      const between = new RegExp(`(?<=<!-- ${name} -->\n)[^]*(?=<!-- /${name} -->)`)
      if (!between.test(current)) problems.push(`${page} has no place for <!-- ${name} --> and <!-- /${name} -->`)
      current = current.replace(between, () => `\n${rows}\n\n`)
    }
    if (write) writeFileSync(path, current)
    else if (text !== current) problems.push(`${page} is out of date: \`npm run check -- messages --write\` writes it`)
    return Promise.resolve({ problems })
  }
}
