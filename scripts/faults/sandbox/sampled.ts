import type { Fault } from "../fault.ts"

/** Breaks of sampled clauses that went unnoticed at first (docs/conformance/sampled.md). */
export const faults: ReadonlyArray<Fault> = [
  // A mode in capitals is taken.
  {
    clause: "8.2-modes",
    file: "packages/sandbox/src/internal/manner.ts",
    find: "DataMode.fromParameter(text, profile)",
    replace: "DataMode.fromParameter(text.toLowerCase(), profile)"
  },
  // Delayed data are never a 203.
  {
    clause: "7.2-not-mapped",
    file: "packages/sandbox/src/internal/service.ts",
    find: "isCached || isFromCache(query, now) ? 203 : 200",
    replace: "isCached || (query.mode?._tag !== \"Delayed\" && isFromCache(query, now)) ? 203 : 200"
  },
  // Without a mode there is never a 203.
  {
    clause: "7.2-not-mapped",
    file: "packages/sandbox/src/internal/service.ts",
    find: "isCached || isFromCache(query, now) ? 203 : 200",
    replace: "isCached || (query.mode !== undefined && isFromCache(query, now)) ? 203 : 200"
  },
  // The segment is not decoded.
  {
    clause: "4.1-path",
    file: "packages/sandbox/src/Routes.ts",
    find: "const segment = decode(part)",
    replace: "const segment: string | undefined = part"
  },
  // The path is taken in capitals.
  {
    clause: "4.1-path",
    file: "packages/sandbox/src/Routes.ts",
    find: "return part.text === own[at] ||",
    replace: "return part.text === own[at]!.toLowerCase() ||"
  },
  // BRK.B is looked up as BRKB.
  {
    clause: "4.1-path",
    file: "packages/sandbox/src/internal/endpoints/optionChain.ts",
    find: "const underlying = segments[\"underlyingSymbol\"]!",
    replace: "const underlying = segments[\"underlyingSymbol\"]!.replace(\".\", \"\")"
  },
  // Each day of a range is paid for.
  {
    clause: "8.2-cost-historical-quotes",
    file: "packages/core/src/credits/tariff.ts",
    find: "const perQuote = perUnit(\"symbols\", 1000, 1,",
    replace: "const perQuote = perUnit(\"symbols\", 1, 1,"
  },
  // A date that is not past is taken.
  {
    clause: "4.2-quote",
    file: "packages/sandbox/src/internal/endpoints/optionQuote.ts",
    find: "yield* PastDay.check(query, parameters.now)",
    replace: ""
  },
  // A day without trading is not told from an unknown contract.
  {
    clause: "4.2-quote",
    file: "packages/sandbox/src/internal/endpoints/optionQuote.ts",
    find: "if (!TradingCalendar.isTradingDay(TradingCalendar.NYSE, date)) {",
    replace: "if (date.year < 0) {"
  },
  // A contract that is not listed is an empty reply.
  {
    clause: "4.2-quote",
    file: "packages/sandbox/src/internal/endpoints/optionQuote.ts",
    find: "quotes.length === 0 ? Result.fail(Refusals.optionNotFound)",
    replace: "quotes.length < 0 ? Result.fail(Refusals.optionNotFound)"
  },
  // The change has the wrong sign.
  {
    clause: "4.4-stock-quote",
    file: "packages/sandbox/src/market/StockSnapshot.ts",
    find: "change: Decimals.round(last - before, 2)",
    replace: "change: Decimals.round(before - last, 2)"
  },
  // A stock that is not known is an empty reply.
  {
    clause: "4.4-stock-quote",
    file: "packages/sandbox/src/internal/tickers.ts",
    find: "return all.length === 0 ? Result.fail(Refusals.symbolNotFound)",
    replace: "return all.length < 0 ? Result.fail(Refusals.symbolNotFound)"
  },
  // A delayed 203 costs one credit.
  {
    clause: "7.2-203-price",
    file: "packages/core/src/credits/billing.ts",
    find: "if (tariff._tag === \"Between\") {",
    replace:
      "if (status === 203 && query.mode?._tag === \"Delayed\") return { computed: 1, clause, assumptions }\n  if (tariff._tag === \"Between\") {"
  },
  // .IBMAT is taken.
  {
    clause: "2.3-legacy",
    file: "packages/sandbox/src/internal/endpoints/optionQuote.ts",
    find: "segments[\"optionSymbol\"]!",
    replace: "segments[\"optionSymbol\"]!.replace(/^\\.IBM.*/, \"IBM270115C00100000\")"
  },
  // A bare ticker is taken for a contract.
  {
    clause: "2.3-legacy",
    file: "packages/sandbox/src/internal/endpoints/optionQuote.ts",
    find: "segments[\"optionSymbol\"]!",
    replace: "segments[\"optionSymbol\"]!.replace(/^AAPL$/, \"AAPL261218C00270000\")"
  },
  // Any scheme is taken.
  {
    clause: "5.3-header",
    file: "packages/sandbox/src/internal/admission.ts",
    find: "/^Bearer (\\S+)$/i",
    replace: "/(\\S+)$/"
  },
  // A header that cannot be read counts as none.
  {
    clause: "5.3-header",
    file: "packages/sandbox/src/internal/admission.ts",
    find: "/^Bearer (\\S+)$/i.exec(header)?.[1] ?? \"\"",
    replace: "/^Bearer (\\S+)$/i.exec(header)?.[1]"
  },
  // The query goes before the header.
  {
    clause: "5.3-header",
    file: "packages/sandbox/src/internal/admission.ts",
    find: "return header === undefined ? parameters.get(\"token\") :",
    replace: "return header === undefined || parameters.has(\"token\") ? parameters.get(\"token\") :"
  },
  // BRKB is not BRK.B.
  {
    clause: "2.3-format",
    file: "packages/core/src/symbol/Expiration.ts",
    find: "[\"BRKB\", \"BRK.B\"]",
    replace: "[\"BRKB\", \"BRKB\"]"
  },
  // SPXW is not SPX.
  { clause: "2.3-format", file: "packages/core/src/symbol/Expiration.ts", find: "[\"SPXW\", \"SPX\"],", replace: "" },
  // A root that is not the underlying is not found.
  {
    clause: "2.3-format",
    file: "packages/sandbox/src/market/Market.ts",
    find: "bySymbol.get(Expiration.underlyingOf(symbol.root))",
    replace: "bySymbol.get(symbol.root)"
  },
  // Null is 0 where times or names are written otherwise.
  {
    clause: "2.1-last-null",
    file: "packages/sandbox/src/internal/rendering.ts",
    find:
      "yield `${separator}${nameOf(name)}:[${\n      cells.map((cell) => JSON.stringify(shown(name, cell, dateformat))).join(\",\")",
    replace:
      "yield `${separator}${nameOf(name)}:[${\n      cells.map((cell) => JSON.stringify(shown(name, cell ?? 0, dateformat))).join(\",\")"
  },
  // An option quote that is not cached is a 404.
  {
    clause: "7.1-204",
    file: "packages/sandbox/src/internal/endpoints/optionQuote.ts",
    find: "if (at === undefined) return yield* Result.fail(Refusals.noContent)",
    replace: "if (at === undefined) return yield* Result.fail(Refusals.noData)"
  },
  // Stock quotes that are not cached are a 404.
  {
    clause: "7.1-204",
    file: "packages/sandbox/src/internal/tickers.ts",
    find: "if (runs.length === 0) return Result.fail(Refusals.noContent)",
    replace: "if (runs.length === 0) return Result.fail(Refusals.noData)"
  },
  // What comes after 700 symbols is dropped.
  {
    clause: "8.1-no-cap",
    file: "packages/sandbox/src/internal/tickers.ts",
    find: "symbols.split(\",\").map",
    replace: "symbols.split(\",\").slice(0, 700).map"
  },
  // Over 750 symbols are refused.
  {
    clause: "8.1-no-cap",
    file: "packages/sandbox/src/internal/tickers.ts",
    find: "  return symbols === undefined\n",
    replace:
      "  if (symbols !== undefined && symbols.split(\",\").length > 750) return Result.fail(Refusals.badRequest(\"Too many symbols.\"))\n  return symbols === undefined\n"
  },
  // Live data are refused too.
  {
    clause: "8.2-access",
    file: "packages/core/src/account/Profile.ts",
    find: "contract: [\"cached\"],",
    replace: "contract: [\"live\", \"cached\"],"
  },
  // Other endpoints than the chain refuse something else first.
  {
    clause: "8.2-access",
    file: "packages/sandbox/src/internal/admission.ts",
    find: "const mode = Endpoint.isVersioned(row) ?",
    replace: "const mode = row.kind === \"chain\" ?"
  },
  // Paid accounts get cached data unasked.
  {
    clause: "8.2-access",
    file: "packages/core/src/account/Account.ts",
    find: "const modeServed = self.plan === \"paid\" ? modeAsked ?? ownMode : ownMode",
    replace: "const modeServed = self.plan === \"paid\" ? modeAsked ?? \"cached\" : ownMode"
  },
  // Candles of funds cost 1 whatever their number.
  {
    clause: "8.2-cost-candles",
    file: "packages/core/src/endpoints/FundCandlesEndpoint.ts",
    find: "kind: \"candles\"",
    replace: "kind: \"other\""
  },
  // Yesterday is refused.
  {
    clause: "4.1-date",
    file: "packages/sandbox/src/internal/pastDay.ts",
    find: "Query.checkDate(query, now)",
    replace: "Query.checkDate(query, now - 86_400)"
  },
  // The day changes at midnight UTC.
  {
    clause: "4.1-date",
    file: "packages/sandbox/src/internal/pastDay.ts",
    find: "Query.checkDate(query, now)",
    replace: "Query.checkDate(query, now + 18_000)"
  }
]
