import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Entry from "./entry.ts"
import * as Folder from "./folder.ts"
import { refusedDirectory } from "./store.ts"

/**
 * What a cache on disk holds.
 *
 * - `entries`, `bytes`: how many entries it has, and the bytes of their files
 * - `damaged`: how many of them have a head that cannot be read, or another length than it says
 * - `oldest`, `newest`: when the first and the last of the replies arrived, in epoch seconds; undefined if there is none
 * - `endpoints`: the same for each endpoint, the most bytes first. Damaged entries have none
 *
 * @category models
 * @since 0.1.0
 */
export interface DiskStatus {
  readonly entries: number
  readonly bytes: number
  readonly damaged: number
  readonly oldest: number | undefined
  readonly newest: number | undefined
  readonly endpoints: ReadonlyArray<{ readonly endpoint: string; readonly entries: number; readonly bytes: number }>
}

type Files = FileSystem.FileSystem | Path.Path

/** The place of a cache, if its directory can be one. */
const prepared = (directory: string) =>
  Effect.gen(function*() {
    const path = yield* Path.Path
    const refused = refusedDirectory(directory)
    if (refused !== undefined) return yield* Effect.fail(refused)
    const place: Folder.Place = { fs: yield* FileSystem.FileSystem, path, directory }
    return place
  })

/** The folder of a cache and the names of its files. A folder that was never used has no files. */
const filesOf = (place: Folder.Place) =>
  Effect.gen(function*() {
    const folder = yield* Folder.locate(place)
    return { folder, names: yield* Folder.names(place, folder) }
  }).pipe(Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed({ folder: "", names: [] })))

/**
 * Returns what a cache on disk holds. The head of each entry is read and checked, which takes about a second for 10,000 of them.
 *
 * @category inspecting
 * @since 0.1.0
 */
export const diskStatus = (directory: string): Effect.Effect<DiskStatus, InvalidQuery | PlatformError, Files> =>
  Effect.gen(function*() {
    const place = yield* prepared(directory)
    const { folder, names } = yield* filesOf(place)
    // Without the secret of the cache each of them is damaged.
    const key = yield* Effect.orElseSucceed(Folder.secretOf(place), () => new Uint8Array(1)).pipe(
      Effect.flatMap(Entry.keyOf)
    )
    const endpoints = new Map<string, { entries: number; bytes: number }>()
    let [entries, bytes, damaged] = [0, 0, 0]
    let [oldest, newest] = [Infinity, -Infinity]
    yield* Effect.forEach(
      names,
      Effect.fnUntraced(function*(name) {
        const file = yield* Folder.look(place, folder, name)
        if (file?.kind !== "entry") return
        entries++
        bytes += file.size
        const about = yield* Folder.open(place.fs, place.path.join(folder, name), Infinity).pipe(
          Effect.flatMap((source) => Entry.describe(source, { name, key })),
          Effect.scoped,
          Effect.orElseSucceed(() => undefined)
        )
        if (about === undefined) {
          damaged++
          return
        }
        oldest = Math.min(oldest, about.receivedAt)
        newest = Math.max(newest, about.receivedAt)
        const before = endpoints.get(about.endpoint) ?? { entries: 0, bytes: 0 }
        endpoints.set(about.endpoint, { entries: before.entries + 1, bytes: before.bytes + file.size })
      }),
      { concurrency: 8, discard: true }
    )
    return {
      entries,
      bytes,
      damaged,
      oldest: oldest === Infinity ? undefined : oldest,
      newest: newest === -Infinity ? undefined : newest,
      endpoints: [...endpoints].map(([endpoint, sums]) => ({ endpoint, ...sums })).toSorted((one, other) =>
        other.bytes - one.bytes
      )
    }
  })

/**
 * Removes all entries of a cache on disk and the secret that they are signed with, and returns how many there were. What has not the form of its
 * files stays. Programs that use the cache meanwhile miss them, and keep what they fetch.
 *
 * @category inspecting
 * @since 0.1.0
 */
export const clearDisk = (
  directory: string
): Effect.Effect<{ readonly entries: number; readonly bytes: number }, InvalidQuery | PlatformError, Files> =>
  Effect.gen(function*() {
    const place = yield* prepared(directory)
    const { folder, names } = yield* filesOf(place)
    let [entries, bytes] = [0, 0]
    for (const name of names) {
      const file = yield* Folder.look(place, folder, name)
      yield* place.fs.remove(place.path.join(folder, name), { force: true })
      if (file?.kind === "entry") entries++
      bytes += file?.size ?? 0
    }
    if (folder !== "") yield* Folder.forget(place)
    return { entries, bytes }
  })

/**
 * Says whether a cache on disk can keep anything: makes its directory if there is none, and writes a file, which it removes again. A client asks the
 * service where it cannot, and logs that; this tells why. A directory that is a link, belongs to somebody else or is writable by others is refused.
 *
 * @category inspecting
 * @since 0.1.0
 */
export const checkDisk = (directory: string): Effect.Effect<void, InvalidQuery | PlatformError, Files> =>
  Effect.gen(function*() {
    const place = yield* prepared(directory)
    const { folder } = yield* Folder.prepare(place)
    const file = place.path.join(folder, `check.${globalThis.crypto.randomUUID()}`)
    yield* Effect.ensuring(
      place.fs.writeFile(file, new Uint8Array(4096), { flag: "wx", mode: 0o600 }),
      Effect.ignore(place.fs.remove(file, { force: true }))
    )
  })

/**
 * Returns the secret of a cache on disk, 32 bytes, which is made with it. A name for an account can be made from it that no one else can guess.
 *
 * @category inspecting
 * @since 0.1.0
 */
export const diskSecret = (directory: string): Effect.Effect<Uint8Array, InvalidQuery | PlatformError, Files> =>
  Effect.flatMap(prepared(directory), (place) => Effect.map(Folder.prepare(place), ({ secret }) => secret))
