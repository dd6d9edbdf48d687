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
import * as Child from "../shared/child.ts"
import type { ClauseTest, Verdict } from "./report.ts"
import * as Trial from "./trial.ts"

/** Says that the process under the tests ended or hung. */
class HarnessError extends Data.TaggedError("HarnessError")<{ readonly message: string }> {}

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

/**
 * Starts test processes, which end with the scope: a query is asked of whichever is free. One that does not answer within so many minutes is
 * replaced.
 */
const asker = Effect.fnUntraced(function*(root: string, processes: number) {
  const pool = yield* Pool.make({ acquire: harness(root), size: processes })
  return (run: Trial.Run, minutes: number): Effect.Effect<Trial.Observation, HarnessError> =>
    Effect.scoped(Effect.gen(function*() {
      const child = yield* Pool.get(pool)
      return yield* Effect.tryPromise({
        try: () => Child.ask<Trial.Observation>(child, run),
        catch: (error) => new HarnessError({ message: String(error) })
      }).pipe(
        Effect.timeoutOrElse({
          duration: Duration.minutes(minutes),
          orElse: () => Effect.fail(new HarnessError({ message: `the tests did not end within ${minutes} minutes` }))
        }),
        Effect.tapError(() => Pool.invalidate(pool, child))
      )
    }))
})

/** A fault, and the text that its file has under it; a failure says why it cannot be planted. */
export interface Planted extends Trial.Judged {
  readonly text: () => Result.Result<string, string>
}

/** A fault as the tests that name its clause must find it. */
export const ofClause = (root: string, fault: Fault.Fault, tests: ReadonlyArray<ClauseTest>): Planted => {
  const naming = tests.filter((test) => fault.package === test.package && test.clauses.includes(fault.clause))
  return {
    file: fault.file,
    clauses: [fault.clause],
    targets: [...new Set(naming.map(({ file }) => file))].map((file) => ({ file, package: fault.package })),
    text: () => Fault.plant(root, fault)
  }
}

/**
 * Plants every fault, one at a time, and hands each verdict over as it falls. A control comes first: the same tests on sound sources. Only tests that
 * pass there can judge. Returns how many faults were not caught.
 */
export const run = Effect.fnUntraced(function*<Own extends Planted>(options: {
  readonly root: string
  readonly faults: ReadonlyArray<Own>
  /** How long the tests may take that judge a fault. */
  readonly minutes: number
  readonly onVerdict: (fault: Own, verdict: Verdict) => Effect.Effect<void>
}) {
  const { faults, minutes, onVerdict, root } = options
  const concurrency = Math.max(1, Math.min(faults.length, 4, availableParallelism()))
  const query = yield* asker(root, concurrency)
  const targets = new Map(faults.flatMap(({ targets }) => targets).map((target) => [target.file, target]))
  const control = yield* query({
    clauses: [...new Set(faults.flatMap(({ clauses }) => clauses))],
    targets: [...targets.values()]
  }, 10)

  const verdictOn = Effect.fnUntraced(
    function*(fault: Own): Effect.fn.Return<Verdict, HarnessError> {
      const text = fault.text()
      if (Result.isFailure(text)) return { outcome: "stale", detail: text.failure }
      const objection = Trial.objection(fault, control)
      if (objection !== undefined) return { outcome: "error", detail: objection }
      const { clauses, file, targets } = fault
      return Trial.verdict(fault, yield* query({ clauses, targets, overlay: { file, text: text.success } }, minutes))
    }
  )
  const verdicts = yield* Effect.forEach(faults, (fault) =>
    verdictOn(fault).pipe(
      Effect.catchTag("HarnessError", ({ message }) => Effect.succeed<Verdict>({ outcome: "error", detail: message })),
      Effect.tap((verdict) => onVerdict(fault, verdict))
    ), { concurrency })
  return verdicts.filter(({ outcome }) => outcome !== "caught").length
}, Effect.scoped)
