/** Runs the trials of faults, a few at a time, each in a child process that holds a warm Vitest. */
import { Console, Data, Duration, Effect, Pool, Result, type Scope } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import * as Child from "../shared/child.ts"
import type { Fault } from "./fault.ts"
import * as Trial from "./trial.ts"

/** The failure of a test process that ended or hung, or of faults that were not caught. */
class TrialError extends Data.TaggedError("TrialError")<{ readonly message: string }> {}

/** Starts a test process, which ends with the scope. */
const harness = (root: string): Effect.Effect<ChildProcess, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() =>
      fork(join(import.meta.dirname, "harness.ts"), [root], {
        cwd: root,
        // The depth of `npm test` has to find every fault.
        env: { ...process.env, TEST_DEPTH: "" },
        stdio: ["ignore", "ignore", "inherit", "ipc"]
      })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Starts a pool of test processes, which end with the scope. A process that does not answer in time is replaced. */
const runner = Effect.fnUntraced(function*(root: string, processes: number) {
  const pool = yield* Pool.make({ acquire: harness(root), size: processes })
  return (run: Trial.Run, minutes: number): Effect.Effect<Trial.Observation, TrialError> =>
    Effect.scoped(Effect.gen(function*() {
      const child = yield* Pool.get(pool)
      return yield* Effect.tryPromise({
        try: () => Child.ask<Trial.Observation>(child, run),
        catch: (error) => new TrialError({ message: String(error) })
      }).pipe(
        Effect.timeoutOrElse({
          duration: Duration.minutes(minutes),
          orElse: () => Effect.fail(new TrialError({ message: `the tests did not end within ${minutes} minutes` }))
        }),
        Effect.tapError(() => Pool.invalidate(pool, child))
      )
    }))
})

/** Where the faults belong, how long the tests of each may take, and whether they are planted at all. */
interface Options {
  readonly root: string
  readonly minutes: number
  readonly isPlanted?: boolean
}

/**
 * Tries the faults and reports each verdict at once. First, as a control, the same tests run on sound sources: only tests that pass there can judge. If nothing
 * is to be planted, the control is the verdict.
 */
export const judge = Effect.fnUntraced(function*<Own extends Fault>(
  { isPlanted = true, minutes, root }: Options,
  faults: ReadonlyArray<Own>,
  onVerdict: (fault: Own, verdict: Trial.Verdict) => Effect.Effect<void>
) {
  const concurrency = Math.max(1, Math.min(faults.length, 4, availableParallelism()))
  const run = yield* runner(root, concurrency)
  const control = yield* run({
    clauses: [...new Set(faults.flatMap(({ clause }) => clause ?? []))],
    files: [...new Set(faults.flatMap(({ tests }) => tests))]
  }, 20)
  const verdictOn = Effect.fnUntraced(
    function*(fault: Own): Effect.fn.Return<Trial.Verdict, TrialError> {
      const text = fault.text()
      if (Result.isFailure(text)) return { outcome: "stale", detail: text.failure }
      const without = Trial.control(fault, control)
      if (!isPlanted || without.outcome === "error") return without
      const { clause, file } = fault
      const files = [...new Set(Trial.judges(fault, control).map(({ file }) => file))]
      const seen = yield* run({ clauses: [clause ?? []].flat(), files, overlay: { file, text: text.success } }, minutes)
      return Trial.verdict(fault, seen)
    }
  )
  yield* Effect.forEach(faults, (fault) =>
    verdictOn(fault).pipe(
      Effect.catchTag("TrialError", ({ message }) =>
        Effect.succeed<Trial.Verdict>({ outcome: "error", detail: message })),
      Effect.flatMap((verdict) =>
        onVerdict(fault, verdict)
      )
    ), { concurrency, discard: true })
}, Effect.scoped)

/** Tries faults, and prints each verdict as it falls. Fails where one was not caught. */
export const tryAll = Effect.fnUntraced(function*(options: Options, faults: ReadonlyArray<Fault>) {
  const counts = { caught: 0, sound: 0, missed: 0, stale: 0, error: 0 }
  let done = 0
  yield* judge(options, faults, ({ name }, { detail, outcome }) => {
    counts[outcome]++
    return Console.log(`${`${++done}/${faults.length}`.padStart(8)}  ${outcome.padEnd(6)}  ${name}: ${detail}`)
  })
  const { caught, error, missed, sound, stale } = counts
  yield* Console.log(
    options.isPlanted === false
      ? `Proofs: ${sound} whose tests pass, ${stale} stale, ${error} in error`
      : `Faults: ${caught} caught, ${missed} missed, ${stale} stale, ${error} in error`
  )
  const wrong = missed + stale + error
  return wrong === 0 ? true : yield* new TrialError({ message: `${wrong} of ${faults.length} do not hold` })
})
