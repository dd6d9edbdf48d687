import type { Figures, Ledger, Standing } from "./ledgerState.ts"

/** No window of credits is longer than a month: a reset that is further away is nonsense, and must not outlast all others. */
const longestWindow = 31 * 86_400

/**
 * Where the account stands by the service's figures, if they are of use. What had been recorded before their request was sent, `unseen`
 * credits, is in them.
 */
export const read = (self: Ledger, figures: Figures, unseen?: number): Standing | undefined => {
  const { limit, remaining, reset } = figures
  if (limit === 0 || remaining === undefined || reset === undefined) return undefined
  const isPresent = reset > self.now && (reset <= self.now + longestWindow || self.now === -Infinity)
  if (!Number.isFinite(remaining) || !Number.isFinite(reset) || !isPresent) return undefined
  // A figure that no request of ours brought holds as much as the one before: less would count charges twice, more would forget some.
  return { limit, remaining: Math.floor(remaining), reset, seen: unseen ?? self.standing?.seen ?? self.unseen }
}

/** The later of two standings: within a window the lower balance is, and it holds all that either of them does. */
export const later = (known: Standing | undefined, told: Standing): Standing => {
  if (known === undefined || told.reset > known.reset) return told
  if (told.reset < known.reset) return known
  const [earlier, latest] = told.remaining < known.remaining ? [known, told] : [told, known]
  return { ...latest, limit: latest.limit ?? earlier.limit, seen: Math.max(known.seen, told.seen) }
}
