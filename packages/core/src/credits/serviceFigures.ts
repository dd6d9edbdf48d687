/**
 * What the headers of a reply say about the account's credits: the allowance of the window, what is left of it (which may be negative),
 * and when it is full again, in epoch seconds. They are used only together.
 *
 * @category models
 * @since 0.1.0
 */
export interface Figures {
  readonly limit?: number | undefined
  readonly remaining?: number | undefined
  readonly reset?: number | undefined
}

/**
 * The latest figures of the service: the allowance of the window, what was left of it, until when they hold in epoch seconds, and how
 * many of the `unseen` credits they include.
 *
 * @category models
 * @since 0.1.0
 */
export interface Standing {
  readonly limit: number | undefined
  readonly remaining: number
  readonly reset: number
  readonly seen: number
}

/** What a ledger knows of the time, of the service's figures, and of what these do not hold yet. */
interface Known {
  readonly now: number
  readonly standing: Standing | undefined
  readonly unseen: number
}

/** No window of credits is longer than a month: a reset that is further away is nonsense, and must not outlast all others. */
const longestWindow = 31 * 86_400

/**
 * Where the account stands by the service's figures, if they are of use. What had been recorded before their request was sent, `unseen`
 * credits, is in them.
 */
export const read = (known: Known, figures: Figures, unseen?: number): Standing | undefined => {
  const { limit, remaining, reset } = figures
  if (limit === 0 || remaining === undefined || reset === undefined) return undefined
  const isPresent = reset > known.now && (reset <= known.now + longestWindow || known.now === -Infinity)
  if (!Number.isFinite(remaining) || !Number.isFinite(reset) || !isPresent) return undefined
  // A figure that no request of ours brought holds as much as the one before: less would count charges twice, more would forget some.
  return { limit, remaining: Math.floor(remaining), reset, seen: unseen ?? known.standing?.seen ?? known.unseen }
}

/** The later of two standings: within a window the lower balance is, and it holds all that either of them does. */
export const later = (known: Standing | undefined, told: Standing): Standing => {
  if (known === undefined || told.reset > known.reset) return told
  if (told.reset < known.reset) return known
  const [earlier, latest] = told.remaining < known.remaining ? [known, told] : [told, known]
  return { ...latest, limit: latest.limit ?? earlier.limit, seen: Math.max(known.seen, told.seen) }
}

/** Whether a standing says something that another one did not. */
export const isNews = (standing: Standing, known: Standing | undefined): boolean =>
  standing.remaining !== known?.remaining || standing.reset !== known.reset || standing.limit !== known.limit
