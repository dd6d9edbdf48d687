import { of, type Seam } from "../seam.ts"

const Expiration = of(() => import("@effect-marketdata/core/Expiration"))
const OptionQuote = of(() => import("../../../packages/sandbox/src/endpoints/optionQuote.ts"))

/** A service that mends an option symbol before it judges it. */
const mended = (clause: string, mend: (symbol: string) => string): Seam =>
  OptionQuote(
    clause,
    "read",
    (read) => (asked) =>
      read({ ...asked, segments: { ...asked.segments, optionSymbol: mend(asked.segments["optionSymbol"]!) } })
  )

/** What the simulated service could let pass of option symbols. */
export const faults: ReadonlyArray<Seam> = [
  mended("2.3-bad-expiration", (symbol) => symbol.replace("261131", "261130")),
  mended("2.3-bad-expiration", (symbol) => symbol.replace(/20(?=\d{6}[CP])/, "")),
  mended("2.3-bad-side", (symbol) => symbol.replace("X", "C")),
  mended("2.3-bad-strike-length", (symbol) => symbol.replace(/C0(\d{8})$/, "C$1")),
  mended("2.3-bad-strike-padding", (symbol) => symbol.replace(/C(\d{6})$/, "C00$1")),
  mended("2.3-bad-strike-decimal", (symbol) => symbol.replace(/C\d*\.\d*$/, "C00270000")),
  mended("2.3-legacy", (symbol) => symbol.replace(/^IBM ?AT$/, "IBM270115C00100000")),
  mended("2.3-format", (symbol) => symbol.toUpperCase()),
  // A root that is not the underlying is not found.
  Expiration("2.3-format", "underlyingOf", () => (root) => root)
]
