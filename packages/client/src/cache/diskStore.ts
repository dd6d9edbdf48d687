import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { FileSystem } from "effect/FileSystem"
import type { Path } from "effect/Path"
import * as Semaphore from "effect/Semaphore"
import * as Entry from "./entry.ts"
import * as Folder from "./folder.ts"
import { type Disk, type Found, type KeptReply, Patience, type Store, within } from "./store.ts"

const hour = 3_600_000

/** What share of `maxBytes` processes write, at most, before one of them lists the folder. */
const unseen = 1 / 16

/** How many written bytes one byte of the note stands for. */
const notedBytes = 4096

/** The most entries of a cache: 20,000, or as many as `maxBytes` allows at 16 KiB each, if that is more. */
const leastMost = 20_000
const bytesOfOne = 16_384

const none: Found = { _tag: "None" }

/**
 * Keeps replies in a directory that many processes may share. An entry is a file. The least recently used entries are removed to make room. If the disk
 * cannot be read or written, that is a miss, and is logged once.
 */
export const diskStore = Effect.fnUntraced(function*(
  { directory, maxBytes }: Disk
): Effect.fn.Return<Store, never, FileSystem | Path> {
  const patience = yield* Patience
  const place = yield* Folder.place(directory)
  const { fs, path } = place
  const mostEntries = Math.max(leastMost, maxBytes / bytesOfOne)
  const one = Semaphore.makeUnsafe(1)
  let isTold = false
  let listedAt = -Infinity
  /** The entries that this process knows, the last used at the end, and the bytes of all. */
  const shelf = new Map<string, Pick<Folder.Shelved, "size" | "used">>()
  let bytes = 0

  const forget = (name: string): void => {
    bytes -= shelf.get(name)?.size ?? 0
    shelf.delete(name)
  }
  const know = (name: string, size: number, used: number): void => {
    forget(name)
    shelf.set(name, { size, used })
    bytes += size
  }

  /** Logs the first problem with the disk; queries do not fail because of one. */
  const tell = (type: string, message: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (isTold) return Effect.void
      isTold = true
      const warning = Effect.logWarning("kept replies cannot be read or written; the service is asked")
      const known = { directory: place.directory, "error.type": type, "error.message": message }
      return Effect.annotateLogs(Effect.ignoreCause(warning), known)
    })

  const quietly = <A>(self: Effect.Effect<A, Folder.Wrong>, otherwise: A, usual?: "NotFound"): Effect.Effect<A> =>
    Effect.catch(self, (error) => {
      const type = error._tag === "PlatformError" ? error.reason._tag : error._tag
      if (type === usual) return Effect.succeed(otherwise)
      return Effect.as(tell(type, "said" in error ? error.said.what : Folder.worded(error).message), otherwise)
    })

  /** Waits for the disk no longer than `patience`. */
  const briefly = <A>(self: Effect.Effect<A, Folder.Wrong>, otherwise: A) => {
    const done = Effect.map(quietly(self, otherwise, "NotFound"), (value) => ({ value }))
    const late = () => Effect.as(tell("TimedOut", `the disk took longer than ${patience} ms`), otherwise)
    return Effect.flatMap(within(patience, done), (done) => done === undefined ? late() : Effect.succeed(done.value))
  }

  const remove = (folder: string, name: string) => Effect.ignore(fs.remove(path.join(folder, name), { force: true }))

  /** Marks a file as used now. */
  const use = Effect.fnUntraced(function*(file: string, name: string, size: number) {
    const now = yield* Clock.currentTimeMillis
    know(name, size, now)
    yield* Effect.ignore(fs.utimes(file, now / 1000, now / 1000))
  })

  /** Removes the least recently used entries until the others fit. What another process has used since stays. */
  const makeRoom = Effect.fnUntraced(function*(folder: string) {
    for (const [name, { used }] of shelf) {
      if (bytes <= maxBytes && shelf.size <= mostEntries) break
      const now = yield* Folder.look(place, folder, name)
      if (now !== undefined && now.used > used) know(name, now.size, now.used)
      else {
        yield* remove(folder, name)
        forget(name)
      }
    }
  })

  /** Lists the folder, removes old unfinished files, and makes room. */
  const list = Effect.fnUntraced(function*(folder: string) {
    const now = listedAt = yield* Clock.currentTimeMillis
    const names = yield* Folder.names(place, folder)
    // Far more files than a cache may have were not written by it: they are removed unread.
    for (const name of names.slice(2 * mostEntries)) yield* remove(folder, name)
    const look = (name: string) => Folder.look(place, folder, name)
    const found = yield* Effect.forEach(names.slice(0, 2 * mostEntries), look, { concurrency: 8 })
    // What a clock that was ahead has used would stay until that time comes: it goes first.
    const rank = ({ used }: Folder.Shelved) => used - now > hour ? 0 : used
    const files = found.filter((file) => file !== undefined).toSorted((one, other) => rank(one) - rank(other))
    for (const { kind, name, used } of files) {
      // A file that is unfinished for an hour never will be finished: its process is gone.
      if (kind === "unfinished" && Math.abs(now - used) > hour) yield* remove(folder, name)
    }
    const since = [...shelf].filter(([, { used }]) => used >= now)
    shelf.clear()
    bytes = 0
    for (const { kind, name, size, used } of files) if (kind === "entry") know(name, size, used)
    for (const [name, { size, used }] of since) know(name, size, used)
    yield* makeRoom(folder)
    yield* Folder.writeWhole(fs, path.join(place.directory, Folder.noteName), new Uint8Array(0))
  })

  /** Counts bytes that were written, and lists the folder if all processes have written enough since the last time, at most once an hour. */
  const note = Effect.fnUntraced(function*(folder: string, size: number) {
    const file = path.join(place.directory, Folder.noteName)
    const noted = yield* Effect.orElseSucceed(fs.lstat(file), () => undefined)
    if (noted?.type === "File" && Number(noted.size) * notedBytes < maxBytes * unseen) {
      return yield* fs.writeFile(file, new Uint8Array(Math.ceil(size / notedBytes)), { flag: "a", mode: 0o600 })
    }
    if (Math.abs((yield* Clock.currentTimeMillis) - listedAt) > hour) yield* list(folder)
  })

  /** Reads an entry. The folder is checked while the file is opened, and nothing of the file is used before that. */
  const read = Effect.fnUntraced(function*(asked: string, most: number) {
    const opening = Effect.gen(function*() {
      const name = yield* Entry.nameOf(asked)
      const file = path.join(Folder.pathOf(place), name)
      const opened = Folder.open(fs, file, maxBytes)
      const source = yield* Effect.catchReason(opened, "PlatformError", "InvalidData", () => Effect.undefined)
      return { name, file, source }
    })
    const finding = Effect.flatMap(Folder.find(place), ({ secret }) => Entry.keyOf(secret))
    const [key, { file, name, source }] = yield* Effect.all([finding, opening], { concurrency: 2 })
    const entry = source && (yield* Entry.read(source, { name, key }, Math.min(most, maxBytes)))
    return entry === undefined ? Entry.damaged : { entry, used: use(file, name, source!.size) }
  }, Folder.closedBehind)

  /** Reads a damaged entry once more: another process may have replaced it between the check and the opening. */
  const readAgain = (key: string, most: number) =>
    Effect.flatMap(read(key, most), (found) => found === Entry.damaged ? read(key, most) : Effect.succeed(found))

  const find = Effect.fnUntraced(function*(key: string, most: number): Effect.fn.Return<Found> {
    const found = yield* briefly<Found | Effect.Success<ReturnType<typeof read>>>(readAgain(key, most), none)
    if ("_tag" in found) return found
    const unpacked = yield* Entry.unpack(found.entry)
    // The answer does not wait for this.
    yield* Effect.forkDetach(found.used, { startImmediately: true })
    return unpacked
  })

  const keep = Effect.fnUntraced(function*(key: string, replies: ReadonlyArray<KeptReply>) {
    const { folder, secret } = yield* Folder.prepare(place)
    const name = yield* Entry.nameOf(key)
    const content = yield* Entry.encode({ name, key: yield* Entry.keyOf(secret) }, replies)
    if (content.length > maxBytes) return true
    const file = path.join(folder, name)
    // It counts before it is written, so that files that killed programs leave unfinished count too.
    yield* note(folder, content.length)
    yield* one.withPermit(Effect.gen(function*() {
      know(name, content.length, yield* Clock.currentTimeMillis)
      yield* makeRoom(folder)
      yield* Effect.onError(Folder.writeWhole(fs, file, content), () => Effect.sync(() => forget(name)))
      yield* use(file, name, content.length)
    }))
    return Entry.isEqual(yield* Folder.secretOf(place), secret)
  })

  return {
    maxBytes,
    find,
    keep: (key, replies) => {
      // If the cache is cleared meanwhile, the unfinished file is gone, or the entry is signed with the old secret and counts as damaged: it is written once more.
      const first = Effect.catchReason(keep(key, replies), "PlatformError", "NotFound", () => Effect.succeed(false))
      return quietly(Effect.flatMap(first, (isKept) => isKept ? Effect.void : keep(key, replies)), undefined)
    },
    remove: Effect.fnUntraced(function*(key) {
      const [name, folder] = [yield* Entry.nameOf(key), yield* Folder.locate(place)]
      forget(name)
      yield* fs.remove(path.join(folder, name), { force: true })
    }, (removing) => briefly(removing, undefined))
  }
})
