/**
 * Laws of accounts, for whatever says what an account is served (contract 4.1, 5.8 and 8.2).
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as AccountLaws from "@effect-marketdata/testing/AccountLaws"
 * import * as Result from "effect/Result"
 *
 * // It refuses live data to unpaid accounts, which are served delayed data instead.
 * const serve: AccountLaws.Serve = (account, asked) =>
 *   account.plan === "paid" || asked.mode?._tag !== "Live"
 *     ? Account.serve(account, asked)
 *     : Account.serve(account, { ...asked, historical: false, mode: { _tag: "Cached", maxAge: undefined } })
 * const broken = AccountLaws.of(serve).filter((law) => Result.isFailure(Law.attempt(law, { seed: 1 })))
 * broken.map(({ clauses }) => clauses) // => [["5.8-premium-mode", "8.2-access", "7.1-402"], ["8.2-default", "5.8-premium-mode"]]
 * ```
 *
 * @since 0.1.0
 */
import { Account, DataMode } from "@effect-marketdata/core"
import * as fc from "fast-check"
import * as Accounts from "../arbitraries/Accounts.ts"
import * as Queries from "../arbitraries/Queries.ts"
import * as Law from "../harness/Law.ts"

/**
 * Says what an account is served for what it asks.
 *
 * @category models
 * @since 0.1.0
 */
export type Serve = (
  account: Account.Account,
  asked: Account.Asked
) => Account.Served | Account.NotInPlan | Account.Unavailable

const asking = fc.record({
  account: Accounts.account,
  // Two in three modes are cached ones, which say nothing of a user's data.
  mode: fc.oneof(Queries.mode, Queries.uncachedMode),
  historical: fc.boolean()
})

/** What an account is served, by the tables of the contract. */
const typeOf = ({ plan, user }: Account.Account, { historical, mode }: Account.Asked): string => {
  if (DataMode.isCached(mode)) return "cached"
  if (historical || user.type !== "nonProfessional") return "historical"
  return plan !== "paid" || mode?._tag === "Delayed" ? "delayed" : user.row
}

/**
 * The laws of what says what an account is served.
 *
 * @category laws
 * @since 0.1.0
 */
export const of = (serve: Serve): ReadonlyArray<Law.Law> => [
  Law.make({
    name: "unpaid accounts are refused cached data, and only those",
    clauses: ["5.8-premium-mode", "8.2-access", "7.1-402"],
    arbitrary: asking,
    holds: ({ account, historical, mode }) => {
      const isRefused = serve(account, { mode, historical })._tag === "NotInPlan"
      const isUnpaid = DataMode.isCached(mode) && account.plan !== "paid"
      // No plan has cached data of past days.
      return historical ? !isRefused || isUnpaid : isRefused === isUnpaid
    }
  }),
  Law.make({
    name: "cached data of past days are served to nobody",
    clauses: ["8.2-cached-unavailable"],
    arbitrary: asking.filter(({ mode }) => DataMode.isCached(mode)),
    holds: ({ account, mode }) => serve(account, { mode, historical: true })._tag !== "Served"
  }),
  Law.make({
    name: "data are as fresh as user type, plan and mode say, or cached",
    clauses: ["4.1-data-type-table", "1-kinds", "5.8-premium-mode", "8.2-timeliness"],
    arbitrary: asking,
    holds: ({ account, ...asked }) =>
      (["free", "trial", "paid"] as const).every((plan) => {
        const served = serve({ ...account, plan }, asked)
        return served._tag !== "Served" || served.dataType === typeOf({ ...account, plan }, asked)
      })
  }),
  Law.make({
    name: "an account that leaves the mode out, or asks for live data unpaid, is served as if it had named its default",
    clauses: ["8.2-default", "5.8-premium-mode"],
    arbitrary: fc.record({ account: Accounts.account, historical: fc.boolean() }),
    holds: ({ account, historical }) => {
      const mode = account.plan === "paid" ? DataMode.live : DataMode.delayed
      const named = serve(account, { mode, historical })
      return [undefined, DataMode.live].every((mode) => {
        const served = serve(account, { mode, historical })
        return served._tag === "Served" && named._tag === "Served" && served.dataType === named.dataType
      })
    }
  })
]

/**
 * The laws of core's accounts.
 *
 * @category laws
 * @since 0.1.0
 */
export const all: ReadonlyArray<Law.Law> = of(Account.serve)
