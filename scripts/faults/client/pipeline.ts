import type { Fault } from "../fault.ts"

const core = (module: string) => `packages/core/src/${module}.ts`
const client = (module: string) => `packages/client/src/${module}.ts`

/** What the client could get wrong on a question's way: in batches, retries, the egress gate and the fallback. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "8.1-batches",
    file: client("internal/batches"),
    find: "HttpRequest.batches(query, { baseUrl, maxSymbols, queryToken })",
    replace: "HttpRequest.batches(query, { baseUrl, queryToken })"
  },
  {
    clause: "8.1-batches",
    file: core("query/HttpRequest"),
    find: "export const recommendedSymbols = 500",
    replace: "export const recommendedSymbols = 501"
  },
  {
    clause: "8.1-batches",
    file: client("internal/batches"),
    find: "const whole = Reply.join(query, [first, ...rest])",
    replace: "const whole = Reply.join(query, [first, ...rest.toReversed()])"
  },
  {
    clause: "8.3-fallback",
    file: client("internal/fallback"),
    find: "ceiling ?? Credits.bound(price)",
    replace: "Math.max(ceiling ?? 0, 1000)"
  },
  {
    clause: "8.3-fallback",
    file: client("internal/fallback"),
    find: "const missed = first.filter(isMiss)",
    replace: "const missed = first.some(isMiss) ? first : []"
  },
  {
    clause: "5.6-single-ip",
    file: client("internal/attempt"),
    find: `reason._tag === "AddressBlocked" ||`,
    replace: ""
  },
  {
    clause: "5.6-single-ip",
    file: client("EgressGuard"),
    find: "if (suspect && traffic.inFlight > 0) return [forReplies, state]",
    replace: ""
  },
  {
    clause: "5.6-single-ip",
    file: client("EgressGuard"),
    find: "suspect && !(isTrial && departure",
    replace: "suspect && !(departure"
  },
  {
    clause: "5.6-single-ip",
    file: core("reply/Egress"),
    find: "const until = now + window",
    replace: "const until = now + window - 1"
  },
  {
    clause: "5.6-simultaneous",
    file: core("reply/Egress"),
    find: `if (isSwitch && self.inFlight > 0) return { _tag: "WaitForReplies", inFlight: self.inFlight }`,
    replace: ""
  },
  {
    clause: "5.6-simultaneous",
    file: client("EgressGuard"),
    find: "const settled = Egress.settle(traffic, millis / 1000, departure !== \"lost\")",
    replace: "const settled = Egress.settle(traffic, 0, departure !== \"lost\")"
  },
  {
    clause: "7.1-403",
    file: client("internal/attempt"),
    find: `reason._tag === "Forbidden" && holdOn === "any403"`,
    replace: `reason._tag === "Forbidden"`
  },
  {
    clause: "7.1-403",
    file: client("internal/attempt"),
    find: `reason._tag === "Forbidden" && holdOn === "any403"`,
    replace: `reason._tag === "Forbidden" && holdOn === "addressBlock"`
  },
  {
    clause: "4.2-quote",
    file: core("endpoints/OptionQuoteEndpoint"),
    find: `path: "/v1/options/quotes/{optionSymbol}/"`,
    replace: `path: "/v1/options/quote/{optionSymbol}/"`
  },
  {
    clause: "4.3-lookup",
    file: core("endpoints/OptionLookupEndpoint"),
    find: `path: "/v1/options/lookup/{description}"`,
    replace: `path: "/v1/options/lookup/{description}/"`
  },
  {
    clause: "4.4-stock-quote",
    file: core("endpoints/StockQuotesEndpoint"),
    find: `path: "/v1/stocks/quotes/{symbol}/"`,
    replace: `path: "/v1/stocks/quote/{symbol}/"`
  },
  {
    clause: "4.5-prices",
    file: core("endpoints/StockPricesEndpoint"),
    find: `listPath: "/v1/stocks/prices/"`,
    replace: `listPath: "/v1/stocks/price/"`
  },
  {
    clause: "4.5-bulk-candles",
    file: core("endpoints/StockBulkCandlesEndpoint"),
    find: `listPath: "/v1/stocks/bulkcandles/D/"`,
    replace: `listPath: "/v1/stocks/bulkcandles/"`
  },
  {
    clause: "8.2-cost-quotes",
    file: core("reply/readers"),
    find: "if (!bitmaps.every((bitmap) => Bitmap.has(bitmap, row))) count++",
    replace: "count++"
  },
  {
    clause: "8.2-cost-candles",
    file: core("credits/tariff"),
    find: "round(count / 1000)",
    replace: "round(count / 100)"
  },
  {
    clause: "8.2-cost-other",
    file: core("credits/billing"),
    find: "return { computed: tariff.credits, clause, assumptions }",
    replace: "return { computed: 0, clause, assumptions }"
  },
  {
    clause: "8.2-cost-bulk-candles",
    file: core("reply/Reply"),
    find: `symbols: query.kind === "quotes" ? quoted : rows`,
    replace: "symbols: 1"
  }
]
