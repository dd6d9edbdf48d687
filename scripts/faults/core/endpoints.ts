import type { Fault } from "../fault.ts"

const endpoint = (name: string) => `packages/core/src/endpoints/${name}.ts`
const core = (module: string) => `packages/core/src/${module}.ts`

/** What the rows and constructors of the endpoints could get wrong. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "2.3-format",
    file: endpoint("OptionQuote"),
    find: "OptionSymbol.parse(symbol)",
    replace: "OptionSymbol.parse(symbol.toUpperCase())"
  },
  { clause: "4-endpoint-kinds", file: endpoint("OptionLookup"), find: `kind: "other"`, replace: `kind: "quotes"` },
  { clause: "4-endpoint-kinds", file: endpoint("StockPrices"), find: "kindStated: false", replace: "kindStated: true" },
  {
    clause: "4-endpoint-kinds",
    file: core("query/question"),
    find: "kind: row.kindStated ? row.kind : assume.kind ?? row.kind",
    replace: "kind: row.kind"
  },
  {
    clause: "4-mode-everywhere",
    file: core("query/question"),
    find: "mode: mode as Mode",
    replace: `mode: (row.kind === "other" ? undefined : mode) as Mode`
  },
  {
    clause: "4.1-params",
    file: "packages/core/src/chain/filters.ts",
    find: "strike: numbers(",
    replace: "dte: numbers("
  },
  {
    clause: "4.1-params",
    file: endpoint("OptionChain"),
    find: `atLeast: ">="`,
    replace: `atLeast: ">"`
  },
  {
    clause: "4.1-maxage-cached-only",
    file: core("query/mode"),
    find: "maxAge === undefined || DataMode.isCached(mode)",
    replace: "maxAge === undefined || mode._tag !== undefined"
  },
  {
    clause: "8.2-modes",
    file: core("query/mode"),
    find: `typeof input === "string" ? DataMode.fromParameter(input) : undefined`,
    replace: `typeof input === "string" ? DataMode.fromParameter(input) ?? DataMode.live : undefined`
  },
  {
    clause: "8.2-modes",
    file: core("query/mode"),
    find: "return DataMode.isDataMode(mode)",
    replace: "return mode !== null"
  },
  { clause: "4.1-date", file: endpoint("OptionChain"), find: `date: "past"`, replace: `date: "any"` },
  { clause: "4.2-quote", file: endpoint("OptionQuote"), find: "/v1/options/quotes/{", replace: "/v1/options/quote/{" },
  { clause: "4.2-quote", file: endpoint("OptionQuote"), find: `date: "past"`, replace: `date: "none"` },
  { clause: "4.2-quote", file: endpoint("OptionQuote"), find: "date: Parameter.day", replace: "date: Parameter.flag" },
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
  {
    clause: "4.5-prices",
    file: core("query/query"),
    find: `self.tickers.join(",")`,
    replace: `self.tickers.join(";")`
  },
  {
    clause: "4.5-prices",
    file: core("query/question"),
    find: "(tickers) => [...new Set(tickers)]",
    replace: "(tickers) => tickers"
  },
  {
    clause: "4.5-bulk-candles",
    file: endpoint("StockBulkCandles"),
    find: `listPath: "/v1/stocks/bulkcandles/D/"`,
    replace: `listPath: "/v1/stocks/bulkcandles/"`
  },
  {
    clause: "4.5-general-params",
    file: core("query/query"),
    find: `if (self.columns !== undefined) parameters.push(["columns", self.columns.join(",")])`,
    replace: `if (self.columns !== undefined) parameters.push(["columns", self.columns.join(",")], ["format", "json"])`
  },
  {
    clause: "4.5-general-params",
    file: core("query/query"),
    find: "if (self.columns !== undefined) parameters",
    replace: "if (self.columns !== undefined && !self.list) parameters"
  },
  {
    clause: "4.5-general-params",
    file: core("query/query"),
    find: `if (self.format !== undefined) parameters.push(["format", self.format])`,
    replace: ""
  },
  {
    clause: "4.5-general-params",
    file: core("query/query"),
    find: "if (self.format !== undefined) parameters",
    replace: "if (self.format !== undefined && !self.list) parameters"
  },
  {
    clause: "4.5-general-params",
    file: core("query/HttpRequest"),
    find: `kind !== "free"`,
    replace: `kind === "chain"`
  },
  {
    clause: "4.5-general-params",
    file: core("reply/readers"),
    find: `format === "csv" ? csv : readings[endpoint]`,
    replace: "readings[endpoint]"
  },
  {
    clause: "4.5-general-params",
    file: core("reply/readers"),
    find: "count: () => filled }",
    replace: "count: () => rows }"
  },
  {
    clause: "4.5-general-params",
    file: core("reply/Reply"),
    find: `head.mediaType === "text/csv" ? ErrorBody.ofCsv(reply.text) : reply.text`,
    replace: "reply.text"
  },
  {
    clause: "5.1-token-everywhere",
    file: core("query/query"),
    find: "!row(self).tokenless && !isDemo(self, demo)",
    replace: "row(self).stated && !isDemo(self, demo)"
  },
  { clause: "5.5-demo", file: core("query/query"), find: "self.tickers.every(", replace: "self.tickers.some(" },
  { clause: "5.5-demo", file: core("query/query"), find: "self.tickers.length > 0 && ", replace: "" },
  { clause: "5.5-demo", file: core("query/query"), find: "stock: ticker,", replace: `stock: "AAPL",` },
  {
    clause: "5.5-demo",
    file: endpoint("OptionQuote"),
    find: "Expiration.underlyingOf(parsed.root)",
    replace: "parsed.root"
  },
  {
    clause: "7.3-cause-unsupported-value",
    file: endpoint("OptionChain"),
    find: `[["date"], ["delta"]]`,
    replace: `[["date"]]`
  },
  {
    clause: "7.3-cause-unsupported-value",
    file: endpoint("OptionChain"),
    find: `["dte"], ["from", "to"]`,
    replace: `["dte", "from", "to"]`
  },
  {
    clause: "7.3-cause-unsupported-value",
    file: endpoint("OptionChain"),
    find: "texts[name] !== texts[cycles[0]!]",
    replace: "texts[name] === undefined"
  },
  {
    clause: "7.3-cause-unsupported-value",
    file: endpoint("OptionChain"),
    find: "Expiration.indexUnderlyings.has(underlying.toUpperCase())",
    replace: "underlying"
  },
  {
    clause: "7.3-cause-unsupported-value",
    file: endpoint("OptionChain"),
    find: "yield* Parameter.daysInOrder(texts)\n",
    replace: "\n"
  },
  {
    clause: "7.3-cause-unsupported-value",
    file: core("query/parameter"),
    find: "Number(texts[min]) > Number(texts[max])",
    replace: "String(texts[min]) > String(texts[max])"
  },
  {
    clause: "7.3-cause-wrong-type",
    file: core("query/named"),
    find: "!Object.hasOwn(readers, name)",
    replace: `name === ""`
  },
  {
    clause: "7.3-cause-wrong-type",
    file: core("query/encoding"),
    find: `typeof symbol !== "string" || symbol === ""`,
    replace: `symbol === undefined || symbol === ""`
  },
  {
    clause: "7.3-cause-wrong-type",
    file: core("symbol/OptionSymbol"),
    find:
      `if (typeof input !== "string") return fail(input, new NotText({ offset: 0, text: Untyped.shown(input) }))\n  const`,
    replace: "const"
  },
  {
    clause: "7.3-cause-wrong-type",
    file: core("query/parameter"),
    find: `typeof input === "boolean"`,
    replace: "input !== null"
  },
  {
    clause: "7.3-cause-wrong-type",
    file: core("query/parameter"),
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
    file: core("query/parameter"),
    find: "members.length < fewest",
    replace: "members.length < 0"
  },
  {
    clause: "7.3-cause-malformed-query",
    file: core("query/question"),
    find: "row.columns.find((column) => column === input) === undefined",
    replace: `input === ""`
  },
  {
    clause: "8.2-cached-unavailable",
    file: core("query/question"),
    find: "row.cached && !historical",
    replace: "!historical"
  },
  {
    clause: "8.2-cached-unavailable",
    file: endpoint("OptionQuote"),
    find: "historical: Period.isGiven(given.texts)",
    replace: "historical: given.texts.date !== undefined"
  },
  {
    clause: "8.2-cached-unavailable",
    file: endpoint("StockCandles"),
    find: "cached: false",
    replace: "cached: true"
  },
  { clause: "9-version", file: endpoint("StockPrices"), find: `path: "/v1/stocks`, replace: `path: "/stocks` },
  { clause: "9-version", file: endpoint("AccountStatus"), find: "stated: false", replace: "stated: true" }
]
