import type { Fault } from "../fault.ts"

const ledger = "packages/core/src/credits/Ledger.ts"
const window = "packages/core/src/account/allowanceWindow.ts"

/** What the book of credits could get wrong about allowances, which are the caller's to state. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "8.5-not-shown",
    file: ledger,
    find: "if (limit === Infinity) return undefined",
    replace: "if (limit === Infinity && bound <= 1000) return undefined"
  },
  { clause: "8.5-not-shown", file: ledger, find: "now < self.ends ? present", replace: "now < Infinity ? present" },
  {
    clause: "8.5-not-shown",
    file: ledger,
    find: "now < self.ends ? present",
    replace: "now <= self.ends ? present"
  },
  { clause: "8.5-not-shown", file: window, find: "9, 30)", replace: "0, 0)" },
  {
    clause: "8.5-not-shown",
    file: window,
    find: "{ start: today, end: opening(1) }",
    replace: "{ start: today, end: today + 86_400 }"
  },
  {
    clause: "8.5-not-shown",
    file: window,
    find: "{ start: opening(-1), end: today }",
    replace: "{ start: today - 86_400, end: today }"
  }
]
