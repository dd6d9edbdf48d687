const units = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]] as const

/** How long ago something was, in its largest whole unit: `3 minutes ago`. */
export const ago = (seconds: number): string => {
  for (const [name, size] of units) {
    const count = Math.floor(seconds / size)
    if (count >= 1) return `${count} ${name}${count === 1 ? "" : "s"} ago`
  }
  return "just now"
}
