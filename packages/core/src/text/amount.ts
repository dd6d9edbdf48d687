/** A number with its thousands apart. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",")

/** A number of credits with its unit. */
export const format = (credits: number | undefined): string =>
  credits === undefined ? "not stated" : `${grouped(credits)} credit${credits === 1 ? "" : "s"}`

/** Credits from a least number to a most one. */
export const formatRange = (least: number, most: number): string =>
  least === most ? format(least) : `${grouped(least)} to ${format(most)}`
