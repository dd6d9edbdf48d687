/**
 * `npm run interplay`: plants each fault of interplay, one at a time, runs the tests that should find it, and says how many were
 * caught. Words choose the faults whose names hold one of them. Exits with 1 where one was missed.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { availableParallelism } from "node:os"
import { dirname } from "node:path"
import * as Trial from "./conformance/trial.ts"
import * as Trials from "./conformance/trials.ts"
import * as Fault from "./faults/fault.ts"
import * as Interplay from "./faults/interplay/all.ts"

const root = dirname(import.meta.dirname)
const words = process.argv.slice(2)

const faults = Interplay.faults.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))

/** Ends the script with exit code 1. */
class Missed extends Data.TaggedError("Missed")<{ readonly message: string }> {}

const targetOf = (file: string): Trial.Target => ({ package: file.split("/")[1] ?? "", file })

const interplay = Effect.gen(function*() {
  const concurrency = Math.min(2, availableParallelism())
  const ask = yield* Trials.asker(root, { processes: concurrency, testTimeout: 15_000 })

  const observe = (tests: ReadonlyArray<string>, overlay?: Trial.Question["overlay"]) =>
    ask({ clauses: [], targets: tests.map(targetOf), ...(overlay === undefined ? {} : { overlay }) }, 4)

  const control = yield* observe([...new Set(faults.flatMap(({ tests }) => tests))])
  const failing = control.tests.find(({ state }) => state === "failed")?.name ?? control.broken[0]
  if (failing !== undefined) return yield* new Missed({ message: `without any fault this fails: ${failing}` })

  const verdicts = yield* Effect.forEach(faults, (fault) =>
    Effect.gen(function*() {
      const text = Fault.plant(root, fault)
      if (Result.isFailure(text)) return { outcome: "stale", detail: text.failure } as const
      return Trial.verdict(fault, yield* observe(fault.tests, { file: fault.file, text: text.success }))
    }).pipe(
      Effect.catchTag("HarnessError", ({ message }) => Effect.succeed({ outcome: "error", detail: message } as const)),
      Effect.tap(({ detail, outcome }) => Console.log(`${outcome.padEnd(7)} ${fault.name}: ${detail}`))
    ), { concurrency })

  const caught = verdicts.filter(({ outcome }) => outcome === "caught").length
  yield* Console.log(`Faults of interplay: ${caught} of ${faults.length} caught`)
  if (caught < faults.length) return yield* new Missed({ message: `${faults.length - caught} were not` })
})

interplay.pipe(
  Effect.scoped,
  Effect.tapError(({ message }) => Console.error(`interplay: ${message}`)),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
