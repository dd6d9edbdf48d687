import type { Fault } from "../fault.ts"

/** Breaks of sampled clauses that went unnoticed at first (docs/conformance/sampled.md). */
export const faults: ReadonlyArray<Fault> = [
  // No mode is sent for lists.
  {
    clause: "8.2-modes",
    file: "packages/core/src/query/Query.ts",
    find: "if (self.mode !== undefined) parameters",
    replace: "if (self.mode !== undefined && !self.list) parameters"
  },
  // Cached is sent by its alias.
  {
    clause: "8.2-modes",
    file: "packages/core/src/account/DataMode.ts",
    find: "Cached: \"cached\",",
    replace: "Cached: \"stale\","
  },
  // CachedOrLive begins with live data.
  {
    clause: "8.2-modes",
    file: "packages/client/src/internal/fallback.ts",
    find: "Query.withMode(query, DataMode.cached(mode))",
    replace: "Query.withMode(query, DataMode.live)"
  },
  // A 203 to live data is a finding.
  {
    clause: "7.2-not-mapped",
    file: "packages/core/src/reply/Reply.ts",
    find: "cached && head.status === 200 ? [cachedAnsweredFresh",
    replace: "cached === (head.status === 200) ? [cachedAnsweredFresh"
  },
  // Live data always come from the provider.
  {
    clause: "7.2-not-mapped",
    file: "packages/client/src/internal/pipeline.ts",
    find: "provenance: { ...provenance, modeAsked: query.mode?._tag },",
    replace:
      "provenance: { ...provenance, source: query.mode?._tag === \"Live\" ? \"provider\" : provenance.source, modeAsked: query.mode?._tag },"
  },
  // News are paid by the article.
  {
    clause: "8.2-cost-other",
    file: "packages/core/src/endpoints/StockNewsEndpoint.ts",
    find: "kind: \"other\"",
    replace: "kind: \"bulkCandles\""
  },
  // Market days are paid by the day.
  {
    clause: "8.2-cost-other",
    file: "packages/core/src/endpoints/MarketStatusEndpoint.ts",
    find: "kind: \"other\"",
    replace: "kind: \"bulkCandles\""
  },
  // Earnings are paid as candles.
  {
    clause: "8.2-cost-other",
    file: "packages/core/src/endpoints/StockEarningsEndpoint.ts",
    find: "kind: \"other\"",
    replace: "kind: \"candles\""
  },
  // The symbol is sent in capitals.
  {
    clause: "4.1-path",
    file: "packages/core/src/query/encoding.ts",
    find: "map(ticker, encodeText)",
    replace: "map(ticker, (symbol) => encodeText(symbol.toUpperCase()))"
  },
  // The symbol is not encoded.
  {
    clause: "4.1-path",
    file: "packages/core/src/endpoints/OptionChainEndpoint.ts",
    find: "path: Encoding.fill(row.path, { underlyingSymbol: segment }),",
    replace: "path: Encoding.fill(row.path, { underlyingSymbol: underlying }),"
  },
  // A token in the name of a column is kept.
  {
    clause: "5.4-header-default",
    file: "packages/client/src/internal/transport.ts",
    find: "column: column && clean(column)",
    replace: "column"
  },
  // The address in a failure's message is kept.
  {
    clause: "5.4-header-default",
    file: "packages/client/src/internal/lost.ts",
    find: "error.message.replace(/\\S+:\\/\\/\\S+/g, \"<url>\")",
    replace: "error.message"
  },
  // A ticker named twice is asked for twice.
  {
    clause: "8.1-batches",
    file: "packages/core/src/query/question.ts",
    find: "(tickers) => [...new Set(tickers)]",
    replace: "(tickers) => tickers"
  },
  // Only the first part's findings are told.
  {
    clause: "8.1-batches",
    file: "packages/core/src/reply/Reply.ts",
    find: "findings: [...Findings.merge(ofReplies), ...Readers.findingsOf(query, data)]",
    replace: "findings: first.findings"
  },
  // Only the first failed part's tickers are named.
  {
    clause: "8.1-batches",
    file: "packages/client/src/internal/batches.ts",
    find: "missing: errors.flatMap(({ tickers }) => tickers)",
    replace: "missing: failed.tickers"
  },
  // Quotes with a 203 cost one credit.
  {
    clause: "7.2-203-price",
    file: "packages/core/src/credits/billing.ts",
    find: "if (tariff._tag === \"Between\") {",
    replace:
      "if (status === 203 && tariff._tag === \"PerUnit\" && tariff.unit === \"symbols\") return { computed: 1, clause, assumptions }\n  if (tariff._tag === \"Between\") {"
  },
  // A 203 without a mode costs one credit.
  {
    clause: "7.2-203-price",
    file: "packages/core/src/credits/billing.ts",
    find: "if (tariff._tag === \"Between\") {",
    replace:
      "if (status === 203 && query.mode === undefined) return { computed: 1, clause, assumptions }\n  if (tariff._tag === \"Between\") {"
  },
  // A delayed 203 costs one credit.
  {
    clause: "7.2-203-price",
    file: "packages/core/src/credits/billing.ts",
    find: "if (tariff._tag === \"Between\") {",
    replace:
      "if (status === 203 && query.mode?._tag === \"Delayed\") return { computed: 1, clause, assumptions }\n  if (tariff._tag === \"Between\") {"
  },
  // In live and delayed mode a 204 is a miss.
  {
    clause: "7.1-204-elsewhere",
    file: "packages/core/src/reply/Reply.ts",
    find: "const cached = query.mode !== undefined && DataMode.parameter(query.mode) === \"cached\"",
    replace: "const cached = query.mode !== undefined"
  },
  // A brace on one side alone is taken.
  {
    clause: "5.3-header",
    file: "packages/client/src/internal/token.ts",
    find: "/^[{<\"'].*|.*[}>\"']$/",
    replace: "/^[{<\"'].*[}>\"']$/"
  },
  // The other findings are lost.
  {
    clause: "7.2-cached-200",
    file: "packages/core/src/reply/Reply.ts",
    find: "      ...findings\n    ],",
    replace: "    ],"
  },
  // Of several replies nothing is found.
  {
    clause: "7.2-cached-200",
    file: "packages/core/src/reply/Reply.ts",
    find: `  "CachedAnsweredFresh",\n  "UnexplainedCharge"`,
    replace: `  "UnexplainedCharge"`
  },
  // The lookup has no version.
  {
    clause: "9-version",
    file: "packages/core/src/endpoints/OptionLookupEndpoint.ts",
    find: "path: \"/v1/",
    replace: "path: \"/"
  },
  // Bulk candles have another version.
  {
    clause: "9-version",
    file: "packages/core/src/endpoints/StockBulkCandlesEndpoint.ts",
    find: "listPath: \"/v1/",
    replace: "listPath: \"/v2/"
  },
  // Option quotes have another version.
  {
    clause: "9-version",
    file: "packages/core/src/endpoints/OptionQuoteEndpoint.ts",
    find: "path: \"/v1/",
    replace: "path: \"/v2/"
  },
  // Every 402 is about cached data.
  {
    clause: "8.2-access",
    file: "packages/core/src/reply/Reply.ts",
    find: "        cached,\n        tokenSent",
    replace: "        cached: true,\n        tokenSent"
  },
  // Cached data are asked for unasked.
  {
    clause: "8.2-access",
    file: "packages/core/src/query/Query.ts",
    find: "if (self.mode !== undefined) parameters.push([\"mode\", DataMode.parameter(self.mode)])",
    replace: "parameters.push([\"mode\", self.mode === undefined ? \"cached\" : DataMode.parameter(self.mode)])"
  },
  // 1,000 candles cost 2.
  {
    clause: "8.2-cost-candles",
    file: "packages/core/src/credits/tariff.ts",
    find: "round(count / 1000)",
    replace: "round((count + 1) / 1000)"
  },
  // Candles of funds cost 1 whatever their number.
  {
    clause: "8.2-cost-candles",
    file: "packages/core/src/endpoints/FundCandlesEndpoint.ts",
    find: "kind: \"candles\"",
    replace: "kind: \"other\""
  },
  // With a mode no date is checked.
  {
    clause: "4.1-date",
    file: "packages/core/src/query/Query.ts",
    find: "row(self).date === \"past\" ? dateOf(self) : undefined",
    replace: "row(self).date === \"past\" && self.mode === undefined ? dateOf(self) : undefined"
  }
]
