/**
 * `npm run detection`: plants every fault of every clause and of interplay, one at a time, and says how many of them the laws and the
 * simulation notice, which know nothing of faults or of clauses' own tests. Words choose the faults whose names hold one of them.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { availableParallelism } from "node:os"
import { dirname } from "node:path"
import type * as Trial from "./conformance/trial.ts"
import * as Trials from "./conformance/trials.ts"
import * as Fault from "./faults/fault.ts"

const root = dirname(import.meta.dirname)
const words = process.argv.slice(2)

type NamedFault = Fault.Breakage & { readonly group: string; readonly name: string }

const ofClauses = (await Fault.loadAll(root)).map((fault): NamedFault => ({
  ...fault,
  group: fault.package,
  name: `${fault.clause} in ${fault.file}`
}))
const ofInterplay = (await Fault.loadInterplay(root)).map((fault): NamedFault => ({
  ...fault,
  group: "interplay"
}))
const faults = [...ofClauses, ...ofInterplay].filter(({ group, name }) =>
  words.length === 0 || words.some((word) => `${group} ${name}`.includes(word))
)
const groups = [...new Set(faults.map(({ group }) => group))]

/** Those who may notice: laws, simulation, or whoever waits for an end. */
const watchers = ["laws", "simulation", "time"] as const

type Watcher = typeof watchers[number]

const files: ReadonlyMap<Watcher, string> = new Map([
  ["laws", "packages/testing/test/Laws.test.ts"],
  ["simulation", "packages/testing/test/SimulatedDays.test.ts"]
])

/** Ends the script with exit code 1. */
class DetectionError extends Data.TaggedError("DetectionError")<{ readonly message: string }> {}

/** Whose tests failed, or did not even begin. */
const noticed = ({ tests }: Trial.Observation): ReadonlyArray<Watcher> =>
  watchers.filter((watcher) => {
    const own = tests.filter(({ file }) => file === files.get(watcher))
    return files.has(watcher) && (own.length === 0 || own.some(({ state }) => state === "failed"))
  })

const detection = Effect.gen(function*() {
  // A fault that a law needs thousands of trials for is one that it does not notice.
  process.env["LAW_TRIALS"] ??= "100"
  const concurrency = Math.min(faults.length, availableParallelism())
  const ask = yield* Trials.asker(root, { processes: concurrency, testTimeout: 30_000 })
  const targets = [...files.values()].map((file) => ({ package: "testing", file }))

  const watch = (overlay?: Trial.Question["overlay"]) =>
    ask({ clauses: [], targets, ...(overlay === undefined ? {} : { overlay }) }, 1).pipe(
      Effect.map(noticed),
      Effect.catchTag("HarnessError", () => Effect.succeed<ReadonlyArray<Watcher>>(["time"]))
    )

  const wrong = yield* watch()
  if (wrong.length > 0) return yield* new DetectionError({ message: `without any fault there fail: ${wrong.join()}` })

  const seen = yield* Effect.forEach(faults, (fault, index) =>
    Effect.gen(function*() {
      const text = Fault.plant(root, fault)
      if (Result.isFailure(text)) return yield* new DetectionError({ message: `${fault.name}: ${text.failure}` })
      const by = yield* watch({ file: fault.file, text: text.success })
      yield* Console.log(
        `${index + 1}/${faults.length}  ${fault.group} ${fault.name}: ${by.join(" and ") || "nobody"}`
      )
      return { group: fault.group, by }
    }), { concurrency })

  const line = (title: string, some: typeof seen) => {
    const count = (watcher: Watcher) => some.filter(({ by }) => by.includes(watcher)).length
    const figures = [some.length, ...watchers.map(count), some.filter(({ by }) => by.length > 0).length]
    return title.padEnd(12) + figures.map((figure) => String(figure).padStart(12)).join("")
  }
  const head = ["faults", ...watchers, "any"].map((word) => word.padStart(12)).join("")
  const lines = groups.map((group) => line(group, seen.filter((one) => one.group === group)))
  yield* Console.log(["".padEnd(12) + head, ...lines, line("all", seen)].join("\n"))
})

detection.pipe(
  Effect.scoped,
  Effect.tapError(({ message }) => Console.error(`detection: ${message}`)),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
