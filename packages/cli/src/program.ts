/**
 * The program `marketdata`: its streams, its signals, its crashes.
 *
 * @since 0.1.0
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import { Effect, Layer, Result, Runtime } from "effect"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import { fstatSync, writeSync } from "node:fs"
import { classes } from "./failure/failure.ts"
import * as Main from "./Main.ts"
import { endWith, signal } from "./output/ending.ts"

const standardOutput = 1

// Node ignores a short write to a file, such as on a full disk: this writes the rest or fails.
if (fstatSync(standardOutput).isFile()) {
  process.stdout._write = (bytes: Uint8Array, _, done) => {
    const written = Result.try(() => {
      for (let at = 0; at < bytes.length;) at += writeSync(standardOutput, bytes, at)
    })
    done(Result.isFailure(written) ? written.failure as Error : null)
  }
}

// If standard error is closed, the command still runs.
process.stderr.on("error", () => {})

// Defects outside of effects: in a listener of Node, in a promise that nobody awaits.
process.on("uncaughtException", (defect) => endWith("Defect", Effect.runSync(Main.lastWords(defect))))

// Hides the warning of some versions of Node that their SQLite is experimental.
const emitWarning = process.emitWarning.bind(process)
process.emitWarning = (...warning: [never, never]) =>
  String(warning[0]).startsWith("SQLite is an experimental") ? undefined : emitWarning(...warning)

const services = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeStdio.layer, NodeTerminal.layer)

/** Effect's commands require a `ChildProcessSpawner`. None of ours uses it, and loading it would slow every start. */
const startsNoProgram = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  self as Effect.Effect<A, E, Exclude<R, ChildProcessSpawner>>

/** How long the program may take to end after a signal, in milliseconds. */
const mostAfterSignal = 5000

/** Ends by the signal itself: `process.exit` waits for Node's threads, and one that opens a pipe may wait for ever. */
const endBySignal = (name: NodeJS.Signals) => {
  process.removeAllListeners(name)
  process.kill(process.pid, name)
}

for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => {
    signal.name = name
    // Ends the line on which the terminal has written ^C.
    if (name === "SIGINT" && process.stderr.isTTY) process.stderr.write("\n")
    // Unlike `setTimeout`, this does not keep the process running.
    AbortSignal.timeout(mostAfterSignal).addEventListener("abort", () => endBySignal(name))
  })
}

// A closed terminal ends the program as SIGTERM does, so that charges of requests in flight are still recorded.
process.once("SIGHUP", () => process.emit("SIGTERM"))

startsNoProgram(Main.run(process.argv.slice(2))).pipe(
  Effect.provide(services),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    // Later, because a callback of Node that ends the program, such as of a file that was closed, is still among its resources.
    teardown: (exit, onExit) =>
      void setImmediate(() => {
        if (signal.name && process.getActiveResourcesInfo().includes("FSReqCallback")) endBySignal(signal.name)
        Runtime.defaultTeardown(
          exit,
          // Effect exits with the code of Ctrl-C for every signal.
          (code) =>
            onExit(code === classes.interrupted.code && signal.name === "SIGTERM" ? classes.terminated.code : code)
        )
      })
  })
)
