/**
 * The windows of a ledger by the clocks of programs, which may be set back. A clock that is set back gives no room, however often: what was spent counts on,
 * in the window of the earlier time, and a window that has begun before is entered as it is.
 */
import * as Ledger from "@effect-marketdata/core/Ledger"
import * as Clocks from "../database/clocks.ts"

/** How many windows are remembered. */
const most = 20

/** Whether a clock was set back since the ledger was written; within what clocks may differ the ledger's own time holds. */
export const isBack = (ledger: Ledger.Ledger, now: number): boolean => ledger.now - now > Clocks.tolerance

/** The ledger in the window of a time, without a new allowance where that has begun before. `begun` is when those windows end. */
export const at = (ledger: Ledger.Ledger, begun: ReadonlyArray<number>, now: number): Ledger.Ledger => {
  const present = isBack(ledger, now) ? { ...ledger, now } : ledger
  if (ledger.window === "none" || present === ledger && now < ledger.ends) return present
  const { end } = Ledger.windowAt(ledger.window, Math.max(present.now, now))
  return end < ledger.ends || begun.includes(end) ? { ...present, ends: end } : present
}

/** Remembers the window of a ledger. */
export const remember = (begun: ReadonlyArray<number>, { ends }: Ledger.Ledger): ReadonlyArray<number> =>
  ends === Infinity || begun.includes(ends) ? begun : [...begun, ends].slice(-most)
