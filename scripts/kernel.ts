/**
 * `npm run kernel`: compiles what core has in WebAssembly. The rule `kernel` of `npm run check` holds source and result together.
 *
 *     npm run kernel
 *     npm run kernel -- --faults [WORD…]    breaks the loops, one place at a time, and runs the tests that must notice
 *
 * Words choose the faults whose names hold one of them.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseArgs } from "node:util"
import * as Planting from "./faults/planting.ts"
import { compile, install } from "./kernel/compile.ts"
import { faults } from "./kernel/faults.ts"
import { moduleFor, sources } from "./kernel/source.ts"

const root = dirname(import.meta.dirname)
const { positionals, values } = parseArgs({ allowPositionals: true, options: { faults: { type: "boolean" } } })

install()
if (values.faults === true) {
  // A fault that a million numbers are needed for is found by nobody in time.
  process.env["DECODE_TRIALS"] ??= "0.05"
  const chosen = faults.filter(({ name }) =>
    positionals.length === 0 || positionals.some((word) => name.includes(word))
  )
  Planting.tryAll(root, "the loops", chosen).pipe(
    Effect.tapError(({ message }) => Console.error(`kernel: ${message}`)),
    NodeRuntime.runMain({ disableErrorReporting: true })
  )
} else {
  for (const source of sources) {
    const wasm = compile(source)
    writeFileSync(join(root, source.modulePath), moduleFor(source, wasm))
    console.log(`${source.modulePath}: ${wasm.length} bytes of WebAssembly`)
  }
}
