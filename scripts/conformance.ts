/** `npm run conformance`: says whether tests prove each clause, and plants the faults that they must catch. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { spawnSync } from "node:child_process"
import * as Clause from "./conformance/clause.ts"
import * as Fault from "./faults/fault.ts"
import * as Trials from "./faults/trials.ts"
import * as Script from "./shared/script.ts"

const { root } = Script

const commit = (): string => spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).stdout

Script.run(
  {
    name: "conformance",
    what:
      "Runs the tests that prove clauses; fails where a clause has none that passes, or where a fault was not caught.",
    examples: [
      ["client 8.3-miss", "one package and one clause"],
      ["--faults client 8.3-miss", "plant their faults too, and see that their tests fail"]
    ]
  },
  {
    words: Script.words("clause|package", "What to look at; everything without"),
    faults: Script.toggle("faults", "Plant each clause's faults and see that its tests fail"),
    sample: Script.toggle("sample", "The same for a tenth of the faults, chosen by the seed"),
    seed: Script.text("seed", "Seed of the sample; the commit by default")
  },
  Effect.fnUntraced(function*(options) {
    const words = options.words.flatMap((word) => word.split(","))
    const clauses = Clause.read(root).map(({ id }) => id)
    const unknown = words.filter((word) => !Clause.isPackage(word) && !clauses.includes(word))
    if (unknown.length > 0) {
      throw new Script.ScriptError(
        `neither a clause nor one of ${Clause.packages.join(", ")}: ${unknown.join(" ")}`
      )
    }
    /** A kind that no word names is wanted whole. */
    const isWanted = (name: string, isKind: (word: string) => boolean) => words.includes(name) || !words.some(isKind)
    const faults = (yield* Effect.promise(() => Fault.ofClauses(root))).filter((fault) =>
      isWanted(fault.package, Clause.isPackage) && isWanted(fault.clause, (word) => clauses.includes(word))
    )
    if (faults.length === 0) throw new Script.ScriptError(`no fault is written for ${words.join(" ")}`)
    const seed = options.seed ?? commit().trim()
    const shuffled = yield* Random.withSeed(Random.shuffle(faults), seed)
    const chosen = options.sample ? shuffled.slice(0, Math.ceil(faults.length / 10)) : faults
    if (options.sample) yield* Console.log(`conformance: ${chosen.length} of ${faults.length} faults, seed ${seed}`)
    return yield* Trials.tryAll({ root, minutes: 2, isPlanted: options.faults || options.sample }, chosen)
  })
)
