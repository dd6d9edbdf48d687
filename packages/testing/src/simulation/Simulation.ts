/**
 * Days of many programs that ask the service through the client, in one process and one synchronous call: the clients and their records, the
 * sandbox, faults, holidays and half days, under a virtual clock and a scheduler whose every choice a seed decides. After every step the
 * records are compared with the bill, and what must never happen is looked for. The same seed runs the same way, to the same step.
 *
 * - What the service has billed is charged, or known to be uncertain; nothing else is charged, and 204 and errors never are. Every answer says
 *   what it cost, and what it may have cost.
 * - Every request is counted, also if the application's HTTP client would repeat it by itself; and the client's own spending is never reported as
 *   `SpentElsewhere`.
 * - Only named overruns exceed a budget, and all live requests of a query, lost ones included, stay within the ceiling of its consent.
 * - Nothing is sent during a block that the client knows of, or for a call that is over.
 * - Every caller gets an answer or a typed error, in time, and the trace names every request. Permanent failures are not retried,
 *   cached data are not asked for live, and a list is answered in its order.
 * - An answer has the numbers, the status and the findings of its reply, on the side and of the day that were asked for.
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
import { CalendarDate, NewYork, Reason } from "@effect-marketdata/core"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Records from "effect/Record"
import * as Scope from "effect/Scope"
import type { ClientLayer, ServiceLayer } from "../harness/local.ts"
import * as Audit from "./audit.ts"
import { accounts } from "./calls.ts"
import * as Chance from "./Chance.ts"
import * as Day from "./day.ts"
import * as SeededRuntime from "./SeededRuntime.ts"
import * as SeededService from "./SeededService.ts"

/**
 * A broken rule: the seed, the day (the first is 1), the number of steps, and the time in epoch seconds.
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
 * - `client`: another client, or a wrapper around this one; it gets the options of a client, and is built over the HTTP client, ledger and guard of the
 *   simulation
 * - `sandbox`: another service, or a wrapper around the sandbox
 *
 * Neither may wait for a promise or a timer: only Effect's clock moves.
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
 * - `interrupted`: the calls that their caller interrupted
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
  readonly log: string
  readonly violations: ReadonlyArray<Audit.Violation>
}

/**
 * The names of all faults in a simulation: the kinds of the sandbox's faults, a proxy that answers by itself, and one that
 * damages requests.
 *
 * @category constants
 * @since 0.1.0
 */
export const faults: ReadonlyArray<string> = SeededService.mishaps

/**
 * The names of all reasons that a query of the simulation can fail for.
 *
 * @category constants
 * @since 0.1.0
 */
export const reasons: ReadonlyArray<string> = [...Reason.tags, "Incomplete"]
  // Reasons that cannot occur: ledgers and guards are in memory, calls have no claims, and there is no gateway.
  .filter((name) => !["LedgerUnavailable", "AlreadySent", "GuardUnavailable", "GatewayUnavailable"].includes(name))

const second = 1000
const hour = 3600 * second

/** Days around which something happens: holidays, half days, changes of the clock, the end of a year. */
const eventful = `
  2025-11-26 2025-12-23 2025-12-30 2026-01-16 2026-03-06
  2026-04-01 2026-05-22 2026-07-01 2026-10-30 2026-11-25
`.trim().split(/\s+/)

const firstDay = (chance: Chance.Chance): CalendarDate.CalendarDate =>
  chance.is(0.5)
    ? CalendarDate.parseUnsafe(chance.pick(eventful))
    : CalendarDate.addDays(CalendarDate.parseUnsafe("2025-02-03"), chance.below(600))

/** How many desks are probed, by chance: a probe takes many requests. */
const mostProbed = 2

/** The time after which no address is blocked any more. */
const untilOpen = 11 * 60 * second

/** A caller who has not been answered after so long never will be. */
const longest = 96 * hour

/**
 * Runs the days of one seed, or as many of them as it takes to break a rule. Never throws for what a client or a service does.
 *
 * @category running
 * @since 0.1.0
 */
export const run = (options: Options = {}): Report => {
  const { client = MarketData.layerNoDeps, days = 5, sandbox = Sandbox.layer, seed = 1 } = options
  const start = firstDay(Chance.make(seed, "start"))
  const machine = SeededRuntime.make({ at: NewYork.at(start, 4, 0) * second, chance: Chance.make(seed, "order") })
  const audit = Audit.make({ machine, seed })
  const report = (): Report => {
    const told = audit.report()
    return { ...told, seeds: 1, days: told.violations[0]?.day ?? days }
  }
  const watch = SeededRuntime.watching(audit.seek)
  const chance = Chance.make(seed, "probe")
  const probed = <A>(all: ReadonlyArray<A>) => Array.from({ length: mostProbed }, () => chance.pick(all))
  const scope = Effect.runSync(Scope.make())
  let total: Effect.Effect<number> = Effect.succeed(0)

  /** Runs a program to its end, and lets everything come to rest behind it. */
  const drive = <A>(program: Effect.Effect<A, never, Scope.Scope>): A => {
    const fiber = machine.fork(Effect.provideContext(program, Context.add(watch, Scope.Scope, scope)))
    const latest = machine.now() + longest
    for (;;) {
      machine.rest()
      const exit = fiber.pollUnsafe()
      if (exit !== undefined && Exit.isFailure(exit)) {
        audit.violate("the simulation itself works", Cause.pretty(exit.cause))
      }
      audit.check(Effect.runSync(total))
      if (exit !== undefined && Exit.isSuccess(exit) && audit.isIdle()) {
        if (machine.sleeping() > 0) {
          audit.violate("no fiber is left over", `${machine.sleeping()} still sleep when all callers have gone`)
          audit.check(Effect.runSync(total))
        }
        return exit.value
      }
      if (!machine.wake() || machine.now() > latest) {
        audit.violate("every caller gets an answer or a typed error", `a caller waits for ever: ${audit.unfinished()}`)
        audit.check(Effect.runSync(total))
      }
    }
  }

  try {
    const wire = drive(SeededService.make({
      chance: Chance.make(seed, "wire"),
      machine,
      sandbox: sandbox({
        seed,
        accounts,
        latency: "20 millis",
        cold: ["NVDA", "TSLA", "META", "NFLX", "JPM", "XOM"],
        // The limit of the public service, which crowds exceed.
        mostInFlight: 50,
        remembered: 16
      }),
      onSent: audit.sent,
      onServed: audit.served
    }))
    total = wire.billed
    for (let day = 0; day < days; day++) {
      const morning = NewYork.at(CalendarDate.addDays(start, day), 4, 0) * second
      drive(Effect.sleep(Math.max(0, morning - machine.now())))
      const setting = { seed, day, audit, wire, client }
      const before = audit.tally.calls
      const offices = drive(Day.open(setting))
      drive(Day.live(setting, offices))
      audit.tally.fewestCalls = Math.min(audit.tally.fewestCalls, audit.tally.calls - before)
      const suspects = offices.filter(({ desk }) => audit.wasBlocked(desk.name))
      if (suspects.length > 0) drive(Effect.sleep(untilOpen))
      drive(Day.probe(setting, day === days - 1 ? [...probed(offices), ...suspects] : suspects))
      audit.close()
    }
    return report()
  } catch (error) {
    if (error instanceof SeededRuntime.Restless) {
      audit.violate("every caller gets an answer or a typed error", error.message)
    } else if (!(error instanceof Audit.Broken)) throw error
    return report()
  } finally {
    Effect.runFork(Scope.close(scope, Exit.void))
  }
}

/**
 * The empty report, to add others to.
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
  log: BigInt.asUintN(64, BigInt(`0x${self.log}`) + BigInt(`0x${that.log}`)).toString(16).padStart(16, "0"),
  violations: [...self.violations, ...that.violations].toSorted((a, b) => a.seed - b.seed)
})

type Counts = Readonly<Record<string, number>>

const addCounts = (self: Counts, that: Counts): Counts => Records.union(self, that, (one, other) => one + other)

/**
 * The least coverage at which a report without violations means anything: calls and callers on every day, and how often each fault and each
 * reason occurred in total.
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
 * Returns what a report lacks, a line for each; an empty list if its coverage is enough.
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
 * Prints a violation, with the command that reproduces it.
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
