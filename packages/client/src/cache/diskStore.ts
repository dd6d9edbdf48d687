import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Semaphore from "effect/Semaphore"
import * as Entry from "./entry.ts"
import * as Folder from "./folder.ts"
import type { Disk, Store } from "./store.ts"

/** A file that was not finished for so long, in milliseconds, never will be: its process is gone. */
const abandoned = 3_600_000

/** How much of its bytes a process writes, at most, before it looks again at what others wrote. */
const unseen = 1 / 16

/**
 * Keeps replies in a directory that many processes may share. An entry is a file, written beside and then renamed, so that there is a whole one or none. What
 * was used longest ago makes room. What cannot be read or written is a miss, and told once.
 */
export const diskStore = (
  fs: FileSystem.FileSystem,
  path: Path.Path,
  { directory, maxBytes }: Disk
): Store => {
  const one = Semaphore.makeUnsafe(1)
  let isTold = false
  /** The bytes of all entries when they were last seen, and those written since. */
  let seen = Infinity
  let written = 0

  const folder = (): string => Folder.of(path, directory)
  const fileOf = (key: string): Effect.Effect<string> =>
    Effect.map(Entry.nameOf(key), (name) => path.join(folder(), name + Folder.suffix))

  /** What is wrong with the disk takes nothing from a query. */
  const quietly = <A>(self: Effect.Effect<A, PlatformError>, otherwise: A): Effect.Effect<A> =>
    Effect.catch(self, (error) => {
      if (error.reason._tag === "NotFound" || isTold) return Effect.succeed(otherwise)
      isTold = true
      return Effect.as(
        Effect.annotateLogs(Effect.logWarning("kept replies cannot be read or written; the service is asked"), {
          directory,
          "error.type": error.reason._tag
        }),
        otherwise
      )
    })

  /** Removes what was used longest ago until there is room for more bytes, and what was never finished. */
  const makeRoom = (more: number): Effect.Effect<void, PlatformError> =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const files = yield* Folder.list(fs, path, folder())
      for (const { file, isEntry, used } of files) {
        if (!isEntry && Math.abs(now - used) > abandoned) yield* fs.remove(file, { force: true })
      }
      const entries = files.filter(({ isEntry }) => isEntry)
      seen = entries.reduce((sum, { size }) => sum + size, 0)
      written = 0
      for (const { file, size } of entries.toSorted((one, other) => one.used - other.used)) {
        if (seen + more <= maxBytes) break
        yield* fs.remove(file, { force: true })
        seen -= size
      }
    })

  /** Says that a file was used now. */
  const use = (file: string): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.ignore(fs.utimes(file, now / 1000, now / 1000)))

  const write = (file: string, bytes: Uint8Array): Effect.Effect<void, PlatformError> => {
    const unfinished = `${file}.${globalThis.crypto.randomUUID()}`
    return Effect.gen(function*() {
      yield* fs.makeDirectory(folder(), { recursive: true, mode: 0o700 })
      if (seen + written + bytes.length > maxBytes || written > maxBytes * unseen) yield* makeRoom(bytes.length)
      written += bytes.length
      yield* fs.writeFile(unfinished, bytes, { mode: 0o600 })
      yield* use(unfinished)
      yield* fs.rename(unfinished, file)
    }).pipe(
      Effect.onError(() => Effect.ignore(fs.remove(unfinished, { force: true })))
    )
  }

  return {
    maxBytes,
    find: (key) =>
      Effect.gen(function*() {
        const file = yield* fileOf(key)
        const bytes = yield* quietly(fs.readFile(file), undefined)
        if (bytes === undefined) return { _tag: "None" }
        const found = yield* Entry.decode(bytes)
        if (found._tag === "Kept") yield* use(file)
        return found
      }),
    keep: (key, replies) =>
      Effect.gen(function*() {
        const [file, bytes] = [yield* fileOf(key), yield* Entry.encode(replies)]
        if (bytes.length <= maxBytes) yield* quietly(one.withPermit(write(file, bytes)), undefined)
      }),
    remove: (key) => Effect.flatMap(fileOf(key), (file) => quietly(fs.remove(file, { force: true }), undefined))
  }
}
