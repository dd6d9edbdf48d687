/**
 * Types lines at a terminal of this process, and keeps what it shows: the same on every machine, because the clock stands at noon of a trading day, the
 * service is the embedded sandbox, and the settings are those that the session made.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Terminal from "effect/Terminal"
import * as TestClock from "effect/testing/TestClock"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Main from "../../../packages/cli/src/Main.ts"

/** How many characters and lines the terminal has. */
export const size = { columns: 100, rows: 30 }

const noon = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)

/** A terminal without a keyboard: it shows colours, and nobody can be asked. */
const terminal = Layer.mergeAll(
  Layer.effect(
    Terminal.Terminal,
    Effect.map(Terminal.Terminal, (terminal) => ({
      ...terminal,
      columns: Effect.succeed(size.columns),
      rows: Effect.succeed(size.rows)
    }))
  ),
  Layer.effect(
    Stdio.Stdio,
    Effect.map(Stdio.Stdio, (stdio) => ({
      ...stdio,
      stdinIsTerminal: Effect.succeed(false),
      stdoutIsTerminal: Effect.succeed(true),
      stderrIsTerminal: Effect.succeed(true),
      // Progress comes and goes.
      stderr: () => Sink.drain
    }))
  )
).pipe(Layer.provideMerge(NodeServices.layer))

const wordsOf = (line: string): ReadonlyArray<string> =>
  (line.match(/"[^"]*"|\S+/g) ?? []).slice(1).map((word) => word.replaceAll("\"", ""))

/** What differs from machine to machine, as it is on none. */
const settled = (text: string, home: string): string =>
  text.replaceAll(home, "~/.config/marketdata")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080").replaceAll(/\bport \d+/g, "port 8080")
    .replaceAll(/Node \d+\.\d+\.\d+, \w+ \w+/g, "Node 24.21.0, linux x64")

/** Types the lines of a session, and returns what the terminal shows, in its colours. */
export const record = (lines: ReadonlyArray<string>): Promise<string> => {
  const home = mkdtempSync(join(tmpdir(), "marketdata-session-"))
  const shown: Array<string> = []
  const say = (...values: ReadonlyArray<unknown>): void => void shown.push(values.map(String).join(" "))
  const console: Console.Console = { ...globalThis.console, log: say, error: say }
  const session = Effect.gen(function*() {
    yield* TestClock.setTime(noon * 1000)
    for (const line of lines) {
      say(`${shown.length === 0 ? "" : "\n"}\u001b[1m$ ${line}\u001b[0m`)
      const exit = yield* Effect.exit(Main.run(wordsOf(line)))
      Runtime.defaultTeardown(exit, (code) => {
        if (code !== 0) say(`\u001b[2mexit code ${code}\u001b[0m`)
      })
    }
  }).pipe(
    Effect.provide([
      terminal,
      ConfigProvider.layer(ConfigProvider.fromEnvRecord({ MARKETDATA_HOME: home })),
      TestClock.layer(),
      Layer.succeed(Console.Console, console)
    ])
  )
  return Effect.runPromise(session).then(() => settled(shown.join("\n"), home)).finally(() =>
    rmSync(home, { recursive: true, force: true })
  )
}
