/** The files of a cache on disk: one for each entry, in a folder for entries of one form. */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"

/** Entries of this version of their form. Another version has another folder: neither reads, nor removes, what the other keeps. */
const folderName = "replies-1"

/** How the name of an entry ends; that of a file which is not finished does not. */
export const suffix = ".reply"

/** The folder of the entries of a cache. */
export const of = (path: Path.Path, directory: string): string => path.join(directory, folderName)

/** A file of the folder: an entry, or one that is not finished. It was used last at `used`, in milliseconds. */
export interface Shelved {
  readonly file: string
  readonly size: number
  readonly used: number
  readonly isEntry: boolean
}

/** Lists the files of a folder. One that another process removes meanwhile is not there. */
export const list = (
  fs: FileSystem.FileSystem,
  path: Path.Path,
  folder: string
): Effect.Effect<ReadonlyArray<Shelved>, PlatformError> =>
  Effect.gen(function*() {
    const files: Array<Shelved> = []
    for (const name of yield* fs.readDirectory(folder)) {
      const file = path.join(folder, name)
      const info = Option.getOrUndefined(yield* Effect.option(fs.stat(file)))
      if (info?.type !== "File") continue
      const used = Option.match(info.mtime, { onNone: () => 0, onSome: (date) => date.getTime() })
      files.push({ file, size: Number(info.size), used, isEntry: name.endsWith(suffix) })
    }
    return files
  })
