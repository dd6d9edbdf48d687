/**
 * What a session may spend, in one place: every request of every tool needs room in the ledger of its call, of the session, of the day, of the job, and of
 * all commands. Each step is taken in all of them, so that no order of calls, no lost reply and no restart spends more than the least of them has.
 */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Connection from "../asking/connection.ts"
import * as Ledger from "../asking/ledger.ts"

/** The budgets of a command line: those that are left out do not hold. */
export interface Limits {
  readonly session: number
  readonly day: number | undefined
  readonly job: { readonly name: string; readonly most: number | undefined } | undefined
}

/** The ledger of the call that a fiber makes. */
export const OfCall = Context.Reference<CreditLedger.CreditLedger["Service"] | undefined>(
  "@effect-marketdata/cli/mcp/OfCall",
  { defaultValue: () => undefined }
)

/** One budget: what is in it, and how much of it is gone. */
export interface Budget extends Omit<Ledger.Figures, "ends"> {
  readonly name: string
  readonly allowance: number
  readonly ends: number | null
}

/** All budgets of a session, as they stand. */
export class Budgets extends Context.Service<Budgets, {
  readonly all: Effect.Effect<ReadonlyArray<Budget>>
}>()("@effect-marketdata/cli/mcp/Budgets") {}

type Service = CreditLedger.CreditLedger["Service"]

/** What is left of all of them together. */
export const left = (all: ReadonlyArray<Budget>): number =>
  Math.max(0, Math.min(...all.map(({ available }) => available ?? Infinity)))

export const layer = ({ day, job, session }: Limits) =>
  Layer.effectContext(Effect.gen(function*() {
    const { service } = yield* Connection.Connection
    const shared = yield* Ledger.shared(service)
    const beside = (name: string, allowance: number, window: "day" | "none") =>
      Effect.map(
        Ledger.beside(service, { budget: name, allowance, window }),
        (ledger) => ({ name, ledger, spared: identity })
      )
    const ledgers: ReadonlyArray<{ readonly name: string; readonly ledger: Service; readonly spared: Ledger.Spared }> =
      [
        { name: "session", ledger: yield* CreditLedger.makeMemory({ allowance: session }), spared: identity },
        ...day === undefined ? [] : [yield* beside("mcp day", day, "day")],
        ...job?.most === undefined ? [] : [yield* beside(`mcp job ${job.name}`, job.most, "none")],
        ...shared === undefined ? [] : [{ ...shared, name: "all commands" }]
      ]
    const [first, ...others] = ledgers
    const together = others.reduce((own, other) => Ledger.both(own, other), first!.ledger)
    return Context.make(CreditLedger.CreditLedger, {
      ...together,
      reserve: (bound, query, ceiling) =>
        Effect.flatMap(OfCall, (own) =>
          (own === undefined ? together : Ledger.both(own, { ledger: together, spared: identity }))
            .reserve(bound, query, ceiling))
    }).pipe(Context.add(Budgets, {
      all: Effect.map(
        Effect.forEach(ledgers, ({ ledger, name, spared }) =>
          Effect.map(
            Effect.orElseSucceed(spared(ledger.balance, undefined), () =>
              undefined),
            (balance) =>
              balance === undefined ? [] : [{ name, allowance: balance.allowance, ...Ledger.figures(balance) }]
          )),
        (all) => all.flat()
      )
    }))
  }))
