/**
 * What accounts have spent: a window of credits for each, with a statement of its requests, and the log of all requests.
 *
 * A window keeps only its sum, an account its last windows and a log its last entries, so the memory of a sandbox that runs for days does not
 * grow. A clock that goes back, as by a fault, finds the sum of the window that it goes back to.
 *
 * @example
 * ```ts
 * import * as Billing from "@effect-marketdata/sandbox/Billing"
 *
 * const billing = Billing.make()
 * const spx = { time: 1795208400, account: "sandbox-paid", target: "/v1/options/chain/SPX/", status: 200, credits: 22_718 }
 * billing.record(spx, "day")
 * billing.record({ ...spx, time: spx.time + 86_400, credits: 1 }, "day")
 * billing.billed() // => 22719
 * billing.spent("sandbox-paid", "day", spx.time + 86_400) // => 1
 * ```
 *
 * @since 0.1.0
 */
import type * as Account from "@effect-marketdata/core/Account"
import * as Ledger from "@effect-marketdata/core/Ledger"
import * as Memo from "../market/memo.ts"

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
 * The statement of an account. `opened` and `resets` are the start and the end of the current window in epoch seconds (infinite if it never
 * ends), `allowance` is undefined if the account has no limit, `entries` are its last requests, the oldest first.
 *
 * @category models
 * @since 0.1.0
 */
export interface Statement {
  readonly opened: number
  readonly resets: number
  readonly allowance: number | undefined
  readonly spent: number
  readonly entries: ReadonlyArray<Entry>
}

/**
 * The ledgers of all accounts. They are written in place: those who share them run one request after the other. The window is the one of an
 * account's allowance, undefined where nothing limits it.
 *
 * - `record`: records a request
 * - `requests`: how many requests were recorded, those that the log has forgotten included
 * - `billed`: the credits billed to all accounts so far
 * - `spent`: those of one account, in the window that `now` lies in
 * - `balance`: what an allowance gives an account in that window, what is left of it, and when the window ends (infinite if it never does)
 * - `entries`: the last requests of all accounts, the oldest first
 * - `statement`: the statement of one account; empty if there is no such account, or it has sent no request
 *
 * @category models
 * @since 0.1.0
 */
export interface Billing {
  readonly record: (entry: Entry, window: Account.Window | undefined) => void
  readonly requests: () => number
  readonly billed: () => number
  readonly spent: (account: string, window: Account.Window | undefined, now: number) => number
  readonly balance: (
    account: string,
    allowance: Account.Allowance,
    now: number
  ) => { readonly limit: number; readonly remaining: number; readonly resets: number }
  readonly entries: () => ReadonlyArray<Entry>
  readonly statement: (account: string, allowance: Account.Allowance | undefined, now: number) => Statement
}

/**
 * How many requests a log keeps by default.
 *
 * @category constants
 * @since 0.1.0
 */
export const remembered = 1000

/** Opens a log of requests that remembers a number of entries: the newest takes the place of the oldest. */
const logOf = (capacity: number) => {
  const ring: Array<Entry> = []
  let count = 0
  return {
    add: (entry: Entry): void => {
      if (capacity > 0) ring[count % capacity] = entry
      count++
    },
    /** What it remembers, the oldest first. */
    entries: (): ReadonlyArray<Entry> => {
      const oldest = count > capacity ? count % capacity : 0
      return [...ring.slice(oldest), ...ring.slice(0, oldest)]
    },
    /** How many were ever added. */
    count: () => count
  }
}

/** The records of an account: its last requests, and the sums of the latest windows, by when they opened. */
interface Spending {
  readonly log: ReturnType<typeof logOf>
  readonly sums: Map<number, number>
}

/** The window of credits that a moment lies in: a request looks at it three times, and all of a second have the same. */
const windowAt = /* @__PURE__ */ Memo.recent(
  4,
  (window: Account.Window | undefined, now: number) => `${window} ${now}`,
  Ledger.windowAt
)

/** How many windows are kept of an account. */
const windowsKept = 100

/**
 * Opens the ledgers. Each log remembers a number of requests, `remembered` if left out.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (options: { readonly remembered?: number | undefined } = {}): Billing => {
  const capacity = options.remembered ?? remembered
  const log = logOf(capacity)
  const accounts = new Map<string, Spending>()
  let billed = 0
  const spendingOf = (account: string): Spending => {
    const spending = accounts.get(account) ?? { log: logOf(capacity), sums: new Map() }
    accounts.set(account, spending)
    return spending
  }
  const spentSince = (account: string, start: number): number => accounts.get(account)?.sums.get(start) ?? 0
  return {
    record: (entry, window) => {
      log.add(entry)
      billed += entry.credits
      if (entry.account === undefined) return
      const { log: own, sums } = spendingOf(entry.account)
      const opened = windowAt(window, entry.time).start
      const sum = (sums.get(opened) ?? 0) + entry.credits
      sums.delete(opened)
      sums.set(opened, sum)
      if (sums.size > windowsKept) sums.delete(sums.keys().next().value!)
      own.add(entry)
    },
    requests: log.count,
    billed: () => billed,
    spent: (account, window, now) => spentSince(account, windowAt(window, now).start),
    balance: (account, { credits, window }, now) => {
      const { end, start } = windowAt(window, now)
      return { limit: credits, remaining: credits - spentSince(account, start), resets: end }
    },
    entries: log.entries,
    statement: (account, allowance, now) => {
      const { end, start } = windowAt(allowance?.window, now)
      return {
        opened: start,
        resets: end,
        allowance: allowance?.credits,
        spent: spentSince(account, start),
        entries: accounts.get(account)?.log.entries() ?? []
      }
    }
  }
}
