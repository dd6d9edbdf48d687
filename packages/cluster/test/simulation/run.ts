/** Runs the story of one seed, in one synchronous call. */
import { CalendarDate, NewYork } from "@effect-marketdata/core"
import { Chance, SeededRuntime } from "@effect-marketdata/testing"
import { Cause, Effect, Exit, Scope } from "effect"
import * as Audit from "./audit.ts"
import * as Programs from "./programs.ts"
import * as Story from "./story.ts"

/** What came of it: `log` is a fingerprint of everything that happened, in its order and at its time. */
export type Outcome = ReturnType<typeof run>

/** A trading day, an hour and a half after it has begun. */
const start = NewYork.at(CalendarDate.makeUnsafe(2026, 11, 18), 11, 0) * 1000

const broken = "the simulation itself works"

export const run = (seed: number, parts: Programs.Parts = Programs.parts) => {
  const runtime = SeededRuntime.make({ at: start, chance: Chance.make(seed, "order") })
  const audit = Audit.make({ runtime, seed })
  const scope = Effect.runSync(Scope.make())
  try {
    const story = Story.tell({ audit, parts, runtime, seed })
    const told = runtime.fork(Effect.provideService(story, Scope.Scope, scope))
    for (;;) {
      runtime.rest()
      const exit = told.pollUnsafe()
      if (exit !== undefined && Exit.isFailure(exit)) audit.violate(broken, Cause.pretty(exit.cause))
      audit.check()
      if (exit !== undefined) break
      if (!runtime.wake()) audit.violate(broken, "no fiber can go on")
    }
  } catch (error) {
    if (error instanceof SeededRuntime.Restless) audit.violate(broken, error.message)
    else if (!(error instanceof Audit.Broken)) throw error
  }
  Effect.runFork(Scope.close(scope, Exit.void))
  const seconds = (runtime.now() - start) / 1000
  return { tally: audit.tally, steps: audit.steps(), log: audit.log(), seconds, violation: audit.violation() }
}
