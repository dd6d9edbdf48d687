import { CalendarDate, NewYork } from "@effect-marketdata/core"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Audit from "./audit.ts"
import * as Chance from "./Chance.ts"
import * as Day from "./day.ts"
import * as Desks from "./desks.ts"
import * as SeededRuntime from "./SeededRuntime.ts"
import * as Mishap from "./mishap.ts"
import * as SeededService from "./SeededService.ts"
import type { ClientLayer, ServiceLayer } from "../harness/service.ts"

/** What is run. */
export interface Options {
  readonly seed: number
  readonly days: number
  readonly client: ClientLayer
  readonly sandbox: ServiceLayer
}

/** What came of it. */
export interface Outcome {
  readonly tally: Audit.Tally
  readonly steps: number
  readonly hash: string
  readonly violation: Audit.Violation | undefined
}

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

/** Runs the days of one seed, or as many as it takes to break a rule. */
export const run = ({ client, days, sandbox, seed }: Options): Outcome => {
  const start = firstDay(Chance.make(seed, "start"))
  const machine = SeededRuntime.make({ at: NewYork.at(start, 4, 0) * second, chance: Chance.make(seed, "order") })
  const audit = Audit.make({ machine, seed })
  const outcome = (violation?: Audit.Violation): Outcome => ({
    tally: audit.tally,
    steps: audit.steps(),
    hash: audit.hash(),
    violation
  })
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
        accounts: Desks.accounts,
        latency: "20 millis",
        cold: ["NVDA", "TSLA", "META", "NFLX", "JPM", "XOM"],
        // The limit of the public service, which crowds exceed.
        mostInFlight: 50,
        remembered: 16
      }),
      onSent: (exchange) => {
        if (exchange.mishap !== undefined) audit.struck(Mishap.nameOf(exchange.mishap))
        audit.sent(exchange)
      },
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
    return outcome()
  } catch (error) {
    const violation = Audit.violationOf(error)
    if (violation !== undefined) return outcome(violation)
    if (!(error instanceof SeededRuntime.Restless)) throw error
    audit.violate("every caller gets an answer or a typed error", error.message)
    return outcome(audit.violation())
  } finally {
    Effect.runFork(Scope.close(scope, Exit.void))
  }
}
