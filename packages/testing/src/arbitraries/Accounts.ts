/**
 * Accounts and their allowances, for fast-check.
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Accounts from "@effect-marketdata/testing/Accounts"
 * import * as fc from "fast-check"
 *
 * const unpaid = Accounts.account.filter(({ plan }) => plan !== "paid")
 * const [account] = fc.sample(unpaid, { seed: 1, numRuns: 1 })
 * Account.serve(account!, { mode: DataMode.cached(), historical: false })._tag // => "NotInPlan"
 * ```
 *
 * @since 0.1.0
 */
import * as Account from "@effect-marketdata/core/Account"
import * as fc from "fast-check"

/**
 * Users: non-professional in both rows, professional, unknown.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const user: fc.Arbitrary<Account.User> = fc.constantFrom(
  Account.nonProfessional("realTime"),
  Account.nonProfessional("delayed"),
  Account.professional,
  Account.unknown
)

/**
 * Allowances: up to 200,000 credits, none included, in every window.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const allowance: fc.Arbitrary<Account.Allowance> = fc.record({
  credits: fc.oneof(fc.nat({ max: 200_000 }), fc.nat({ max: 100 })),
  window: fc.constantFrom("day", "minute", "none")
})

/**
 * Accounts of the contract: every plan with every user, and what the caller knows of their credits. The plans of the public service are left
 * aside.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const account: fc.Arbitrary<Account.Account> = fc.record({
  plan: fc.constantFrom<Account.Plan>("free", "trial", "paid"),
  user,
  allowance: fc.option(allowance, { nil: undefined })
}).map(Account.make)
