import * as Result from "effect/Result"
import { of, type Seam } from "../seam.ts"

const Account = of(() => import("@effect-marketdata/core/Account"))
const Admission = of(() => import("../../../packages/sandbox/src/request/admission.ts"))
const Cache = of(() => import("@effect-marketdata/sandbox/Cache"))
const DataMode = of(() => import("@effect-marketdata/core/DataMode"))
const IpRule = of(() => import("@effect-marketdata/core/IpRule"))
const Entitlement = of(() => import("../../../packages/sandbox/src/request/entitlement.ts"))
const Freshness = of(() => import("@effect-marketdata/core/Freshness"))
const Query = of(() => import("../../../packages/core/src/query/query.ts"))
const View = of(() => import("../../../packages/sandbox/src/view/view.ts"))

/** What the simulated service could get wrong of who asks, and of what they may see. */
export const faults: ReadonlyArray<Seam> = [
  // The end of a past day is shown as soon as the day is over, whoever asks.
  View(
    "1-kinds",
    "isOver",
    (isOver) => (visibility, ...day) => isOver({ ...visibility, entitled: "realTime" }, ...day)
  ),
  // Those who are no Non-Professionals see delayed data.
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
  Admission(
    "5.1-token-everywhere",
    "authenticate",
    (authenticate) => (members, request, target, route) =>
      route.row.kind === "other" ? Result.succeed(undefined) : authenticate(members, request, target, route)
  ),
  // Braces around the token are taken away.
  Admission("5.3-header", "authenticate", (authenticate) => (members, request, ...where) => {
    const authorization = request.headers["authorization"]?.replaceAll(/[{}]/g, "")
    return authenticate(members, { ...request, headers: { ...request.headers, authorization } }, ...where)
  }),
  Admission(
    "5.3-query",
    "authenticate",
    (authenticate) => (members, request, target, route) =>
      authenticate(members, request, { ...target, parameters: new Map() }, route)
  ),
  // One demo ticker in a list opens the list.
  Query(
    "5.5-demo",
    "isDemo",
    (isDemo) => (query, demo) => query.tickers.some((ticker) => isDemo({ ...query, tickers: [ticker] }, demo))
  ),
  IpRule("5.6-single-ip", "blockSeconds", (seconds) => seconds - 1),
  Admission(
    "5.7-401",
    "authenticate",
    (authenticate) => (...asked) => Result.orElse(authenticate(...asked), () => Result.succeed(undefined))
  ),
  Entitlement(
    ["5.8-premium-mode", "8.2-default"],
    "judge",
    (judge) => (account, ...query) => judge({ ...account, plan: "paid" }, ...query)
  ),
  // What the plan does not include is refused last.
  Admission("8.2-access", "isInPlan", () => () => undefined),
  DataMode("8.2-modes", "fromParameter", (from) => (text, profile) => from(text.toLowerCase(), profile)),
  // What is cached is hours old.
  Cache("8.2-timeliness", "refreshedAt", (refreshedAt) => (...asked) => refreshedAt(...asked) - 57_600),
  Freshness(
    "8.4-stocks",
    "becomesHistoricalAt",
    (at) => (kind, ...when) => at(kind, ...when) - (kind === "stocks" ? 900 : 0)
  ),
  Freshness(
    "8.4-options",
    "becomesHistoricalAt",
    (at) => (kind, ...when) => at(kind, ...when) + (kind === "options" ? 60 : 0)
  )
]
