import type { Fault } from "../fault.ts"

/** Breaks of sampled clauses that went unnoticed at first (docs/conformance/sampled.md). */
export const faults: ReadonlyArray<Fault> = [
  // The mode, not the reply, says which status came.
  {
    clause: "7.2-not-mapped",
    file: "packages/core/src/reply/Reply.ts",
    find: "status: source === \"cache\" ? 203 : 200,",
    replace: "status: cached ? 203 : 200,"
  },
  // A 203 to live data is a finding.
  {
    clause: "7.2-not-mapped",
    file: "packages/core/src/reply/Reply.ts",
    find: "cached && head.status === 200 ? [cachedAnsweredFresh",
    replace: "cached === (head.status === 200) ? [cachedAnsweredFresh"
  },
  // News are paid by the article.
  {
    clause: "8.2-cost-other",
    file: "packages/core/src/endpoints/StockNews.ts",
    find: "kind: \"other\"",
    replace: "kind: \"bulkCandles\""
  },
  // Market days are paid by the day.
  {
    clause: "8.2-cost-other",
    file: "packages/core/src/endpoints/MarketStatus.ts",
    find: "kind: \"other\"",
    replace: "kind: \"bulkCandles\""
  },
  // Earnings are paid as candles.
  {
    clause: "8.2-cost-other",
    file: "packages/core/src/endpoints/StockEarnings.ts",
    find: "kind: \"other\"",
    replace: "kind: \"candles\""
  },
  // Strikes have cached data.
  {
    clause: "8.2-cost-other",
    file: "packages/core/src/endpoints/OptionStrikes.ts",
    find: "cached: false",
    replace: "cached: true"
  },
  // The symbol is sent in capitals.
  {
    clause: "4.1-path",
    file: "packages/core/src/query/encoding.ts",
    find: "map(ticker, encodeText)",
    replace: "map(ticker, (symbol) => encodeText(symbol.toUpperCase()))"
  },
  // A range of past days counts as current data.
  {
    clause: "8.2-cost-historical-quotes",
    file: "packages/core/src/endpoints/OptionQuote.ts",
    find: "historical: Period.isGiven(given.texts)",
    replace: "historical: given.texts.date !== undefined"
  },
  // 4094 bytes count as too many.
  {
    clause: "8.1-batches",
    file: "packages/core/src/query/HttpRequest.ts",
    find: "bytes > maxLineBytes",
    replace: "bytes >= maxLineBytes"
  },
  // An answer is as old as its first part.
  {
    clause: "8.1-batches",
    file: "packages/core/src/reply/Provenance.ts",
    find: "Math.max(all.receivedAt, next.receivedAt)",
    replace: "Math.min(all.receivedAt, next.receivedAt)"
  },
  // The root counts as the underlying.
  {
    clause: "4.2-quote",
    file: "packages/core/src/endpoints/OptionQuote.ts",
    find: "tickers: [Expiration.underlyingOf(parsed.root)]",
    replace: "tickers: [parsed.root]"
  },
  // The symbol is not encoded.
  {
    clause: "4.4-stock-quote",
    file: "packages/core/src/endpoints/StockQuotes.ts",
    find: "path: Encoding.fill(row.path, { symbol: segment }),",
    replace: "path: Encoding.fill(row.path, { symbol }),"
  },
  // Without symbols nothing is compared.
  {
    clause: "2.1-moneyness",
    file: "packages/core/src/chain/rowFindings.ts",
    find: "side === undefined || strike === undefined",
    replace: "side !== undefined || strike === undefined"
  },
  // Null counts as false.
  {
    clause: "2.1-moneyness",
    file: "packages/core/src/chain/rowFindings.ts",
    find: "inTheMoney !== undefined && !(this.moneynessNulls !== undefined && Bitmap.has(this.moneynessNulls, row))",
    replace: "inTheMoney !== undefined"
  },
  // Puts are taken for calls.
  {
    clause: "2.1-moneyness",
    file: "packages/core/src/chain/rowFindings.ts",
    find: "right.isCall ? above : -above",
    replace: "right.isCall ? above : above"
  },
  // Zeros at the end count as places.
  {
    clause: "2.3-strike-fraction",
    file: "packages/core/src/symbol/Strike.ts",
    find: "(match[3] ?? \"\").replace(/0+$/, \"\")",
    replace: "(match[3] ?? \"\")"
  },
  // A thousandth is lost in floating point.
  {
    clause: "2.3-strike-fraction",
    file: "packages/core/src/symbol/Strike.ts",
    find: "Math.round(strike * 1000)",
    replace: "Math.floor(strike * 1000)"
  },
  // In the padded form the side goes before the date.
  {
    clause: "2.3-precedence",
    file: "packages/core/src/symbol/optionSymbolDiagnosis.ts",
    find: "  return expirationProblem(fields) ?? sideProblem(fields) ?? strikeProblem(fields) ??\n    (root?.problem",
    replace: "  return sideProblem(fields) ?? expirationProblem(fields) ?? strikeProblem(fields) ??\n    (root?.problem"
  },
  // A tab in a root counts as another character.
  {
    clause: "2.3-precedence",
    file: "packages/core/src/symbol/optionSymbolDiagnosis.ts",
    find: ": /\\s/.test(wrong[0])",
    replace: ": / /.test(wrong[0])"
  },
  // A symbol read from a chain loses its zeros.
  {
    clause: "2.3-format",
    file: "packages/core/src/chain/optionSymbolColumn.ts",
    find: "String(column.thousandths[index]!).padStart(strikeDigits, \"0\")",
    replace: "String(column.thousandths[index]!)"
  },
  // BRKB is not BRK.B.
  {
    clause: "2.3-format",
    file: "packages/core/src/symbol/Expiration.ts",
    find: "[\"BRKB\", \"BRK.B\"]",
    replace: "[\"BRKB\", \"BRKB\"]"
  },
  // Rows as objects hold NaN for null.
  {
    clause: "2.1-last-null",
    file: "packages/core/src/endpoints/OptionChain.ts",
    find: "self.isNull(name, index) ? null : self[name][index]!",
    replace: "self[name][index]!"
  },
  // Null is written as 0.
  {
    clause: "2.1-last-null",
    file: "packages/core/src/columns/tableEncoding.ts",
    find: "Bitmap.has(nulls, row) ? \"null\" : elementAt(row)",
    replace: "Bitmap.has(nulls, row) ? \"0\" : elementAt(row)"
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
  // The body of a 204 is read.
  {
    clause: "7.1-204",
    file: "packages/core/src/reply/Reply.ts",
    find: "reply.status === 204 ? \"nothing\"",
    replace: "reply.status === 204 ? \"text\""
  },
  // Paid accounts get cached data unasked.
  {
    clause: "8.2-access",
    file: "packages/core/src/account/Account.ts",
    find: "const modeServed = self.plan === \"paid\" ? modeAsked ?? ownMode : ownMode",
    replace: "const modeServed = self.plan === \"paid\" ? modeAsked ?? \"cached\" : ownMode"
  },
  // With a mode no date is checked.
  {
    clause: "4.1-date",
    file: "packages/core/src/query/query.ts",
    find: "row(self).date === \"past\" ? dateOf(self) : undefined",
    replace: "row(self).date === \"past\" && self.mode === undefined ? dateOf(self) : undefined"
  },
  // A past day counts as current data.
  {
    clause: "4.1-date",
    file: "packages/core/src/endpoints/OptionChain.ts",
    find: "historical: given.texts.date !== undefined",
    replace: "historical: false"
  }
]
