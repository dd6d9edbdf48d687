/**
 * Types lines at a terminal of this process, and keeps what it shows: the same on every machine, because the clock stands at noon of a trading day, the
 * service is the embedded sandbox, and the settings are those that the session made.
 */
import { Console, Effect } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Main from "../../src/Main.ts"
import { codeOf, noon, servicesOf } from "./printed.ts"

/** How many characters and lines the terminal has. */
export const size = { columns: 100, rows: 30 }

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
  const terminal = servicesOf({
    variables: { MARKETDATA_HOME: home },
    columns: Effect.succeed(size.columns),
    rows: Effect.succeed(size.rows),
    // A recording answers no question, and progress comes and goes.
    isTerminal: "output",
    status: []
  })
  const session = Effect.gen(function*() {
    yield* TestClock.setTime(noon * 1000)
    for (const line of lines) {
      say(`${shown.length === 0 ? "" : "\n"}\u001b[1m$ ${line}\u001b[0m`)
      const exit = yield* Effect.exit(Main.run(wordsOf(line)))
      if (codeOf(exit) !== 0) say(`\u001b[2mexit code ${codeOf(exit)}\u001b[0m`)
    }
  }).pipe(Effect.provide([terminal, TestClock.layer()]), Effect.provideService(Console.Console, console))
  return Effect.runPromise(session).then(() => settled(shown.join("\n"), home)).finally(() =>
    rmSync(home, { recursive: true, force: true })
  )
}
