/** Where standard output cannot be written, the program ends with a line that says so. Nothing of Effect is loaded: `--version` needs it too. */
import { writeSync } from "node:fs"

const standardError = 2

/** The signal that ends the program, once it has come. */
export const signal: { name?: NodeJS.Signals } = {}

/** Prints a last line and exits. */
export const endWith = (line: string): never => {
  try {
    writeSync(standardError, `${line}\n`)
  } finally {
    process.exit(1)
  }
}

/**
 * Ends the program where standard output is broken. `| head -1` closes the pipe early: that is not a failure, and must not become one under npm or
 * `set -o pipefail`.
 */
export const endWithOutput = () =>
  process.stdout.on("error", (error: NodeJS.ErrnoException) =>
    error.code === "EPIPE"
      ? process.exit(0)
      : endWith(`error: standard output cannot be written: ${error.code ?? error.message}`))
