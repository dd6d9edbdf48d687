import { headed, taken } from "../changes.ts"
import { of, type Seam } from "../seam.ts"

const Bitmap = of(() => import("../../../packages/core/src/columns/bitmap.ts"))
const ColumnTable = of(() => import("@effect-marketdata/core/ColumnTable"))
const Expiration = of(() => import("@effect-marketdata/core/Expiration"))
const ForeignText = of(() => import("@effect-marketdata/core/ForeignText"))
const NewYork = of(() => import("@effect-marketdata/core/NewYork"))
const OptionChain = of(() => import("@effect-marketdata/core/OptionChain"))
const Redact = of(() => import("../../../packages/core/src/text/redact.ts"))
const RowFindings = of(() => import("../../../packages/core/src/chain/rowFindings.ts"))
const TableEncoding = of(() => import("../../../packages/core/src/columns/tableEncoding.ts"))

/** A comparison of rows that leaves a column out. */
const uncompared = (clauses: string | ReadonlyArray<string>, name: "strike" | "underlyingPrice"): Seam =>
  RowFindings(clauses, "RowFindings", (RowFindings) =>
    class extends RowFindings {
      constructor(...[columns, nulls]: ConstructorParameters<typeof RowFindings>) {
        const { [name]: _, ...others } = columns
        super(others, nulls)
      }
    })

/** What core could get wrong of chains, and of what replies mean. */
export const faults: ReadonlyArray<Seam> = [
  // A null stands in another row.
  Bitmap("2.1-shape", "has", (has) => (bitmap, row) => has(bitmap, row & ~4)),
  OptionChain("2.1-fields", "spec", (spec) => ({ ...spec, rho: spec.vega })),
  ColumnTable(
    "2.1-closed",
    "make",
    (make) => (spec, content) =>
      make(spec, { ...content, findings: content.findings.filter(({ code }) => code !== "UnknownField") })
  ),
  RowFindings("2.1-side", "codeOfSide", ({ call, put }) => ({ call: put, put: call })),
  RowFindings("2.1-mid", "halfACent", (half) => 10 * half),
  // Days change at midnight UTC.
  NewYork("2.1-dte", "epochDayOf", () => (seconds) => Math.floor(seconds / 86_400)),
  uncompared("2.1-moneyness", "underlyingPrice"),
  TableEncoding("2.1-last-null", "encode", (encode) =>
    function*(...table) {
      for (const piece of encode(...table)) yield piece.replaceAll("null", "0")
    }),
  OptionChain("2.1-only-last-null", "spec", (spec) => ({ ...spec, bid: spec.last })),
  Expiration("2.1-expiration", "closing", (closing) => (day) => closing(day, false)),
  OptionChain(
    "2.1-first-traded",
    "spec",
    (spec) => ({ ...spec, firstTraded: { ...spec.underlying, null: "finding" } })
  ),
  OptionChain("2.1-updated", "updatedSpan", (spanOf) => (chain) => {
    const span = spanOf(chain)
    return span && { oldest: span.newest, newest: span.oldest }
  }),
  headed(["7.1-204", "7.2-success-set"], (head) => head.status === 204 ? { ...head, read: "data" } : head),
  // The mode says where the data come from.
  taken("7.2-not-mapped", (query, head) => [query, { ...head, status: query.mode?._tag === "Cached" ? 203 : 200 }]),
  // What looks like a token is told.
  Redact("7.1-bodies-unknown", "redact", () => (text) => text),
  // What a terminal obeys is told.
  ForeignText("7.1-bodies-unknown", "line", () => (text, most) => text.slice(0, most))
]
