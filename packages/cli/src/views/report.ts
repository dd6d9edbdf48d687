/** The report on an answer: where the data came from, how fresh they are, what they cost, what was unusual. */
import { Answer, ChainSize, Credits, Finding, ForeignText } from "@effect-marketdata/core"
import { Freshness, NewYork, Provenance, type Query } from "@effect-marketdata/core"
import { Array as Arr } from "effect"
import type { Known } from "../failure/failure.ts"
import { labelled as line } from "../text/grid.ts"
import * as Span from "../text/span.ts"
import * as Words from "../text/words.ts"

/** A line with its label. */
export { line }

/** Answers to the queries of one call. */
type Answers = readonly [Answer.Answer<unknown>, ...ReadonlyArray<Answer.Answer<unknown>>]

/** Provenance, freshness and charge of answers to `query` and others of its kind. `now` is in epoch seconds. */
export const account = (answers: Answers, query: Query.Query, now: number): ReadonlyArray<Span.Line> => {
  const [first, ...others] = answers
  const provenance = Provenance.merge(...Arr.map(answers, ({ provenance }) => provenance))
  return [
    line("provenance", origin(provenance)),
    ...freshness(provenance.updated, query, now),
    line("charge", others.length === 0 ? charge(first) : charges(answers))
  ]
}

/** Prints where data came from; what was kept here has its age in words. */
const origin = (provenance: Provenance.Provenance): string => {
  const { age, source, status } = provenance
  if (source !== "local") return Provenance.format(provenance)
  const first = Provenance.format({ ...provenance, age: undefined, source: status === 203 ? "cache" : "provider" })
  return `local, kept on this machine ${Words.ago(age ?? 0)}, from ${first}`
}

/** Prints what queries will cost together. */
export const estimates = (estimates: ReadonlyArray<Credits.Estimate>): string => {
  const [first, ...others] = estimates
  const unpriced = estimates.find(({ _tag }) => _tag !== "Exact" && _tag !== "Range")
  if (first !== undefined && others.length === 0) return Credits.format(first)
  if (unpriced !== undefined) return Credits.format(unpriced)
  const bounds = estimates.map((estimate) => Credits.bounds(estimate))
  return Words.range(bounds.reduce((sum, { min }) => sum + min, 0), bounds.reduce((sum, { max }) => sum + max, 0))
}

/** Prints the chain sizes that prices are based on, in parentheses; an empty text if they need none. */
export const sizes = (estimates: ReadonlyArray<Credits.Estimate>): string => {
  const sizes = [...new Set(estimates.flatMap((estimate) => ChainSize.assumedBy(estimate) ?? []))]
  return sizes.length === 0 ? "" : ` (${sizes.join("; ")})`
}

/** When the newest and the oldest quote of an answer were taken. */
type Updated = Provenance.Provenance["updated"]

/** The part of a query that its freshness depends on; undefined for a saved reply, which is a chain. */
type Asked = { readonly endpoint: Pick<Query.Query["endpoint"], "demo" | "columns"> } | undefined

/** How fresh data are. Those of options and of stocks become historical at different times (clauses 8.4-options and 8.4-stocks). */
const classOf = (updated: number, asked: Asked, now: number): Freshness.Freshness => {
  const isOption = asked === undefined || asked.endpoint.demo === "option"
  return Freshness.classify({ kind: isOption ? "options" : "stocks", updated, now })
}

/** Prints how fresh quotes are, always with their age; nothing for data without quotes, such as a list of strikes. */
export const freshness = (updated: Updated, asked: Asked, now: number): ReadonlyArray<Span.Line> => {
  if (updated === undefined) {
    return asked !== undefined && !asked.endpoint.columns.includes("updated") ? [] : [
      line("freshness", Span.means("warning", "unknown, the reply says nothing about when its quotes were taken"))
    ]
  }
  const freshness = classOf(updated.newest, asked, now)
  const row = asked === undefined || asked.endpoint.columns.includes("mid") ? "quote" : "row"
  const [newest, oldest] = [Words.ago(now - updated.newest), Words.ago(now - updated.oldest)]
  const isAged = freshness === "delayed"
  const name = isAged ? `${row}s ${Words.age(now - updated.newest)} old` : names[freshness]
  const rest = oldest === newest ? "" : `; the oldest ${oldest}`
  return [[
    ...Span.spansOf(line("freshness", { text: name, means: meanings[freshness] })),
    `, newest ${row} ${NewYork.format(updated.newest)}${isAged ? "" : `, ${newest}`}${rest}`
  ]]
}

/** The same in a few words, where there is little room. */
export const age = (updated: Updated, asked: Asked, now: number): Span.Span => {
  if (updated === undefined) return { text: "of an unknown time", means: "warning" }
  const freshness = classOf(updated.newest, asked, now)
  const age = now - updated.newest
  const text = freshness === "delayed" ? `${Words.age(age)} old` : `${names[freshness]}, ${Words.ago(age)}`
  return { text, means: meanings[freshness] }
}

/** Names for data that are not delayed. Delayed ones are named by their age, which may be 15 minutes or a long weekend. */
const names = { realTime: "real-time", historical: "historical" } as const

const meanings = { realTime: "good", delayed: "warning", historical: "bad" } as const

/** What several answers or failures cost together. */
export const costOf = (all: ReadonlyArray<Pick<Known, "credits">>) => ({
  charged: all.reduce((sum, { credits }) => sum + (credits?.charged ?? 0), 0),
  uncertain: all.reduce((sum, { credits }) => sum + (credits?.uncertain ?? 0), 0)
})

/** The charge of several answers together. */
const charges = (answers: Answers): string => {
  const { charged, uncertain } = costOf(answers)
  const requests = answers.reduce((sum, { trace }) => sum + trace.length, 0)
  return `${Words.spent(charged, uncertain)} for ${Words.count(requests, "request")}`
}

const charge = ({ credits, provenance, trace }: Answer.Answer<unknown>): string => {
  if (provenance.source === "local" && trace.length === 0) return "0 credits, nothing was sent"
  const last = trace.at(-1)?.charge
  const requests = trace.length === 1 ? "" : ` for ${trace.length} requests`
  const source = last?.reported === undefined
    ? ", by the contract; the service gave no figure"
    : last.reported !== last.credits
    ? `, by the contract; the service reported ${Credits.formatAmount(last.reported)}, to which no price leads`
    : last.reported === last.computed
    ? ", as the service reported"
    : `, as the service reported; by the contract it would be ${Credits.formatAmount(last.computed)}`
  return `${Words.spent(credits.charged, credits.uncertain)}${requests}${source}`
}

/** What a person must know of an answer besides. */
export const notes = (notes: ReadonlyArray<string>): ReadonlyArray<Span.Line> =>
  notes.map((text) => line("note", { text, means: "warning" }))

/** The findings of an answer, at most a number of them. */
export const findings = (findings: ReadonlyArray<Finding.Finding>, most: number): ReadonlyArray<Span.Line> => {
  if (findings.length === 0) return [line("findings", "none")]
  const shown = findings.slice(0, most)
  const rest = findings.length - shown.length
  return [
    line("findings", { text: String(findings.length), means: "warning" }),
    ...shown.map((finding): Span.Line => `  ${ForeignText.line(Finding.format(finding), 500)}`),
    ...(rest > 0 ? [`  and ${rest} more: --verbose shows them`] : [])
  ]
}

/** The requests that were sent, a line each. */
export const trace = (asked: ReadonlyArray<{ readonly trace: Answer.Answer<unknown>["trace"] }>) =>
  asked.flatMap(({ trace }) => trace.map((attempt) => line("sent", Answer.formatAttempt(attempt))))
