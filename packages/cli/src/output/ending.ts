/** Where standard output cannot be written, the program ends with a line that says so. Nothing of Effect is loaded: `--version` needs it too. */
import { writeSync } from "node:fs"

const standardError = 2

/** The signal that ends the program, once it has come. */
export const signal: { name?: NodeJS.Signals } = {}

/** Whether a command line, which may be invalid, asks for JSON; undefined if it names no format. */
export const typedJson = (typed: ReadonlyArray<string>): boolean | undefined =>
  typed.join("\n").match(/^--(?:json(?=$|=)(?![=\n](?:false|0|no?|off)$)|format[=\n].*)/gm)
    ?.some((format) => /\bjsonl?$/.test(format))

/** Prints what ended the program, as JSON where that was typed, and exits. */
export const endWith = (reason: "Defect" | "Output", message: string): never => {
  const error = { code: 1, class: "failed", reason, message }
  try {
    const line = typedJson(process.argv) ? JSON.stringify({ version: 1, error }) : `error: ${message}`
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
  process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    // A terminal that is closed takes no more output either: the signal that it sent ends the program.
    if (signal.name !== undefined) return
    if (code === "EPIPE") process.exit(0)
    const charged = "What was sent may have been charged: see `marketdata account --history`"
    endWith("Output", `standard output cannot be written: ${code ?? message}. ${charged}`)
  })
