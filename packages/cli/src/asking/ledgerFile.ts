/** The file of the ledger of all commands: where it is, and whether it may be opened. Sizes of chains are kept in it too. */
import { Clock, Config, Data, Effect, FileSystem, Option, Path, Schedule } from "effect"
import * as Settings from "../settings/settings.ts"
import * as Place from "../settings/place.ts"

/** The usual file of the ledger. */
const usual = Effect.gen(function*() {
  const path = yield* Path.Path
  const folder = yield* Place.data
  return folder === undefined ? undefined : path.join(folder, "ledger.db")
})

/** The setting of the ledger, its usual file, and whether there is an allowance, which only a ledger can keep. */
export const choice = Effect.map(Config.option(Settings.config("allowance")), (allowance) => ({
  name: "ledger" as const,
  setting: Settings.config("ledger"),
  usual,
  isNeeded: Option.isSome(allowance)
}))

/** Why the file of the ledger is not opened. */
export class LedgerFileError extends Data.TaggedError("LedgerFileError")<{ readonly message: string }> {}

const refused = (message: string): Effect.Effect<never, LedgerFileError> =>
  Effect.fail(new LedgerFileError({ message }))

/**
 * Fails where the file must not be opened: anybody may put another one in its place, SQLite waits for a pipe for ever, and begins an empty file anew, whose history and allowance would be
 * gone without a word. Of a file that another command is just making the first bytes come at once.
 */
export const check = Effect.fnUntraced(function*(filename: string) {
  const files = yield* FileSystem.FileSystem
  const found = Effect.orElseSucceed(files.stat(filename), () => undefined)
  const made = yield* Effect.repeat(found, {
    schedule: Schedule.spaced("20 millis"),
    times: 25,
    while: (info) => info?.type === "File" && info.size === 0n
  }).pipe(
    // Another process takes real time, whatever clock this program goes by.
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
  )
  if (yield* Place.everybodyMay((yield* Path.Path).dirname(filename))) {
    return yield* refused("everybody may change its folder; type chmod o-w for it")
  }
  // SQLite opens its journals with the file, and waits for a pipe as for the file itself.
  for (const end of ["-wal", "-shm", "-journal"]) {
    const journal = yield* Effect.orElseSucceed(files.lstat(filename + end), () => undefined)
    if (journal === undefined) continue
    if (journal.type !== "File") return yield* refused(`its journal, whose name ends with ${end}, is no file`)
    // SQLite would write over what has another name elsewhere.
    if (Option.getOrElse(journal.nlink, () => 1) > 1) {
      return yield* refused(`its journal, whose name ends with ${end}, has another name elsewhere; delete it`)
    }
  }
  if (made === undefined) return
  if (made.type !== "File") return yield* refused("it is no file")
  if (made.size === 0n) {
    return yield* refused("it is empty, so what was recorded in it is lost; delete it to begin anew")
  }
})

/** Makes the folder of the file, for its user alone. What is wrong with it the database says. */
const makeFolderOf = (filename: string) =>
  Path.Path.use((path) => Effect.ignore(Place.makeFolder(path.dirname(filename))))

/** Makes sure of the file and its folder, which the database then opens. */
export const prepare = (filename: string) => Effect.andThen(makeFolderOf(filename), check(filename))
