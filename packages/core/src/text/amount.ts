/** A number with its thousands apart. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",")

/** A number of credits with its unit. */
export const format = (credits: number | undefined): string =>
  typeof credits === "number" ? `${grouped(credits)} credit${credits === 1 ? "" : "s"}` : "not stated"

/** Credits from a least number to a most one. */
export const formatRange = (least: number, most: number): string =>
  least === most ? format(least) : `${grouped(least)} to ${format(most)}`

const units = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]] as const

/** How long ago something was, in its largest whole unit: `3 minutes ago`. */
export const ago = (seconds: number): string => {
  for (const [name, size] of units) {
    const count = Math.floor(seconds / size)
    if (count >= 1) return `${count} ${name}${count === 1 ? "" : "s"} ago`
  }
  return "just now"
}
