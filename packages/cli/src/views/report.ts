/** What an answer came to: where the data came from, how fresh they are, what they cost, what was unusual. */
import * as Answer from "@effect-marketdata/core/Answer"
import * as Credits from "@effect-marketdata/core/Credits"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Finding from "@effect-marketdata/core/Finding"
import * as Freshness from "@effect-marketdata/core/Freshness"
import * as Provenance from "@effect-marketdata/core/Provenance"
import type { Line, Span } from "../text/span.ts"
import * as Words from "../text/words.ts"

/** A line with its label. */
export const line = (label: string, text: Span): Line => [{ text: (label === "" ? "" : `${label}:`).padEnd(12), means: "aside" }, text]

/** The four lines that account for an answer: provenance, freshness, estimate, charge. `now` is in epoch seconds. */
export const account = (answer: Answer.Answer<unknown>, now: number): ReadonlyArray<Line> => [
  line("provenance", Provenance.format(answer.provenance)),
  line("freshness", freshness(answer.provenance, now)),
  line("estimate", Credits.format(answer.credits.estimate)),
  line("charge", charge(answer)),
  ...overrun(answer)
]

const freshness = ({ updated }: Provenance.Provenance, now: number): string => {
  if (updated === undefined) return "unknown, the reply says nothing about when its quotes were taken"
  const newest = `${classNames[Freshness.classify({ kind: "options", updated: updated.newest, now })]}, ` +
    `newest quote ${NewYork.format(updated.newest)}, ${Words.age(now - updated.newest)} old`
  const oldest = Words.age(now - updated.oldest)
  return oldest === Words.age(now - updated.newest) ? newest : `${newest}; the oldest ${oldest} old`
}

const classNames = { realTime: "real-time", delayed: "delayed", historical: "historical" } as const

const charge = ({ credits, trace }: Answer.Answer<unknown>): string => {
  const last = trace.at(-1)?.charge
  const requests = trace.length === 1 ? "" : ` for ${trace.length} requests`
  const source = last?.reported === undefined
    ? ", by the contract; the service gave no figure"
    : last.reported !== last.credits
    ? `, by the contract; the service reported ${Credits.formatAmount(last.reported)}, to which no price leads`
    : last.reported === last.computed
    ? ", as the service reported"
    : `, as the service reported; by the contract it would be ${Credits.formatAmount(last.computed)}`
  return `${Credits.formatAmount(credits.charged)}${perhaps(credits.uncertain)}${requests}${source}`
}

/** What was charged above the highest price that was told before. */
const overrun = ({ credits }: Answer.Answer<unknown>): ReadonlyArray<Line> => {
  const over = credits.charged - Credits.bound(credits.estimate)
  return over > 0
    ? [line("", { text: `${Credits.formatAmount(over)} more than the price said: more came back than was expected`, means: "bad" })]
    : []
}

/** What requests may have been charged in addition. */
const perhaps = (uncertain: number): string =>
  uncertain === 0
    ? ""
    : uncertain === Infinity
    ? " and perhaps more, without an upper bound,"
    : ` and perhaps up to ${Credits.formatAmount(uncertain)} more`

/** The findings of an answer: all of them, or the first few. */
export const findings = (findings: ReadonlyArray<Finding.Finding>, all: boolean): ReadonlyArray<Line> => {
  if (findings.length === 0) return [line("findings", "none")]
  const shown = all ? findings : findings.slice(0, 3)
  const rest = findings.length - shown.length
  return [
    line("findings", { text: String(findings.length), means: "warning" }),
    ...shown.map((finding): Line => `  ${Finding.format(finding)}`),
    ...(rest > 0 ? [`  and ${rest} more: --verbose shows them`] : [])
  ]
}

/** The requests that were sent, a line each. */
export const trace = (attempts: ReadonlyArray<Answer.Attempt>): ReadonlyArray<Line> =>
  attempts.map((attempt) => line("sent", Answer.formatAttempt(attempt)))
