import { counted, headed, mistaken, priced, refused, taken, unknown } from "../changes.ts"
import { of, type Seam } from "../seam.ts"

const ErrorBody = of(() => import("../../../packages/core/src/reason/errorBody.ts"))
const LedgerSteps = of(() => import("../../../packages/client/src/account/ledgerSteps.ts"))
const Reply = of(() => import("@effect-marketdata/core/Reply"))
const TableBuilder = of(() => import("../../../packages/core/src/columns/internal/tableBuilder.ts"))
const Tariff = of(() => import("../../../packages/core/src/credits/tariff.ts"))

/** What the client could get wrong in reading replies and recording charges. */
export const faults: ReadonlyArray<Seam> = [
  // Every column may have its own length.
  TableBuilder("2.1-lengths", "TableBuilder", (TableBuilder) =>
    class extends TableBuilder {
      override add(...column: readonly [number, number]) {
        this.length = undefined
        super.add(...column)
      }
    }),
  ErrorBody("2.2-error-body", "errmsg", () => () => undefined),
  headed("7.1-200", (head) => head.status === 200 ? { ...head, read: "text" } : head),
  headed(
    ["4.1-statuses", "7.2-success-set", "7.2-not-mapped"],
    (head) => head.status === 203 ? { ...head, read: "text" } : head
  ),
  headed("7.2-success-set", (head) => head.status === 204 ? { ...head, status: 205 } : head),
  // Cached data are told to come from the provider.
  taken("7.1-203", (query, head) => [query, { ...head, status: 200 }]),
  // What was asked for as live was fetched anew.
  taken("7.2-not-mapped", (query, head) => [query, query.mode?._tag === "Live" ? { ...head, status: 200 } : head]),
  Reply("7.2-cached-200", "outcome", (outcome) => (...reply) => {
    const found = outcome(...reply)
    return found._tag !== "Delivered"
      ? found
      : { ...found, findings: found.findings.filter(({ code }) => code !== "CachedAnsweredFresh") }
  }),
  // Every 204 is a miss.
  taken("7.1-204-elsewhere", (query, head) => [{ ...query, mode: { _tag: "Cached", maxAge: undefined } }, head]),
  // No 204 is a miss.
  taken("8.3-miss", (query, head) => [{ ...query, mode: undefined }, head]),
  Reply(
    "5.5-demo",
    "outcome",
    (outcome) => (query, head, body, request) => outcome(query, head, body, { ...request, tokenSent: true })
  ),
  Reply("5.8-premium-mode", "outcome", (outcome) => (...reply) => {
    const found = outcome(...reply)
    return found._tag !== "Delivered" ? found : { ...found, provenance: { ...found.provenance, sentMode: undefined } }
  }),
  mistaken("7.1-400", 400, 404),
  mistaken("5.7-401", 401, 407),
  mistaken("7.1-402", 402, 412),
  mistaken("7.1-403", 403, 413),
  mistaken(["7.1-404", "7.3-400-vs-404"], 404, 410),
  unknown("7.3-date-errmsg", "Invalid date"),
  unknown("7.3-symbol-errmsg", "Invalid option symbol"),
  unknown("7.3-html-400", "Request Line"),
  refused(["8.2-access", "5.8-premium-mode"], (head, text) => [head, { ...text, cached: false }]),
  // Only JSON has words.
  ErrorBody("7.1-bodies-unknown", "parse", (parse) => (text) => parse(text) ?? {}),
  // Every 403 is a block.
  ErrorBody("7.1-403", "isAddressBlock", () => () => true),
  // A chain costs one credit, as from the cache.
  counted(["4.1-cost-live", "4.1-cost-delayed"], (outcome) => ({ ...outcome, contracts: 1 })),
  priced("4.1-cost-cached", ({ contracts }, { mode }) => mode?._tag === "Cached" ? contracts : undefined),
  // One credit for each hundred.
  Tariff(
    ["4.1-cost-historical", "8.2-cost-candles"],
    "perThousand",
    (price) => (count, rounding) => price(count * 10, rounding)
  ),
  priced("7.1-204", ({ status }) => status === 204 ? 1 : undefined),
  priced("8.3-hit", ({ status }, { mode }) => status === 203 && mode?._tag === "Cached" ? 0 : undefined),
  // The status makes the price.
  priced("7.2-203-price", ({ status }) => status === 203 ? 1 : undefined),
  // The service's own figure is not heard.
  counted("7.1-charge-not-stated", (outcome) => ({ ...outcome, reported: undefined })),
  // Null counts as quote data.
  counted("8.2-cost-quotes", (outcome) => ({ ...outcome, symbols: outcome.contracts })),
  // What a reply may have cost besides is not recorded.
  LedgerSteps(
    "8.2-cost-quotes",
    "charge",
    (charge) => (ledger, of, recorded, figures) => charge(ledger, of, { ...recorded, uncertain: 0 }, figures)
  ),
  counted("8.2-cost-bulk-candles", (outcome) => ({ ...outcome, symbols: 1 })),
  priced("8.2-cost-other", ({ status }, { kind }) => kind === "other" && status === 200 ? 0 : undefined)
]
