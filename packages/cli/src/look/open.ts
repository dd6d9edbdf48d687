/** Opens a file with the program that the system opens such files with. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import * as Environment from "../settings/environment.ts"

const programs: Partial<Record<NodeJS.Platform, readonly [program: string, ...ReadonlyArray<string>]>> = {
  darwin: ["open"],
  win32: ["explorer.exe"]
}

/** Opens a file, and does not wait for it. No shell reads its name. */
export const Open = Context.Reference<(file: string) => Effect.Effect<void>>("@effect-marketdata/cli/Open", {
  defaultValue: () => (file) =>
    Effect.sync(() => {
      const [program, ...words] = programs[process.platform] ?? ["xdg-open"]
      // Where there is no such program, its path was printed.
      spawn(program, [...words, file], { detached: true, stdio: "ignore" }).on("error", () => {}).unref()
    })
})

/** Whether there is a display to show it on. */
export const hasDisplay = Effect.gen(function*() {
  if (programs[process.platform] !== undefined) return true
  return (yield* Environment.variable("DISPLAY")) !== undefined ||
    (yield* Environment.variable("WAYLAND_DISPLAY")) !== undefined
})
