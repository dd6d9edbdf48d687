import * as Result from "effect/Result"
import { counted, headed, mistaken, priced, sent, taken, unknown, written } from "../support/changes.ts"
import { of, type Seam } from "../support/seam.ts"

const Construct = of(() => import("../../src/query/construct.ts"))
const ErrorBody = of(() => import("../../src/reason/errorBody.ts"))
const HttpRequest = of(() => import("@effect-marketdata/core/HttpRequest"))
const IpRule = of(() => import("@effect-marketdata/core/IpRule"))
const Ledger = of(() => import("@effect-marketdata/core/Ledger"))
const MaxAge = of(() => import("@effect-marketdata/core/MaxAge"))
const Parameter = of(() => import("../../src/query/parameter.ts"))
const Query = of(() => import("../../src/query/query.ts"))
const Reply = of(() => import("@effect-marketdata/core/Reply"))
const TableBuilder = of(() => import("../../src/columns/internal/tableReader.ts"))

/** Whose tests must find them. */
export const packages = ["core", "client"]

/** What core could get wrong in asking, of replies and of what they cost. */
export const faults: ReadonlyArray<Seam> = [
  written("4.1-path", "/v1/options/chain/", "/v1/options/chains/"),
  written("4.2-quote", "/v1/options/quotes/", "/v1/options/quote/"),
  written("4.3-lookup", /(\/v1\/options\/lookup\/[^?]*)/, "$1/"),
  written("4.4-stock-quote", "/v1/stocks/quotes/", "/v1/stocks/quote/"),
  written("4.5-prices", "/v1/stocks/prices/", "/v1/stocks/price/"),
  written("4.5-bulk-candles", "/v1/stocks/bulkcandles/D/", "/v1/stocks/bulkcandles/"),
  written(["4.1-params", "8.2-modes"], "mode=", "feed="),
  written("9-version", "/v1/", "/"),
  sent("4-mode-everywhere", (query) => query.mode?._tag === "Live" ? { ...query, mode: undefined } : query),
  sent("8.2-default", (query) => ({ ...query, mode: query.mode ?? { _tag: "Live" } })),
  // A format is made up.
  sent("4.5-general-params", (query) => ({ ...query, format: query.format ?? "csv" })),
  // A range of ages goes on where nothing is cached.
  Query.withMode(
    "4.1-maxage-cached-only",
    (withMode) => (query, mode) => ({ ...withMode(query, mode), maxAge: query.maxAge })
  ),
  Query.checkDate("4.1-date", (checkDate) => (query, now) => checkDate(query, now + 86_400)),
  // A list may be empty.
  Parameter.list("7.3-cause-malformed-query", (list) => (member, rule) => list(member, rule, 0)),
  HttpRequest.lineBytes("8.1-request-line", (lineBytes) => (target) => lineBytes(target) + 1),
  Construct.checkCache("8.2-cached-unavailable", () => () => Result.succeed(undefined)),
  MaxAge.format("8.3-maxage-forms", (format) => (maxAge) => format(maxAge).replace("min", "m")),
  // Every column may have its own length.
  TableBuilder.TableBuilder("2.1-lengths", (TableBuilder) =>
    class extends TableBuilder {
      override add(...column: readonly [number, number]) {
        this.length = undefined
        super.add(...column)
      }
    }),
  ErrorBody.errmsg("2.2-error-body", () => () => undefined),
  headed("7.1-200", (head) => head.status === 200 ? { ...head, read: "text" } : head),
  headed(
    ["4.1-statuses", "7.1-203", "7.2-success-set", "7.2-not-mapped"],
    (head) => head.status === 203 ? { ...head, read: "text" } : head
  ),
  Reply.outcome("7.2-cached-200", (outcome) => (...reply) => {
    const found = outcome(...reply)
    return found._tag !== "Delivered"
      ? found
      : { ...found, findings: found.findings.filter(({ code }) => code !== "CachedAnsweredFresh") }
  }),
  // Every 204 is a miss.
  taken("7.1-204-elsewhere", (query, head) => [{ ...query, mode: { _tag: "Cached", maxAge: undefined } }, head]),
  // No 204 is a miss.
  taken("8.3-miss", (query, head) => [{ ...query, mode: undefined }, head]),
  mistaken("7.1-400", 400, 404),
  mistaken("5.7-401", 401, 407),
  mistaken("7.1-402", 402, 412),
  mistaken("7.1-403", 403, 413),
  mistaken(["7.1-404", "7.3-400-vs-404"], 404, 410),
  unknown("7.3-date-errmsg", "Invalid date"),
  unknown("7.3-symbol-errmsg", "Invalid option symbol"),
  unknown("7.3-html-400", "Request Line"),
  // Only JSON has words.
  ErrorBody.parse("7.1-bodies-unknown", (parse) => (text) => parse(text) ?? {}),
  priced("7.1-204", ({ status }) => status === 204 ? 1 : undefined),
  // The status makes the price.
  priced("7.2-203-price", ({ status }) => status === 203 ? 1 : undefined),
  // The service's own figure is not heard.
  counted("7.1-charge-not-stated", (outcome) => ({ ...outcome, reported: undefined })),
  // Null counts as quote data.
  counted("8.2-cost-quotes", (outcome) => ({ ...outcome, symbols: outcome.contracts })),
  IpRule.blockSeconds("5.6-single-ip", (seconds) => seconds - 1),
  // Requests of two addresses are in flight together.
  IpRule.admit("5.6-simultaneous", (admit) => (traffic, ...from) => admit({ ...traffic, inFlight: 0 }, ...from)),
  Ledger.make("8.5-not-shown", (make) => (allowance = 10_000) => make(allowance))
]
