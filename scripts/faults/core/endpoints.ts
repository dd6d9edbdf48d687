import type { Fault } from "../fault.ts"

const endpoint = (name: string) => `packages/core/src/endpoints/${name}Endpoint.ts`
const core = (module: string) => `packages/core/src/${module}.ts`

/** What the rows and constructors of the endpoints could get wrong. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "2.3-format",
    file: endpoint("OptionQuote"),
    find: `typeof symbol === "string" ? OptionSymbol.parse(symbol)`,
    replace: `typeof symbol === "string" ? OptionSymbol.parse(symbol.toUpperCase())`
  },
  { clause: "4-endpoint-kinds", file: endpoint("OptionLookup"), find: `kind: "other"`, replace: `kind: "quotes"` },
  { clause: "4-endpoint-kinds", file: endpoint("StockPrices"), find: "kindStated: false", replace: "kindStated: true" },
  {
    clause: "4-endpoint-kinds",
    file: core("internal/question"),
    find: "kind: row.kindStated ? row.kind : assume.kind ?? row.kind",
    replace: "kind: row.kind"
  },
  {
    clause: "4-mode-everywhere",
    file: core("internal/question"),
    find: "const mode = options.mode as Mode",
    replace: `const mode = (row.kind === "other" ? undefined : options.mode) as Mode`
  },
  { clause: "4.1-params", file: endpoint("OptionChain"), find: `numbers("strike", `, replace: `numbers("strikes", ` },
  {
    clause: "4.1-params",
    file: endpoint("OptionChain"),
    find: "(text) => `>=${text}`",
    replace: "(text) => `>${text}`"
  },
  {
    clause: "4.1-maxage-cached-only",
    file: core("internal/question"),
    find: "return DataMode.isCached(mode)\n    ? Result",
    replace: "return mode._tag !== undefined\n    ? Result"
  },
  { clause: "4.1-date", file: endpoint("OptionChain"), find: `date: "past"`, replace: `date: "any"` },
  { clause: "4.2-quote", file: endpoint("OptionQuote"), find: "/v1/options/quotes/{", replace: "/v1/options/quote/{" },
  { clause: "4.2-quote", file: endpoint("OptionQuote"), find: `date: "past"`, replace: `date: "none"` },
  { clause: "4.2-quote", file: core("endpoints/Period"), find: `Parameter.day("date"`, replace: `Parameter.day("day"` },
  {
    clause: "4.3-lookup",
    file: endpoint("OptionLookup"),
    find: "/v1/options/lookup/{description}",
    replace: "/v1/options/lookup/{description}/"
  },
  {
    clause: "4.3-lookup",
    file: endpoint("OptionLookup"),
    find: "Encoding.encodeText(text)",
    replace: "encodeURI(text)"
  },
  {
    clause: "4.3-lookup",
    file: endpoint("OptionLookup"),
    find: "Encoding.encodeText(text)",
    replace: `Encoding.encodeText(text).replaceAll("%20", "+")`
  },
  {
    clause: "4.4-stock-quote",
    file: endpoint("StockQuotes"),
    find: "/v1/stocks/quotes/{symbol}/",
    replace: "/v1/stocks/quotes/{symbol}"
  },
  {
    clause: "4.5-prices",
    file: endpoint("StockPrices"),
    find: `listPath: "/v1/stocks/prices/"`,
    replace: `listPath: "/v1/stocks/prices"`
  },
  { clause: "4.5-prices", file: core("Query"), find: `self.tickers.join(",")`, replace: `self.tickers.join(";")` },
  {
    clause: "4.5-prices",
    file: core("internal/question"),
    find: "const tickers = [...new Set(symbols)]",
    replace: "const tickers = symbols"
  },
  {
    clause: "4.5-bulk-candles",
    file: endpoint("StockBulkCandles"),
    find: `listPath: "/v1/stocks/bulkcandles/D/"`,
    replace: `listPath: "/v1/stocks/bulkcandles/"`
  },
  {
    clause: "4.5-general-params",
    file: core("Query"),
    find: `if (self.columns !== undefined) parameters.push(["columns", self.columns.join(",")])`,
    replace: `if (self.columns !== undefined) parameters.push(["columns", self.columns.join(",")], ["format", "json"])`
  },
  {
    clause: "4.5-general-params",
    file: core("Query"),
    find: "if (self.columns !== undefined) parameters",
    replace: "if (self.columns !== undefined && !self.list) parameters"
  },
  {
    clause: "4.5-general-params",
    file: core("Query"),
    find: `if (self.format !== undefined) parameters.push(["format", self.format])`,
    replace: ""
  },
  {
    clause: "4.5-general-params",
    file: core("Query"),
    find: "if (self.format !== undefined) parameters",
    replace: "if (self.format !== undefined && !self.list) parameters"
  },
  {
    clause: "4.5-general-params",
    file: core("HttpRequest"),
    find: `kind !== "free"`,
    replace: `kind === "chain"`
  },
  {
    clause: "4.5-general-params",
    file: core("internal/readers"),
    find: `format === "csv" ? csv : readings[endpoint]`,
    replace: "readings[endpoint]"
  },
  {
    clause: "4.5-general-params",
    file: core("internal/readers"),
    find: "quoted: quotedInCsv(table, Query.row(query).prices)",
    replace: "quoted: table.rows.length"
  },
  {
    clause: "4.5-general-params",
    file: core("Reply"),
    find: `head.mediaType === "text/csv" ? ErrorBody.ofCsv(reply.text) : reply.text`,
    replace: "reply.text"
  },
  {
    clause: "5.1-token-everywhere",
    file: core("Query"),
    find: "!row(self).tokenless && !isDemo(self, demo)",
    replace: "row(self).stated && !isDemo(self, demo)"
  },
  { clause: "5.5-demo", file: core("Query"), find: "self.tickers.every(", replace: "self.tickers.some(" },
  { clause: "5.5-demo", file: core("Query"), find: "self.tickers.length > 0 && ", replace: "" },
  { clause: "5.5-demo", file: core("Query"), find: "stock: ticker,", replace: `stock: "AAPL",` },
  {
    clause: "5.5-demo",
    file: endpoint("OptionQuote"),
    find: "Expiration.underlyingOf(parsed.root)",
    replace: "parsed.root"
  },
  {
    clause: "7.3-cause-unsupported-value",
    file: endpoint("OptionChain"),
    find: "[{ date }, { delta }]",
    replace: "[{ date }]"
  },
  {
    clause: "7.3-cause-unsupported-value",
    file: endpoint("OptionChain"),
    find: "[{ expiration }, { dte }, { from, to }, { month, year }]",
    replace: "[{ expiration }, { dte, from, to }, { month, year }]"
  },
  {
    clause: "7.3-cause-unsupported-value",
    file: endpoint("OptionChain"),
    find: "value !== cycles[0]?.[1]",
    replace: "value === undefined"
  },
  {
    clause: "7.3-cause-unsupported-value",
    file: endpoint("OptionChain"),
    find: "Expiration.indexUnderlyings.has(underlying.toUpperCase())",
    replace: "underlying"
  },
  {
    clause: "7.3-cause-wrong-type",
    file: core("internal/parameter"),
    find: `typeof input === "boolean"`,
    replace: "input !== null"
  },
  {
    clause: "7.3-cause-wrong-type",
    file: core("internal/parameter"),
    find: "(:\\d{2})?$/.exec(input)",
    replace: "(:\\d{2})?/.exec(input)"
  },
  {
    clause: "7.3-cause-url",
    file: endpoint("OptionLookup"),
    find: " && !/(^|[ /])\\.+($|[ /])/.test(trimmed)",
    replace: ""
  },
  {
    clause: "7.3-cause-malformed-query",
    file: core("internal/question"),
    find: "if (tickers.length === 0)",
    replace: "if (tickers.length < 0)"
  },
  {
    clause: "7.3-cause-malformed-query",
    file: core("internal/question"),
    find: "!row.columns.includes(name)",
    replace: "name.length === 0"
  },
  {
    clause: "8.2-cached-unavailable",
    file: core("internal/question"),
    find: "row.cached && !historical",
    replace: "!historical"
  },
  {
    clause: "8.2-cached-unavailable",
    file: endpoint("OptionQuote"),
    find: "historical: Period.isGiven(options)",
    replace: "historical: options.date !== undefined"
  },
  {
    clause: "8.2-cached-unavailable",
    file: endpoint("StockCandles"),
    find: "cached: false",
    replace: "cached: true"
  },
  { clause: "9-version", file: endpoint("StockPrices"), find: `path: "/v1/stocks`, replace: `path: "/stocks` },
  { clause: "9-version", file: endpoint("Account"), find: "stated: false", replace: "stated: true" }
]
