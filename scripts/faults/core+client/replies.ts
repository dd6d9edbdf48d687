import { counted, headed, mistaken, priced, taken, unknown } from "../changes.ts"
import { of, type Seam } from "../seam.ts"

const ErrorBody = of(() => import("../../../packages/core/src/reason/errorBody.ts"))
const IpRule = of(() => import("@effect-marketdata/core/IpRule"))
const Ledger = of(() => import("@effect-marketdata/core/Ledger"))
const Reply = of(() => import("@effect-marketdata/core/Reply"))
const TableBuilder = of(() => import("../../../packages/core/src/columns/internal/tableBuilder.ts"))

/** What core could get wrong of replies and of what they cost, and the client must notice too. */
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
    ["4.1-statuses", "7.1-203", "7.2-success-set", "7.2-not-mapped"],
    (head) => head.status === 203 ? { ...head, read: "text" } : head
  ),
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
  mistaken("7.1-400", 400, 404),
  mistaken("5.7-401", 401, 407),
  mistaken("7.1-402", 402, 412),
  mistaken("7.1-403", 403, 413),
  mistaken(["7.1-404", "7.3-400-vs-404"], 404, 410),
  unknown("7.3-date-errmsg", "Invalid date"),
  unknown("7.3-symbol-errmsg", "Invalid option symbol"),
  unknown("7.3-html-400", "Request Line"),
  // Only JSON has words.
  ErrorBody("7.1-bodies-unknown", "parse", (parse) => (text) => parse(text) ?? {}),
  priced("7.1-204", ({ status }) => status === 204 ? 1 : undefined),
  // The status makes the price.
  priced("7.2-203-price", ({ status }) => status === 203 ? 1 : undefined),
  // The service's own figure is not heard.
  counted("7.1-charge-not-stated", (outcome) => ({ ...outcome, reported: undefined })),
  // Null counts as quote data.
  counted("8.2-cost-quotes", (outcome) => ({ ...outcome, symbols: outcome.contracts })),
  IpRule("5.6-single-ip", "blockSeconds", (seconds) => seconds - 1),
  // Requests of two addresses are in flight together.
  IpRule("5.6-simultaneous", "admit", (admit) => (traffic, ...from) => admit({ ...traffic, inFlight: 0 }, ...from)),
  Ledger("8.5-not-shown", "make", (make) => (allowance = 10_000) => make(allowance))
]
