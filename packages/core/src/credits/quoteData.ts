/** Whether one of the prices of a row is there. */
export type IsThere = (row: number) => boolean

/**
 * Counts the rows that have quote data, and so are paid for: any of their prices is there, or all of them are if `rule` says so (clause
 * 8.2-cost-quotes).
 */
export const count = (rows: number, prices: ReadonlyArray<IsThere>, rule: "any" | "all" = "any"): number => {
  let count = 0
  for (let row = 0; row < rows; row++) {
    const isThere = (price: IsThere): boolean => price(row)
    if (rule === "any" ? prices.some(isThere) : prices.every(isThere)) count++
  }
  return count
}
