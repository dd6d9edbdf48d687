import type { Fault } from "../fault.ts"

const core = (module: string) => `packages/core/src/${module}.ts`
const client = (module: string) => `packages/client/src/${module}.ts`

/** What the client could get wrong in asking. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "1-base-url",
    file: core("query/HttpRequest"),
    find: "const target = path + Query.target(query)",
    replace: "const target = Query.target(query)"
  },
  {
    clause: "1-base-url",
    file: client("MarketDataConfig"),
    find: "Config.withDefault(baseUrl, publicBaseUrl)",
    replace: `Config.withDefault(Config.String("MARKETDATA_BASE_URL"), publicBaseUrl)`
  },
  {
    clause: "4-get",
    file: client("internal/transport"),
    find: "HttpClientRequest.get(HttpRequest.wireUrl(request), {",
    replace: "HttpClientRequest.post(HttpRequest.wireUrl(request), {"
  },
  {
    clause: "4.1-path",
    file: core("endpoints/OptionChainEndpoint"),
    find: "/v1/options/chain/{",
    replace: "/v1/options/chains/{"
  },
  {
    clause: "4.1-params",
    file: core("query/Query"),
    find: `parameters.push(["mode", DataMode.parameter(self.mode)])`,
    replace: `parameters.push(["feed", DataMode.parameter(self.mode)])`
  },
  {
    clause: "8.2-modes",
    file: core("query/mode"),
    find: `typeof input === "string" ? DataMode.fromParameter(input) : undefined`,
    replace: `typeof input === "string" ? DataMode.live : undefined`
  },
  {
    clause: "7.3-cause-wrong-type",
    file: client("internal/named"),
    find: `values.filter((value) => typeof value === "string").map((text) => text.slice(0, 64))`,
    replace: "values.map((value) => `${value}`)"
  },
  {
    clause: "8.3-maxage-forms",
    file: core("time/MaxAge"),
    find: "`${self.minutes}min`",
    replace: "`${self.minutes}m`"
  },
  {
    clause: "5.1-token-everywhere",
    file: client("internal/transport"),
    find: "headers: token === undefined || request.queryToken !== undefined",
    replace: "headers: token !== undefined"
  },
  {
    clause: "5.2-obtain",
    file: core("reason/refusals"),
    find: "sign in to its dashboard and request one, it comes by e-mail",
    replace: "set one"
  },
  {
    clause: "5.3-header",
    file: client("internal/token"),
    find: "/^[\\x21-\\x7e]+$/",
    replace: "/^/"
  },
  {
    clause: "5.4-header-default",
    file: client("internal/transport"),
    find: "HttpClientRequest.get(HttpRequest.wireUrl(request), {",
    replace: "HttpClientRequest.get(HttpRequest.url(request) + \"?token=x\", {"
  },
  {
    clause: "8.3-fallback",
    file: client("internal/fallback"),
    find: "new Reason.NoLiveData({",
    replace: "new Reason.NoCachedData({"
  },
  {
    clause: "4.1-date",
    file: core("query/Query"),
    find: "date < CalendarDate.format(Eastern.dateOf(now))",
    replace: "date <= CalendarDate.format(Eastern.dateOf(now))"
  },
  {
    clause: "7.3-cause-unsupported-value",
    file: client("internal/batches"),
    find: "yield* Effect.fromResult(Query.checkDate(query, now / 1000))",
    replace: "void now"
  },
  {
    clause: "7.3-cause-wrong-type",
    file: core("time/CalendarDate"),
    find: "if (match === null) return Result.fail(new CalendarDateError({ input: Untyped.shown(input) }))",
    replace: "if (match === null) return Result.succeed({ year: 2000, month: 1, day: 1 })"
  },
  {
    clause: "8.2-cached-unavailable",
    file: core("query/question"),
    find: "query.cacheable || !DataMode.isCached(mode)",
    replace: "query.cacheable || query.historical || !DataMode.isCached(mode)"
  },
  {
    clause: "7.3-cause-url",
    file: core("query/encoding"),
    find: "&& !/^\\.+$/.test(symbol)",
    replace: ""
  },
  {
    clause: "7.3-cause-malformed-query",
    file: core("query/question"),
    find: `or leave columns out for all of them"`,
    replace: `or leave columns out for all of them",\n    0`
  },
  {
    clause: "8.1-request-line",
    file: core("query/HttpRequest"),
    find: "bytes > maxLineBytes",
    replace: "bytes >= maxLineBytes"
  },
  {
    clause: "8.2-modes",
    file: core("account/DataMode"),
    find: `Delayed: "delayed"`,
    replace: `Delayed: "live"`
  },
  {
    clause: "4-mode-everywhere",
    file: core("query/Query"),
    find: "if (self.mode !== undefined) parameters.push",
    replace: `if (self.mode !== undefined && self.mode._tag !== "Live") parameters.push`
  },
  {
    clause: "8.2-default",
    file: core("query/Query"),
    find: "if (self.mode !== undefined) parameters.push([\"mode\", DataMode.parameter(self.mode)])",
    replace: `parameters.push(["mode", self.mode === undefined ? "live" : DataMode.parameter(self.mode)])`
  },
  {
    clause: "9-version",
    file: core("endpoints/OptionChainEndpoint"),
    find: "/v1/options/chain/{",
    replace: "/options/chain/{"
  }
]
