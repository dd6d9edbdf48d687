/**
 * What commands keep on this machine: the cache of replies, the ledger of what they spend and, in its database, the sizes of chains that they have seen, which
 * bound what queries cost. Nothing of the embedded sandbox is kept: synthetic data must never be taken for real. For a service on this machine, where another may
 * answer tomorrow, they are kept only if a setting asks for it.
 */
import { ChainSizes } from "@effect-marketdata/client"
import { Credits, ForeignText, Plan, type Query } from "@effect-marketdata/core"
import { Clock, Config, Context, Data, Effect, FileSystem, Layer, Option, Path, Schedule } from "effect"
import { wrong } from "../failure/failure.ts"
import * as Place from "../settings/place.ts"
import * as Settings from "../settings/settings.ts"

/** What is wrong with the cache or the ledger. It fails no command; `--verbose` and `doctor` show it. */
export class Troubles extends Context.Service<Troubles, Set<string>>()("@effect-marketdata/cli/Troubles") {
  static readonly layer = Layer.sync(Troubles, () => new Set())
}

/** Adds what is wrong. */
export const tell = (text: string, troubles: Set<string>): Effect.Effect<void> =>
  Effect.sync(() => void troubles.add(ForeignText.line(text, 500)))

/** Where each is kept unless its setting is a path. The file of the ledger also holds sizes of chains. */
const usual = {
  cache: Place.cache,
  ledger: Effect.gen(function*() {
    const path = yield* Path.Path
    const folder = yield* Place.data
    return folder === undefined ? undefined : path.join(folder, "ledger.db")
  })
}

/** What is kept, by the name of the setting that says where. */
export type Name = keyof typeof usual

/** The path of what is kept, also if it is off. */
export const pathOf = Effect.fnUntraced(function*(name: Name) {
  const chosen = yield* Config.withDefault(Settings.config(name), "on")
  return { isOn: chosen !== "off", path: /^(?:on|off)$/.test(chosen) ? yield* usual[name] : yield* Place.given(chosen) }
})

const isSet = (name: "allowance" | Name) => Config.map(Config.option(Settings.config(name)), Option.isSome)

/**
 * Where something of a service is kept, or why it is not. If a setting asked for it (`isAsked`), a command fails when it cannot be kept. Fails if it is off but
 * needed: an allowance needs the ledger.
 */
export const where = Effect.fnUntraced(function*(name: Name, service: Settings.Service, isBudget = false) {
  const nowhere = (why: string) => ({ path: undefined, why })
  const isNeeded = isBudget || (name === "ledger" && (yield* isSet("allowance")))
  const { isOn, path } = yield* pathOf(name)
  if (service.embedded) return nowhere("of the embedded sandbox nothing is kept")
  if (!isOn && isNeeded) {
    // The allowance of all commands would bound none.
    const message = "an allowance needs the ledger, as a budget of a day or a job does, and the setting ledger is off"
    return yield* wrong("Ledger", `${message}. Nothing was sent.`, "see what sets it with `marketdata config list`")
  }
  if (!isOn) return nowhere(`the setting ${name} is off`)
  const isAsked = isNeeded || (yield* isSet(name))
  if (path !== undefined && (isAsked || !Settings.isHere(service.baseUrl))) return { path, isAsked }
  if (isAsked) return yield* Place.nowhere
  return nowhere(`of a service on this machine nothing is kept without \`marketdata config set ${name} on\``)
})

/** Why the file of the ledger is not opened. */
export class LedgerFileError extends Data.TaggedError("LedgerFileError")<{ readonly message: string }> {}

const refused = (message: string): Effect.Effect<never, LedgerFileError> =>
  Effect.fail(new LedgerFileError({ message }))

/**
 * Fails if the file must not be opened: anybody could replace it; or it is a pipe, for which SQLite would wait for ever; or it is empty, which SQLite would take
 * for a new database, so that history and allowance were lost silently. A file that another command is creating is empty for a moment: that is waited for.
 */
export const checkLedger = Effect.fnUntraced(function*(filename: string) {
  const files = yield* FileSystem.FileSystem
  const found = Effect.orElseSucceed(files.stat(filename), () => undefined)
  const made = yield* Effect.repeat(found, {
    schedule: Schedule.spaced("20 millis"),
    times: 25,
    while: (info) => info?.type === "File" && info.size === 0n
  }).pipe(
    // The other process takes real time, also in a test with a virtual clock.
    Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
  )
  if (yield* Place.everybodyMay((yield* Path.Path).dirname(filename))) {
    return yield* refused("everybody may change its folder; type chmod o-w for it")
  }
  // SQLite opens the journals too, and would wait for a pipe.
  for (const end of ["-wal", "-shm", "-journal"]) {
    const journal = yield* Effect.orElseSucceed(files.lstat(filename + end), () => undefined)
    if (journal === undefined) continue
    if (journal.type !== "File") return yield* refused(`its journal, whose name ends with ${end}, is not a file`)
    // SQLite would overwrite a hard link's other file.
    if (Option.getOrElse(journal.nlink, () => 1) > 1) {
      return yield* refused(`its journal, whose name ends with ${end}, has another name elsewhere; delete it`)
    }
  }
  if (made === undefined) return
  if (made.type !== "File") return yield* refused("it is not a file")
  if (made.size === 0n) {
    return yield* refused("it is empty, so what was recorded in it, if anything was, is lost; delete it to begin anew")
  }
})

/** Makes the folder, for its user alone, and checks the file, before the database is opened. If the folder cannot be made, opening says why. */
export const prepareLedger = (file: string) =>
  Effect.andThen(Path.Path.use(({ dirname }) => Effect.ignore(Place.makeFolder(dirname(file)))), checkLedger(file))

const openSizes = Effect.fnUntraced(function*(service: Settings.Service, isReadOnly: boolean) {
  const found = yield* where("ledger", service)
  if (found.path === undefined) return Context.empty()
  const files = yield* FileSystem.FileSystem
  if (isReadOnly && !(yield* Effect.orElseSucceed(files.exists(found.path), () => false))) return Context.empty()
  const { layerSqlite } = yield* Effect.promise(() => import("@effect-marketdata/sql/SqlChainSizes"))
  // A broken database is reported where the ledger opens it. Here an unknown size only means that consent may be asked for.
  const opened = Effect.andThen(prepareLedger(found.path), Layer.build(layerSqlite({ filename: found.path })))
  return yield* Effect.orElseSucceed(opened, () => Context.empty())
})

/**
 * The sizes of chains that were seen of a service, which bound the price of the next chain; a client with this layer records those that it sees. If the database
 * cannot be read, no size is known. With `isReadOnly` none is created.
 */
export const sizes = (service: Settings.Service, isReadOnly = false) =>
  Layer.effectContext(Effect.map(openSizes(service, isReadOnly), (context): Context.Context<never> => context))

/** The most that queries may cost together. */
export const boundOf = (estimates: ReadonlyArray<Credits.Estimate>): number =>
  estimates.reduce((sum, estimate) => sum + Credits.bound(estimate), 0)

/** What is known of the size of a query's chain, as prices take it. */
export const seenOf = Effect.fnUntraced(function*(query: Query.Query, baseUrl: string) {
  const sizes = yield* Effect.serviceOption(ChainSizes.ChainSizes)
  if (Option.isNone(sizes)) return {}
  return { seen: yield* Effect.provideService(ChainSizes.seen(query, baseUrl), ChainSizes.ChainSizes, sizes.value) }
})

/** What queries cost, each with a ceiling of live data, by the sizes of chains that were seen of a service. */
export const pricesOf = (queries: ReadonlyArray<Query.Query>, baseUrl: string, fallbackUpTo?: number) => {
  const priceOf = (query: Query.Query) =>
    Effect.map(seenOf(query, baseUrl), (seen) => Plan.capped(query, Credits.estimate(query, seen), fallbackUpTo))
  return Effect.forEach(queries, priceOf)
}
