/**
 * The accounts of a sandbox: which token belongs to which plan, and which data it is entitled to.
 *
 * @example
 * ```ts
 * import * as Accounts from "@effect-marketdata/sandbox/Accounts"
 *
 * Accounts.defaults.map((account) => account.token) // => ["sandbox-paid", "sandbox-trial", "sandbox-free"]
 * ```
 *
 * @since 0.1.0
 */

/**
 * An account.
 *
 * - `token`: the secret that its requests carry
 * - `plan`: paid accounts choose their mode; free and trial ones are served delayed data, and have no cached data
 * - `dataType`: what its entitlements allow at best, whatever the plan; historical data lag until the last session is fully closed
 * - `allowance`: the credits of a day, from 9:30 New York time to 9:30
 *
 * @category models
 * @since 0.1.0
 */
export interface Account {
  readonly token: string
  readonly plan: "paid" | "trial" | "free"
  readonly dataType: "realTime" | "delayed" | "historical"
  readonly allowance: number
}

/**
 * One account of each plan, with a million credits a day.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaults: ReadonlyArray<Account> = [
  { token: "sandbox-paid", plan: "paid", dataType: "realTime", allowance: 1_000_000 },
  { token: "sandbox-trial", plan: "trial", dataType: "realTime", allowance: 1_000_000 },
  { token: "sandbox-free", plan: "free", dataType: "realTime", allowance: 1_000_000 }
]
