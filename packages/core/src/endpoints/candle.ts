/** What the candles of stocks and of funds have in common. */
import { identity, quantity } from "./column.ts"

/** The columns of a candle. */
export const columns = {
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
