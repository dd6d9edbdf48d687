/** What people may type into the planner: plausible fields, of which some are wrong. */
import * as fc from "fast-check"
import { choicesOf, commands, type Field, fieldsOf, rest, type Texts, usual } from "../../src/planner/fields.ts"
import type { State } from "../../src/planner/state.ts"

const times = ["once", "3 times", "every 1min", "every 20s from 9:30 to 10:00", "every 1h on 2026-11-28", "evry 5min"]
const days = ["every 30min on the next 3 trading days", "once at close on trading days of 2026-12"]
const when = fc.constantFrom(...times, ...days)

const valueOf = (field: Field): fc.Arbitrary<string> => {
  const { hint, key, kind } = field
  if (kind === "choice") return fc.constantFrom(...choicesOf(field))
  if (kind === "numbers") return fc.constantFrom("150", "0.5", "150, 155", "150-160", ">=0.2", "160-150", "x")
  if (kind === "names") return fc.constantFrom("symbol", "bid, ask", "nothing")
  if (kind !== "text") {
    return fc.oneof(fc.integer({ min: 1, max: 40_000 }).map(String), fc.constantFrom(hint, "0", "1.5", "x"))
  }
  return fc.constantFrom(
    hint.split(", ").at(-1)!,
    ...key === "resolution" ? ["5", "H", "W"] : ["2026-12-18", "all", "yesterday", "soon"]
  )
}

const subjectOf = ([argument, hint]: typeof commands[string]): fc.Arbitrary<string> =>
  argument.endsWith("symbols")
    ? fc.constantFrom(hint, "aapl", "AAPL261218C00350000 AAPL261218P00350000", "", "</b>")
    : fc.constantFrom(hint, hint, "aapl", "", "A B", "<b>")

/** Most rows fill in few fields: those that say much at once exclude each other. */
const row: fc.Arbitrary<Texts> = fc.constantFrom(...Object.keys(commands)).chain((command) => {
  const some = (list: ReadonlyArray<Field>) =>
    fc.subarray([...fieldsOf(command, list)], { maxLength: Math.min(2, fieldsOf(command, list).length) })
  return fc.tuple(
    fc.record({ command: fc.constant(command), subject: subjectOf(commands[command]!) }),
    fc.tuple(some(usual), some(rest)).chain((fields) =>
      fc.tuple(...fields.flat().map((field) => valueOf(field).map((text) => [field.key, text] as const)))
    ),
    fc.record({
      "when": when,
      "fresh-within": fc.constantFrom("5min", "30s", "20 minutes", "soon"),
      "may-miss": fc.constantFrom("true", "false")
    }, { requiredKeys: [] })
  ).map(([row, fields, own]) => ({ ...row, ...Object.fromEntries(fields), ...own }))
})

/** Everything that is typed. */
export const states: fc.Arbitrary<State> = fc.record({
  tasks: fc.array(row, { minLength: 1, maxLength: 4 }),
  settings: fc.record({
    "allowance": fc.constantFrom("100000 credits per day", "500 per minute", "10,000"),
    account: fc.constantFrom("paid", "trial", "free", "professional"),
    "hit-rate": fc.constantFrom("0", "0.9", "1")
  }, { requiredKeys: [] })
})
