/** Runs the trials of faults, a few at a time, each in a child process that holds a warm Vitest. */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Pool from "effect/Pool"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"
import { availableParallelism } from "node:os"
import * as Fault from "../faults/fault.ts"
import type { ClauseTest } from "./report.ts"
import * as Trial from "./trial.ts"

/** Says that the process under the tests ended or hung. */
class HarnessError extends Data.TaggedError("HarnessError")<{ readonly message: string }> {}

/** Starts a test process, which ends with the scope; `testTimeout` is in milliseconds. */
const harness = (root: string, testTimeout?: number): Effect.Effect<ChildProcess, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() =>
      fork(
        join(import.meta.dirname, "harness.ts"),
        [root, ...(testTimeout === undefined ? [] : [String(testTimeout)])],
        {
          cwd: root,
          // A law that needs ten thousand trials to see a fault is no proof of its clause, and a fault has to wait for each.
          env: { LAW_TRIALS: "1000", ...process.env },
          stdio: ["ignore", "ignore", "inherit", "ipc"]
        }
      )
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Asks a test process one query. */
const ask = (child: ChildProcess, run: Trial.Run): Effect.Effect<Trial.Observation, HarnessError> =>
  Effect.callback<Trial.Observation, HarnessError>((resume) => {
    const finish = (result: Effect.Effect<Trial.Observation, HarnessError>): void => {
      child.off("message", onMessage).off("exit", onExit)
      resume(result)
    }
    const onMessage = (observation: Trial.Observation) => finish(Effect.succeed(observation))
    const onExit = () => finish(Effect.fail(new HarnessError({ message: "the test process ended" })))
    if (!child.connected) return onExit()
    child.once("message", onMessage).once("exit", onExit).send(run)
    return Effect.sync(() => child.off("message", onMessage).off("exit", onExit))
  })

/** Asks a query of whichever test process is free, and waits so many minutes for the answer. */
export type Ask = (run: Trial.Run, minutes: number) => Effect.Effect<Trial.Observation, HarnessError>

/** Starts test processes, which end with the scope; one that does not answer in time is replaced. `testTimeout` is in milliseconds. */
export const asker = Effect.fnUntraced(function*(
  root: string,
  { processes, testTimeout }: { readonly processes: number; readonly testTimeout?: number }
): Effect.fn.Return<Ask, never, Scope.Scope> {
  const pool = yield* Pool.make({ acquire: harness(root, testTimeout), size: processes })
  return (run, minutes) =>
    Effect.scoped(Effect.gen(function*() {
      const child = yield* Pool.get(pool)
      return yield* ask(child, run).pipe(
        Effect.timeoutOrElse({
          duration: Duration.minutes(minutes),
          orElse: () => Effect.fail(new HarnessError({ message: `the tests did not end within ${minutes} minutes` }))
        }),
        Effect.tapError(() => Pool.invalidate(pool, child))
      )
    }))
})

/** The files of the tests that must catch one of the faults. */
const targetsOf = (
  faults: ReadonlyArray<Fault.Fault>,
  tests: ReadonlyArray<ClauseTest>
): ReadonlyArray<Trial.Target> => {
  const naming = tests.filter((test) =>
    faults.some((fault) => fault.package === test.package && test.clauses.includes(fault.clause))
  )
  return [...new Map(naming.map(({ file, package: name }) => [file, { file, package: name }])).values()]
}

/**
 * Tries every fault against the tests that name its clause, and hands each verdict over as it falls.
 * A control comes first: the same tests on sound sources. Only tests that pass there can judge.
 */
export const run = Effect.fnUntraced(function*(options: {
  readonly root: string
  readonly faults: ReadonlyArray<Fault.Fault>
  readonly tests: ReadonlyArray<ClauseTest>
  readonly onVerdict: (fault: Fault.Fault, verdict: Trial.Verdict) => Effect.Effect<void>
}) {
  const { faults, onVerdict, root, tests } = options
  const concurrency = Math.min(faults.length, 4, availableParallelism())
  const query = yield* asker(root, { processes: concurrency })

  const control = yield* query({
    clauses: [...new Set(faults.map(({ clause }) => clause))],
    targets: targetsOf(faults, tests)
  }, 10)

  const verdictOn = Effect.fnUntraced(
    function*(fault: Fault.Fault): Effect.fn.Return<Trial.Verdict, HarnessError> {
      const text = Fault.plant(root, fault)
      if (Result.isFailure(text)) return { outcome: "stale", detail: text.failure }
      const objection = Trial.objection(fault.clause, fault.package, control)
      if (objection !== undefined) return { outcome: "error", detail: objection }
      const overlay = { file: fault.file, text: text.success }
      return Trial.judge(
        fault,
        yield* query({ clauses: [fault.clause], targets: targetsOf([fault], tests), overlay }, 2)
      )
    }
  )

  yield* Effect.forEach(faults, (fault) =>
    verdictOn(fault).pipe(
      Effect.catchTag("HarnessError", ({ message }) =>
        Effect.succeed<Trial.Verdict>({ outcome: "error", detail: message })),
      Effect.flatMap((verdict) =>
        onVerdict(fault, verdict)
      )
    ), { concurrency, discard: true })
}, Effect.scoped)
