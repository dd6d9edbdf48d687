/** Files that are whole or not there: written beside their place, synced, and renamed. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type * as PlatformError from "effect/PlatformError"
import { type Bytes, joined } from "../formats/encoder.ts"
import { ExportError, Unwritable } from "../reason/ExportError.ts"

/** What the system says, as the error of a file. */
export const failed = (path: string) => ({ cause, message }: PlatformError.PlatformError): ExportError => {
  // Of a full disk only the system's own error says that it is full.
  const detail = cause instanceof Error ? `${message} (${cause.message})` : message
  return new ExportError({ reason: new Unwritable({ path, detail }) })
}

/** After how many milliseconds without a write an unfinished file is taken for that of a killed program. */
const abandonedAfter = 3_600_000

/** The prefix of the names of unfinished files. A long name is cut, because systems allow only 255 bytes. */
const beginningOf = (name: string): string => `.${Array.from(name).slice(0, 50).join("")}`

/** Removes the unfinished files of a path that were not written to for some milliseconds, as far as the folder can be read. */
export const sweep = (target: string, unwrittenFor: number) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = path.dirname(target)
    const beginning = beginningOf(path.basename(target))
    const now = yield* Clock.currentTimeMillis
    for (const found of yield* fs.readDirectory(folder)) {
      if (!found.startsWith(beginning)) continue
      if (!/^\.[\da-f-]{36}\.unfinished$/.test(found.slice(beginning.length))) continue
      const { mtime } = yield* fs.stat(path.join(folder, found))
      if (Option.exists(mtime, (written) => now - written.getTime() > unwrittenFor)) {
        yield* fs.remove(path.join(folder, found))
      }
    }
  }).pipe(Effect.ignore)

/**
 * Opens a file that is removed when the scope closes, unless it was put in its place by `commit`: until then there is nothing at its path, or what was there
 * before. No reader of a folder takes it for a table: its name begins with a dot, and ends otherwise.
 */
export const open = Effect.fnUntraced(function*(target: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.dirname(target)
  const orFail = Effect.mapError(failed(target))
  // What cannot be replaced is found before the first table is asked for, and a device or a pipe is never replaced.
  const there = yield* fs.stat(target).pipe(
    Effect.catchReason("PlatformError", "NotFound", () => Effect.undefined),
    orFail
  )
  if (there !== undefined && there.type !== "File") {
    return yield* new ExportError({ reason: new Unwritable({ path: target, detail: "what is there is not a file" }) })
  }
  yield* sweep(target, abandonedAfter)
  const beginning = beginningOf(path.basename(target))
  const unfinished = path.join(folder, `${beginning}.${globalThis.crypto.randomUUID()}.unfinished`)
  let isInPlace = false
  yield* Effect.addFinalizer(() => isInPlace ? Effect.void : Effect.ignore(fs.remove(unfinished, { force: true })))
  const file = yield* orFail(fs.open(unfinished, { flag: "wx" }))
  let size = 0
  // The pieces of a table, a few hundred in Arrow, are written at once.
  const write = (pieces: ReadonlyArray<Bytes>) =>
    Effect.suspend(() => {
      const bytes = joined(pieces)
      size += bytes.length
      return bytes.length === 0 ? Effect.void : orFail(file.writeAll(bytes))
    })
  /** Syncs the folder; the failure is ignored, because Windows cannot do that. */
  const syncFolder = Effect.ignore(Effect.scoped(Effect.flatMap(fs.open(folder), ({ sync }) => sync)))
  /** Syncs the file to the disk, and renames it to its path. Returns how many bytes it has. */
  const commit = Effect.uninterruptible(Effect.gen(function*() {
    yield* orFail(file.sync)
    yield* orFail(fs.rename(unfinished, target))
    isInPlace = true
    yield* syncFolder
    return size
  }))
  return { write, commit }
})
