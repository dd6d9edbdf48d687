import { nullable } from "./column.ts"

/** What a stock's quote holds besides where it is asked for with `include`: a parameter each, and the columns that it adds. */
export const extras = {
  "52week": {
    /** The highest price of 52 weeks, in dollars. */
    "52weekHigh": nullable,
    /** The lowest price of 52 weeks, in dollars. */
    "52weekLow": nullable
  },
  candle: {
    /** The day's open, in dollars. */
    o: nullable,
    /** The day's high, in dollars. */
    h: nullable,
    /** The day's low, in dollars. */
    l: nullable,
    /** The day's close, in dollars. */
    c: nullable
  }
} as const
