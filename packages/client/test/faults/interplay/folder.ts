import { Effect, Option } from "effect"
import { of, type Seam } from "../../../../core/test/support/seam.ts"

const Entry = of(() => import("../../../src/cache/entry.ts"))
const Folder = of(() => import("../../../src/cache/folder.ts"))
const Keeping = of(() => import("../../../src/cache/keeping.ts"))

/** The tests that should find them, as `client/retry` for one of the client's. */
export const tests = ["client/ReplyCache", "client/ReplyCacheDisk", "client/ReplyCacheHostile"]

/** What a cache would believe of a folder, or do in it. */
export const faults: ReadonlyArray<Seam> = [
  Keeping.keeping("a list is as old as the newest of its replies", (keeping) => (store, options) => {
    let apart = 0
    const find: typeof store.find = (...asked) =>
      Effect.tap(store.find(...asked), (found) =>
        Effect.sync(() => {
          const times = found._tag === "Kept" ? found.replies.map(({ receivedAt }) => receivedAt) : [0]
          apart = Math.max(...times) - Math.min(...times)
        }))
    return Effect.map(keeping({ ...store, find }, options), (kept) => ({
      ...kept,
      answer: (call: Parameters<typeof kept.answer>[0], ...rest: [never, never]) =>
        Effect.tap(kept.answer(call, ...rest), () =>
          Effect.sync(() => {
            if (call.age !== undefined) call.age -= apart
          }))
    }))
  }),
  Entry.signature(
    "an entry answers under any name",
    (signature) => ({ key }, head) => signature({ key, name: "" }, head)
  ),
  Entry.read("an entry may be as large as it says", (read) => (source, seal) => read(source, seal, Infinity)),
  Folder.open("a link is followed", (open) => (fs, file, most) => open({ ...fs, lstat: fs.stat }, file, most)),
  Folder.locate(
    "a folder is trusted, whoever's it is",
    () => ({ directory, path }) => Effect.succeed(path.join(directory, "replies-2"))
  ),
  Folder.names("names of others are taken for ours", () => ({ fs }, folder) => fs.readDirectory(folder)),
  Folder.look(
    "any file is taken for one that is ours",
    () => ({ fs, path }, folder, name) =>
      Effect.map(
        Effect.option(fs.lstat(path.join(folder, name))),
        (found) => Option.isNone(found) ? undefined : { name, kind: "unfinished", size: 0, used: 0 }
      )
  )
]
