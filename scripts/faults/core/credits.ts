import type { Fault } from "../fault.ts"

const credits = "packages/core/src/credits/Credits.ts"
const tariff = "packages/core/src/credits/tariff.ts"
const pricing = "packages/core/src/credits/pricing.ts"
const billing = "packages/core/src/credits/billing.ts"
const ledger = "packages/core/src/credits/Ledger.ts"
const contracts = "packages/core/src/credits/maxContracts.ts"
const candles = "packages/core/src/credits/maxCandles.ts"

const free204 = `if (status === 204) return { computed: 0,`
const perContract =
  `return perUnit("contracts", 1, 1, query.mode?._tag === "Delayed" ? "4.1-cost-delayed" : "4.1-cost-live")`

/** What prices and the book of credits could get wrong. */
export const faults: ReadonlyArray<Fault> = [
  { clause: "1-credits", file: billing, find: free204, replace: free204.replace("0", "1") },
  {
    clause: "1-credits",
    file: billing,
    find: "if (!isSuccess(status)) {",
    replace: "if (!isSuccess(status) && status !== 400) {"
  },
  {
    clause: "1-credits",
    file: pricing,
    find: "const min = Tariff.billsQuotedOnly(tariff, given) ? price(0) : price(fewest)",
    replace: "const min = price(fewest)"
  },
  { clause: "4.1-cost-live", file: tariff, find: perContract, replace: perContract.replace("1, 1", "1000, 1") },
  { clause: "4.1-cost-live", file: pricing, find: "fewest: count, most: count", replace: "fewest: 1, most: count" },
  {
    clause: "4.1-cost-live",
    file: contracts,
    find: "return expiration === \"all\" ? Maximum.none :",
    replace: "return expiration === \"all\" ? Maximum.make(30) :"
  },
  { clause: "4.1-cost-live", file: contracts, find: ": 2 * limit", replace: ": limit" },
  {
    clause: "4.1-cost-live",
    file: contracts,
    find: `range === "otm" ? limit + 1 :`,
    replace: `range === "otm" ? limit :`
  },
  {
    clause: "4.1-cost-live",
    file: contracts,
    find: `isIndex && filter("am") === filter("pm") ? 2 : 1`,
    replace: `isIndex && filter("am") === filter("pm") ? 1 : 1`
  },
  {
    clause: "4.1-cost-live",
    file: contracts,
    find: `filter("nonstandard") === "true"`,
    replace: `filter("nonstandard") === "all"`
  },
  { clause: "4.1-cost-live", file: contracts, find: "+ saturdays", replace: "" },
  { clause: "4.1-cost-delayed", file: contracts, find: `["a call", "a put"]`, replace: `["a call"]` },
  {
    clause: "4.1-cost-historical",
    file: contracts,
    find: "(to - from) * 100 + 1e-6",
    replace: "(to - from) / 5 + 1e-6"
  },
  {
    clause: "4.1-cost-delayed",
    file: tariff,
    find: perContract,
    replace: perContract.replace("1, 1", `query.mode?._tag === "Delayed" ? 1000 : 1, 1`)
  },
  {
    clause: "4.1-cost-delayed",
    file: tariff,
    find: perContract,
    replace: `return perUnit("contracts", 1, 1, "4.1-cost-live")`
  },
  {
    clause: "4.1-cost-cached",
    file: tariff,
    find: `? perReply(kind === "chain" ? "4.1-cost-cached" : "8.2-cost-quotes")`,
    replace: `? perUnit("contracts", 1000, 1, "4.1-cost-cached")`
  },
  { clause: "4.1-cost-cached", file: pricing, find: "? between(0, most,", replace: "? between(most, most," },
  {
    clause: "4.1-cost-historical",
    file: tariff,
    find: "{ up: Math.ceil, down: Math.floor,",
    replace: "{ up: Math.floor, down: Math.floor,"
  },
  {
    clause: "4.1-cost-historical",
    file: tariff,
    find: "return Math.max(1, round(count / 1000))",
    replace: "return round(count / 1000)"
  },
  {
    clause: "4.1-cost-historical",
    file: tariff,
    find: "if (assume.historical === true || ofOldMode) {",
    replace: "if (assume.historical === true && assume.contracts === undefined) {"
  },
  { clause: "7.1-204", file: billing, find: free204, replace: free204.replace("0", "1") },
  {
    clause: "7.1-charge-not-stated",
    file: billing,
    find: "return { credits: reported, uncertain: 0, reported, finding: undefined, ...price }",
    replace: "return { credits: least, uncertain, reported, finding: undefined, ...price }"
  },
  {
    clause: "7.1-charge-not-stated",
    file: billing,
    find: "assumptions: [{ name: `charge for status ${status}`, value: Amount.grouped(credits) }]",
    replace: "assumptions: []"
  },
  { clause: "7.1-charge-not-stated", file: billing, find: "assume.refusal ?? 0", replace: "assume.refusal ?? 1" },
  {
    clause: "7.1-charge-not-stated",
    file: "packages/core/src/reason/words.ts",
    find: "charged === undefined\n    ? otherwise",
    replace: "charged === undefined || charged === 0\n    ? otherwise"
  },
  {
    clause: "8.2-cost-quotes",
    file: billing,
    find: "most: price(count + unclear)",
    replace: "most: price(count)"
  },
  {
    clause: "8.2-cost-quotes",
    file: "packages/core/src/reply/readers.ts",
    find: "unclear: isWhole ? 0 : rows - quoted",
    replace: "unclear: 0"
  },
  {
    clause: "8.2-cost-quotes",
    file: billing,
    find: "return Math.max(1, rows) * timesDearer",
    replace: "return Infinity"
  },
  {
    clause: "8.2-cost-quotes",
    file: billing,
    find: "reported >= least && reported <= (most ?? least)",
    replace: "reported <= (most ?? least)"
  },
  {
    clause: "4.1-cost-historical",
    file: billing,
    find: "return { ...of(1000), most: of(1).computed }",
    replace: "return of(1)"
  },
  {
    clause: "7.2-203-price",
    file: billing,
    find: `if (tariff._tag === "PerUnit") return`,
    replace: `if (status === 203) return { computed: 1, clause, assumptions }\n  if (tariff._tag === "PerUnit") return`
  },
  {
    clause: "8.2-cost-quotes",
    file: tariff,
    find: `perUnit("symbols", 1, 0, "8.2-cost-quotes")`,
    replace: `perUnit("symbols", 1, 1, "8.2-cost-quotes")`
  },
  {
    clause: "8.2-cost-quotes",
    file: pricing,
    find: "query.tickers.length / 500",
    replace: "query.tickers.length / 5000"
  },
  {
    clause: "8.2-cost-quotes",
    file: credits,
    find: "price !== undefined && price !== null && !Number.isNaN(price)",
    replace: "Boolean(price)"
  },
  {
    clause: "8.2-cost-quotes",
    file: credits,
    find: `rule: "any" | "all" = "any"`,
    replace: `rule: "any" | "all" = "all"`
  },
  {
    clause: "8.2-cost-historical-quotes",
    file: tariff,
    find: `: notStated("the price of quotes of past days", perQuote, perQuote.clause)`,
    replace: ": perQuote"
  },
  {
    clause: "8.2-cost-historical-quotes",
    file: pricing,
    find: "if (assume.credits === undefined) return",
    replace: "if (assume.credits === undefined || assume.symbols === undefined) return"
  },
  {
    clause: "8.2-cost-historical-quotes",
    file: tariff,
    find: `if (kind === "quotes" && query.historical) {`,
    replace: `if (kind === "quotes" && query.historical && assume.symbols === undefined) {`
  },
  {
    clause: "8.2-cost-candles",
    file: tariff,
    find: `perUnit("candles", 1000, 1,`,
    replace: `perUnit("candles", 1, 1,`
  },
  { clause: "8.2-cost-candles", file: tariff, find: "return query.cacheable", replace: "return true" },
  {
    clause: "8.2-cost-candles",
    file: candles,
    find: "Math.ceil((stretch - 1) / length) + 1",
    replace: "Math.floor(stretch / length)"
  },
  {
    clause: "8.2-cost-candles",
    file: candles,
    find: "[before, regular, after])",
    replace: "[regular])"
  },
  {
    clause: "8.2-cost-candles",
    file: "packages/core/src/time/tradingDays.ts",
    find: "if (to < from) return weekdays(first, last)",
    replace: "if (to < from) return 0"
  },
  {
    clause: "8.2-cost-bulk-candles",
    file: tariff,
    find: `perUnit("symbols", 1, 1, "8.2-cost-bulk-candles")`,
    replace: `perUnit("symbols", 1000, 1, "8.2-cost-bulk-candles")`
  },
  { clause: "8.2-cost-bulk-candles", file: tariff, find: "return query.cacheable", replace: "return true" },
  {
    clause: "8.2-cost-other",
    file: tariff,
    find: `: perReply("8.2-cost-other")`,
    replace: `: perReply("8.2-cost-other", 0)`
  },
  {
    clause: "8.2-modes",
    file: tariff,
    find: `return ofOldMode && profile === "contract"`,
    replace: `return ofOldMode && profile === "public"`
  },
  {
    clause: "8.3-hit",
    file: tariff,
    find: "const perReply = (clause: string, credits = 1,",
    replace: "const perReply = (clause: string, credits = 0,"
  },
  { clause: "8.3-miss", file: billing, find: free204, replace: free204.replace("0", "1") },
  {
    clause: "8.3-fallback",
    file: pricing,
    find: "const most = Math.max(count, count === 1 ? max :",
    replace: "const most = Math.max(count, count === 1 ? Math.min(1, max) :"
  },
  {
    clause: "8.3-fallback",
    file: pricing,
    find: "return between(Math.min(1, min), most,",
    replace: "return between(min, most,"
  },
  {
    clause: "8.5-not-shown",
    file: ledger,
    find: "make = (allowance = Infinity)",
    replace: "make = (allowance = 10_000)"
  }
]
