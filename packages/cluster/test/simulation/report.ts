/** What came of many seeds, and how it is printed. */
import * as Audit from "./audit.ts"
import type { Outcome } from "./run.ts"
import * as Troubles from "./troubles.ts"

export interface Report extends Readonly<Audit.Tally> {
  readonly seeds: number
  readonly seconds: number
  readonly steps: number
  readonly violations: ReadonlyArray<Audit.Violation>
}

export const empty: Report = { ...Audit.nothing(), seeds: 0, seconds: 0, steps: 0, violations: [] }

type Counts = Readonly<Record<string, number>>

const sum = (one: Counts, other: Counts): Counts => {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries([...names].toSorted().map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]))
}

/** What came of one seed. */
export const of = ({ seconds, steps, tally, violation }: Outcome): Report => ({
  ...tally,
  seeds: 1,
  seconds,
  steps,
  violations: violation === undefined ? [] : [violation]
})

const numbersOf = ({ reasons: _reasons, troubles: _troubles, violations: _violations, ...numbers }: Report) => numbers

/** Adds one report to another. The order does not matter. */
export const add = (self: Report, that: Report): Report => ({
  ...sum(numbersOf(self), numbersOf(that)) as ReturnType<typeof numbersOf>,
  slowest: Math.max(self.slowest, that.slowest),
  reasons: sum(self.reasons, that.reasons),
  troubles: sum(self.troubles, that.troubles),
  violations: [...self.violations, ...that.violations].toSorted((one, other) => one.seed - other.seed)
})

/** Says of a hundred seeds or more what happened too rarely for their silence to mean anything. */
export const shortcomings = ({ answered, calls, kept, reasons, seeds, troubles }: Report): ReadonlyArray<string> =>
  seeds < 100 ? [] : [
    ...answered < calls / 3 ? [`only ${answered} of ${calls} calls were answered`] : [],
    ...kept < seeds ? [`only ${kept} replies were kept, in ${seeds} seeds`] : [],
    ...(reasons["CreditBudgetExceeded"] ?? 0) < seeds / 5 ? ["too few callers have spent their budgets"] : [],
    ...Troubles.names.flatMap((name) => {
      const is = troubles[name] ?? 0
      return is < seeds / 5 ? [`only ${is} times ${name}, in ${seeds} seeds`] : []
    })
  ]

/** Prints a violation, with the command that shows it again. */
export const formatViolation = ({ detail, rule, second, seed, step }: Audit.Violation): string =>
  `seed ${seed}, step ${step} (after ${second} s): broken is "${rule}"\n  ${detail}\n` +
  `  see it again: npm run simulate -- --gateway --seed ${seed}`

/** Prints a report as a table. */
export const format = (self: Report): string => {
  const line = (name: string, value: number) =>
    `${name.padEnd(44)}${String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",").padStart(12)}`
  const counts = (of: Counts) => Object.entries(of).map(([name, count]) => line(`  ${name}`, count))
  return [
    line("seeds", self.seeds),
    line("virtual hours", self.seconds / 3600),
    line("steps", self.steps),
    line("calls", self.calls),
    line("  answered", self.answered),
    line("    with a reply that was kept", self.kept),
    line("  interrupted", self.interrupted),
    ...counts(self.reasons),
    line("requests", self.requests),
    line("moves to another address", self.moves),
    line("longest wait when all is mended, seconds", self.slowest),
    line("programs killed that did not end in time", self.overdue),
    line("credits billed", self.billed),
    line("credits charged", self.charged),
    line("credits uncertain", self.uncertain),
    "troubles",
    ...counts(self.troubles),
    line("violations", self.violations.length)
  ].join("\n")
}
