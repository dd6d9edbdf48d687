/** Volatility and greeks that are computed from the prices of a chain, as columns behind its own. */
import { OptionChain } from "@effect-marketdata/core"
import { Volatility } from "@effect-marketdata/volatility"
import { Result } from "effect"
import type { Line } from "../text/span.ts"
import type { AnyChain } from "./ladder.ts"
import type { Beside } from "./table.ts"

/** A chain with computed columns, and what is said of them. */
export interface Computed extends Beside {
  readonly chain: AnyChain
  readonly note: Line
}

/** What the columns mean in a file. */
const meanings: Readonly<Record<keyof Volatility.Spec, string>> = {
  ivComputed: "Implied volatility of a year by the mid price, as a fraction. Computed, not the service's.",
  ivBidComputed: "The same by the bid, as a fraction.",
  ivAskComputed: "The same by the ask, as a fraction.",
  deltaComputed: "What the price changes for each dollar that the underlying rises. Computed, not the service's.",
  gammaComputed: "What delta changes for each dollar that the underlying rises. Computed, not the service's.",
  thetaComputed:
    "What the price changes for each calendar day that passes, in dollars a share. Computed, not the service's.",
  vegaComputed: "What the price changes for a point of volatility, in dollars a share. Computed, not the service's.",
  rhoComputed: "What the price changes for a point of the rate, in dollars a share. Computed, not the service's.",
  reason: "Why nothing was computed."
}

/** Adds the columns; a reply that has no time or no prices stays as it is, and the note says why. */
export const of = (chain: AnyChain, rates: Pick<Volatility.Options, "rate" | "dividendYield"> = {}): Computed => {
  const { length, optionSymbol } = chain
  if (optionSymbol === undefined) return nothing(chain, "the option symbols are missing")
  // In an empty chain no time is looked at.
  const at = OptionChain.updatedSpan(chain)?.newest ?? (length === 0 ? 0 : undefined)
  return Result.match(Volatility.columns({ ...chain, optionSymbol }, { ...rates, at }), {
    onFailure: ({ message }) => nothing(chain, message),
    onSuccess: ({ assumptions, at, table }) => {
      const methods = [...new Set(assumptions.map(({ method }) => method))].join(", ")
      return {
        chain: {
          ...table,
          ...chain,
          columnNames: [...chain.columnNames, ...table.columnNames] as never,
          valueAt: (name, index) =>
            name in Volatility.spec ? table.valueAt(name as never, index) : chain.valueAt(name, index)
        },
        table,
        meanings,
        document: { computed: { at, assumptions, ...table.toJSON() } },
        note: aside(`* computed here from mid prices${methods === "" ? "" : ` (${methods})`}, not told by the service`)
      }
    }
  })
}

const nothing = (chain: AnyChain, why: string): Computed => ({
  chain,
  note: aside(`nothing was computed: ${why}`),
  document: { computed: { why } },
  table: undefined,
  meanings
})

const aside = (text: string): Line => ({ text, means: "aside" })
