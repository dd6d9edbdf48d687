/** Opens a page of this machine in the browser of who is there. */
import { Context, Effect } from "effect"
import { spawn } from "node:child_process"
import { variable } from "../settings/settings.ts"

/** The program that opens a page, and what stands before its address. */
const openers: Readonly<Record<string, readonly [string, ...ReadonlyArray<string>]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"]
}

/** Opens an address, and says whether a program was started for it; a test stands in for the system. */
export const OpenPage = Context.Reference<(address: string) => Effect.Effect<boolean>>(
  "@effect-marketdata/cli/OpenPage",
  {
    defaultValue: () => (address) =>
      Effect.callback<boolean>((resume) => {
        const [program, ...before] = openers[process.platform] ?? ["xdg-open"]
        const child = spawn(program, [...before, address], { detached: true, stdio: "ignore" })
        child.once("error", () => resume(Effect.succeed(false)))
        child.once("spawn", () => {
          child.unref()
          resume(Effect.succeed(true))
        })
      })
  }
)

/** Whether there is a display to show a page on. */
export const hasDisplay = Effect.gen(function*() {
  if (openers[process.platform] !== undefined) return true
  return (yield* variable("DISPLAY")) !== undefined ||
    (yield* variable("WAYLAND_DISPLAY")) !== undefined
})
