/** Starts programs of the person: the pager for a text that is longer than the terminal, the browser for a page. Imported only when one is needed. */
import { Context, Effect } from "effect"
import { spawn, type SpawnOptionsWithStdioTuple, type StdioNull, type StdioPipe } from "node:child_process"
import { variable } from "../settings/settings.ts"

/** The codes of a shell that found no such program, or must not run it. */
const notStarted: ReadonlySet<number | null> = new Set([126, 127])

/** A terminal sends Ctrl-C to the pager as well, where it ends a search. This program ends with the pager, not before it. */
const holdInterrupts = Effect.acquireRelease(
  Effect.sync(() => {
    const listeners = process.rawListeners("SIGINT") as Array<() => void>
    const ignore = () => {}
    // Added before the others are removed: without any listener Node would exit.
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
 * Shows a text by `PAGER`, else by `less`, until the person quits it. Returns whether it was shown: false if `PAGER` is empty, or the program cannot be
 * started.
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
    const pager = command === undefined ? spawn("less", ["-FRX"], options) : spawn(command, { ...options, shell: true })
    pager.once("error", () => resume(Effect.succeed(false)))
    pager.once("close", (code) => resume(Effect.succeed(!notStarted.has(code))))
    // The pager closes its input when the person quits before the end.
    pager.stdin.on("error", () => {})
    pager.stdin.end(`${text}\n`)
    return Effect.sync(() => void pager.kill())
  })
}, Effect.scoped)

/** The program that opens a page, and what stands before its address. */
const openers: Readonly<Record<string, readonly [string, ...ReadonlyArray<string>]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"]
}

const open = (address: string) =>
  Effect.callback<boolean>((resume) => {
    const [program, ...before] = openers[process.platform] ?? ["xdg-open"]
    const child = spawn(program, [...before, address], { detached: true, stdio: "ignore" })
    child.once("error", () => resume(Effect.succeed(false)))
    child.once("spawn", () => {
      child.unref()
      resume(Effect.succeed(true))
    })
  })

/** Opens an address, and returns whether a program was started for it; tests replace it. */
export const OpenPage = Context.Reference("@effect-marketdata/cli/OpenPage", { defaultValue: () => open })

/** Whether there is a display to show a page on. */
export const hasDisplay = Effect.gen(function*() {
  if (openers[process.platform] !== undefined) return true
  return (yield* variable("DISPLAY")) !== undefined || (yield* variable("WAYLAND_DISPLAY")) !== undefined
})
