import type { Fault } from "../fault.ts"

const ledger = "packages/client/src/CreditLedger.ts"

/** What the client could get wrong about budgets, which are the caller's to state. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "8.5-not-shown",
    file: ledger,
    find: "keep(() => Ledger.make(), options)",
    replace: "keep(() => Ledger.make(10_000), options)"
  },
  {
    clause: "8.5-not-shown",
    file: ledger,
    find: "Account.allowance(account, profile)",
    replace: `Account.allowance(account, profile ?? "public")`
  },
  {
    clause: "8.5-not-shown",
    file: ledger,
    find: ", window: allowance.window",
    replace: ""
  }
]
