/** Where the files of the program are, by the customs of the system: settings (decision 23), what is recorded, and what is kept (decision 22). */
import { Context, Effect, FileSystem, Path, type PlatformError, Schedule } from "effect"
import { wrong } from "../failure/failure.ts"
import { variable } from "./settings.ts"

/** The system that the program runs on. */
export const Platform = Context.Reference("@effect-marketdata/cli/Platform", { defaultValue: () => process.platform })

/** The home folder of the user. */
const user = Effect.gen(function*() {
  return (yield* variable("HOME")) ?? (yield* variable("USERPROFILE"))
})

/** Expands `~/` as a shell does; undefined if no variable says where the user's folder is. */
const expanded = Effect.fnUntraced(function*(text: string) {
  if (!/^~[/\\]/.test(text)) return text
  const home = yield* user
  return home === undefined ? undefined : home + text.slice(1)
})

/** The whole path of what a variable names. */
const resolved = Effect.fnUntraced(function*(named: string, below = "") {
  const path = yield* expanded(named)
  return path && (yield* Path.Path).resolve(path, below)
})

/**
 * Where each kind of file goes: below the variable of the XDG specification, or else below a folder in the user's, which is another one on macOS; on Windows
 * below the last variable. Settings are in `~/.config` on macOS too, as with other command lines.
 */
const customs = {
  settings: ["XDG_CONFIG_HOME", ".config", ".config", "APPDATA"],
  data: ["XDG_DATA_HOME", ".local/share", "Library/Application Support", "LOCALAPPDATA"],
  cache: ["XDG_CACHE_HOME", ".cache", "Library/Caches", "LOCALAPPDATA"]
} as const

/** The program's folder of a kind, or `MARKETDATA_HOME` for all kinds; undefined if no variable says where it could be. */
const folderOf = Effect.fnUntraced(function*(kind: keyof typeof customs) {
  const path = yield* Path.Path
  const named = yield* variable("MARKETDATA_HOME")
  const own = kind === "cache" ? "cache" : ""
  if (named !== undefined) return yield* resolved(named, own)
  const [name, below, onMac, onWindows] = customs[kind]
  const custom = yield* variable(name)
  // A relative path is to be ignored, by the specification.
  if (custom !== undefined && path.isAbsolute(custom)) return path.join(custom, "marketdata")
  const platform = yield* Platform
  const above = platform === "win32" ? yield* variable(onWindows) : undefined
  if (above !== undefined) return path.join(above, "marketdata", own)
  const home = yield* user
  return home === undefined ? undefined : path.join(home, platform === "darwin" ? onMac : below, "marketdata")
})

/** The folder of the settings. */
export const home = folderOf("settings")

/** The folder of records, such as the ledger, which cannot be recovered. */
export const data = folderOf("data")

/** The folder of the cache, which may be deleted at any time. */
export const cache = folderOf("cache")

/** A path from a setting or a flag, with `~/` expanded; fails if it cannot be, so that no folder named `~` is made. */
export const given = Effect.fnUntraced(function*(text: string) {
  const message = `${JSON.stringify(text)} is in the user's folder, and neither HOME nor USERPROFILE says where that is`
  return (yield* expanded(text)) ?? (yield* wrong("NoHome", message, "name a whole path"))
})

/** Whether `MARKETDATA_CONFIG` names the file of settings, which then must be there. */
export const isFileNamed = Effect.map(variable("MARKETDATA_CONFIG"), (named) => named !== undefined)

/** The file of settings. */
export const file = Effect.gen(function*() {
  const path = yield* Path.Path
  const named = yield* variable("MARKETDATA_CONFIG")
  if (named !== undefined) return yield* resolved(named)
  const folder = yield* home
  return folder === undefined ? undefined : path.join(folder, "config.yaml")
})

type Making = Effect.fn.Return<void, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path>

/**
 * Makes a folder and its parents, for its user alone. One at a time: Node's `recursive` never returns where no folder can be made, such as in /proc.
 */
export const makeFolder = Effect.fnUntraced(function*(folder: string): Making {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (yield* files.exists(folder)) return
  const above = path.dirname(folder)
  if (above !== folder) yield* makeFolder(above)
  const made = files.makeDirectory(folder, { mode: 0o700 })
  // Another command may just have made it.
  yield* Effect.catchReason(made, "PlatformError", "AlreadyExists", () => Effect.void)
})

/** Why a file cannot be read or written, in the system's own words: of a full disk only they say that it is full. */
export const why = ({ cause, message }: PlatformError.PlatformError): string =>
  cause instanceof Error ? cause.message : message

/** The temporary file that is renamed to another once it is written. */
export const besideOf = (path: string): string => `${path}.new`

/** Replaces a file atomically, readable by its user alone. The temporary file is a lock: `text` runs under it, so it may read the file and change what it holds. */
export const writeOwn = Effect.fnUntraced(function*<E, R>(path: string, text: Effect.Effect<string, E, R>) {
  const files = yield* FileSystem.FileSystem
  const beside = besideOf(path)
  const remove = files.remove(beside, { force: true })
  const begun = files.writeFileString(beside, "", { flag: "wx", mode: 0o600 })
  // Writing takes milliseconds: a file that is still there after seconds was left by a killed program.
  yield* Effect.retry(begun, {
    while: ({ reason }) => reason._tag === "AlreadyExists",
    schedule: Schedule.spaced("20 millis"),
    times: 500
  }).pipe(Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.andThen(remove, begun)))
  yield* Effect.flatMap(text, (text) => files.writeFileString(beside, text)).pipe(
    Effect.andThen(files.rename(beside, path)),
    Effect.onError(() => Effect.ignore(remove))
  )
})

/** Fails where a file cannot be written: its folder does not exist or is not writable, or the path is not that of a file, such as `/dev/stdout`. */
export const checkFile = Effect.fnUntraced(function*(file: string) {
  const files = yield* FileSystem.FileSystem
  const folder = (yield* Path.Path).dirname(file)
  const refuse = (message: string, next: string) => wrong("NoFile", `${message}. Nothing was sent.`, next)
  const noFolder = (why: string) =>
    refuse(`no file can be written in ${JSON.stringify(folder)}: ${why}`, "name a file in a folder that is there")
  const { type } = yield* Effect.mapError(
    Effect.andThen(files.access(folder, { writable: true }), files.stat(folder)),
    ({ message, reason }) => noFolder(reason._tag === "NotFound" ? "it does not exist" : message)
  )
  if (type !== "Directory") return yield* noFolder("it is not a folder")
  const there = yield* Effect.orElseSucceed(files.stat(file), () => undefined)
  if (there?.type === "Directory") return yield* refuse(`${JSON.stringify(file)} is a folder`, "name a file in it")
  // The finished file is renamed to this path, which would remove a device or a pipe.
  if (there !== undefined && there.type !== "File") {
    return yield* refuse(`${JSON.stringify(file)} is not a file that can be replaced`, "print to it with `> FILE`")
  }
})

/** Whether others may do something with a file or a folder, by its mode; Windows has no such modes. */
export const othersMay = Effect.fnUntraced(function*(path: string, forbidden: number) {
  const files = yield* FileSystem.FileSystem
  const { mode } = yield* files.stat(path)
  return (yield* Platform) !== "win32" && (mode & forbidden) !== 0
})

/** Whether everybody may put another file in the place of one in this folder. A sticky folder, such as /tmp, lets others add files, and change none. */
export const everybodyMay = Effect.fnUntraced(function*(folder: string) {
  return (yield* othersMay(folder, 0o002)) && !(yield* othersMay(folder, 0o1000))
}, Effect.orElseSucceed(() => false))

/** The failure of a command that needs a folder of the program, where no variable says which. */
export const nowhere = wrong(
  "NoHome",
  "there is no place for the files of marketdata: neither HOME nor APPDATA is set",
  "set MARKETDATA_HOME to a folder"
)

/** Fails with `nowhere` if there is no such place. */
export const required = <A, R>(place: Effect.Effect<A | undefined, never, R>) =>
  Effect.flatMap(place, (found) => found === undefined ? Effect.fail(nowhere) : Effect.succeed(found))
