import { priced } from "../support/changes.ts"
import { of, type Seam } from "../support/seam.ts"

const Account = of(() => import("@effect-marketdata/core/Account"))
const Freshness = of(() => import("@effect-marketdata/core/Freshness"))
const Reuse = of(() => import("@effect-marketdata/core/Reuse"))
const Pricing = of(() => import("../../src/credits/pricing.ts"))
const Tariff = of(() => import("../../src/credits/tariff.ts"))

type Of = typeof import("../../src/credits/tariff.ts").of

/** A tariff that is changed. */
const tariff = (
  clauses: string | ReadonlyArray<string>,
  change: (tariff: ReturnType<Of>, query: Parameters<Of>[0]) => ReturnType<Of>
): Seam => Tariff.of(clauses, (of) => (query, assume) => change(of(query, assume), query))

/** What core could get wrong of accounts, fresh data and prices. */
export const faults: ReadonlyArray<Seam> = [
  // The fresher of two kinds of data is served.
  Account.older("1-kinds", (older) => (a, b) => older(a, b) === a ? b : a),
  Account.dataTypeOfUser(
    "4.1-data-type-table",
    (typeOf) => (user) => user.type === "nonProfessional" ? typeOf(user) : "delayed"
  ),
  Account.nonProfessionalBySignature("4.1-delayed-condition", (user) => (isSigned) => user(!isSigned)),
  // Whoever asks for live data is served them.
  Account.serve("5.8-premium-mode", (serve) => (...asked) => {
    const served = serve(...asked)
    return served._tag === "Served" ? { ...served, modeServed: served.requestedMode ?? served.modeServed } : served
  }),
  Account.defaultMode("8.2-default", (modeOf) => (plan, profile) => modeOf(plan === "trial" ? "paid" : plan, profile)),
  // A trial is served cached data.
  Account.serve(
    "8.2-access",
    (serve) => (account, ...asked) => serve(account.plan === "trial" ? { ...account, plan: "paid" } : account, ...asked)
  ),
  Freshness.leastStaleness("8.2-timeliness", (least) => (mode) => mode._tag === "Delayed" ? 0 : least(mode)),
  // A second more, and the data are the next day's.
  Freshness.becomesHistoricalAt(
    "8.4-stocks",
    (at) => (kind, updated, calendar) => at(kind, kind === "stocks" ? updated - 1 : updated, calendar)
  ),
  Freshness.becomesHistoricalAt(
    "8.4-options",
    (at) => (kind, ...when) => at(kind, ...when) + (kind === "options" ? 60 : 0)
  ),
  // A reply that was kept counts as one that has just come.
  Reuse.answers(
    ["8.3-age", "8.4-stocks", "8.4-options"],
    (answers) => (query, kept, when) => answers(query, kept, { ...when, now: kept.receivedAt })
  ),
  priced("1-credits", ({ status }) => status === 204 ? 1 : undefined),
  // Each thousand contracts cost one credit, on a past day or not.
  tariff("4.1-cost-live", (one) => one._tag === "PerUnit" && one.unit === "contracts" ? { ...one, per: 1000 } : one),
  Tariff.of(
    "4.1-cost-delayed",
    (of) => (query, assume) => of(query.mode?._tag === "Delayed" ? { ...query, mode: { _tag: "Live" } } : query, assume)
  ),
  // Cached data have the price of live data.
  Tariff.of(
    ["4.1-cost-cached", "8.3-hit"],
    (of) => (query, assume) => of(query.mode?._tag === "Cached" ? { ...query, mode: undefined } : query, assume)
  ),
  // A part of a thousand is free.
  Tariff.perThousand("4.1-cost-historical", () => (count) => Math.floor(count / 1000)),
  tariff("8.2-cost-historical-quotes", (one) => one._tag === "NotStated" ? one.otherwise : one),
  tariff("8.2-cost-candles", (one) => one._tag === "PerUnit" && one.unit === "candles" ? { ...one, per: 1 } : one),
  tariff(
    "8.2-cost-bulk-candles",
    (one, { kind }) => kind === "bulkCandles" && one._tag === "PerUnit" ? { ...one, per: 1000 } : one
  ),
  tariff(
    "8.2-cost-other",
    (one, { kind }) => kind === "other" && one._tag === "PerReply" ? { ...one, credits: 0 } : one
  ),
  // A fallback has the price of the cache.
  Pricing.estimate("8.3-fallback", (estimate) => (query, assume) =>
    estimate(
      query.mode?._tag === "CachedOrLive" ? { ...query, mode: { ...query.mode, _tag: "Cached" } } : query,
      assume
    ))
]
