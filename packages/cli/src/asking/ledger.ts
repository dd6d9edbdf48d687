/**
 * What a command may spend: what was consented to and, where a ledger is configured, what is left of the allowance of all commands together. The
 * command has a ledger of its own in memory; the one in the file takes every step, too.
 */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as NewYork from "@effect-marketdata/core/NewYork"
import type * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import type * as Sqlite from "@effect-marketdata/sql/Sqlite"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import { CommandError } from "../failure/failure.ts"
import * as Own from "../settings/own.ts"
import * as Place from "../settings/place.ts"
import * as Words from "../text/words.ts"
import * as Connection from "./connection.ts"

type Service = CreditLedger.CreditLedger["Service"]

/** The file of the ledger: the one that is named or, where an allowance is set without one, `ledger.db` beside the settings. */
const file = Effect.gen(function*() {
  const path = yield* Path.Path
  const named = yield* Config.option(Own.ledger)
  if (Option.isSome(named)) {
    const home = (yield* Place.user) ?? "~"
    return named.value.replace(/^~(?=[/\\])/, () => home)
  }
  const allowance = yield* Config.option(Own.allowance)
  return Option.isNone(allowance) ? undefined : path.join(yield* Place.required(Place.home), "ledger.db")
})

/** An allowance that nothing reaches: the ledger only counts, and can be given an allowance later. */
const countsOnly = Number.MAX_SAFE_INTEGER

/** The ledger in a file, of the service that commands ask. The names say which one it is in the file. */
const optionsOf = Effect.fnUntraced(function*(
  filename: string,
  account: string
): Effect.fn.Return<SqlLedger.BudgetOptions & Sqlite.Options, Config.ConfigError> {
  const window = yield* Config.withDefault(Own.allowanceWindow, "day")
  return {
    filename,
    account: account.slice(0, 100),
    budget: `marketdata ${window}`,
    allowance: yield* Config.withDefault(Own.allowance, countsOnly),
    window
  }
})

/** Opens the ledger in the file. */
const open = Effect.fnUntraced(function*(filename: string, account: string) {
  const { layerSqlite } = yield* Effect.promise(() => import("@effect-marketdata/sql/SqlLedger"))
  const path = yield* Path.Path
  yield* Effect.ignore(Place.makeFolder(path.dirname(filename)))
  const options = yield* optionsOf(filename, account)
  return yield* Effect.mapError(
    Effect.map(Layer.build(layerSqlite(options)), (context) => Context.get(context, CreditLedger.CreditLedger)),
    (error) =>
      new CommandError({
        class: "usage",
        reason: "Ledger",
        message: `the ledger ${filename} cannot be used: ${error.message}. Nothing was sent.`,
        next: "name another file with `marketdata config set ledger PATH`"
      })
  )
})

/** The ledger of all commands; undefined where none is configured. Synthetic credits are not recorded: the embedded sandbox has none. */
export const shared = Effect.fnUntraced(function*({ baseUrl, embedded }: Connection.Connection["Service"]["service"]) {
  const filename = embedded ? undefined : yield* file
  return filename === undefined ? undefined : { filename, ledger: yield* open(filename, baseUrl) }
})

/** One ledger of two: a query needs the room of both, and every step is taken in both. What is read is the command's own. */
const both = (own: Service, all: Service): Service => ({
  ...own,
  reserve: (bound, query, ceiling) =>
    Effect.gen(function*() {
      const mine = yield* own.reserve(bound, query, ceiling)
      const ours = yield* Effect.onError(all.reserve(bound, query, ceiling), () => mine.settle)
      return {
        send: (bound, request) =>
          Effect.andThen(
            mine.send(bound, request),
            // What is not sent was not charged.
            Effect.onError(ours.send(bound, request), () => mine.charge({ credits: 0 }, request))
          ),
        charge: (charge, request, figures) =>
          Effect.andThen(mine.charge(charge, request, figures), ours.charge(charge, request, figures)),
        lose: (request, figures) => Effect.andThen(mine.lose(request, figures), ours.lose(request, figures)),
        settle: Effect.andThen(mine.settle, ours.settle)
      } satisfies CreditLedger.Reservation
    })
})

/** The ledger of a command that may spend this much. */
export const layer = (most: number) =>
  Layer.effect(
    CreditLedger.CreditLedger,
    Effect.gen(function*() {
      const own = yield* most === Infinity ? CreditLedger.makeUnlimited() : CreditLedger.makeMemory({ allowance: most })
      const { service } = yield* Connection.Connection
      const found = yield* shared(service)
      return found === undefined ? own : both(own, found.ledger)
    })
  )

/** What the ledger of all commands says of its current window; without an allowance there is no limit. */
export interface Figures {
  readonly charged: number
  readonly uncertain: number
  readonly available: number | null
  readonly ends: number | null
}

export const figures = ({ allowance, available, charged, ends, uncertain }: CreditLedger.Balance): Figures => ({
  charged,
  uncertain,
  available: allowance === countsOnly ? null : available,
  ends: ends === Infinity ? null : ends
})

/** The figures in one line. */
export const describe = ({ available, charged, ends, uncertain }: Figures): string =>
  `${Words.credits(charged)} spent${uncertain === 0 ? "" : `, and perhaps ${Words.credits(uncertain)} more`}` +
  (available === null ? "" : `; ${Words.credits(available)} left`) +
  (ends === null ? "" : ` until ${NewYork.format(ends)}`)
