import { headed, taken } from "../support/changes.ts"
import { of, type Seam } from "../support/seam.ts"

const Bitmap = of(() => import("../../src/columns/bitmap.ts"))
const Table = of(() => import("@effect-marketdata/core/ColumnTable"))
const Expiration = of(() => import("@effect-marketdata/core/Expiration"))
const ForeignText = of(() => import("@effect-marketdata/core/ForeignText"))
const NewYork = of(() => import("@effect-marketdata/core/NewYork"))
const OptionChain = of(() => import("@effect-marketdata/core/OptionChain"))
const RowFindings = of(() => import("../../src/chain/rowFindings.ts"))
const TableJson = of(() => import("../../src/columns/tableJson.ts"))

/** A comparison of rows that leaves a column out. */
const uncompared = (clauses: string | ReadonlyArray<string>, name: "strike" | "underlyingPrice"): Seam =>
  RowFindings.rowFindings(clauses, (rowFindings) => (columns, nulls) => {
    const { [name]: _, ...others } = columns
    return rowFindings(others, nulls)
  })

/** What core could get wrong of chains, and of what replies mean. */
export const faults: ReadonlyArray<Seam> = [
  // A null stands in another row.
  Bitmap.has("2.1-shape", (has) => (bitmap, row) => has(bitmap, row & ~4)),
  OptionChain.spec("2.1-fields", (spec) => ({ ...spec, rho: spec.vega })),
  Table.make(
    "2.1-closed",
    (make) => (spec, content) =>
      make(spec, { ...content, findings: content.findings.filter(({ code }) => code !== "UnknownField") })
  ),
  RowFindings.codeOfSide("2.1-side", ({ call, put }) => ({ call: put, put: call })),
  RowFindings.halfACent("2.1-mid", (half) => 10 * half),
  // Days change at midnight UTC.
  NewYork.epochDayOf("2.1-dte", () => (seconds) => Math.floor(seconds / 86_400)),
  uncompared("2.1-moneyness", "underlyingPrice"),
  TableJson.encode("2.1-last-null", (encode) =>
    function*(...table) {
      for (const piece of encode(...table)) yield piece.replaceAll("null", "0")
    }),
  OptionChain.spec("2.1-only-last-null", (spec) => ({ ...spec, bid: spec.last })),
  Expiration.closing("2.1-expiration", (closing) => (day) => closing(day, false)),
  OptionChain.spec("2.1-first-traded", (spec) => ({ ...spec, firstTraded: { ...spec.underlying, null: "finding" } })),
  OptionChain.updatedSpan("2.1-updated", (spanOf) => (chain) => {
    const span = spanOf(chain)
    return span && { oldest: span.newest, newest: span.oldest }
  }),
  headed(["7.1-204", "7.2-success-set"], (head) => head.status === 204 ? { ...head, read: "data" } : head),
  // The mode says where the data come from.
  taken("7.2-not-mapped", (query, head) => [query, { ...head, status: query.mode?._tag === "Cached" ? 203 : 200 }]),
  // What looks like a token is told.
  ForeignText.line(
    "7.1-bodies-unknown",
    () => (text, most) => JSON.stringify(text).slice(1, -1).replaceAll("\\\"", "\"").slice(0, most)
  ),
  // What a terminal obeys is told.
  ForeignText.line("7.1-bodies-unknown", () => (text, most) => text.slice(0, most))
]
