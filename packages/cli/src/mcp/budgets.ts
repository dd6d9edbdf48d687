/**
 * What a session may spend, in one place: every request of every tool needs room in the ledger of its call, of the session, of the day, of the job, and of
 * all commands. Each step is taken in all of them, so that no order of calls, no lost reply and no restart spends more than the least of them has.
 */
import { CreditLedger } from "@effect-marketdata/client"
import { Effect } from "effect"
import type { Service } from "../settings/service.ts"
import * as Ledger from "../asking/ledger.ts"

/** The budgets of a command line: those that are left out do not hold. */
export interface Limits {
  readonly session: number
  readonly day: number | undefined
  readonly job: { readonly name: string; readonly most: number | undefined } | undefined
}

/** One budget: what is in it, and how much of it is gone. */
export type Budget = Ledger.Figures & { readonly name: string; readonly allowance: number }

/** What is left of all of them together. */
export const left = (all: ReadonlyArray<Budget>): number =>
  Math.max(0, Math.min(...all.map(({ available }) => available ?? Infinity)))

/** The ledger that is all of them, and how each of them stands. They last as long as the scope. */
export const make = Effect.fnUntraced(function*({ day, job, session }: Limits, service: Service) {
  const shared = yield* Ledger.shared(service)
  const own = yield* CreditLedger.makeMemory({ allowance: session })
  const kept = (name: string, allowance: number | undefined, window: "day" | "none") =>
    allowance === undefined ? Effect.succeed([]) : Effect.map(
      Ledger.beside(service, { budget: name, allowance, window }),
      (ledger) => [{ name, ledger, balance: ledger.balance }]
    )
  const ledgers = [
    { name: "session", ledger: own, balance: own.balance },
    ...yield* kept("mcp day", day, "day"),
    ...yield* kept(`mcp job ${job?.name}`, job?.most, "none"),
    ...shared === undefined ? [] : [{ ...shared, name: "all commands" }]
  ]
  const told = ({ balance, name }: typeof ledgers[number]) =>
    Effect.map(
      Effect.orElseSucceed(balance, () => undefined),
      (balance): ReadonlyArray<Budget> =>
        balance === undefined ? [] : [{ name, allowance: balance.allowance, ...Ledger.figures(balance) }]
    )
  return {
    ledger: ledgers.map(({ ledger }) => ledger).reduce(CreditLedger.both),
    all: Effect.map(Effect.forEach(ledgers, told), (all) => all.flat())
  }
})
