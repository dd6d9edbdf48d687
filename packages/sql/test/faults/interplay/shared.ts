import type * as IpGuard from "@effect-marketdata/client/IpGuard"
import { Clock, Effect } from "effect"
import { of, type Seam } from "../../../../core/test/support/seam.ts"

const Clocks = of(() => import("../../../src/database/clocks.ts"))
const LedgerState = of(() => import("../../../src/ledger/ledgerState.ts"))
const AddressState = of(() => import("../../../src/address/addressState.ts"))
const Leases = of(() => import("../../../src/ledger/leases.ts"))
const Migrations = of(() => import("../../../src/database/migrations.ts"))
const LedgerTable = of(() => import("../../../src/ledger/ledgerTable.ts"))
const SqlIpGuard = of(() => import("@effect-marketdata/sql/SqlIpGuard"))
const SqlReplyCache = of(() => import("@effect-marketdata/sql/SqlReplyCache"))
const SqlLedger = of(() => import("@effect-marketdata/sql/SqlLedger"))
const Transaction = of(() => import("../../../src/database/transaction.ts"))

/** The tests that should find them, as `client/retry` for one of the client's. */
export const tests = `
  sql/SqlChainSizes sql/SqlIpGuard sql/SqlLedger sql/SqlReplyCache sql/addressState sql/claims
  sql/clocks sql/failures sql/groupCommit sql/laws sql/migrations sql/silence
`.trim().split(/\s+/)

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
    () => (sql, { account, budget }, seconds, within) =>
      Effect.asVoid(within(sql`UPDATE marketdata_lease SET expires = expires + ${seconds}
      WHERE account = ${account} AND budget = ${budget}`))
  ),
  LedgerState.encodeReservation(
    "what is reserved is not written down",
    (encode) => (reservation) => encode({ ...reservation, bound: 0 })
  ),
  LedgerState.encode("what was charged is not written down", (encode) => (ledger) => encode({ ...ledger, charged: 0 })),
  LedgerTable.prune(
    "the history is removed too early",
    (prune) => (sql, owner, _, check) => prune(sql, owner, 0, check)
  ),
  Clocks.make(
    "a program with a wrong clock is not noticed",
    (make) => (sql, owner) => ({ ...make(sql, owner), check: Effect.void })
  ),
  LedgerTable.inWindow("a window that has begun before is full again", () => (_, __, ledger) => Effect.succeed(ledger)),
  LedgerState.isBack(
    "a ledger is believed that is 30 days ahead",
    () => (ledger, now) => ledger.now - now > 30 * 86_400
  ),
  LedgerState.isBack("a clock that was set back gives room", () => () => false),
  SqlLedger.claimed(
    "a claim that nobody knows costs nothing",
    (claimed) => (claim) =>
      Effect.map(claimed(claim), (known) => known ?? { state: "charged", credits: 0, uncertain: 0 } as never)
  ),
  LedgerTable.firstSent("a claim that was sent is sent again", () => () => Effect.succeed(new Map())),
  LedgerTable.firstSent(
    "steps of one transaction do not see what those before them sent",
    (firstSent) => (sql, owner, keys) =>
      Effect.map(firstSent(sql, owner, keys), (sent) => Object.assign(sent, { set: () => sent }))
  ),
  AddressState.holds("the ledger sends without the guard's row", () => () => true),
  SqlIpGuard.make(
    "a lease is not looked at again after the mark",
    (make) => (options) =>
      Effect.map(make(options), ({ admit }) => ({
        admit: Effect.map(admit, (admission) =>
          admission._tag === "Send" && admission.fence !== undefined
            ? { ...admission, fence: { ...admission.fence, check: Effect.void } }
            : admission)
      }))
  ),
  SqlIpGuard.make(
    "what the guard says of an address is believed until the time that it names",
    (make) => (options) =>
      Effect.map(make(options), ({ admit }) => {
        let until = -Infinity
        return {
          admit: Effect.flatMap(Clock.currentTimeMillis, (now) =>
            now / 1000 <= until
              ? Effect.succeed<IpGuard.Admission>({ _tag: "Held", until, over: Effect.sleep("1 second") })
              : Effect.tap(admit, (admission) =>
                Effect.sync(() => {
                  if (admission._tag === "Held") until = admission.until ?? -Infinity
                })))
        }
      })
  ),
  Transaction.inTime("a silent server is waited for", () => (_, effect) => effect),
  Transaction.isWithin("a caller in a transaction waits for one that cannot begin", () => () => false),
  Migrations.refuseIntruders("a view in the place of a table is read", () => () => Effect.void),
  SqlReplyCache.makeStore("replies are kept for ever", (make) => (limits) => make({ ...limits, maxAge: "Infinity" }))
]
