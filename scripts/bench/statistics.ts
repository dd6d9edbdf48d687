/** The middle of some figures; of an even number of them the upper one of the two. */
export const median = (figures: ReadonlyArray<number>): number => {
  const middle = figures.toSorted((a, b) => a - b)[figures.length >> 1]
  if (middle === undefined) throw new RangeError("there is no median of nothing")
  return middle
}

/** One figure of several runs: its median, and how far the runs lie apart. */
export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

/** Sums several runs up. */
export const spread = (figures: ReadonlyArray<number>): Spread => ({
  median: median(figures),
  least: Math.min(...figures),
  most: Math.max(...figures)
})
