/** A day in New York: the instants at which it begins and ends, and its number. NaN is on no day. */
export interface Day {
  readonly begins: number
  readonly ends: number
  readonly number: number
}

/** Finds the rows of a chain that are worth looking at in detail: those whose columns do not agree, and perhaps a few others. */
export interface ChainScan {
  /** Returns the first row from `from` on that could deviate, or was not quoted on that day; the number of rows if there is none. */
  readonly next: (from: number, day: Day) => number
}
