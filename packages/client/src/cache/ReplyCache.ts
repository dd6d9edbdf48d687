/**
 * Kept replies, which answer the same query again without a request: the same data are not paid for twice. Freshness decides how
 * long a reply answers (`Reuse` of core): one about past days for ever, delayed and cached data until they would be too old, and live data
 * never, unless `Policies.AcceptAge` accepts an age.
 *
 * By default no reply is kept. A client uses the cache that its layer is provided with. A kept answer has the data and the findings of the first one,
 * `provenance.source` `"local"` with its `age`, and costs 0 credits.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as ReplyCache from "@effect-marketdata/client/ReplyCache"
 * import * as Layer from "effect/Layer"
 *
 * export const client = MarketData.layerConfig.pipe(
 *   Layer.provide(ReplyCache.layerMemory({ maxBytes: 256 * 1024 * 1024 }))
 * )
 * ```
 *
 * @see `Reuse` of core for the rules
 * @see {@link Policies} for `AcceptAge`
 * @since 0.1.0
 */
import * as Problem from "@effect-marketdata/core/Problem"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import type * as Scope from "effect/Scope"
import type { Keeping } from "../call/call.ts"
import * as Rules from "../config/rules.ts"
import { diskStore } from "./diskStore.ts"
import * as Entry from "./entry.ts"
import * as Folder from "./folder.ts"
import { keeping } from "./keeping.ts"
import { type Disk, type KeptReply, type Options, refusedDirectory, type Store } from "./store.ts"

/**
 * What a client keeps replies with: made by `make`, and used by clients.
 *
 * @category services
 * @since 0.1.0
 */
export class ReplyCache extends Context.Service<ReplyCache, Keeping>()("@effect-marketdata/client/ReplyCache") {}

/**
 * Where replies are kept, what is kept, and whose it is.
 *
 * @category models
 * @since 0.1.0
 */
export type { Disk, Found, KeptReply, Options, Store } from "./store.ts"

/**
 * What stores write of replies before their bytes.
 *
 * @since 0.1.0
 */
export { HeadsFromJson } from "./store.ts"

/**
 * Makes a cache over any store. If an option is invalid, each query that it could answer fails with `InvalidQuery`. Replies are written in the
 * background: when the scope closes, it waits up to half a second for the last ones.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (store: Store, options: Options = {}): Effect.Effect<ReplyCache["Service"], never, Scope.Scope> =>
  keeping(store, options)

/**
 * Makes the store of a cache on disk, which `layerDisk` uses. Throws `ValueError` for what is not a path of a directory.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeDiskStore = (disk: Disk): Effect.Effect<Store, never, FileSystem.FileSystem | Path.Path> => {
  const { directory } = (disk ?? {}) as Partial<Disk>
  const isPath = refusedDirectory(directory) === undefined
  Problem.expect(isPath, "directory", directory, "the path of a directory", Rules.directory.example)
  return diskStore(disk)
}

/**
 * A cache in memory, of at most `maxBytes` bytes of replies, uncompressed: a chain of 20,000 contracts has about 4 MB. The least recently
 * used replies are evicted first.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as ReplyCache from "@effect-marketdata/client/ReplyCache"
 * import * as Layer from "effect/Layer"
 *
 * export const client = MarketData.layerConfig.pipe(
 *   Layer.provide(ReplyCache.layerMemory({ maxBytes: 64_000_000, account: "desk" }))
 * )
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory = (options: Options & { readonly maxBytes: number }): Layer.Layer<ReplyCache> =>
  Layer.effect(ReplyCache, Effect.suspend(() => make(memoryStore(options?.maxBytes), options)))

/**
 * A cache in a directory, which outlives the program, and which many processes may share. It needs the file system of a platform, such as
 * `NodeServices.layer` of `@effect/platform-node`.
 *
 * - `directory`: its path; it is made if it does not exist, with access for its owner only. A directory that is a symbolic link, belongs to another
 *   user or is writable by others is not used, see `checkDisk`
 * - `maxBytes`: the most bytes of all files. The least recently used replies are evicted first. Several processes that write at the same
 *   time may exceed it until one of them counts what the others wrote, within an hour
 * - `account`: the name of the account, see `Options`
 *
 * Replies are compressed with zstd where the platform has it, which Node has since 22.15. Each file is signed with a secret of the cache, and answers only
 * its own query. A damaged one is removed. If the directory cannot be read within 50 ms or cannot be written, or the disk is full, the service is
 * asked, and a warning is logged once. Replies are written in the background; when the layer closes, it waits up to half a second for the last ones. Two
 * versions of this library may use the same directory.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as ReplyCache from "@effect-marketdata/client/ReplyCache"
 * import * as Layer from "effect/Layer"
 *
 * // It still requires a `FileSystem` and a `Path`.
 * export const client = MarketData.layerConfig.pipe(
 *   Layer.provide(ReplyCache.layerDisk({ directory: "/var/cache/desk", maxBytes: 1024 ** 3, account: "desk" }))
 * )
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerDisk = (
  options: Disk & { readonly account: string }
): Layer.Layer<ReplyCache, never, FileSystem.FileSystem | Path.Path> => {
  // Callers without types may leave any of it out, and are told at each call.
  const given: Partial<typeof options> = options ?? {}
  const { account, directory = "", maxBytes = 0 } = given
  const store = diskStore({ directory, maxBytes })
  return Layer.effect(ReplyCache, Effect.flatMap(store, (store) => keeping(store, { account, directory })))
}

/** About how many bytes a reply takes in memory in addition to its own. */
const overhead = 1024

const sizeOf = (key: string, replies: ReadonlyArray<KeptReply>): number =>
  replies.reduce((sum, { bytes }) => sum + bytes.length + overhead, key.length * 2)

/** Keeps replies in memory, those that were used last. */
const memoryStore = (maxBytes: number): Store => {
  // In the order in which they were used.
  const entries = new Map<string, ReadonlyArray<KeptReply>>()
  let held = 0
  const take = (key: string): ReadonlyArray<KeptReply> | undefined => {
    const replies = entries.get(key)
    if (replies === undefined) return undefined
    entries.delete(key)
    held -= sizeOf(key, replies)
    return replies
  }
  const put = (key: string, replies: ReadonlyArray<KeptReply>): void => {
    take(key)
    entries.set(key, replies)
    held += sizeOf(key, replies)
    // Finding the oldest entry of a map means to skip all deleted ones, so it is done only if needed.
    for (const oldest of held > maxBytes ? entries.keys() : []) {
      if (held <= maxBytes) break
      take(oldest)
    }
  }
  return {
    maxBytes,
    find: (key) =>
      Effect.sync(() => {
        const replies = take(key)
        if (replies === undefined) return { _tag: "None" }
        put(key, replies)
        return { _tag: "Kept", replies }
      }),
    keep: (key, replies) => Effect.sync(() => put(key, replies)),
    remove: (key) => Effect.sync(() => void take(key))
  }
}

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

/** How many files are read or removed at once: with few, each waits until a thread of the pool wakes. */
const atOnce = 64

type Files = FileSystem.FileSystem | Path.Path

/** The place of a cache; fails if the path of its directory is invalid. */
const prepared = (directory: string) => {
  const refused = refusedDirectory(directory)
  return refused === undefined ? Folder.place(directory) : Effect.fail(refused)
}

/** The folder of a cache and the names of its files. A folder that was never used has no files. */
const filesOf = Effect.fnUntraced(function*(place: Folder.Place) {
  const folder = yield* Folder.locate(place)
  return { folder, names: yield* Folder.names(place, folder) }
}, Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed({ folder: "", names: [] })))

/**
 * Returns what a cache on disk holds. The head of each entry is read and checked, which takes about a second for 10,000 of them.
 *
 * @category getters
 * @since 0.1.0
 */
export const diskStatus = Effect.fnUntraced(
  function*(directory: string): Effect.fn.Return<DiskStatus, InvalidQuery | PlatformError, Files> {
    const place = yield* prepared(directory)
    const { folder, names } = yield* filesOf(place)
    // Without the secret of the cache all entries count as damaged.
    const secret = Effect.orElseSucceed(Folder.secretOf(place), () => new Uint8Array(1))
    const key = yield* Effect.flatMap(secret, Entry.keyOf)
    const look = Effect.fnUntraced(function*(name: string) {
      const file = yield* Folder.look(place, folder, name)
      if (file?.kind !== "entry") return []
      const about = yield* Folder.open(place.fs, place.path.join(folder, name), Infinity, file).pipe(
        Effect.flatMap((source) => Entry.describe(source, { name, key })),
        Effect.scoped,
        Effect.orElseSucceed(() => undefined)
      )
      return [{ size: file.size, about }]
    })
    const all = (yield* Effect.forEach(names, look, { concurrency: atOnce })).flat()
    const whole = all.flatMap(({ about, size }) => about === undefined ? [] : [{ ...about, size }])
    const times = whole.map(({ receivedAt }) => receivedAt).toSorted((one, other) => one - other)
    const sums = (of: ReadonlyArray<{ readonly size: number }>) => ({
      entries: of.length,
      bytes: of.reduce((sum, { size }) => sum + size, 0)
    })
    return {
      ...sums(all),
      damaged: all.length - whole.length,
      oldest: times[0],
      newest: times.at(-1),
      endpoints: Object.entries(Arr.groupBy(whole, ({ endpoint }) => endpoint))
        .map(([endpoint, of]) => ({ endpoint, ...sums(of) }))
        .toSorted((one, other) => other.bytes - one.bytes)
    }
  }
)

/**
 * Removes all entries of a cache on disk and the secret that they are signed with, and returns how many there were. Other files in the directory
 * stay. Programs that use the cache at that time get a miss, and keep what they fetch.
 *
 * @category running
 * @since 0.1.0
 */
export const clearDisk = Effect.fnUntraced(function*(
  directory: string
): Effect.fn.Return<{ readonly entries: number; readonly bytes: number }, InvalidQuery | PlatformError, Files> {
  const place = yield* prepared(directory)
  const folder = Folder.pathOf(place)
  let [entries, bytes] = [0, 0]
  const remove = Effect.fnUntraced(function*(name: string) {
    const file = yield* Folder.look(place, folder, name)
    yield* place.fs.remove(place.path.join(folder, name), { force: true })
    if (file?.kind === "entry") entries++
    bytes += file?.size ?? 0
  })
  const all = { concurrency: atOnce, discard: true } as const
  const removed = Effect.tap(filesOf(place), ({ names }) => Effect.forEach(names, remove, all))
  // What other programs have kept meanwhile is signed with the secret that is forgotten here.
  if ((yield* removed).folder !== "") yield* Effect.andThen(Folder.forget(place), removed)
  return { entries, bytes }
})

/**
 * Checks whether a cache on disk can keep replies: makes its directory if it does not exist, and writes and removes a file. Fails with the reason if it
 * cannot; a client would ask the service and only log a warning. Refuses a directory that is a symbolic link, belongs to another user or is writable by
 * others.
 *
 * @category running
 * @since 0.1.0
 */
export const checkDisk = Effect.fnUntraced(function*(
  directory: string
): Effect.fn.Return<void, InvalidQuery | PlatformError, Files> {
  const place = yield* prepared(directory)
  const { folder } = yield* Folder.prepare(place)
  const file = place.path.join(folder, "check")
  yield* Folder.writeWhole(place.fs, file, new Uint8Array(4096), (written) => Effect.ignore(place.fs.remove(written)))
}, Effect.mapError(Folder.worded))

/**
 * Returns the secret of a cache on disk, 32 bytes; it is made if it does not exist. A name for an account that nobody can guess can be derived from it.
 *
 * @category getters
 * @since 0.1.0
 */
export const diskSecret = (directory: string): Effect.Effect<Uint8Array, InvalidQuery | PlatformError, Files> =>
  Effect.flatMap(prepared(directory), (place) => Effect.map(Folder.prepare(place), ({ secret }) => secret))
