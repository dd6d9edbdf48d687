import type { Fault } from "../fault.ts"

const core = (module: string) => `packages/core/src/${module}.ts`
const encoding = core("internal/tableEncoding")
const sandbox = (module: string) => `packages/sandbox/src/${module}.ts`

/** What the simulated service could get wrong. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "1-credits",
    file: sandbox("internal/service"),
    find: `onFailure: () => 0`,
    replace: `onFailure: () => 1`
  },
  {
    clause: "1-kinds",
    file: sandbox("internal/service"),
    find: "return session.value.close\n",
    replace: "return session.value.open\n"
  },
  { clause: "2.1-shape", file: encoding, find: `{"s":"ok"`, replace: `{"status":"ok"` },
  {
    clause: "2.1-lengths",
    file: encoding,
    find: `if (storage._tag === "Numbers" && nulls === undefined) return first!.join(",")`,
    replace: `if (storage._tag === "Numbers" && nulls === undefined) return first!.slice(1).join(",")`
  },
  { clause: "2.1-fields", file: encoding, find: `{"s":"ok"`, replace: `{"s":"no_data"` },
  { clause: "2.1-closed", file: encoding, find: `{"s":"ok"`, replace: `{"s":"ok","rho":[]` },
  {
    clause: "2.2-error-body",
    file: sandbox("SandboxReply"),
    find: "JSON.stringify({ s, errmsg })",
    replace: "JSON.stringify({ errmsg })"
  },
  {
    clause: "4-get",
    file: sandbox("internal/service"),
    find: `request.method !== "GET"`,
    replace: `request.method === "PUT"`
  },
  {
    clause: "4.1-path",
    file: sandbox("internal/service"),
    find: `kind !== "chain"`,
    replace: `kind !== "chains"`
  },
  {
    clause: "9-version",
    file: sandbox("internal/service"),
    find: `version !== "v1"`,
    replace: `version !== "v2"`
  },
  {
    clause: "4.1-params",
    file: sandbox("ChainRequest"),
    find: "side: yield* sideOf(parameters)",
    replace: "side: undefined"
  },
  {
    clause: "4.1-date",
    file: core("Query"),
    find: "date < CalendarDate.format(Eastern.dateOf(now))",
    replace: "date <= CalendarDate.format(Eastern.dateOf(now))"
  },
  {
    clause: "4.1-maxage-ignored",
    file: sandbox("ChainRequest"),
    find: `mode?._tag === "Cached" ? yield* maxAgeOf(parameters) : undefined`,
    replace: "yield* maxAgeOf(parameters)"
  },
  { clause: "4.1-statuses", file: sandbox("SandboxReply"), find: "{ status: 204,", replace: "{ status: 200," },
  {
    clause: "4.1-cost-live",
    file: core("internal/billing"),
    find: "computed: Math.max(tariff.least, Tariff.creditsFor(tariff, count, assume)),",
    replace: "computed: 1,"
  },
  {
    clause: "4.1-cost-delayed",
    file: core("internal/billing"),
    find: "computed: Math.max(tariff.least, Tariff.creditsFor(tariff, count, assume)),",
    replace: "computed: 1,"
  },
  {
    clause: "4.1-cost-cached",
    file: core("internal/billing"),
    find: "return { computed: tariff.credits, clause, assumptions }",
    replace: "return { computed: outcome.contracts, clause, assumptions }"
  },
  {
    clause: "4.1-cost-historical",
    file: core("internal/tariff"),
    find: "round(count / 1000)",
    replace: "round(count / 100)"
  },
  {
    clause: "5.1-token-everywhere",
    file: sandbox("internal/service"),
    find: "return Result.fail(SandboxReply.failure(401, \"Invalid token header",
    replace: "return Result.fail(SandboxReply.failure(400, \"Invalid token header"
  },
  {
    clause: "5.3-header",
    file: sandbox("internal/service"),
    find: "/^Bearer (\\S+)$/",
    replace: "/^Bearer \\{?([\\w-]+)\\}?$/"
  },
  {
    clause: "5.3-query",
    file: sandbox("internal/service"),
    find: `parameters.get("token")`,
    replace: `parameters.get("apikey")`
  },
  {
    clause: "5.7-401",
    file: sandbox("internal/service"),
    find: `SandboxReply.failure(401, "Invalid token.")`,
    replace: `SandboxReply.failure(403, "Invalid token.")`
  },
  {
    clause: "5.8-premium-mode",
    file: sandbox("internal/service"),
    find: `plan === "paid" ? request.mode ?? DataMode.live : DataMode.delayed`,
    replace: `request.mode ?? (plan === "paid" ? DataMode.live : DataMode.delayed)`
  },
  {
    clause: "8.2-default",
    file: sandbox("internal/service"),
    find: `plan === "paid" ? request.mode ?? DataMode.live : DataMode.delayed`,
    replace: "request.mode ?? DataMode.live"
  },
  {
    clause: "8.2-access",
    file: sandbox("internal/service"),
    find: `request.mode?._tag === "Cached" && plan !== "paid"`,
    replace: `request.mode?._tag === "Cached" && plan === "free"`
  },
  {
    clause: "7.1-402",
    file: sandbox("internal/service"),
    find: "SandboxReply.failure(402,",
    replace: "SandboxReply.failure(403,"
  },
  { clause: "8.2-modes", file: core("DataMode"), find: `["stale", cached()],`, replace: "" },
  {
    clause: "8.2-timeliness",
    file: sandbox("internal/service"),
    find: "Math.min(asOf, now - Freshness.delay)",
    replace: "Math.min(asOf, now)"
  },
  { clause: "7.1-200", file: sandbox("internal/service"), find: "? 203 : 200", replace: "? 203 : 201" },
  {
    clause: "7.1-203",
    file: sandbox("internal/service"),
    find: `status: 203,`,
    replace: `status: 200,`
  },
  { clause: "7.1-204", file: sandbox("SandboxReply"), find: "{ status: 204,", replace: "{ status: 404," },
  {
    clause: "7.1-400",
    file: core("internal/encoding"),
    find: "{1,32}$/.test(symbol)",
    replace: "{1,32}/.test(symbol)"
  },
  {
    clause: "7.1-404",
    file: sandbox("internal/service"),
    find: "market.find(underlying) === undefined",
    replace: `underlying === "?"`
  },
  {
    clause: "7.1-bodies-unknown",
    file: sandbox("SandboxReply"),
    find: `JSON.stringify({ s, errmsg })`,
    replace: `JSON.stringify({ s: "ok", errmsg })`
  },
  { clause: "7.2-success-set", file: sandbox("internal/service"), find: "? 203 : 200", replace: "? 206 : 200" },
  { clause: "7.2-not-mapped", file: sandbox("internal/service"), find: "< 0.4", replace: "< 0" },
  {
    clause: "7.2-203-price",
    file: core("internal/billing"),
    find: `if (tariff._tag === "PerUnit") return`,
    replace: `if (status === 203) return { computed: 1, clause, assumptions }\n  if (tariff._tag === "PerUnit") return`
  },
  { clause: "7.3-url-shape", file: sandbox("Routes"), find: "/[&=#]/.test(path)", replace: "/[=#]{2}/.test(path)" },
  { clause: "7.3-cause-url", file: sandbox("Routes"), find: "/[&=#]/.test(path)", replace: "/[=#]{2}/.test(path)" },
  {
    clause: "7.3-cause-malformed-query",
    file: sandbox("Routes"),
    find: "if (parameters.has(key))",
    replace: `if (key === "")`
  },
  {
    clause: "7.3-cause-wrong-type",
    file: core("CalendarDate"),
    find: "if (match === null) return Result.fail(new CalendarDateError({ input }))",
    replace: "if (match === null) return Result.succeed({ year: 2026, month: 11, day: 19 })"
  },
  {
    clause: "7.3-cause-unsupported-value",
    file: sandbox("ChainRequest"),
    find: `format !== undefined && format !== "json"`,
    replace: `format === "html"`
  },
  {
    clause: "7.3-date-errmsg",
    file: sandbox("internal/service"),
    find: "The date parameter is used for historical queries only.",
    replace: "Give a past date."
  },
  {
    clause: "7.3-400-vs-404",
    file: sandbox("internal/service"),
    find: `SandboxReply.failure(404, "Symbol not found.", "no_data")`,
    replace: `SandboxReply.failure(400, "Symbol not found.", "no_data")`
  },
  {
    clause: "7.3-html-400",
    file: sandbox("SandboxReply"),
    find: `"content-type": "text/html"`,
    replace: `"content-type": "application/json"`
  },
  {
    clause: "8.2-cached-unavailable",
    file: sandbox("ChainRequest"),
    find: `date !== undefined && mode?._tag === "Cached"`,
    replace: `date !== undefined && mode?._tag === "Delayed"`
  },
  {
    clause: "8.3-maxage-forms",
    file: sandbox("ChainRequest"),
    find: "/^\\d{1,9}(min|h)$/.test(text) ? MaxAge.parse(text) : MaxAge.parse(\"\")",
    replace: "MaxAge.parse(/^\\d+(min|h)$/.test(text) ? text : \"5min\")"
  },
  {
    clause: "8.3-hit",
    file: core("internal/billing"),
    find: "return { computed: tariff.credits, clause, assumptions }",
    replace: "return { computed: 2, clause, assumptions }"
  },
  {
    clause: "8.3-miss",
    file: sandbox("SandboxReply"),
    find: `headers: {}, body: ""`,
    replace: `headers: {}, body: "{}"`
  },
  { clause: "8.3-age", file: core("MaxAge"), find: "now - entryTime <= self", replace: "now - entryTime < self" },
  {
    clause: "8.3-fallback",
    file: core("internal/billing"),
    find: "computed: Math.max(tariff.least, Tariff.creditsFor(tariff, count, assume)),",
    replace: "computed: 1,"
  }
]
