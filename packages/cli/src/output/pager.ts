/** Shows a text a screen at a time in the pager of the person, as other programs of a terminal do. Loaded where a text is longer than the terminal. */
import { Effect } from "effect"
import { spawn, type SpawnOptionsWithStdioTuple, type StdioNull, type StdioPipe } from "node:child_process"

/** The codes of a shell that found no such program, or must not run it. */
const notStarted: ReadonlySet<number | null> = new Set([126, 127])

/** A terminal sends Ctrl-C to the pager as well, where it ends a search. This program ends with the pager, not before it. */
const holdInterrupts = Effect.acquireRelease(
  Effect.sync(() => {
    const listeners = process.rawListeners("SIGINT") as Array<() => void>
    const ignore = () => {}
    // At no time is there none: then Node would end.
    process.on("SIGINT", ignore)
    for (const listener of listeners) process.off("SIGINT", listener)
    return { ignore, listeners }
  }),
  ({ ignore, listeners }) =>
    Effect.sync(() => {
      for (const listener of listeners) process.on("SIGINT", listener)
      process.off("SIGINT", ignore)
    })
)

/**
 * Shows a text by `PAGER`, else by `less`, until the person ends it, whether all was read or not. Returns whether it was shown: it was not where `PAGER`
 * is empty, and where there is no such program.
 */
export const page = Effect.fnUntraced(function*(text: string) {
  const command = process.env["PAGER"]
  if (command === "") return false
  yield* holdInterrupts
  return yield* Effect.callback<boolean>((resume) => {
    const options: SpawnOptionsWithStdioTuple<StdioPipe, StdioNull, StdioNull> = {
      stdio: ["pipe", "inherit", "inherit"],
      // As git has it: one screen ends at once, colours are shown, and what was read stays on the terminal.
      env: { LESS: "FRX", ...process.env }
    }
    const pager = command === undefined
      ? spawn("less", ["-FRX"], options)
      : spawn(command, { ...options, shell: true })
    pager.once("error", () => resume(Effect.succeed(false)))
    pager.once("close", (code) => resume(Effect.succeed(!notStarted.has(code))))
    // Who has seen enough reads no further.
    pager.stdin.on("error", () => {})
    pager.stdin.end(`${text}\n`)
    return Effect.sync(() => void pager.kill())
  })
}, Effect.scoped)
