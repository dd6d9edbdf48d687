/**
 * What the chain command prints besides the table: where the data came from, how fresh it is, what it cost, what was unusual.
 *
 * @since 0.1.0
 */
import * as Answer from "@effect-marketdata/core/Answer"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as Credits from "@effect-marketdata/core/Credits"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Finding from "@effect-marketdata/core/Finding"
import * as Freshness from "@effect-marketdata/core/Freshness"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Provenance from "@effect-marketdata/core/Provenance"
import type { AnyChain } from "./ChainTable.ts"

/**
 * Prints one labelled line.
 *
 * @category formatting
 * @since 0.1.0
 */
export const line = (label: string, text: string): string => `${`${label}:`.padEnd(12)}${text}`

/**
 * Prints the four lines that account for an answer: provenance, freshness, estimate, charge. `now` is in epoch seconds.
 *
 * @category formatting
 * @since 0.1.0
 */
export const account = (answer: Answer.Answer<OptionChain.OptionChain>, now: number): string =>
  [
    "",
    line("provenance", Provenance.format(answer.provenance)),
    line("freshness", freshness(answer.provenance, now)),
    line("estimate", Credits.format(answer.credits.estimate)),
    line("charge", charge(answer))
  ].join("\n")

const freshness = ({ updated }: Provenance.Provenance, now: number): string => {
  if (updated === undefined) return "unknown, the reply says nothing about when its quotes were taken"
  const newest = `${classNames[Freshness.classify({ kind: "options", updated: updated.newest, now })]}, ` +
    `newest quote ${NewYork.format(updated.newest)}, ${age(now - updated.newest)} old`
  const oldest = age(now - updated.oldest)
  return oldest === age(now - updated.newest) ? newest : `${newest}; the oldest ${oldest} old`
}

const classNames = { realTime: "real-time", delayed: "delayed", historical: "historical" } as const

const age = (seconds: number): string => {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 2 * 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 2 * 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} days`
}

const charge = ({ credits, trace }: Answer.Answer<OptionChain.OptionChain>): string => {
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

/** What requests may have been charged in addition. */
const perhaps = (uncertain: number): string =>
  uncertain === 0
    ? ""
    : uncertain === Infinity
    ? " and perhaps more, without an upper bound,"
    : ` and perhaps up to ${Credits.formatAmount(uncertain)} more`

/**
 * Prints findings: all of them, or the first few.
 *
 * @category formatting
 * @since 0.1.0
 */
export const findings = (findings: ReadonlyArray<Finding.Finding>, all: boolean): string => {
  if (findings.length === 0) return line("findings", "none")
  const shown = all ? findings : findings.slice(0, 3)
  const rest = findings.length - shown.length
  return [
    line("findings", String(findings.length)),
    ...shown.map((finding) => `  ${Finding.format(finding)}`),
    ...(rest > 0 ? [`  and ${rest} more: --verbose shows them`] : [])
  ].join("\n")
}

/**
 * Prints the requests that were sent, a line each.
 *
 * @category formatting
 * @since 0.1.0
 */
export const trace = (attempts: ReadonlyArray<Answer.Attempt>): string =>
  attempts.map((attempt) => line("sent", Answer.formatAttempt(attempt))).join("\n")

/**
 * Prints a whole answer as JSON: the data as the service would write it, and everything known about it.
 *
 * @category formatting
 * @since 0.1.0
 */
export const json = (answer: Answer.Answer<OptionChain.OptionChain>, now: number): string => {
  const { credits, data, provenance } = answer
  const { updated } = provenance
  return JSON.stringify({
    data: JSON.parse(ColumnTable.encode(data)),
    findings: answer.findings,
    provenance,
    freshness: updated && {
      class: Freshness.classify({ kind: "options", updated: updated.newest, now }),
      ageSeconds: now - updated.newest
    },
    credits: {
      estimate: { ...credits.estimate, ...(Credits.bound(credits.estimate) === Infinity ? { max: null } : {}) },
      charged: credits.charged,
      // JSON has no Infinity: null is without an upper bound, as in the estimate.
      uncertain: credits.uncertain
    },
    trace: answer.trace
  })
}

/**
 * Prints a saved chain as JSON: the data as the service would write it, and the findings.
 *
 * @category formatting
 * @since 0.1.0
 */
export const savedJson = (chain: AnyChain): string =>
  JSON.stringify({ data: JSON.parse(ColumnTable.encode(chain)), findings: chain.findings })
