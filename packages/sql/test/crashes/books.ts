/** The books at the end of a round: what the service billed, and what the ledger says. */
import type * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import { Effect, Stream } from "effect"
import * as Database from "./database.ts"

export type Books = Effect.Success<ReturnType<typeof read>>

/**
 * Opens a ledger in a database, and sets it beside the bill. `sent` are the requests that the ledger has as sent, and `lost` those of them that it has as
 * lost.
 */
export const read = (database: string, budget: SqlLedger.BudgetOptions, bill: Record<"requests" | "billed", number>) =>
  Effect.gen(function*() {
    const { charged, overdrawn, reserved, uncertain } = yield* (yield* SqlLedger.make(budget)).balance
    const events = yield* Stream.runCollect(Stream.map(SqlLedger.history(budget), ({ event }) => event))
    const told = (tag: CreditLedger.Event["_tag"]) => events.filter(({ _tag }) => _tag === tag).length
    const { allowance } = budget
    const [sent, lost] = [told("Sent"), told("Lost")]
    return { ...bill, charged, uncertain, reserved, overdrawn, allowance, sent, lost }
  }).pipe(Effect.scoped, Effect.provide(Database.open(database)))

/** What is wrong with the books; empty where nothing is. */
export const complaints = (books: Books): ReadonlyArray<string> => {
  const { allowance, billed, charged, overdrawn, requests, reserved, sent, uncertain } = books
  const claims: ReadonlyArray<readonly [holds: boolean, otherwise: string]> = [
    [reserved === 0, `${reserved} credits are still reserved`],
    [
      billed <= allowance + overdrawn,
      `${billed} credits were billed of ${allowance}, with ${overdrawn} of named overruns`
    ],
    [charged + uncertain <= allowance + overdrawn, `${charged} and ${uncertain} credits were spent of ${allowance}`],
    [charged <= billed, `${charged} credits are recorded as charged, and ${billed} were billed`],
    [billed <= charged + uncertain, `${billed} credits were billed, and ${charged} and ${uncertain} are in the ledger`],
    [requests <= sent, `${requests} requests reached the service, and ${sent} are in the ledger`]
  ]
  return claims.flatMap(([holds, otherwise]) => holds ? [] : [otherwise])
}
