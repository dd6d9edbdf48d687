/** What a run says: how far it has come, and what came of it. */
import type * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as Credits from "@effect-marketdata/core/Credits"
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import type * as Connection from "../asking/connection.ts"
import * as Progress from "../asking/progress.ts"
import * as Document from "../output/document.ts"
import type { Line } from "../text/span.ts"
import * as Words from "../text/words.ts"
import * as Report from "../views/report.ts"
import type { Day } from "./days.ts"
import * as Manifest from "./manifest.ts"

/** What the queries that are open may cost together. */
export const price = (open: ReadonlyArray<Day>): string =>
  open.length === 0
    ? "nothing is left to ask"
    : `${Report.estimates(open.map(({ estimate }) => estimate))} for ${Words.count(open.length, "query", "queries")}`

/** How wide the bar is. */
const cells = 20

/** The line of a run that is under way. */
export const progress = (
  { charged, done, of, passed, rows }: Readonly<Record<"charged" | "done" | "of" | "passed" | "rows", number>>
): Line => {
  const full = Math.floor(done / of * cells)
  const said = [
    ` ${done} of ${of} answered`,
    Words.count(rows, "row"),
    Words.credits(charged),
    Words.age(passed),
    ...Progress.left(done, of, passed)
  ]
  return [
    { text: "█".repeat(full), means: "good" },
    { text: "░".repeat(cells - full), means: "aside" },
    said.join(", ")
  ]
}

/** The most days that are named one by one. */
const mostNamed = 10

const sum = (all: ReadonlyArray<Manifest.Entry>, of: (entry: Manifest.Entry) => number | null): number =>
  all.reduce((sum, entry) => sum + (of(entry) ?? Infinity), 0)

const perhaps = (uncertain: number): string =>
  uncertain === 0
    ? ""
    : `, and perhaps ${
      uncertain === Infinity ? "more, without an upper bound" : `up to ${Words.credits(uncertain)} more`
    }`

/** One digest of all files: what was interrupted and went on has the same one as what was not. */
const digestOf = (kept: ReadonlyArray<Manifest.Entry>): string => {
  const lines = kept.map(({ file, sha256 = "" }) => `${sha256}  ${file}\n`)
  return createHash("sha256").update(lines.toSorted().join("")).digest("hex")
}

/** Prints what came of a run, or would. */
export const print = Effect.fnUntraced(function*({ days, done, entries: all, open, root, service, spent }: {
  readonly root: string
  readonly service: Connection.Connection["Service"]["service"]
  readonly days: ReadonlyArray<Day>
  /** Those that are still to be asked. */
  readonly open: ReadonlyArray<Day>
  readonly entries: ReadonlyArray<Manifest.Entry>
  /** Those of them that this run has settled, and what it has spent, if it was to ask. */
  readonly done: ReadonlyArray<Manifest.Entry>
  readonly spent: Pick<CreditLedger.Balance, "charged" | "uncertain"> | undefined
}) {
  const entries = all.toSorted((a, b) => a.file < b.file ? -1 : 1)
  const ofState = (state: Manifest.Entry["state"]) => entries.filter((entry) => entry.state === state)
  const [kept, empty, lost] = [ofState("kept"), ofState("empty"), ofState("lost")]
  const bounds = open.map(({ estimate }) => Credits.bounds(estimate))
  const most = bounds.reduce((sum, { max }) => sum + max, 0)
  const digest = digestOf(kept)
  const [charged, uncertain] = [sum(entries, ({ charged }) => charged), sum(entries, ({ uncertain }) => uncertain)]
  const byRun = spent === undefined ? "" : `; ${Words.credits(spent.charged)}${perhaps(spent.uncertain)} by this run`
  const over = (spent?.charged ?? 0) - sum(done, ({ price }) => price)
  const json = (amount: number) => amount === Infinity ? "Infinity" : amount
  const named = (label: string, some: ReadonlyArray<Manifest.Entry>, what: string): ReadonlyArray<Line> =>
    some.length === 0 ? [] : [
      Report.line(label, { text: `${Words.count(some.length, "query", "queries")} ${what}`, means: "warning" }),
      ...some.slice(0, mostNamed).map(({ charged, file, uncertain, why = "" }): Line =>
        `  ${ForeignText.line(`${file}: ${why}; ${Words.credits(charged)}${perhaps(uncertain ?? Infinity)}`, 300)}`
      ),
      ...(some.length > mostNamed ? [`  and ${some.length - mostNamed} more: see the manifest`] : [])
    ]
  yield* Document.print({
    json: {
      service,
      folder: root,
      manifest: Manifest.name,
      queries: days.length,
      open: { queries: open.length, min: bounds.reduce((sum, { min }) => sum + min, 0), max: json(most) },
      charged,
      uncertain: json(uncertain),
      run: spent && { charged: spent.charged, uncertain: json(spent.uncertain) },
      digest,
      entries
    },
    rows: Document.rows(
      ["file", "state", "rows", "charged", "uncertain", "sha256"],
      [
        ...entries.map((
          { charged, file, rows = null, sha256 = null, state, uncertain }
        ) => [file, state, rows, charged, uncertain ?? "Infinity", sha256]),
        ...open.map(({ file }) => [file, "open", null, 0, 0, null])
      ]
    ),
    lines: [
      Report.line("folder", ForeignText.line(root)),
      Report.line(
        "kept",
        `${kept.length} of ${Words.count(days.length, "query", "queries")}, ${
          Words.bytes(sum(kept, ({ bytes = 0 }) => bytes))
        }`
      ),
      ...named("empty", empty, "without data, which are not asked again without --again empty"),
      ...named("lost", lost, "whose answer is not here, which are not asked again without --again lost"),
      ...(open.length === 0 ? [] : [Report.line("open", price(open))]),
      Report.line("charge", `${Words.credits(charged)}${perhaps(uncertain)}${byRun}`),
      ...Report.notes(
        over > 0 ? [`${Words.credits(over)} more than the price said: more came back than was expected`] : []
      ),
      Report.line("digest", `sha256 ${digest}`)
    ]
  })
})
