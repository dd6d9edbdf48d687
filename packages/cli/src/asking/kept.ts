/**
 * What commands keep on this machine: the replies, and the ledger of what they spend. Nothing of the embedded sandbox is kept: an invented market must
 * never answer for the real one. A service at an address of this machine may be another one tomorrow, so it is kept only where a setting asks for it.
 */
import { ForeignText } from "@effect-marketdata/core"
import { Clock, Config, Context, Data, Effect, FileSystem, Layer, Option, Path, Schedule } from "effect"
import { type CommandError, wrong } from "../failure/failure.ts"
import * as Place from "../settings/place.ts"
import * as Service from "../settings/service.ts"
import * as Settings from "../settings/settings.ts"

/** What is wrong with what is kept here. It takes nothing from a command, and is told by `--verbose` and by `doctor`. */
export class Troubles extends Context.Service<Troubles, {
  readonly tell: (text: string) => Effect.Effect<void>
  readonly told: Effect.Effect<ReadonlyArray<string>>
}>()("@effect-marketdata/cli/Troubles") {
  static readonly layer = Layer.sync(Troubles, () => {
    const texts = new Set<string>()
    return {
      tell: (text) => Effect.sync(() => void texts.add(ForeignText.line(text, 500))),
      told: Effect.sync(() => [...texts])
    }
  })
}

/** Where something is kept, and whether a setting asked for it: then a command fails where it cannot be. Or why it is kept nowhere. */
export type Where =
  | { readonly path: string; readonly isAsked: boolean }
  | { readonly path: undefined; readonly why: string }

/** A setting of on, off or a path, and the usual path. */
export interface Choice {
  readonly name: "cache" | "ledger"
  readonly setting: Config.Config<string>
  readonly usual: Effect.Effect<string | undefined, never, Path.Path>
  /** Whether another setting is for nothing without it. */
  readonly isNeeded?: boolean
}

/** The path of a choice, also where nothing is kept there. */
export const pathOf = Effect.fnUntraced(function*({ setting, usual }: Choice) {
  const chosen = Option.getOrElse(yield* Config.option(setting), () => "on")
  return { isOn: chosen !== "off", path: /^(?:on|off)$/.test(chosen) ? yield* usual : yield* Place.given(chosen) }
})

/** Where something is kept of a service. Fails where it is off, and another setting is for nothing without it. */
export const where = Effect.fnUntraced(function*(
  choice: Choice,
  { baseUrl, embedded }: Service.Service
): Effect.fn.Return<Where, Config.ConfigError | CommandError, Path.Path> {
  const nowhere = (why: string): Where => ({ path: undefined, why })
  const { isOn, path } = yield* pathOf(choice)
  if (embedded) return nowhere("of the embedded sandbox nothing is kept")
  if (!isOn && choice.isNeeded === true) {
    // What was to bound all commands together would bound none of them.
    const message = "an allowance needs the ledger, as a budget of a day or a job does, and the setting ledger is off"
    return yield* wrong("Ledger", `${message}. Nothing was sent.`, "see what sets it with `marketdata config list`")
  }
  if (!isOn) return nowhere(`the setting ${choice.name} is off`)
  const isAsked = choice.isNeeded === true || Option.isSome(yield* Config.option(choice.setting))
  if (path !== undefined && (isAsked || !Service.isHere(baseUrl))) return { path, isAsked }
  return isAsked
    ? yield* Place.nowhere
    : nowhere(`of a service on this machine nothing is kept without \`marketdata config set ${choice.name} on\``)
})

/** The usual file of the ledger. Sizes of chains are kept in it too. */
const usualLedger = Effect.gen(function*() {
  const path = yield* Path.Path
  const folder = yield* Place.data
  return folder === undefined ? undefined : path.join(folder, "ledger.db")
})

/** The setting of the ledger, its usual file, and whether there is an allowance, which only a ledger can keep. */
export const ledger = Effect.map(Config.option(Settings.config("allowance")), (allowance) => ({
  name: "ledger" as const,
  setting: Settings.config("ledger"),
  usual: usualLedger,
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
export const checkLedger = Effect.fnUntraced(function*(filename: string) {
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
    return yield* refused("it is empty, so what was recorded in it, if anything was, is lost; delete it to begin anew")
  }
})

/** Makes the folder of the file, for its user alone. What is wrong with it the database says. */
const makeFolderOf = (filename: string) =>
  Path.Path.use((path) => Effect.ignore(Place.makeFolder(path.dirname(filename))))

/** Makes sure of the file and its folder, which the database then opens. */
export const prepareLedger = (filename: string) => Effect.andThen(makeFolderOf(filename), checkLedger(filename))
