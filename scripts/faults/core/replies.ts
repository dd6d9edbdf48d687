import { headed, taken } from "../changes.ts"
import { of, type Seam } from "../seam.ts"

const ForeignText = of(() => import("@effect-marketdata/core/ForeignText"))
const Redact = of(() => import("../../../packages/core/src/text/redact.ts"))

/** What the meaning of replies could get wrong. */
export const faults: ReadonlyArray<Seam> = [
  headed(["7.1-204", "7.2-success-set"], (head) => head.status === 204 ? { ...head, read: "data" } : head),
  // The mode says where the data come from.
  taken("7.2-not-mapped", (query, head) => [query, { ...head, status: query.mode?._tag === "Cached" ? 203 : 200 }]),
  // What looks like a token is told.
  Redact("7.1-bodies-unknown", "redact", () => (text) => text),
  // What a terminal obeys is told.
  ForeignText("7.1-bodies-unknown", "line", () => (text, most) => text.slice(0, most))
]
