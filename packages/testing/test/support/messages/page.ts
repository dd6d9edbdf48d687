/** The tables of the page of all messages, by their names: written from the failures themselves. */
import { reasons } from "./reasons.ts"
import { rules } from "./rules.ts"
import { values } from "./values.ts"

const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``

const lines = (texts: ReadonlyArray<string>): string => ["```text", ...texts, "```"].join("\n")

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")

const costs = { none: "nothing", notStated: "counts as free", possible: "perhaps", full: "yes" } as const

/** A row for each message. */
const rows = Object.values(reasons).flat().map((reason) => [
  code(reason._tag),
  costs[reason.cost],
  reason.isRetryable ? "yes" : "no",
  code(reason.message.split(/\. (?=[A-Z])/)[0]!)
])

/** Messages of a reason that are charged and retried alike are of one kind: the table shows the first of each. */
const kinds = rows.map((row) => row.slice(0, 3).join())

export const tables = (): Readonly<Record<string, string>> => ({
  reasons: table(["reason", "charged", "retried", "meaning"], rows.filter((_, at) => kinds.indexOf(kinds[at]!) === at)),
  messages: lines(Object.entries(reasons).flatMap(([tag, of]) => [tag, ...of.map(({ message }) => `  ${message}`)])),
  rules: lines(rules.map(([, { message }]) => message)),
  values: lines(values.map(([, message]) => message))
})
