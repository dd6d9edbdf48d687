/** Columns that many tables have: a kind, and whether they may hold null. */
import { dictionary, number } from "../columns/ColumnKind.ts"

/** A number that every row should have: null is a finding. */
export const quantity = { kind: number, null: "finding" } as const

/** A number that may be null. */
export const nullable = { kind: number, null: "nullable" } as const

/** A number that identifies its row: null is an error. */
export const identity = { kind: number, null: "identity" } as const

/** The ticker of a row. */
export const ticker = { kind: dictionary, null: "identity" } as const

/** A text that may be null. */
export const nullableText = { kind: dictionary, null: "nullable" } as const

/** What the candles of stocks and of funds have in common. */
export const candle = {
  /** The beginning of the candle in epoch seconds: midnight in New York for days and longer. */
  t: identity,
  /** The open, in dollars. */
  o: quantity,
  /** The high, in dollars. */
  h: quantity,
  /** The low, in dollars. */
  l: quantity,
  /** The close, in dollars. */
  c: quantity
} as const
