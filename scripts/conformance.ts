/** `npm run conformance`: says how far each clause is proven, and tries the planted faults. */
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import * as Clause from "./conformance/clause.ts"
import * as Fingerprint from "./conformance/fingerprint.ts"
import * as Report from "./conformance/report.ts"
import * as Selection from "./conformance/selection.ts"
import * as Standing from "./conformance/standing.ts"
import * as Trials from "./conformance/trials.ts"
import * as Fault from "./faults/fault.ts"
import * as Script from "./shared/script.ts"

const { root } = Script

/** Ends the command with exit code 1. */
class ConformanceError extends Data.TaggedError("ConformanceError")<{ readonly message: string }> {}

const fail = (message: string) => new ConformanceError({ message })

/** Runs the whole test suite for its report. Its output goes to standard error, because ours may be JSON. */
const runTests = Effect.gen(function*() {
  yield* Console.error("conformance: there is no report of the present sources, so the tests run first")
  Report.remove(root)
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs")
  spawnSync(process.execPath, [vitest, "run", "--config", "vitest.workspace.ts"], {
    cwd: root,
    stdio: ["ignore", 2, 2]
  })
  const report = Report.read(root)
  if (report === undefined) return yield* fail("the test run left no report; it says above why")
  return report
})

/** The report of the present sources. One of earlier sources will do where `suffices` says so. */
const reportFor = (fingerprint: string, suffices: (report: Report.Report) => boolean) => {
  const report = Report.read(root)
  return report !== undefined && (report.fingerprint === fingerprint || suffices(report))
    ? Effect.succeed(report)
    : runTests
}

const commit = (): string | undefined => {
  const { status, stdout } = spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" })
  return status === 0 ? stdout.trim() : undefined
}

/** Tries the faults, says how each ended, keeps the verdicts, and returns the number of faults that were not caught. */
const tryFaults = Effect.fnUntraced(function*(
  faults: ReadonlyArray<Fault.Fault>,
  report: Report.Report,
  fingerprint: string
) {
  const verdicts = new Map(Report.readVerdicts(root, fingerprint))
  const counts = { caught: 0, missed: 0, stale: 0, error: 0 }
  let done = 0
  const uncaught = yield* Trials.run({
    root,
    faults: faults.map((own) => ({ ...Trials.ofClause(root, own, report.tests), own })),
    minutes: 2,
    onVerdict: ({ own }, verdict) => {
      counts[verdict.outcome]++
      verdicts.set(Report.keyOf(own), verdict)
      const progress = `${++done}/${faults.length}`.padStart(8)
      return Console.error(`${progress}  ${verdict.outcome}  ${own.package} ${own.clause}: ${verdict.detail}`)
    }
  })
  Report.writeVerdicts(root, fingerprint, verdicts)
  yield* Console.error(
    `Faults: ${counts.caught} caught, ${counts.missed} missed, ${counts.stale} stale, ${counts.error} in error`
  )
  return uncaught
})

const words = Argument.String("clause|package").pipe(
  Argument.withDescription("What to look at; everything without"),
  Argument.variadic()
)

Script.run(
  {
    name: "conformance",
    what: "Says how far each clause is proven; docs/conformance/README.md tells how to read the table.",
    examples: [
      ["client 8.3-miss", "one package and one clause"],
      ["--faults client 8.3-miss", "plant their faults first, and see that their tests fail"]
    ]
  },
  {
    words,
    faults: Script.toggle("faults", "Plant each clause's faults and see that its tests fail"),
    sample: Script.toggle("sample", "The same for a tenth of the faults, chosen by the seed"),
    seed: Flag.String("seed").pipe(
      Flag.withDescription("Seed of the sample; the commit by default"),
      Flag.withDefault(undefined)
    ),
    strict: Script.toggle("strict", "Fail when anything is unproven"),
    json: Script.toggle("json", "Print the whole table as JSON and nothing else")
  },
  Effect.fnUntraced(function*(options) {
    const clauses = yield* Effect.fromResult(Clause.read(root))
    const fingerprint = Fingerprint.of(root)
    const isSelected = yield* Effect.mapError(Effect.fromResult(Selection.parse(options.words, clauses)), fail)
    const faults = yield* Effect.promise(() => Fault.loadAll(root))
    const misplaced = faults.flatMap((fault) => Fault.misplacement(fault, clauses) ?? [])
    if (misplaced.length > 0) return yield* fail(["misplaced faults", ...misplaced].join("\n  "))

    const selected = faults.filter((fault) => isSelected(fault.clause, fault.package))
    const seed = options.seed ?? commit() ?? fingerprint
    const shuffled = yield* Random.withSeed(Random.shuffle(selected), seed)
    const tenth = shuffled.slice(0, Math.ceil(selected.length / 10))
    const chosen = options.sample ? tenth : options.faults ? selected : []
    if (options.sample) yield* Console.error(`conformance: ${chosen.length} of ${selected.length} faults, seed ${seed}`)
    if (options.faults && chosen.length === 0 && options.words.length > 0) {
      return yield* fail(`no fault is written for ${options.words.join(" ")}`)
    }

    // While someone works on a few faults, an earlier report still tells where their tests are.
    const inWork = options.words.length > 0 && chosen.length > 0 && !options.json && !options.strict
    const report = yield* reportFor(
      fingerprint,
      (old) =>
        inWork &&
        chosen.every(({ clause, package: own }) =>
          old.tests.some((test) => test.package === own && test.clauses.includes(clause))
        )
    )
    const uncaught = chosen.length === 0 ? 0 : yield* tryFaults(chosen, report, fingerprint)

    const standings = Standing.all(clauses, report.tests, faults, Report.readVerdicts(root, fingerprint))
    const shown = standings.filter((standing) => isSelected(standing.clause.id, standing.package))
    const unproven = shown.filter((standing) => Standing.gap(standing) !== undefined)
    yield* Console.log(options.json ? JSON.stringify(Standing.toJson(standings), undefined, 2) : Standing.render(shown))
    if (uncaught > 0) return yield* fail(`${uncaught} of ${chosen.length} faults were not caught`)
    if (options.strict && unproven.length > 0) return yield* fail(`${unproven.length} of ${shown.length} are unproven`)
    return true
  })
)
