import * as Effect from "effect/Effect"
import { of, type Seam } from "../../../../core/test/support/seam.ts"

const AddressState = of(() => import("../../../src/address/addressState.ts"))
const Leases = of(() => import("../../../src/ledger/leases.ts"))
const LedgerState = of(() => import("../../../src/ledger/ledgerState.ts"))
const Pruning = of(() => import("../../../src/ledger/pruning.ts"))
const LedgerTable = of(() => import("../../../src/ledger/ledgerTable.ts"))
const SqlLedger = of(() => import("@effect-marketdata/sql/SqlLedger"))

/** The tests that should find them, as `client/retry` for one of the client's. */
export const tests = [
  "sql/SqlChainSizes",
  "sql/SqlIpGuard",
  "sql/SqlLedger",
  "sql/addressState",
  "sql/claims",
  "sql/failures",
  "sql/laws"
]

/** What programs with one database would do to each other. */
export const faults: ReadonlyArray<Seam> = [
  AddressState.tried(
    "a lost trial lifts the suspicion of a block",
    (tried) => (state, owner) => tried(state, owner, true)
  ),
  AddressState.renew("a sender renews the leases of others", () => (state, _owner, expires) => ({
    ...state,
    senders: state.senders.map((sender) => ({ ...sender, expires }))
  })),
  AddressState.leave("a program that leaves takes the others with it", (leave) => (state, owner, at) => ({
    ...leave(state, owner, at),
    senders: []
  })),
  AddressState.expire("a lease that is over counts from now on", (expire) => (state, now) =>
    expire({
      ...state,
      senders: state.senders.map((sender) => sender.expires <= now ? { ...sender, expires: now } : sender)
    }, now)),
  AddressState.enter(
    "two addresses send together",
    (enter) => (state, asking, now) => enter({ ...state, senders: [] }, asking, now)
  ),
  AddressState.blocked("a block is forgotten", () => (state) => state),
  Leases.expired(
    "reservations are closed whose leases are not over",
    (expired) => (sql, owner, now) => expired(sql, owner, now + 3600)
  ),
  Leases.expired(
    "a program closes what it holds itself",
    (expired) => (sql, owner, now) => expired(sql, { ...owner, owner: "nobody" }, now)
  ),
  Leases.renew(
    "a program renews the leases of others",
    () => (sql, { account, budget }, seconds) =>
      Effect.asVoid(sql`UPDATE marketdata_lease SET expires = expires + ${seconds}
      WHERE account = ${account} AND budget = ${budget}`)
  ),
  LedgerState.encode(
    "what is reserved is not written down",
    (encode) => (ledger) => encode({ ...ledger, reservations: new Map() })
  ),
  LedgerState.encode("what was charged is not written down", (encode) => (ledger) => encode({ ...ledger, charged: 0 })),
  Pruning.forever("the history is removed before its time", (forever) => (sql, owner) => forever(sql, owner, 0)),
  SqlLedger.claimed(
    "a claim that nobody knows costs nothing",
    (claimed) => (claim) =>
      Effect.map(claimed(claim), (known) => known ?? { state: "charged", credits: 0, uncertain: 0 } as never)
  ),
  LedgerTable.firstSent("a claim that was sent is sent again", () => () => Effect.succeed(undefined))
]
