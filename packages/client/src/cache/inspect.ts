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
 * - `damaged`: how many of them can no longer be read
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

/** The folder of a cache, if its directory can be one. */
const prepared = (directory: string) =>
  Effect.gen(function*() {
    const path = yield* Path.Path
    const refused = refusedDirectory(directory)
    if (refused !== undefined) return yield* Effect.fail(refused)
    return { fs: yield* FileSystem.FileSystem, path, folder: Folder.of(path, directory) }
  })

/** A cache that nobody has used yet has no folder. */
const filesOf = (fs: FileSystem.FileSystem, path: Path.Path, folder: string) =>
  Effect.catchReason(Folder.list(fs, path, folder), "PlatformError", "NotFound", () => Effect.succeed([]))

/**
 * Returns what a cache on disk holds. Each entry is read and checked, so it takes as long as reading all of them.
 *
 * @category inspecting
 * @since 0.1.0
 */
export const diskStatus = (directory: string): Effect.Effect<DiskStatus, InvalidQuery | PlatformError, Files> =>
  Effect.gen(function*() {
    const { folder, fs, path } = yield* prepared(directory)
    const endpoints = new Map<string, { entries: number; bytes: number }>()
    let [entries, bytes, damaged] = [0, 0, 0]
    let [oldest, newest] = [Infinity, -Infinity]
    for (const { file, isEntry, size } of yield* filesOf(fs, path, folder)) {
      const content = isEntry ? yield* Effect.option(fs.readFile(file)) : undefined
      if (content?._tag !== "Some") continue
      entries++
      bytes += size
      const about = yield* Entry.describe(content.value)
      if (about === undefined) {
        damaged++
        continue
      }
      oldest = Math.min(oldest, about.receivedAt)
      newest = Math.max(newest, about.receivedAt)
      const before = endpoints.get(about.endpoint) ?? { entries: 0, bytes: 0 }
      endpoints.set(about.endpoint, { entries: before.entries + 1, bytes: before.bytes + size })
    }
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
 * Removes all entries of a cache on disk, and returns how many there were. Programs that use the cache meanwhile miss them, and keep what
 * they fetch.
 *
 * @category inspecting
 * @since 0.1.0
 */
export const clearDisk = (
  directory: string
): Effect.Effect<{ readonly entries: number; readonly bytes: number }, InvalidQuery | PlatformError, Files> =>
  Effect.gen(function*() {
    const { folder, fs, path } = yield* prepared(directory)
    let [entries, bytes] = [0, 0]
    for (const { file, isEntry, size } of yield* filesOf(fs, path, folder)) {
      yield* fs.remove(file, { force: true })
      if (isEntry) entries++
      bytes += size
    }
    return { entries, bytes }
  })

/**
 * Says whether a cache on disk can keep anything: makes its directory if there is none, and writes a file, which it removes again. A client asks the
 * service where it cannot, and logs that; this tells why.
 *
 * @category inspecting
 * @since 0.1.0
 */
export const checkDisk = (directory: string): Effect.Effect<void, InvalidQuery | PlatformError, Files> =>
  Effect.gen(function*() {
    const { folder, fs, path } = yield* prepared(directory)
    yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
    const file = path.join(folder, `check.${globalThis.crypto.randomUUID()}`)
    yield* Effect.ensuring(
      fs.writeFile(file, new Uint8Array(4096), { mode: 0o600 }),
      Effect.ignore(fs.remove(file, { force: true }))
    )
  })
