/** Plants faults that no clause names, one at a time, and runs the tests that should find them. */
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { availableParallelism } from "node:os"
import * as Trial from "../conformance/trial.ts"
import * as Trials from "../conformance/trials.ts"

/** A fault, and the text that its file has under it; a failure says why it cannot be planted. */
export interface Planted {
  readonly name: string
  readonly file: string
  readonly text: () => Result.Result<string, string>
  /** The tests that should find it, from the root of the repository. */
  readonly tests: ReadonlyArray<string>
}

/** Says that not all faults were caught, or that they could not be tried. */
class Missed extends Data.TaggedError("Missed")<{ readonly message: string }> {}

const targetOf = (file: string): Trial.Target => ({ package: file.split("/")[1] ?? "", file })

/** Tries all of them, prints each verdict as it falls, and fails where one was missed. */
export const tryAll = Effect.fnUntraced(function*(root: string, what: string, faults: ReadonlyArray<Planted>) {
  const concurrency = Math.min(2, availableParallelism())
  const ask = yield* Trials.asker(root, { processes: concurrency, testTimeout: 60_000 })

  const observe = (tests: ReadonlyArray<string>, overlay?: Trial.Run["overlay"]) =>
    ask({ clauses: [], targets: tests.map(targetOf), ...(overlay === undefined ? {} : { overlay }) }, 8)

  const control = yield* observe([...new Set(faults.flatMap(({ tests }) => tests))])
  const failing = control.tests.find(({ state }) => state === "failed")?.name ?? control.broken[0]
  if (failing !== undefined) return yield* new Missed({ message: `without any fault this fails: ${failing}` })

  const verdicts = yield* Effect.forEach(faults, (fault) =>
    Effect.gen(function*() {
      const text = fault.text()
      if (Result.isFailure(text)) return { outcome: "stale", detail: text.failure } as const
      return Trial.verdict(fault, yield* observe(fault.tests, { file: fault.file, text: text.success }))
    }).pipe(
      Effect.catchTag("HarnessError", ({ message }) => Effect.succeed({ outcome: "error", detail: message } as const)),
      Effect.tap(({ detail, outcome }) => Console.log(`${outcome.padEnd(7)} ${fault.name}: ${detail}`))
    ), { concurrency })

  const caught = verdicts.filter(({ outcome }) => outcome === "caught").length
  yield* Console.log(`Faults of ${what}: ${caught} of ${faults.length} caught`)
  if (caught < faults.length) return yield* new Missed({ message: `${faults.length - caught} were not` })
}, Effect.scoped)
