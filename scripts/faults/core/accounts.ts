import { of, type Seam } from "../seam.ts"

const Account = of(() => import("@effect-marketdata/core/Account"))
const Freshness = of(() => import("@effect-marketdata/core/Freshness"))

/** What the rules about accounts and about fresh data could get wrong. */
export const faults: ReadonlyArray<Seam> = [
  // The fresher of two kinds of data is served.
  Account("1-kinds", "older", (older) => (a, b) => older(a, b) === a ? b : a),
  Account(
    "4.1-data-type-table",
    "dataTypeOfUser",
    (typeOf) => (user) => user.type === "nonProfessional" ? typeOf(user) : "delayed"
  ),
  Account("4.1-delayed-condition", "nonProfessionalBySignature", (user) => (isSigned) => user(!isSigned)),
  // Whoever asks for live data is served them.
  Account("5.8-premium-mode", "serve", (serve) => (...asked) => {
    const served = serve(...asked)
    return served._tag === "Served" ? { ...served, modeServed: served.requestedMode ?? served.modeServed } : served
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
  Freshness(
    "8.2-timeliness",
    "leastStaleness",
    (least) => (mode) => mode._tag === "Delayed" ? 0 : least(mode)
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
  )
]
