/** What a run says: how far it has come, and what came of it. */
import type { CreditLedger } from "@effect-marketdata/client"
import { Credits, ForeignText } from "@effect-marketdata/core"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import type * as Connection from "../asking/connection.ts"
import * as Person from "../output/person.ts"
import * as Sizes from "../asking/sizes.ts"
import * as Document from "../output/document.ts"
import type { Line } from "../text/span.ts"
import * as Words from "../text/words.ts"
import * as Report from "../views/report.ts"
import type { Day } from "./days.ts"
import type * as Folder from "./folder.ts"

/** What queries may cost together. Where the plan says how many contracts it expects, the price is no more certain than that. */
export const price = (days: ReadonlyArray<Day>): string => {
  const queries = Words.count(days.length, "query", "queries")
  return days.some(({ query }) => Object.keys(query.assume).length > 0)
    ? `${
      Credits.formatAmount(Sizes.boundOf(days.map(({ estimate }) => estimate)))
    } for ${queries}, if as many rows come back as the plan expects`
    : `${Report.estimates(days.map(({ estimate }) => estimate))} for ${queries}`
}

/** How wide the bar is. */
const cells = 20

/** The line of a run that is under way, of `passed` seconds; while it waits for credits, until when. */
export const progress = (
  done: ReadonlyArray<Folder.Entry>,
  of: number,
  { charged, passed, waiting }: { readonly charged: number; readonly passed: number; readonly waiting?: string }
): Line => {
  const full = Math.floor(done.length / of * cells)
  const bar = [{ text: "█".repeat(full), means: "good" }, { text: "░".repeat(cells - full), means: "aside" }] as const
  const rest = waiting === undefined ? Person.left(done.length, of, passed) : [`waiting ${waiting}`]
  const said = [`${done.length} of ${of} answered`, Words.credits(charged), Words.age(passed), ...rest]
  return [...bar, ` ${said.join(", ")}`]
}

/** The most days that are named one by one. */
const mostNamed = 10

/** Credits, and those that may have been charged in addition. */
const amount = (charged: number, uncertain: number): string => {
  const more = uncertain === Infinity ? "any number" : Words.number(uncertain)
  return `${Words.credits(charged)}${uncertain === 0 ? "" : ` and perhaps ${more} more`}`
}

/** A sum that JSON has. */
const sum = <A>(all: ReadonlyArray<A>, of: (one: A) => number | null): number =>
  all.reduce((sum, one) => sum + (of(one) ?? Infinity), 0)

/** What came of a run: how days stood before it, those that it has settled, and the credits that it has spent, if it was to ask. */
interface Ran {
  readonly root: string
  readonly service: Connection.Connection["Service"]["service"]
  readonly standing: Folder.Standing
  readonly done: ReadonlyArray<Folder.Entry>
  readonly spent: Pick<CreditLedger.Balance, "charged" | "uncertain"> | undefined
}

/** Prints what came of a run, or would, and returns how many answers are lost. */
export const print = Effect.fnUntraced(function*({ done, root, service, spent, standing }: Ran) {
  const answered = new Set(done.map(({ file }) => file))
  const open = standing.open.filter(({ file }) => !answered.has(file))
  const entries = [...standing.over, ...done].toSorted((a, b) => a.file < b.file ? -1 : 1)
  const of = (is: Folder.Entry["state"]) => entries.filter(({ state }) => state === is)
  const [kept, lost] = [of("kept"), of("lost")]
  const [charged, uncertain] = [sum(entries, ({ charged }) => charged), sum(entries, ({ uncertain }) => uncertain)]
  // What was interrupted and went on has the same digest as what was not.
  const lines = kept.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join("")
  const digest = createHash("sha256").update(lines).digest("hex")
  const named = (some: ReadonlyArray<Folder.Entry>, label: string, what: string): ReadonlyArray<Line> => {
    if (some.length === 0) return []
    const text = `${Words.number(some.length)} ${what}; to ask again: --again ${label}`
    const files = some.slice(0, mostNamed).map(({ charged, file, uncertain, why }) =>
      `  ${ForeignText.line(`${file}: ${why}; ${amount(charged, uncertain ?? Infinity)}`, 300)}`
    )
    const rest = some.length > mostNamed ? [`  and ${some.length - mostNamed} more, see manifest.jsonl`] : []
    return [Report.line(label, { text, means: "warning" }), ...files, ...rest]
  }
  const over = spent === undefined || open.length > 0 ? 0 : spent.charged - sum(done, ({ price }) => price)
  const byRun = spent === undefined ? "" : `; ${amount(spent.charged, spent.uncertain)} by this run`
  const json = (value: number) => value === Infinity ? "Infinity" : value
  const run = spent && { charged: spent.charged, uncertain: json(spent.uncertain) }
  const max = json(sum(open, ({ estimate }) => Credits.bound(estimate)))
  yield* Document.print({
    json: {
      service,
      folder: root,
      open: { queries: open.length, max },
      charged,
      uncertain: json(uncertain),
      run,
      digest,
      entries
    },
    rows: Document.records(["file", "state", "rows", "charged", "uncertain", "sha256"], [
      ...entries,
      ...open.map(({ file }) => ({ file, state: "open", charged: 0, uncertain: 0 }))
    ]),
    lines: [
      Report.line("folder", ForeignText.line(root)),
      Report.line("kept", `${kept.length} of ${Words.count(entries.length + open.length, "query", "queries")}`),
      ...named(of("empty"), "empty", "without data"),
      ...named(lost, "lost", "asked for, and their answers are not here"),
      ...open.length === 0 ? [] : [Report.line("open", price(open))],
      Report.line("charge", amount(charged, uncertain) + byRun),
      ...Report.notes(over > 0 ? [`${Words.credits(over)} above the price: more came back than was expected`] : []),
      ...kept.length === 0 ? [] : [Report.line("digest", `sha256 ${digest}`)]
    ]
  })
  return lost.length
})
