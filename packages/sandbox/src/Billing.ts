/**
 * What accounts have spent: a daily window that opens at 9:30 New York time, and a statement of every request.
 *
 * @example
 * ```ts
 * import * as Billing from "@effect-marketdata/sandbox/Billing"
 *
 * const entry = { time: 1795208400, account: "sandbox-paid", target: "/v1/options/chain/SPX/", status: 200, credits: 22_718 }
 * Billing.billed(Billing.record(Billing.empty, entry)) // => 22718
 * ```
 *
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Eastern from "@effect-marketdata/core/Eastern"

/**
 * One request that reached the service: when (epoch seconds), for which account (its token; undefined for none), the target with any token
 * taken out, the status, and the credits billed.
 *
 * @category models
 * @since 0.1.0
 */
export interface Entry {
  readonly time: number
  readonly account: string | undefined
  readonly target: string
  readonly status: number
  readonly credits: number
}

/**
 * All requests, the oldest first.
 *
 * @category models
 * @since 0.1.0
 */
export interface Billing {
  readonly entries: ReadonlyArray<Entry>
}

/**
 * Nothing billed yet.
 *
 * @category constructors
 * @since 0.1.0
 */
export const empty: Billing = { entries: [] }

/**
 * Books a request.
 *
 * @category transitions
 * @since 0.1.0
 */
export const record = (self: Billing, entry: Entry): Billing => ({ entries: [...self.entries, entry] })

/**
 * Returns the credits billed to all accounts, or to one, since a time in epoch seconds.
 *
 * @category getters
 * @since 0.1.0
 */
export const billed = (self: Billing, account?: string, since = -Infinity): number =>
  self.entries.reduce(
    (sum, entry) =>
      entry.time >= since && (account === undefined || entry.account === account) ? sum + entry.credits : sum,
    0
  )

/**
 * Returns the window of allowances around a time: from 9:30 New York time to 9:30 of the next day, in epoch seconds.
 *
 * @category getters
 * @since 0.1.0
 */
export const windowOf = (now: number): { readonly opened: number; readonly resets: number } => {
  const today = Eastern.dateOf(now)
  const at = (days: number) => Eastern.at(CalendarDate.addDays(today, days), 9, 30)
  return now >= at(0) ? { opened: at(0), resets: at(1) } : { opened: at(-1), resets: at(0) }
}
