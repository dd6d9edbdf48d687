import * as Result from "effect/Result"
import { of, type Seam } from "../../../core/test/support/seam.ts"

const Account = of(() => import("@effect-marketdata/core/Account"))
const Admission = of(() => import("../../src/request/admission.ts"))
const Billing = of(() => import("@effect-marketdata/sandbox/Billing"))
const Cache = of(() => import("@effect-marketdata/sandbox/Cache"))
const DataMode = of(() => import("@effect-marketdata/core/DataMode"))
const Entitlement = of(() => import("../../src/request/admission.ts"))
const Freshness = of(() => import("@effect-marketdata/core/Freshness"))
const IpRule = of(() => import("@effect-marketdata/core/IpRule"))
const MaxAge = of(() => import("@effect-marketdata/core/MaxAge"))
const Rendering = of(() => import("../../src/service/rendering.ts"))
const Service = of(() => import("../../src/service/service.ts"))
const Query = of(() => import("../../../core/src/query/query.ts"))
const SandboxReply = of(() => import("@effect-marketdata/sandbox/SandboxReply"))
const View = of(() => import("../../src/view/view.ts"))

type Price = typeof import("../../src/service/service.ts").price

/** Where there is another price, that is billed. */
const billed = (clause: string, other: (...asked: Parameters<Price>) => number | undefined): Seam =>
  Service.price(clause, (price) => (...asked) => other(...asked) ?? price(...asked))

/** What the simulated service could get wrong of who asks, what they may see, and what they pay. */
export const faults: ReadonlyArray<Seam> = [
  // The end of a past day is shown as soon as the day is over, whoever asks.
  View.isOver("1-kinds", (isOver) => (visibility, ...day) => isOver({ ...visibility, entitled: "realTime" }, ...day)),
  // Those who are not Non-Professionals see delayed data.
  Account.dataTypeOfUser(
    "4.1-data-type-table",
    (typeOf) => (user) => user.type === "nonProfessional" ? typeOf(user) : "delayed"
  ),
  // A signature is inferred.
  Account.dataTypeOfUser(
    "4.1-delayed-condition",
    (typeOf) => (user) => user.type === "nonProfessional" ? "realTime" : typeOf(user)
  ),
  Admission.authenticate(
    "5.1-token-everywhere",
    (authenticate) => (members, request, target, route) =>
      route.row.kind === "other" ? Result.succeed(undefined) : authenticate(members, request, target, route)
  ),
  // Braces around the token are taken away.
  Admission.authenticate("5.3-header", (authenticate) => (members, request, ...where) => {
    const authorization = request.headers["authorization"]?.replaceAll(/[{}]/g, "")
    return authenticate(members, { ...request, headers: { ...request.headers, authorization } }, ...where)
  }),
  Admission.authenticate(
    "5.3-query",
    (authenticate) => (members, request, target, route) =>
      authenticate(members, request, { ...target, parameters: new Map() }, route)
  ),
  // One demo ticker in a list opens the list.
  Query.isDemo(
    "5.5-demo",
    (isDemo) => (query, demo) => query.tickers.some((ticker) => isDemo({ ...query, tickers: [ticker] }, demo))
  ),
  IpRule.blockSeconds("5.6-single-ip", (seconds) => seconds - 1),
  Admission.authenticate(
    "5.7-401",
    (authenticate) => (...asked) => Result.orElse(authenticate(...asked), () => Result.succeed(undefined))
  ),
  Entitlement.judge(
    ["5.8-premium-mode", "8.2-default"],
    (judge) => (account, ...query) => judge({ ...account, plan: "paid" }, ...query)
  ),
  // What the plan does not include is refused last.
  Admission.isInPlan("8.2-access", () => () => undefined),
  DataMode.fromParameter("8.2-modes", (from) => (text, profile) => from(text.toLowerCase(), profile)),
  // What is cached is hours old.
  Cache.refreshedAt("8.2-timeliness", (refreshedAt) => (...asked) => refreshedAt(...asked) - 57_600),
  Freshness.becomesHistoricalAt(
    "8.4-stocks",
    (at) => (kind, ...when) => at(kind, ...when) - (kind === "stocks" ? 900 : 0)
  ),
  Freshness.becomesHistoricalAt(
    "8.4-options",
    (at) => (kind, ...when) => at(kind, ...when) + (kind === "options" ? 60 : 0)
  ),
  // A refusal costs a credit.
  Billing.make("1-credits", (make) => (options) => {
    const billing = make(options)
    return {
      ...billing,
      record: (entry: Parameters<typeof billing.record>[0], window: Parameters<typeof billing.record>[1]) =>
        billing.record({ ...entry, credits: Math.max(1, entry.credits) }, window)
    }
  }),
  // A chain costs one credit, as from the cache.
  Service.price(
    ["4.1-cost-live", "4.1-cost-delayed", "8.3-fallback"],
    (price) => (...asked) => Math.min(1, price(...asked))
  ),
  billed("4.1-cost-cached", (_, { mode }, { rows }) => mode === "cached" ? rows?.length : undefined),
  // One credit for each hundred.
  billed(
    "4.1-cost-historical",
    ({ historical }, _, { rows }) => historical ? Math.ceil((rows?.length ?? 1) / 100) : undefined
  ),
  // The status makes the price.
  billed("7.2-203-price", (_, __, { status }) => status === 203 ? 1 : undefined),
  billed("8.2-cost-historical-quotes", ({ historical, kind }) => kind === "quotes" && historical ? 0 : undefined),
  Service.price(
    ["8.2-cost-quotes", "8.2-cost-candles", "8.2-cost-bulk-candles"],
    (price) => (query, visibility, reply) =>
      price(query, visibility, { ...reply, rows: reply.rows && { ...reply.rows, length: 1 } })
  ),
  billed("8.2-cost-other", ({ kind }) => kind === "other" ? 2 : undefined),
  Rendering.applyOptions(
    "8.2-cached-unavailable",
    (apply) => (output, query) => apply(output, { ...query, cacheable: query.cacheable || !query.historical })
  ),
  // A form that the service does not take counts as five minutes.
  MaxAge.parse("8.3-maxage-forms", (parse) => (input) => parse(input === "" ? "5min" : input)),
  MaxAge.accepts("8.3-age", (accepts) => (maxAge, entered, now) => accepts(maxAge, entered - 1, now)),
  billed("8.3-hit", (_, { mode }) => mode === "cached" ? 2 : undefined),
  SandboxReply.noContent("8.3-miss", (noContent) => ({ ...noContent, body: "{}" }))
]
