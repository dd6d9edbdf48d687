/**
 * What a command may spend: what was consented to and, with an allowance, what is left of it for all commands together. Each step is recorded in a ledger of
 * the command in memory, and in the file of all commands. Unless a setting asked for that file, a command runs without it if it cannot be used.
 */
import { Claim, CreditLedger } from "@effect-marketdata/client"
import { ForeignText, NewYork } from "@effect-marketdata/core"
import { LedgerUnavailable } from "@effect-marketdata/core/Reason"
import type { SqlLedger } from "@effect-marketdata/sql"
import { Config, Context, Effect, Layer, Result } from "effect"
import { hostname, userInfo } from "node:os"
import { wrong } from "../failure/failure.ts"
import { Output } from "../output/output.ts"
import * as Settings from "../settings/settings.ts"
import * as Words from "../text/words.ts"
import * as Connection from "./connection.ts"
import * as Kept from "./kept.ts"

/** Who asks, in the history: user, machine and program. */
const askedBy = (): string => {
  const user = Result.getOrElse(Result.try(() => userInfo().username), () => "somebody")
  return `${user} on ${hostname()}: marketdata`.slice(0, 100)
}

/** The name of a service in the ledger. */
export const accountOf = (baseUrl: string): string => Settings.normalAddress(baseUrl).slice(0, 100)

/** How the names of agents' budgets begin. Each of these budgets has a request once more. */
export const ofAgents = "mcp "

/** A budget beside that of all commands, by its name in the file. */
export type Beside = Required<Pick<SqlLedger.BudgetOptions, "allowance" | "window" | "budget">>

/** Opens the ledger of a service in a file, where names say which one it is. Without an allowance it only counts. */
const open = Effect.fnUntraced(function*(filename: string, baseUrl: string, budget?: Beside) {
  const { layerSqlite } = yield* Effect.promise(() => import("@effect-marketdata/sql/SqlLedger"))
  yield* Kept.prepareLedger(filename)
  const window = yield* Config.withDefault(Settings.config("allowanceWindow"), "day")
  const ledger = layerSqlite({
    filename,
    account: accountOf(baseUrl),
    budget: `marketdata ${window}`,
    askedBy: askedBy(),
    allowance: yield* Config.withDefault(Settings.config("allowance"), Infinity),
    window,
    ...budget
  })
  return Context.get(yield* Layer.build(ledger), CreditLedger.CreditLedger)
})

/** The reservation where the ledger cannot be used and need not be: nothing is recorded. */
const uncounted: CreditLedger.Reservation = {
  send: () => Effect.void,
  charge: () => Effect.succeed(0),
  markLost: () => Effect.void,
  settle: Effect.void
}

const unusable = ["DatabaseError", "LedgerFileError"] as const

/** Opens a ledger that is needed, and says why it cannot be used. */
const needed = (file: string, baseUrl: string, budget?: Beside) =>
  Effect.catchTag(open(file, baseUrl, budget), unusable, ({ message }) => {
    const why = `the ledger ${ForeignText.line(file)} cannot be used: ${message}. Nothing was sent.`
    return Effect.fail(wrong("Ledger", why, "correct that; `marketdata config set ledger PATH` begins an empty one"))
  })

/** The ledger of all commands; undefined if none is kept for the service. If it cannot be used, the command fails only if a setting asked for it. */
export const shared = Effect.fnUntraced(function*({ baseUrl, embedded }: Settings.Service) {
  const where = yield* Kept.where("ledger", { baseUrl, embedded })
  if (where.path === undefined) return undefined
  const { isAsked, path: file } = where
  if (isAsked) {
    const ledger = yield* needed(file, baseUrl)
    return { file, ledger, balance: ledger.balance }
  }
  const troubles = yield* Kept.Troubles
  const lost = ({ message }: { readonly message: string }) =>
    Kept.tell(`what commands spend cannot be recorded in ${file}: ${message}`, troubles)
  /** Gives `otherwise` if the ledger cannot be used. A call with a key then fails: where the key is not recorded, it would be paid again. */
  const spared = <A, E extends { readonly _tag: string }, B>(step: Effect.Effect<A, E>, otherwise: B) =>
    step.pipe(Effect.catch(Effect.fnUntraced(function*(error: E) {
      if (!(error instanceof LedgerUnavailable) || (yield* Claim.Current)) return yield* Effect.fail(error)
      yield* lost(error)
      return otherwise
    })))
  const own = yield* Effect.catchTag(open(file, baseUrl), unusable, (error) => Effect.as(lost(error), undefined))
  if (own === undefined) return undefined
  const ledger: CreditLedger.CreditLedger["Service"] = {
    ...own,
    reserve: (bound, query, ceiling) =>
      Effect.map(spared(own.reserve(bound, query, ceiling), uncounted), (reservation) => ({
        ...reservation,
        send: (bound, request) => spared(reservation.send(bound, request), undefined)
      }))
  }
  return { file, ledger, balance: spared(own.balance, undefined) }
})

/** Opens another budget in the same file; in memory if no ledger is kept for the service, such as the embedded sandbox. */
export const beside = Effect.fnUntraced(function*(service: Settings.Service, budget: Beside) {
  const where = yield* Kept.where("ledger", service, true)
  if (where.path === undefined) return yield* CreditLedger.makeMemory(budget)
  return yield* needed(where.path, service.baseUrl, budget)
})

/** Why what was spent is not recorded; undefined if it is. Reading the balance writes what could not be written before. */
export const unrecorded = ({ balance }: CreditLedger.CreditLedger["Service"]) =>
  Effect.catch(Effect.asVoid(balance), ({ _tag: reason, said }) => {
    const message = `what was spent is not recorded: ${said.what}. There it counts as the most that it may have cost`
    return Effect.succeed({ reason, message })
  })

/** Tells at the end of a command that what it spent is not recorded. */
const sayWhatIsNotRecorded = Effect.fnUntraced(function*(ledger: CreditLedger.CreditLedger["Service"]) {
  const { isJson, note } = yield* Output
  const warning = yield* unrecorded(ledger)
  if (!warning) return
  const text = isJson ? JSON.stringify({ version: 1, warning }) : `warning: ${warning.message}`
  yield* note([isJson ? text : { text, means: "warning" }])
})

/** The ledger of a command that may spend this much at a service. */
export const make = Effect.fnUntraced(function*(service: Settings.Service, most: number) {
  const own = yield* most === Infinity ? CreditLedger.makeUnlimited() : CreditLedger.makeMemory({ allowance: most })
  const found = yield* shared(service)
  if (found === undefined) return own
  yield* Effect.addFinalizer(() => sayWhatIsNotRecorded(found.ledger))
  return CreditLedger.both(own, found.ledger)
})

/** The same at the service of the connection. */
export const layer = (most: number) =>
  Layer.effect(CreditLedger.CreditLedger, Connection.Connection.use(({ service }) => make(service, most)))

/** The figures of the current window; `available` and `ends` are null without a limit. */
export const figures = ({ allowance, available, charged, ends, reserved, uncertain }: CreditLedger.Balance) => ({
  charged,
  uncertain,
  reserved,
  available: allowance === Infinity ? null : available,
  ends: ends === Infinity ? null : ends
})

export type Figures = ReturnType<typeof figures>

/** The figures in one line. */
export const describe = ({ available, charged, ends, reserved, uncertain }: Figures): string =>
  `${Words.credits(charged)} spent${Words.perhaps(uncertain)}` +
  (reserved === 0 ? "" : `; ${Words.credits(reserved)} reserved now`) +
  (available === null ? "" : `; ${Words.credits(Math.max(0, available))} left`) +
  (ends === null ? "" : ` until ${NewYork.format(ends)}`)

/** The file and the figures of the ledger; undefined if none is kept for the service, or if it cannot be read. */
export const read = Effect.fnUntraced(function*(service: Settings.Service) {
  const found = yield* shared(service)
  const balance = found && (yield* found.balance)
  return balance && { file: found.file, ...figures(balance) }
})

/** What is left in the ledger, as the prompt for consent says it; undefined where there is no ledger. */
export const left = (service: Settings.Service) => {
  const ledger = Effect.scoped(Effect.provide(read(service), Kept.Troubles.layer))
  return Effect.map(ledger, (ledger) => ledger && `the ledger: ${describe(ledger)}`)
}

/** The balance of what this command may spend. It is in memory, where it can always be read. */
export const balance = Effect.orDie(CreditLedger.CreditLedger.use(({ balance }) => balance))
