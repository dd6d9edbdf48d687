/** `npm run conformance`: says whether tests prove each clause, and plants the faults that they must catch. */
import { Console, Effect, Random } from "effect"
import * as Flag from "effect/cli/Flag"
import { spawnSync } from "node:child_process"
import * as Fault from "./faults/fault.ts"
import * as Trials from "./faults/trials.ts"
import * as Script from "./shared/script.ts"

const { root } = Script

/** The kinds of faults, and the minutes that the tests of one may take. */
const kinds = {
  clauses: { minutes: 2, load: () => Fault.ofClauses(root) },
  interplay: { minutes: 8, load: () => Fault.ofInterplay(root) },
  loops: { minutes: 8, load: () => Promise.resolve(Fault.ofLoops) }
}

const commit = (): string => spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).stdout

Script.run({
  what:
    "Runs the tests that prove clauses; fails where a clause has none that passes, or where a fault was not caught.",
  examples: [
    ["client 8.3-miss", "one package and one clause"],
    ["--faults client 8.3-miss", "plant their faults too, and see that their tests fail"],
    ["--faults --of interplay sql", "the same for faults of interplay, or of the loops in WebAssembly"]
  ]
}, {
  words: Script.words("word", "A package, a clause, or a word of the faults' names; everything without"),
  of: Flag.Literals("of", ["clauses", "interplay", "loops"]).pipe(
    Flag.withDescription("Which faults: those of clauses by default"),
    Flag.withDefault("clauses")
  ),
  faults: Script.toggle("faults", "Plant each of the faults and see that its tests fail"),
  sample: Script.toggle("sample", "The same for a tenth of the faults, chosen by the seed"),
  seed: Script.text("seed", "Seed of the sample; the commit by default")
}, ({ faults: isPlanted, of, sample, seed = commit().trim(), words }) =>
  Effect.gen(function*() {
    const { load, minutes } = kinds[of]
    const faults = Fault.named(yield* Effect.promise(load), words.flatMap((word) => word.split(",")))
    const shuffled = yield* Random.withSeed(Random.shuffle(faults), seed)
    const chosen = sample ? shuffled.slice(0, Math.ceil(faults.length / 10)) : faults
    if (sample) yield* Console.log(`conformance: ${chosen.length} of ${faults.length} faults, seed ${seed}`)
    return yield* Trials.tryAll({ root, minutes, isPlanted: isPlanted || sample }, chosen)
  }))
