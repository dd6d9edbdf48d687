/** Where the files of the program are: the folder, by the customs of the system, and the file of settings in it (decision 53). */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type * as PlatformError from "effect/PlatformError"
import { CommandError } from "../failure/failure.ts"

/** The system that the program runs on. */
export const Platform = Context.Reference<NodeJS.Platform>("@effect-marketdata/cli/Platform", {
  defaultValue: () => process.platform
})

const variable = (name: string): Effect.Effect<string | undefined> =>
  Config.option(Config.String(name)).pipe(
    Effect.map(Option.getOrUndefined),
    Effect.orElseSucceed(() => undefined)
  )

/** The home folder of the user. */
export const user = Effect.gen(function*() {
  return (yield* variable("HOME")) ?? (yield* variable("USERPROFILE"))
})

/**
 * The folder of the program's files; undefined where no variable says where it could be. `MARKETDATA_HOME` names it. Without it, it is `marketdata`
 * below `XDG_CONFIG_HOME` or `~/.config`, on macOS too, as with other command lines; on Windows below `APPDATA`.
 */
export const home = Effect.gen(function*() {
  const path = yield* Path.Path
  const named = yield* variable("MARKETDATA_HOME")
  if (named !== undefined) return path.resolve(named)
  const custom = yield* variable("XDG_CONFIG_HOME")
  // A relative path is to be ignored, by the specification.
  if (custom !== undefined && path.isAbsolute(custom)) return path.join(custom, "marketdata")
  const roaming = (yield* Platform) === "win32" ? yield* variable("APPDATA") : undefined
  if (roaming !== undefined) return path.join(roaming, "marketdata")
  const folder = yield* user
  return folder === undefined ? undefined : path.join(folder, ".config", "marketdata")
})

/** Whether `MARKETDATA_CONFIG` names the file of settings, which then must be there. */
export const isFileNamed = Effect.map(variable("MARKETDATA_CONFIG"), (named) => named !== undefined)

/** The file of settings. */
export const file = Effect.gen(function*() {
  const path = yield* Path.Path
  const named = yield* variable("MARKETDATA_CONFIG")
  if (named !== undefined) return path.resolve(named)
  const folder = yield* home
  return folder === undefined ? undefined : path.join(folder, "config.yaml")
})

/**
 * Makes a folder for its user alone, and those that it is in. One at a time: where a folder cannot be, as in /proc, Node tries for ever to make all at
 * once.
 */
export const makeFolder = (folder: string): Effect.Effect<
  void,
  PlatformError.PlatformError,
  FileSystem.FileSystem | Path.Path
> =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if (yield* files.exists(folder)) return
    const above = path.dirname(folder)
    if (above !== folder) yield* makeFolder(above)
    yield* files.makeDirectory(folder, { mode: 0o700 })
  })

/** Fails where nobody says where a file could be. */
export const required = <R>(place: Effect.Effect<string | undefined, never, R>) =>
  Effect.flatMap(place, (found) =>
    found === undefined
      ? Effect.fail(
        new CommandError({
          class: "usage",
          reason: "NoHome",
          message: "there is no place for the files of marketdata: neither HOME nor APPDATA is set",
          next: "set MARKETDATA_HOME to a folder"
        })
      )
      : Effect.succeed(found))
