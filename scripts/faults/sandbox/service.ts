import type { Fault } from "../fault.ts"

const core = (module: string) => `packages/core/src/${module}.ts`
const encoding = core("columns/tableEncoding")
const sandbox = (module: string) => `packages/sandbox/src/${module}.ts`
const service = sandbox("internal/service")
const refusals = sandbox("internal/refusals")
const routes = sandbox("Routes")
const reply = sandbox("SandboxReply")

/** What the simulated service could get wrong of paths, parameters and replies. */
export const faults: ReadonlyArray<Fault> = [
  { clause: "2.1-shape", file: encoding, find: `{"s":"ok"`, replace: `{"status":"ok"` },
  {
    clause: "2.1-lengths",
    file: encoding,
    find: `if (storage._tag === "Numbers" && nulls === undefined) return first!.join(",")`,
    replace: `if (storage._tag === "Numbers" && nulls === undefined) return first!.slice(1).join(",")`
  },
  { clause: "2.1-fields", file: encoding, find: `{"s":"ok"`, replace: `{"s":"no_data"` },
  { clause: "2.1-closed", file: encoding, find: `{"s":"ok"`, replace: `{"s":"ok","rho":[]` },
  { clause: "2.2-error-body", file: refusals, find: "{ s, ...fields }", replace: "{ ...fields }" },
  { clause: "4-get", file: service, find: `request.method !== "GET"`, replace: `request.method === "PUT"` },
  {
    clause: "4-mode-everywhere",
    file: sandbox("internal/manner"),
    find: "DataMode.isCached(mode) && !query.cacheable",
    replace: "mode !== undefined && !query.cacheable"
  },
  {
    clause: "4.1-path",
    file: core("endpoints/OptionChainEndpoint"),
    find: `path: "/v1/options/chain/{underlyingSymbol}/"`,
    replace: `path: "/v1/options/chains/{underlyingSymbol}/"`
  },
  {
    clause: "9-version",
    file: routes,
    find: "return part.text === own[at] ||",
    replace: `return part.text === own[at] || part.text === "v1" ||`
  },
  {
    clause: "4.1-params",
    file: sandbox("internal/chainSelection"),
    find: "of.side !== side",
    replace: "of.side === side"
  },
  {
    clause: "4.1-params",
    file: sandbox("internal/chainSelection"),
    find: "isOfCycle(at, selection)",
    replace: "isOfCycle(at, {})"
  },
  {
    clause: "4.1-params",
    file: sandbox("internal/chainSelection"),
    find: "slice(0, strikeLimit)",
    replace: "slice(0, strikeLimit + 1)"
  },
  {
    clause: "4.1-params",
    file: sandbox("internal/endpoints/optionChain"),
    find: "[{ expiration }, { dte }, { from, to }, { month, year }]",
    replace: "[{ expiration, dte, from, to, month, year }]"
  },
  {
    clause: "4.1-params",
    file: sandbox("internal/parameters"),
    find: `["1", true], `,
    replace: ""
  },
  {
    clause: "4.1-params",
    file: sandbox("internal/parameters"),
    find: "Number((number / 100).toFixed(11))",
    replace: "number"
  },
  {
    clause: "4.1-date",
    file: core("query/Query"),
    find: "date < CalendarDate.format(Eastern.dateOf(now))",
    replace: "date <= CalendarDate.format(Eastern.dateOf(now))"
  },
  {
    clause: "4.1-maxage-ignored",
    file: sandbox("internal/manner"),
    find: `mode?._tag === "Cached" ? yield* readMaxAge(parameters) : undefined`,
    replace: "yield* readMaxAge(parameters)"
  },
  { clause: "4.1-statuses", file: reply, find: "{ status: 204,", replace: "{ status: 200," },
  {
    clause: "4.2-quote",
    file: sandbox("internal/endpoints/optionQuote"),
    find: "view.market.optionQuotesAtClose(symbols, date)",
    replace: "view.market.optionQuotes(symbols, view.now)"
  },
  {
    clause: "4.3-lookup",
    file: sandbox("internal/lookupText"),
    find: "[, month, day, year] = american",
    replace: "[, day, month, year] = american"
  },
  { clause: "4.3-lookup", file: routes, find: "path.length > parts.length", replace: "path.length < parts.length" },
  {
    clause: "4.4-stock-quote",
    file: sandbox("internal/endpoints/stockQuotes"),
    find: "weeks === true && !list",
    replace: "weeks === true && list"
  },
  {
    clause: "4.5-prices",
    file: sandbox("internal/tickers"),
    find: `symbols.split(",").map`,
    replace: `symbols.split(";").map`
  },
  {
    clause: "4.5-bulk-candles",
    file: sandbox("internal/endpoints/stockBulkCandles"),
    find: "session.close <= moment",
    replace: "session.open <= moment"
  },
  {
    clause: "7.1-200",
    file: service,
    find: "isFromCache(query, now) ? 203 : 200",
    replace: "isFromCache(query, now) ? 203 : 201"
  },
  {
    clause: "7.1-203",
    file: service,
    find: "isFromCache(query, now) ? 203 : 200",
    replace: "isFromCache(query, now) ? 200 : 200"
  },
  { clause: "7.1-204", file: reply, find: "{ status: 204,", replace: "{ status: 404," },
  { clause: "7.1-400", file: refusals, find: "=> make(400, errmsg)", replace: "=> make(422, errmsg)" },
  { clause: "7.1-402", file: refusals, find: "make(402, errmsg)", replace: "make(403, errmsg)" },
  { clause: "7.1-403", file: refusals, find: "make(\n    403,", replace: "make(\n    401," },
  { clause: "7.1-404", file: refusals, find: "...make(404, errmsg)", replace: "...make(400, errmsg)" },
  { clause: "7.1-bodies-unknown", file: refusals, find: "known.includes(name) &&", replace: "" },
  {
    clause: "7.2-success-set",
    file: service,
    find: "isFromCache(query, now) ? 203 : 200",
    replace: "isFromCache(query, now) ? 206 : 200"
  },
  {
    clause: "7.2-success-set",
    file: service,
    find: "isFromCache(query, now) ? 203 : 200",
    replace: "isFromCache(query, now) ? 203 : 206"
  },
  { clause: "7.2-success-set", file: reply, find: "{ status: 204,", replace: "{ status: 404," },
  { clause: "7.2-success-set", file: reply, find: "{ status: 204,", replace: "{ status: 202," },
  { clause: "7.2-not-mapped", file: service, find: "0.4", replace: "0" },
  { clause: "7.3-url-shape", file: routes, find: `!path.startsWith("/") || `, replace: "" },
  { clause: "7.3-cause-url", file: routes, find: "/[&=]/.test(path)", replace: "/[&=]{3}/.test(path)" },
  { clause: "7.3-cause-malformed-query", file: routes, find: "if (parameters.has(key))", replace: `if (key === "")` },
  {
    clause: "7.3-cause-malformed-query",
    file: routes,
    find: "value === undefined || rest.length > 0",
    replace: "value === undefined"
  },
  {
    clause: "7.3-cause-wrong-type",
    file: sandbox("internal/parameters"),
    find: "return value === undefined\n",
    replace: "return value === null\n"
  },
  {
    clause: "7.3-cause-unsupported-value",
    file: sandbox("internal/manner"),
    find: "if (unknown !== undefined)",
    replace: `if (unknown === "")`
  },
  {
    clause: "7.3-cause-unsupported-value",
    file: sandbox("internal/refusals"),
    find: "Result.mapError(result, ofQuery)",
    replace: "Result.mapError(result, () => noSuchPath)"
  },
  {
    clause: "7.3-symbol-errmsg",
    file: refusals,
    find: "Use valid OCC symbology for",
    replace: "Use valid symbology for"
  },
  {
    clause: "7.3-date-errmsg",
    file: refusals,
    find: "The date parameter is used for historical queries only.",
    replace: "Give a past date."
  },
  {
    clause: "7.3-date-errmsg",
    file: sandbox("internal/pastDay"),
    find: `kind === "quotes"`,
    replace: `kind === "free"`
  },
  {
    clause: "7.3-date-errmsg",
    file: sandbox("internal/parameters"),
    find: "() => Refusals.invalidDate",
    replace: "(refusal) => refusal"
  },
  {
    clause: "7.3-400-vs-404",
    file: refusals,
    find: `optionNotFound = make(404,`,
    replace: `optionNotFound = make(400,`
  },
  {
    clause: "7.3-html-400",
    file: reply,
    find: `"content-type": "text/html"`,
    replace: `"content-type": "application/json"`
  },
  { clause: "7.3-html-400", file: service, find: "bytes > maxLineBytes", replace: "bytes >= maxLineBytes" },
  {
    clause: "8.1-no-cap",
    file: sandbox("internal/tickers"),
    find: `symbols.split(",").map`,
    replace: `symbols.split(",").slice(0, 500).map`
  }
]
