import type { Fault } from "../fault.ts"

const core = (module: string) => `packages/core/src/${module}.ts`
const sandbox = (module: string) => `packages/sandbox/src/${module}.ts`
const admission = sandbox("internal/admission")
const view = sandbox("internal/view")
const account = core("account/Account")

/** What the simulated service could get wrong of who asks, and of what they may see. */
export const faults: ReadonlyArray<Fault> = [
  { clause: "1-kinds", file: view, find: ": session.close\n", replace: ": session.open\n" },
  {
    clause: "4.1-data-type-table",
    file: account,
    find: `user.type === "nonProfessional" ? user.row : "historical"`,
    replace: `user.type === "nonProfessional" ? user.row : "delayed"`
  },
  {
    clause: "4.1-delayed-condition",
    file: account,
    find: `user.type === "nonProfessional" ? user.row : "historical"`,
    replace: `user.type === "nonProfessional" ? "realTime" : "historical"`
  },
  {
    clause: "5.1-token-everywhere",
    file: admission,
    find: "row.tokenless ? undefined :",
    replace: `row.tokenless || row.kind === "other" ? undefined :`
  },
  {
    clause: "5.3-header",
    file: admission,
    find: "/^Bearer (\\S+)$/i",
    replace: "/^Bearer \\{?([\\w-]+)\\}?$/i"
  },
  { clause: "5.3-query", file: admission, find: `parameters.get("token")`, replace: `parameters.get("key")` },
  { clause: "5.3-query", file: sandbox("Routes"), find: `=== "token" ?`, replace: `=== "key" ?` },
  {
    clause: "5.5-demo",
    file: sandbox("internal/service"),
    find: "member === undefined && Query.needsToken(query, demo)",
    replace: "member === undefined && query.tickers.length === 0"
  },
  { clause: "5.5-demo", file: core("query/Query"), find: "self.tickers.every(", replace: "self.tickers.some(" },
  {
    clause: "5.5-demo",
    file: sandbox("internal/service"),
    find: "member === undefined ? View.newestHistorical(kind, profile, now) : now",
    replace: "member === undefined ? now : View.newestHistorical(kind, profile, now)"
  },
  { clause: "5.5-demo", file: view, find: `entitled === "historical"`, replace: `entitled === "delayed"` },
  { clause: "1-kinds", file: view, find: `entitled === "historical"`, replace: `entitled === "delayed"` },
  {
    clause: "8.2-access",
    file: sandbox("internal/service"),
    find: "      yield* Admission.isInPlan(member, target, route, profile)\n",
    replace: ""
  },
  {
    clause: "5.6-single-ip",
    file: core("reply/Egress"),
    find: "now <= leftAt + window",
    replace: "now < leftAt + window"
  },
  {
    clause: "5.6-single-ip",
    file: admission,
    find: "member.egress = egress\n",
    replace: ""
  },
  {
    clause: "5.7-401",
    file: admission,
    find: "Result.fail(Refusals.wrongToken)",
    replace: "Result.succeed(undefined)"
  },
  {
    clause: "5.8-premium-mode",
    file: sandbox("internal/service"),
    find: "Entitlement.judge(account, query",
    replace: `Entitlement.judge({ ...account, plan: "paid" }, query`
  },
  {
    clause: "8.2-default",
    file: sandbox("internal/service"),
    find: "Entitlement.judge(account, query",
    replace: `Entitlement.judge({ ...account, plan: "paid" }, query`
  },
  {
    clause: "8.2-access",
    file: account,
    find: `self.plan !== "paid" && modeAsked !== undefined`,
    replace: `self.plan === "free" && modeAsked !== undefined`
  },
  { clause: "8.2-modes", file: core("account/DataMode"), find: `["stale", cached()],`, replace: "" },
  { clause: "8.2-timeliness", file: view, find: "now - Freshness.delay", replace: "now - 60" },
  {
    clause: "8.2-timeliness",
    file: sandbox("Cache"),
    find: "hot.has(symbol) ? 60 : 600",
    replace: "hot.has(symbol) ? 600 : 60"
  },
  {
    clause: "8.2-timeliness",
    file: sandbox("Cache"),
    find: "hot.has(symbol) ? 60 : 600",
    replace: "hot.has(symbol) ? 60 : 57_600"
  },
  {
    clause: "8.2-timeliness",
    file: sandbox("Cache"),
    find: "if (self.cold.has(symbol)) return byUs",
    replace: "if (self.cold.has(symbol) || byUs > 0) return byUs"
  },
  {
    clause: "8.2-timeliness",
    file: sandbox("internal/service"),
    find: "Math.min(newest(kind), entered)",
    replace: "Math.min(newest(kind), entered - 3600)"
  },
  {
    clause: "8.2-timeliness",
    file: view,
    find: `if (dataType === "realTime") return now`,
    replace: `if (dataType === "realTime") return now - 600`
  },
  {
    clause: "8.4-stocks",
    file: core("account/Freshness"),
    find: "const sameDay = instant(TradingCalendar.tradingDayOnOrAfter(calendar, date), 16, 15)",
    replace: "const sameDay = instant(TradingCalendar.tradingDayOnOrAfter(calendar, date), 16, 0)"
  },
  {
    clause: "8.4-options",
    file: core("account/Freshness"),
    find: "instant(TradingCalendar.nextTradingDay(calendar, date), 9, 30)",
    replace: "instant(TradingCalendar.nextTradingDay(calendar, date), 9, 31)"
  }
]
