/**
 * Trials of faults, a few at a time, each in a child process that holds a warm Vitest: tests are run on sources with a fault, and what they did is judged.
 */
import { Console, Data, Duration, Effect, Pool, Result, type Scope } from "effect"
import { type ChildProcess, fork, type ForkOptions } from "node:child_process"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import * as Child from "../shared/child.ts"
import type { Fault } from "./fault.ts"
import type { Observation, Run } from "./harness.ts"

/**
 * The outcome of a trial. Only `caught` is good; under `stale` and `error` the fault itself has to be repaired. `sound` is the good outcome without a fault: the
 * tests pass.
 */
type Outcome = "caught" | "missed" | "stale" | "error" | "sound"

type Verdict = ReturnType<typeof verdict>

/** The detail is the test that caught the fault, or what went wrong. */
const verdict = (outcome: Outcome, detail: string) => ({ outcome, detail })

const error = (detail: string): Verdict =>
  verdict("error", stripVTControlCharacters(detail).replaceAll(/\s+/g, " ").trim().slice(0, 200))

/** The tests by which a fault is judged. */
const judges = ({ clause, tests }: Fault, seen: Observation): Observation["tests"] =>
  seen.tests.filter(({ clauses, file }) => tests.includes(file) && (clause === undefined || clauses.includes(clause)))

/** Judges a fault by what its tests did under it. */
const verdictOf = (fault: Fault, seen: Observation): Verdict => {
  const failed = judges(fault, seen).filter(({ state }) => state === "failed")
  // Such errors mean that the planted text is not a valid program.
  const crash = failed.flatMap(({ errors }) => errors).find((text) => /^(?:ReferenceError|SyntaxError)\b/.test(text))
  if (crash !== undefined) return error(`the fault is not a running program: ${crash}`)
  if (failed[0] !== undefined) return verdict("caught", failed[0].name)
  if (seen.errors[0] !== undefined) return error(`tests could not run: ${seen.errors[0]}`)
  return verdict("missed", seen.loaded ? "its tests pass all the same" : `its tests never load ${fault.file}`)
}

/** The verdict without the fault: there must be tests, and all must pass, or they cannot judge it. */
const controlOf = (fault: Fault, seen: Observation): Verdict => {
  const tests = judges(fault, seen)
  const failed = tests.find(({ state }) => state === "failed")
  if (failed !== undefined) return error(`without the fault this test fails too: ${failed.name}`)
  if (tests.length === 0) return error(`without the fault no test passes either: ${seen.errors[0] ?? "there is none"}`)
  return verdict("sound", `tests that pass: ${tests.length}`)
}

/** The failure of a test process that ended or hung, or of faults that were not caught. */
class TrialError extends Data.TaggedError("TrialError")<{ readonly message: string }> {}

/** Starts a test process, which ends with the scope. */
const harness = (root: string): Effect.Effect<ChildProcess, never, Scope.Scope> => {
  // The depth of `npm test` has to find every fault.
  const env = { ...process.env, TEST_DEPTH: "" }
  const options: ForkOptions = { cwd: root, env, stdio: ["ignore", "ignore", "inherit", "ipc"] }
  const start = Effect.sync(() => fork(join(import.meta.dirname, "harness.ts"), [root], options))
  return Effect.acquireRelease(start, (child) => Effect.sync(() => child.kill("SIGKILL")))
}

/** Starts a pool of test processes, which end with the scope. A process that does not answer in time is replaced. */
const runner = Effect.fnUntraced(function*(root: string, processes: number) {
  const pool = yield* Pool.make({ acquire: harness(root), size: processes })
  return (run: Run, minutes: number): Effect.Effect<Observation, TrialError> =>
    Effect.scoped(Effect.gen(function*() {
      const late = new TrialError({ message: `the tests did not end within ${minutes} minutes` })
      const child = yield* Pool.get(pool)
      return yield* Effect.tryPromise({
        try: () => Child.ask<Observation>(child, run),
        catch: (error) => new TrialError({ message: String(error) })
      }).pipe(
        Effect.timeoutOrElse({ duration: Duration.minutes(minutes), orElse: () => Effect.fail(late) }),
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
  onVerdict: (fault: Own, verdict: Verdict) => Effect.Effect<void>
) {
  const concurrency = Math.max(1, Math.min(faults.length, 4, availableParallelism()))
  const run = yield* runner(root, concurrency)
  const control = yield* run({
    clauses: [...new Set(faults.flatMap(({ clause }) => clause ?? []))],
    files: [...new Set(faults.flatMap(({ tests }) => tests))]
  }, 20)
  const verdictOn = Effect.fnUntraced(function*(fault: Own) {
    const text = fault.text()
    if (Result.isFailure(text)) return verdict("stale", text.failure)
    const without = controlOf(fault, control)
    if (!isPlanted || without.outcome === "error") return without
    const { clause, file } = fault
    const files = [...new Set(judges(fault, control).map(({ file }) => file))]
    const seen = yield* run({ clauses: [clause ?? []].flat(), files, overlay: { file, text: text.success } }, minutes)
    return verdictOf(fault, seen)
  })
  yield* Effect.forEach(faults, (fault) =>
    verdictOn(fault).pipe(
      Effect.catchTag("TrialError", ({ message }) => Effect.succeed(verdict("error", message))),
      Effect.flatMap((verdict) => onVerdict(fault, verdict))
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
