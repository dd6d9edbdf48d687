/** `npm run kernel`: compiles the loops in WebAssembly, and plants the faults that their tests must notice. */
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Trials from "./faults/trials.ts"
import { faults } from "./kernel/faults.ts"
import { compile, moduleFor, sources } from "./kernel/source.ts"
import * as Script from "./shared/script.ts"

const { root } = Script

Script.run({
  name: "kernel",
  what: "Compiles packages/core/assembly into the modules of core that carry it.",
  examples: [
    ["", "compile"],
    ["--faults fours.ts", "plant the faults of one file instead, and see that the tests fail"]
  ]
}, {
  faults: Script.toggle("faults", "Plant faults in the loops, one at a time, and run their tests"),
  words: Script.words("word", "Faults whose names hold one of these; all without")
}, (options) => {
  if (options.faults) return Trials.tryAll({ root, minutes: 8 }, Trials.named(faults, options.words))
  for (const source of sources) {
    const wasm = compile(source)
    writeFileSync(join(root, source.modulePath), moduleFor(source, wasm))
    console.log(`${source.modulePath}: ${wasm.length} bytes of WebAssembly`)
  }
  return Effect.succeed(true)
})
