/**
 * The program `marketdata`: its streams, its signals, its last words.
 *
 * @since 0.1.0
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import * as Main from "./Main.ts"

const standardError = 2

/** Says a last line and ends. Where nobody reads it, nothing is left to be said. */
const endWith = (line: string): never => {
  try {
    writeSync(standardError, `${line}\n`)
  } finally {
    process.exit(1)
  }
}

// `| head -1` closes the pipe when it has seen enough: that is not a failure, of which npm and `set -o pipefail` would make one.
for (const [name, stream] of [["output", process.stdout], ["error", process.stderr]] as const) {
  stream.on("error", (error: NodeJS.ErrnoException) =>
    error.code === "EPIPE"
      ? process.exit(0)
      : endWith(`error: standard ${name} cannot be written: ${error.code ?? error.message}`))
}

// What breaks outside of every effect: a listener of Node, a promise that nobody waits for.
process.on("uncaughtException", (defect) => endWith(Effect.runSync(Main.lastWords(defect))))

Main.run(process.argv.slice(2)).pipe(
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
