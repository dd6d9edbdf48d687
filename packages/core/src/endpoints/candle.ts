/** What the candles of stocks and of funds have in common. */
import { identity, quantity } from "./column.ts"

/** The columns of a candle. */
export const columns = {
  /** The beginning of the candle in epoch seconds: midnight in New York for days and longer. */
  t: identity,
  /** Open, in dollars. */
  o: quantity,
  /** High, in dollars. */
  h: quantity,
  /** Low, in dollars. */
  l: quantity,
  /** Close, in dollars. */
  c: quantity
} as const
