import { of, type Seam } from "../seam.ts"

const Account = of(() => import("@effect-marketdata/core/Account"))
const AllowanceWindow = of(() => import("../../../packages/core/src/account/allowanceWindow.ts"))
const Freshness = of(() => import("@effect-marketdata/core/Freshness"))
const Ledger = of(() => import("@effect-marketdata/core/Ledger"))
const ModeSelection = of(() => import("@effect-marketdata/core/ModeSelection"))

/** What the rules about accounts and about fresh data could get wrong. */
export const faults: ReadonlyArray<Seam> = [
  // The fresher of two kinds of data is served.
  Account("1-kinds", "older", (older) => (a, b) => older(a, b) === a ? b : a),
  // A past day counts as current.
  Account("1-kinds", "serve", (serve) => (account, { mode }, profile) => serve(account, { mode }, profile)),
  Account(
    "4.1-data-type-table",
    "dataTypeOfUser",
    (typeOf) => (user) => user.type === "nonProfessional" ? typeOf(user) : "delayed"
  ),
  // A signature is inferred.
  Account(
    "4.1-delayed-condition",
    "dataTypeOfUser",
    (typeOf) => (user) => user.type === "nonProfessional" ? "realTime" : typeOf(user)
  ),
  Account("4.1-delayed-condition", "nonProfessionalBySignature", (user) => (isSigned) => user(!isSigned)),
  // Whoever asks for live data is served them.
  Account("5.8-premium-mode", "serve", (serve) => (...asked) => {
    const served = serve(...asked)
    return served._tag === "Served" ? { ...served, modeServed: served.requestedMode ?? served.modeServed } : served
  }),
  // What was asked for is forgotten.
  Account("5.8-premium-mode", "serve", (serve) => (...asked) => {
    const served = serve(...asked)
    return served._tag === "Served" ? { ...served, requestedMode: served.modeServed } : served
  }),
  Account(
    "8.2-default",
    "defaultMode",
    (modeOf) => (plan, profile) => modeOf(plan === "trial" ? "paid" : plan, profile)
  ),
  // A trial is served cached data.
  Account(
    "8.2-access",
    "serve",
    (serve) => (account, ...asked) => serve(account.plan === "trial" ? { ...account, plan: "paid" } : account, ...asked)
  ),
  // Paid accounts get cached data unasked.
  Account(
    "8.2-access",
    "serve",
    (serve) => (account, asked, profile) =>
      serve(account, { ...asked, mode: asked.mode ?? { _tag: "Cached", maxAge: undefined } }, profile)
  ),
  Freshness(
    "8.2-timeliness",
    "leastStaleness",
    (least) => (mode) => mode._tag === "Delayed" ? 0 : least(mode)
  ),
  // Cached data count as fresh however little room there is.
  ModeSelection(
    "8.2-timeliness",
    "admissible",
    (admissible) => (query, need, assume) => admissible(query, { ...need, staleness: need.staleness + 60 }, assume)
  ),
  // A second more, and the data are the next day's.
  Freshness(
    "8.4-stocks",
    "becomesHistoricalAt",
    (at) => (kind, updated, calendar) => at(kind, kind === "stocks" ? updated - 1 : updated, calendar)
  ),
  Freshness(
    "8.4-options",
    "becomesHistoricalAt",
    (at) => (kind, ...when) => at(kind, ...when) + (kind === "options" ? 60 : 0)
  ),
  // The public service's plans are taken for everyone's.
  Account("8.5-not-shown", "allowance", (allowance) => (account) => allowance(account, "public")),
  Ledger("8.5-not-shown", "make", (make) => (allowance = 10_000) => make(allowance)),
  // Credits are renewed an hour late.
  AllowanceWindow("8.5-not-shown", "of", (of) => (window, time) => {
    const { end, start } = of(window, time - 3600)
    return { start: start + 3600, end: end + 3600 }
  })
]
