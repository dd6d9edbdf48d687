/**
 * The program `marketdata`: its streams, its signals, its last words.
 *
 * @since 0.1.0
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import { Effect, Layer, Result, Runtime } from "effect"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import { fstatSync, writeSync } from "node:fs"
import { classes } from "./failure/failure.ts"
import * as Main from "./Main.ts"

const [standardOutput, standardError] = [1, 2]

/** Says a last line and ends. */
const endWith = (line: string): never => {
  try {
    writeSync(standardError, `${line}\n`)
  } finally {
    process.exit(1)
  }
}

// `| head -1` closes the pipe when it has seen enough: that is not a failure, of which npm and `set -o pipefail` would make one.
process.stdout.on("error", (error: NodeJS.ErrnoException) =>
  error.code === "EPIPE"
    ? process.exit(0)
    : endWith(`error: standard output cannot be written: ${error.code ?? error.message}`))

// Node writes to a file once, and says nothing of what a full disk has cut off.
if (fstatSync(standardOutput).isFile()) {
  process.stdout._write = (bytes: Uint8Array, _, done) => {
    const written = Result.try(() => {
      for (let at = 0; at < bytes.length;) at += writeSync(standardOutput, bytes, at)
    })
    done(Result.isFailure(written) ? written.failure as Error : null)
  }
}

// Where nobody reads standard error, nothing is left to be said, and the data are still asked for.
process.stderr.on("error", () => {})

// What breaks outside of every effect: a listener of Node, a promise that nobody waits for.
process.on("uncaughtException", (defect) => endWith(Effect.runSync(Main.lastWords(defect))))

// The SQLite of some versions of Node says that it is an experiment, which is no news for who asks for a chain.
const emitWarning = process.emitWarning.bind(process)
process.emitWarning = (...warning: [never, never]) =>
  String(warning[0]).startsWith("SQLite is an experimental") ? undefined : emitWarning(...warning)

const services = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeStdio.layer, NodeTerminal.layer)

/** The type of Effect's commands asks for a way to start programs. None of ours starts one, and every start would wait for it. */
const startsNoProgram = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  self as Effect.Effect<A, E, Exclude<R, ChildProcessSpawner>>

/** How long what runs may take to end after a signal, in milliseconds. */
const mostAfterSignal = 5000

let signalled: NodeJS.Signals | undefined

/** Ends by the signal that came. An exit of Node waits for its threads, and one that opens a pipe may wait for ever. */
const endBySignal = (signal: NodeJS.Signals) => {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    signalled = signal
    // A terminal writes ^C, and ends no line.
    if (signal === "SIGINT" && process.stderr.isTTY) process.stderr.write("\n")
    // No process is held open by it.
    AbortSignal.timeout(mostAfterSignal).addEventListener("abort", () => endBySignal(signal))
  })
}

// A terminal that was closed ends the program in order, too: what is under way is paid for.
process.once("SIGHUP", () => process.emit("SIGTERM"))

startsNoProgram(Main.run(process.argv.slice(2))).pipe(
  Effect.provide(services),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, onExit) => {
      if (signalled !== undefined && process.getActiveResourcesInfo().includes("FSReqCallback")) endBySignal(signalled)
      Runtime.defaultTeardown(
        exit,
        // Effect ends with the code of Ctrl-C, whichever signal it was.
        (code) => onExit(code === classes.interrupted.code && signalled === "SIGTERM" ? classes.terminated.code : code)
      )
    }
  })
)
