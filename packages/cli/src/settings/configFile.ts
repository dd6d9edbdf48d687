/** The file of settings: where it is, and how it is read. YAML, of which JSON is a part. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import { CommandError } from "../failure/failure.ts"
import { type Name, names } from "./settings.ts"

/** The values of the file, as texts. */
export type File = { readonly [K in Name]?: string }

/** The folder of the program's files: `MARKETDATA_HOME`, or `marketdata` where this system keeps settings. */
export const home = Effect.gen(function*() {
  const path = yield* Path.Path
  const text = (name: string) => Effect.orElseSucceed(Config.option(Config.String(name)), () => Option.none<string>())
  const named = yield* text("MARKETDATA_HOME")
  if (Option.isSome(named)) return named.value
  const base = Option.orElse(yield* text("XDG_CONFIG_HOME"), () => Option.none<string>()).pipe(
    Option.orElse(() => Option.none<string>())
  )
  if (Option.isSome(base)) return path.join(base.value, "marketdata")
  const user = Option.orElse(yield* text("HOME"), () => Option.none<string>())
  return path.join(Option.getOrElse(user, () => "."), ".config", "marketdata")
})

/** Where the file is. */
export const place = Effect.gen(function*() {
  const path = yield* Path.Path
  return path.join(yield* home, "config.yaml")
})

/** Reads the settings of the file; a file that is not there has none. */
export const read: Effect.Effect<File, CommandError, FileSystem.FileSystem | Path.Path> = Effect.gen(function*() {
  const files = yield* FileSystem.FileSystem
  const file = yield* place
  const text = yield* Effect.option(files.readFileString(file))
  if (Option.isNone(text)) return {}
  const { parse } = yield* Effect.promise(() => import("yaml"))
  const values = yield* Effect.try({
    try: (): unknown => parse(text.value),
    catch: (error) => new CommandError({ class: "usage", reason: "ConfigFile", message: `${file}: ${String(error)}` })
  })
  return Object.fromEntries(
    names.flatMap((name) => {
      const value: unknown = typeof values === "object" && values !== null ? Reflect.get(values, name) : undefined
      return value === undefined || value === null ? [] : [[name, String(value)]]
    })
  )
})
