/**
 * The columns of a chain, and their types. What reads, compares and answers chains stands on these.
 */
import { boolean, choices, number, repeatedNumber } from "../columns/ColumnKind.ts"
import { optionSymbolKind, underlyings } from "./optionSymbolColumn.ts"

const quantity = { kind: number, null: "finding" } as const
const repeated = { kind: repeatedNumber, null: "finding" } as const

/** The columns of a chain, in the order of the contract (clauses 2.1-fields and 2.1-only-last-null). */
export const spec = {
  /** The OCC symbol of the contract. */
  optionSymbol: { kind: optionSymbolKind, null: "identity" },
  /** The ticker of the underlying. */
  underlying: { kind: underlyings, null: "identity" },
  /** When the contract expires, in epoch seconds. */
  expiration: { kind: repeatedNumber, null: "identity" },
  /** Call or put; the column holds 0 for a call, 1 for a put. */
  side: { kind: /* @__PURE__ */ choices(["call", "put"]), null: "identity" },
  /** The strike, in dollars. */
  strike: { kind: number, null: "identity" },
  /** The morning of the first day on which it was traded, in epoch seconds. */
  firstTraded: repeated,
  /** Calendar days to expiration. */
  dte: repeated,
  /** The lowest offer, in dollars a share. */
  ask: quantity,
  /** How much is offered at the ask, in contracts. */
  askSize: quantity,
  /** The highest bid, in dollars a share. */
  bid: quantity,
  /** How much is wanted at the bid, in contracts. */
  bidSize: quantity,
  /** The middle between bid and ask, in dollars a share. */
  mid: quantity,
  /** The last price that was paid, in dollars a share; null where the contract was never traded. */
  last: { kind: number, null: "nullable" },
  /** The volume of the day, in contracts. */
  volume: quantity,
  /** The open interest, in contracts. */
  openInterest: quantity,
  /** The price of the underlying, in dollars. */
  underlyingPrice: repeated,
  /** Whether exercising would pay; the column holds 1 where it would, or else 0. */
  inTheMoney: { kind: boolean, null: "finding" },
  /** What exercising would pay, in dollars a share. */
  intrinsicValue: quantity,
  /** What `mid` is above the intrinsic value, in dollars a share. */
  extrinsicValue: quantity,
  /** When the quote was taken, in epoch seconds. */
  updated: repeated,
  /** Implied volatility of a year, as a fraction: 0.25 is 25 percent. */
  iv: quantity,
  /** Dollars for each dollar that the underlying rises: from 0 to 1 for calls, from -1 to 0 for puts. */
  delta: quantity,
  /** What `delta` changes for each dollar that the underlying rises. */
  gamma: quantity,
  /** Dollars a share for each day that passes. */
  theta: quantity,
  /** Dollars a share for each percentage point of volatility. */
  vega: quantity
} as const

/** The type of `spec`. */
export type Spec = { readonly [Name in keyof typeof spec]: typeof spec[Name] }
