/** Numbers with a few decimals, as quotes print them. */

/** Rounds to a number of decimals. What rounds to a negative zero is 0, because JSON knows no other. */
export const round = (value: number, decimals: number): number => {
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale + 0
}
