/**
 * Days of many programs that ask the service through the client, in one process and one synchronous call: the clients and their records, the
 * sandbox, faults, holidays and half days, under a virtual clock and a scheduler whose every choice a seed decides. After every step the
 * records are compared with the bill, and what must never happen is looked for. The same seed runs the same way, to the same step.
 *
 * - What the service has billed is charged, or known to be uncertain; nothing else is charged, and 204 and errors never are. Every answer says
 *   what it cost, and what it may have cost.
 * - Nothing goes out that the client has not counted, also where the application's HTTP client would ask again by itself; and nobody is accused of
 *   what the client has spent itself.
 * - A budget is passed by named overruns only, and all live requests of a query, lost ones included, stay below the ceiling of its consent.
 * - Nothing is sent during a block that the client knows of, or for a call that is over.
 * - Every caller gets an answer or a typed error, in time, and the trace names every request. What lasts is not asked again,
 *   what is cached is not asked for live, and a list is answered in its order.
 * - Nothing is left over: no reservation, no permit, no fiber. The token is in no error, span or log.
 *
 * @example
 * ```ts
 * import * as Simulation from "@effect-marketdata/testing/Simulation"
 *
 * const report = Simulation.run({ seed: 1, days: 1 })
 * report.violations // => []
 * report.log === Simulation.run({ seed: 1, days: 1 }).log // => true
 * ```
 *
 * @since 0.1.0
 */
import * as MarketData from "@effect-marketdata/client/MarketData"
import { NewYork, Reason } from "@effect-marketdata/core"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as Records from "effect/Record"
import * as Audit from "./audit.ts"
import * as Mishap from "./mishap.ts"
import * as Run from "./run.ts"
import type { ClientLayer, ServiceLayer } from "../harness/service.ts"

/**
 * A rule that was broken: by which seed, on which of its days (the first is 1), after how many steps, and when (epoch seconds).
 *
 * @category models
 * @since 0.1.0
 */
export type { Violation } from "./audit.ts"

/**
 * What is simulated.
 *
 * - `seed`: decides everything; 1 if left out
 * - `days`: how many days, one after the other; 5 if left out
 * - `client`: another client, or ours with something around it; it is given the configuration of a program, and whose HTTP client, ledger and
 *   guard it is made over
 * - `sandbox`: another service, or the sandbox with something around it
 *
 * Neither may wait for anything but Effect's clock, such as a promise or a timer: nobody would wake it up.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly seed?: number | undefined
  readonly days?: number | undefined
  readonly client?: ClientLayer | undefined
  readonly sandbox?: ServiceLayer | undefined
}

/**
 * What happened, of one seed or of many: plain data.
 *
 * - `fewestCalls`, `fewestCallers`: of the day that had the fewest
 * - `interrupted`: the calls that somebody had no more patience for
 * - `repeats`: how often an HTTP client wanted to send a request again by itself, which was refused
 * - `billed`, `charged`, `uncertain`: credits, by the service's bill and by the clients' records; what was billed and not charged is uncertain
 * - `faults`, `reasons`: how often each happened, by name
 * - `steps`, `log`: how many things happened, and a fingerprint of all of them in their order
 *
 * @category models
 * @since 0.1.0
 */
export interface Report extends Readonly<Audit.Counts> {
  readonly seeds: number
  readonly days: number
  readonly faults: Readonly<Record<string, number>>
  readonly reasons: Readonly<Record<string, number>>
  readonly steps: number
  readonly log: string
  readonly violations: ReadonlyArray<Audit.Violation>
}

/**
 * The names of everything that goes wrong in a simulation: the kinds of the sandbox's faults, a proxy that answers by itself, and one that
 * spoils what is asked.
 *
 * @category constants
 * @since 0.1.0
 */
export const faults: ReadonlyArray<string> = Mishap.names

/**
 * The names of all reasons that a query of the simulation can fail for.
 *
 * @category constants
 * @since 0.1.0
 */
export const reasons: ReadonlyArray<string> = [...Reason.tags, "Incomplete"]
  // Its ledgers and guards are in memory, where they can always be reached, its calls have no claims, and its clients ask the service themselves.
  .filter((name) => !["LedgerUnavailable", "AlreadySent", "GuardUnavailable", "GatewayUnavailable"].includes(name))

/**
 * Runs the days of one seed, or as many of them as it takes to break a rule. Never throws for what a client or a service does.
 *
 * @category running
 * @since 0.1.0
 */
export const run = (options: Options = {}): Report => {
  const { client = MarketData.layerNoDeps, days = 5, sandbox = Sandbox.layer, seed = 1 } = options
  const { hash, steps, tally, violation } = Run.run({ client, days, sandbox, seed })
  const { mishaps, reasons, ...counts } = tally
  return {
    ...counts,
    seeds: 1,
    days: violation?.day ?? days,
    faults: Object.fromEntries(mishaps),
    reasons: Object.fromEntries(reasons),
    steps,
    log: hash,
    violations: violation === undefined ? [] : [violation]
  }
}

/**
 * The report of nothing.
 *
 * @category constants
 * @since 0.1.0
 */
export const empty: Report = {
  ...Audit.none,
  seeds: 0,
  days: 0,
  faults: {},
  reasons: {},
  steps: 0,
  log: "0000000000000000",
  violations: []
}

/**
 * Adds one report to another. The order does not matter.
 *
 * @category combinators
 * @since 0.1.0
 */
export const add = (self: Report, that: Report): Report => ({
  ...Records.map(
    Audit.none,
    (_, name) => name.startsWith("fewest") ? Math.min(self[name], that[name]) : self[name] + that[name]
  ),
  seeds: self.seeds + that.seeds,
  days: self.days + that.days,
  faults: addCounts(self.faults, that.faults),
  reasons: addCounts(self.reasons, that.reasons),
  steps: self.steps + that.steps,
  log: BigInt.asUintN(64, BigInt(`0x${self.log}`) + BigInt(`0x${that.log}`)).toString(16).padStart(16, "0"),
  violations: [...self.violations, ...that.violations].toSorted((a, b) => a.seed - b.seed)
})

type Counts = Readonly<Record<string, number>>

const addCounts = (self: Counts, that: Counts): Counts => Records.union(self, that, (one, other) => one + other)

/**
 * What a report has to show before its silence means anything: a number of calls and callers on every day, and each fault and each reason so
 * often over the whole of it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Least {
  readonly calls: number
  readonly callers: number
  readonly faults: number
  readonly reasons: number
}

/**
 * 100 calls by 8 callers on every day, each fault 100 times, each reason 10 times: what 200 seeds of 5 days are for.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultLeast: Least = { calls: 100, callers: 8, faults: 100, reasons: 10 }

/**
 * Says what a report lacks, a line for each; nothing where it shows enough.
 *
 * @category getters
 * @since 0.1.0
 */
export const shortcomings = (self: Report, least: Least = defaultLeast): ReadonlyArray<string> => [
  ...below("calls on the quietest day", self.fewestCalls, least.calls),
  ...below("callers on the quietest day", self.fewestCallers, least.callers),
  ...faults.flatMap((name) => below(`faults of the kind ${name}`, self.faults[name] ?? 0, least.faults)),
  ...reasons.flatMap((name) => below(`failures with the reason ${name}`, self.reasons[name] ?? 0, least.reasons))
]

const below = (what: string, is: number, least: number): ReadonlyArray<string> =>
  is >= least ? [] : [`only ${is} ${what}, of ${least}`]

/**
 * Prints a violation, with the command that shows it again.
 *
 * @category formatting
 * @since 0.1.0
 */
export const formatViolation = ({ at, day, detail, rule, seed, step }: Audit.Violation): string =>
  `seed ${seed}, day ${day}, step ${step} (${NewYork.format(at)}): broken is "${rule}"\n  ${detail}\n` +
  `  see it again: npm run simulate -- --seed ${seed} --days ${day}`

/**
 * Prints a report as a table.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (self: Report): string => {
  const line = (name: string, value: number) => `${name.padEnd(32)}${amount(value).padStart(12)}`
  const counts = (names: ReadonlyArray<string>, of: Counts) => names.map((name) => line(`  ${name}`, of[name] ?? 0))
  return [
    line("days", self.days),
    line("calls", self.calls),
    line("  on the quietest day", self.fewestCalls),
    line("callers on the quietest day", self.fewestCallers),
    line("requests", self.requests),
    line("answers", self.answers),
    line("calls that were interrupted", self.interrupted),
    line("credits billed", self.billed),
    line("credits charged", self.charged),
    line("credits uncertain", self.uncertain),
    line("overruns", self.overruns),
    line("repeats that were refused", self.repeats),
    "faults",
    ...counts(faults, self.faults),
    "failures",
    ...counts(reasons, self.reasons),
    line("steps", self.steps),
    line("violations", self.violations.length)
  ].join("\n")
}

const amount = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",")
