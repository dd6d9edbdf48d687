/**
 * The folder of a cache on disk, and how its files are read. Nothing in it is trusted: other programs may have put pipes, links or files of their own there.
 * So folders are checked before each use, and no more bytes of a file are read than it should have.
 */
import type { Problem } from "@effect-marketdata/core/Problem"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Effect from "effect/Effect"
import { FileSystem } from "effect/FileSystem"
import * as Option from "effect/Option"
import { Path } from "effect/Path"
import { type PlatformError, systemError } from "effect/PlatformError"
import * as Scope from "effect/Scope"
import * as Rules from "../config/rules.ts"

/** The folder for this version of the format. Another version has another folder: neither reads nor removes files of the other. */
const folderName = "replies-2"

const uuid = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}"

const entryName = /^[\da-f]{64}\.reply$/

const unfinishedName = new RegExp(`^(?:[\\da-f]{64}\\.reply|check)\\.${uuid}$`)

/** Whether a name is that of an entry, or of an unfinished file. Files with other names are not ours. */
const kindOf = (name: string) => entryName.test(name) ? "entry" : unfinishedName.test(name) ? "unfinished" : undefined

/** What is wrong with a file or a folder. */
export type Wrong = InvalidQuery | PlatformError

/** Adds the system's own words to a failure without a name: of a full disk only they say that it is full. */
export const worded = (error: Wrong): Wrong =>
  error._tag === "PlatformError" && error.reason._tag === "Unknown" && error.cause instanceof Error
    ? systemError({ ...error.reason, description: error.cause.message })
    : error

/** Where a cache is, and what reads and writes there. */
export const place = (directory: string) =>
  Effect.all({ fs: FileSystem, path: Path, directory: Effect.succeed(directory) })

export type Place = Effect.Success<ReturnType<typeof place>>

const { process } = globalThis as { readonly process?: { readonly geteuid?: () => number } }

/** Fails if a folder is a link, belongs to another user, or is writable by others. Windows has neither such users nor such modes. */
const trusted = ({ fs }: Place, path: string): Effect.Effect<void, Wrong> =>
  Effect.flatMap(fs.lstat(path), ({ mode, type, uid }): Effect.Effect<void, InvalidQuery> => {
    const refuse = (rule: Problem) => Effect.fail(InvalidQuery.of("directory", path, rule))
    if (type !== "Directory") return refuse(Rules.realDirectory)
    const user = process?.geteuid?.()
    if (user === undefined) return Effect.void
    if (Option.getOrElse(uid, () => user) !== user) return refuse(Rules.ownDirectory)
    return (mode & 0o022) === 0 ? Effect.void : refuse(Rules.closedDirectory)
  })

/** Makes a folder and its parents, one at a time: where no folder can be made, as in /proc, Node's recursive mode never ends. */
const make = (place: Place, folder: string): Effect.Effect<void, PlatformError> => {
  const above = place.path.dirname(folder)
  const making = place.fs.makeDirectory(folder, { mode: 0o700 })
  const one = Effect.catchReason(making, "PlatformError", "AlreadyExists", () => Effect.void)
  const afterParents = (_: unknown, error: PlatformError) =>
    above === folder ? Effect.fail(error) : Effect.andThen(make(place, above), one)
  return Effect.catchReason(one, "PlatformError", "NotFound", afterParents)
}

/** The file of the secret, in the directory of a cache. */
const secretName = "account.key"

const secretBytes = 32

export const secretOf = (place: Place): Effect.Effect<Uint8Array, PlatformError> =>
  closedBehind(Effect.gen(function*() {
    const file = place.path.join(place.directory, secretName)
    const { read, size } = yield* open(place.fs, file, secretBytes)
    if (size === secretBytes) return yield* read(size)
    return yield* refused(file, `it has not ${secretBytes} bytes; clear the cache to make another`)
  }))

/** The path of the folder. */
export const pathOf = ({ directory, path }: Place): string => path.join(directory, folderName)

/** Finds the folder; fails if it does not exist or cannot be trusted. */
export const locate = (place: Place): Effect.Effect<string, Wrong> => {
  const folder = pathOf(place)
  return Effect.andThen(trusted(place, place.directory), trusted(place, folder)).pipe(Effect.as(folder))
}

/** Finds the folder of a cache, and the secret that its entries are signed with, at the same time. If both are wrong, it fails with what is wrong with the folder. */
export const find = (place: Place) =>
  Effect.flatMap(
    Effect.all({ folder: locate(place), secret: Effect.result(secretOf(place)) }, { concurrency: 2 }),
    ({ folder, secret }) => Effect.map(Effect.fromResult(secret), (secret) => ({ folder, secret }))
  )

/** Finds the folder of a cache, or makes it with its secret. */
export const prepare = (place: Place): ReturnType<typeof find> =>
  Effect.catchReason(find(place), "PlatformError", "NotFound", () =>
    Effect.gen(function*() {
      const { directory, fs, path } = place
      yield* make(place, pathOf(place))
      yield* trusted(place, directory)
      const secret = path.join(directory, secretName)
      if (!(yield* Effect.isSuccess(fs.lstat(secret)))) {
        yield* writeWhole(fs, secret, globalThis.crypto.getRandomValues(new Uint8Array(secretBytes)), onlyFirst(fs))
      }
      return yield* find(place)
    })).pipe(Effect.mapError(worded))

/** The file whose size counts what all processes wrote since the folder was listed last. */
export const noteName = "written"

/** Removes the other files of a cache: its secret and the count of written bytes. */
export const forget = ({ directory, fs, path }: Place): Effect.Effect<void, PlatformError> =>
  Effect.forEach([secretName, noteName], (name) => fs.remove(path.join(directory, name), { force: true }), {
    discard: true
  })

/** Writes a file under another name and renames it, so that there is a whole one or none. A link in its place is replaced, not followed. */
export const writeWhole = (fs: FileSystem, file: string, bytes: Uint8Array, put: FileSystem["rename"] = fs.rename) => {
  const unfinished = `${file}.${globalThis.crypto.randomUUID()}`
  return fs.writeFile(unfinished, bytes, { flag: "wx", mode: 0o600 }).pipe(
    Effect.andThen(put(unfinished, file)),
    Effect.onError(() => Effect.ignore(fs.remove(unfinished, { force: true })))
  )
}

/** Puts a file in its place unless there is one: if several processes begin at once, all use the secret of the first. Without hard links the last one wins. */
const onlyFirst = (fs: FileSystem): FileSystem["rename"] => (unfinished, file) =>
  fs.link(unfinished, file).pipe(
    Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.void),
    Effect.andThen(fs.remove(unfinished)),
    Effect.catch(() => fs.rename(unfinished, file))
  )

/** How much of a file is read at once. */
const readAhead = 1_048_576

/** A file that is read from its beginning on. */
export type Source = Effect.Success<ReturnType<typeof open>>

/** Opens a file of at most `maxBytes`. Only a plain file is opened: opening a pipe may wait for ever. What is known of it is not looked up. */
export const open = Effect.fnUntraced(function*(fs: FileSystem, file: string, maxBytes: number, known?: Shelved) {
  const { size, type } = known ?? (yield* fs.lstat(file))
  if (type !== "File") return yield* refused(file, "it is not a file")
  if (size > maxBytes) return yield* refused(file, `it is larger than ${maxBytes} bytes`)
  const handle = yield* fs.open(file)
  const next = (bytes: number) => Effect.map(handle.readAlloc(bytes), Option.getOrElse(() => new Uint8Array(0)))
  // Most files are read at once.
  const first = yield* next(Math.min(Number(size), readAhead))
  let at = 0
  /** Reads the next bytes, fewer where the file ends. */
  const read = Effect.fnUntraced(function*(bytes: number) {
    const held = first.subarray(at, at += bytes)
    return held.length === bytes ? held : joined([held, yield* next(bytes - held.length)])
  })
  return { size: Number(size), read }
})

/** Runs an effect that opens a file, and closes the file in the background. */
export const closedBehind = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Scope.Scope>> =>
  Effect.suspend(() => {
    const scope = Scope.makeUnsafe()
    return Scope.provide(self, scope).pipe(
      Effect.onExit((exit) => Effect.forkDetach(Scope.close(scope, exit), { startImmediately: true }))
    )
  })

/** Concatenates bytes. */
export const joined = (pieces: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

const refused = (pathOrDescriptor: string, description: string): Effect.Effect<never, PlatformError> =>
  Effect.fail(systemError({ _tag: "InvalidData", module: "FileSystem", method: "open", description, pathOrDescriptor }))

/** An entry or an unfinished file of the folder; `used` is when it was last used, in epoch milliseconds. */
export type Shelved = NonNullable<Effect.Success<ReturnType<typeof look>>>

/** The names of our files in a folder. */
export const names = ({ fs }: Place, folder: string): Effect.Effect<ReadonlyArray<string>, PlatformError> =>
  Effect.map(fs.readDirectory(folder), (names) => names.filter((name) => kindOf(name) !== undefined))

/** Reads the status of a file; undefined if it is not ours, or another process removed it. */
export const look = ({ fs, path }: Place, folder: string, name: string) =>
  Effect.map(Effect.orElseSucceed(fs.lstat(path.join(folder, name)), () => undefined), (found) => {
    const kind = kindOf(name)
    if (found?.type !== "File" || kind === undefined) return undefined
    const used = Option.getOrUndefined(found.mtime)?.getTime() ?? 0
    return { name, type: found.type, kind, size: Number(found.size), used }
  })
