/** The file of settings: read, written, and put behind the environment. The YAML parser is loaded only if there is a file. */
import { ForeignText } from "@effect-marketdata/core"
import { ConfigProvider, Context, Effect, FileSystem, Layer, Path, Redacted } from "effect"
import { type CommandError, of, wrong } from "../failure/failure.ts"
import type { parse, Trouble } from "./configDocument.ts"
import * as Place from "./place.ts"
import { address, Environment, nameOf, tokenVariable } from "./settings.ts"
import * as TokenStore from "./tokenStore.ts"

/** More than any settings take. */
const mostBytes = 65_536

/** Prints a trouble as `path:line:column: message`. */
export const formatTrouble = (path: string, { column, line, message }: Trouble): string =>
  `${ForeignText.line(path)}${line === undefined ? "" : `:${line}:${column}`}: ${message}`

/** The failure of a command that needs the settings. */
export const failure = ({ path = "", troubles: [first, ...others] }: File): CommandError => {
  const isOne = others.length === 0
  const message = formatTrouble(path, first!) + (isOne ? "" : ` (and ${others.length} more)`)
  return wrong("ConfigFile", message, isOne ? undefined : "see all with `marketdata config list`")
}

const trouble = (message: string): Trouble => ({ message })

/** The text of the file, or why it cannot be read; undefined if there is none. */
export const current = Effect.fnUntraced(
  function*(path: string) {
    const files = yield* FileSystem.FileSystem
    const { size, type } = yield* files.stat(path)
    if (type !== "File") return trouble("this is not a file")
    // A program that can change the file decides where the token is sent. It may be a link: both folders are checked.
    const [{ dirname }, target] = [yield* Path.Path, yield* files.realPath(path)]
    for (const place of [target, dirname(target), dirname(path)]) {
      if (!(yield* Place.everybodyMay(place))) continue
      return trouble(`everybody may change ${place === target ? "" : "the folder of "}this file; type chmod o-w for it`)
    }
    return size > mostBytes
      ? trouble("this is larger than 64 KiB: it is not a file of settings")
      : yield* files.readFileString(path)
  },
  Effect.catchTag("PlatformError", ({ reason: { _tag } }) => {
    const why = _tag === "PermissionDenied" ? "you may not read this file" : `this file cannot be read (${_tag})`
    return Effect.succeed(_tag === "NotFound" ? undefined : trouble(why))
  })
)

const nothing: Effect.Success<ReturnType<typeof parse>> = { entries: [], troubles: [] }

/** Reads the settings of the file. One that does not exist has no entries and no troubles, unless a variable names it. */
export const read = Effect.gen(function*() {
  const path = yield* Place.file
  const text = path === undefined ? undefined : yield* current(path)
  const file = { path, exists: text !== undefined, ...nothing }
  if (text === undefined) {
    const missing = trouble("there is no such file, and MARKETDATA_CONFIG names it")
    return (yield* Place.isFileNamed) ? { ...file, troubles: [missing] } : file
  }
  if (typeof text !== "string") return { ...file, troubles: [text] }
  const { parse } = yield* Effect.promise(() => import("./configDocument.ts"))
  return { ...file, ...yield* parse(text) }
})

/** The file as it was read. */
export type File = Effect.Success<typeof read>

/** Replaces the file atomically, readable by its user alone; a link stays a link. `text` may read the file: no other command writes it meanwhile. */
export const write = Effect.fnUntraced(
  function*(path: string, text: Effect.Effect<string, CommandError, FileSystem.FileSystem | Path.Path>) {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    yield* Place.makeFolder(paths.dirname(path))
    const target = yield* Effect.orElseSucceed(files.realPath(path), () => path)
    yield* Place.writeOwn(target, text)
  },
  (effect, path) =>
    Effect.catchTag(effect, "PlatformError", (error) => {
      const next = "make room or change its permissions, or name another file in MARKETDATA_CONFIG"
      return wrong("ConfigFile", `${ForeignText.line(path)} cannot be written (${Place.why(error)})`, next)
    })
)

/** Keeps the failure as the cause, because its class and its advice are needed when it is reported. */
const asSource = (error: CommandError) => new ConfigProvider.SourceError({ message: error.message, cause: error })

/**
 * Puts the file of settings and the kept token behind the environment: the first one that has a value wins. File and token are read when the first value is
 * asked for, so that what is wrong with them fails the commands that need them, and no others. A kept token is given for its own service alone.
 */
export const layer = Layer.effectContext(
  Effect.gen(function*() {
    const environment = yield* ConfigProvider.ConfigProvider
    const services = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const file = yield* Effect.cached(Effect.provideContext(read, services))
    const token = yield* Effect.cached(Effect.suspend(() =>
      TokenStore.readFor(address.parse(all)).pipe(
        Effect.mapError((error) => asSource(of(error))),
        Effect.provideContext(services)
      )
    ))
    const kept = ConfigProvider.make(Effect.fnUntraced(function*([variable, ...rest]) {
      if (rest.length > 0) return undefined
      if (variable === tokenVariable) {
        const found = yield* token
        return found && ConfigProvider.makeValue(Redacted.value(found.token))
      }
      const name = nameOf(String(variable))
      if (name === undefined) return undefined
      const found = yield* file
      if (found.troubles.length > 0) return yield* asSource(failure(found))
      const entry = found.entries.find((entry) => entry.name === name)
      return entry && ConfigProvider.makeValue(entry.text)
    }))
    const all = ConfigProvider.orElse(environment, kept)
    return Context.make(ConfigProvider.ConfigProvider, all).pipe(Context.add(Environment, environment))
  })
)
