/** A number with its thousands apart. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",")
