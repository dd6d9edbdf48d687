/**
 * One request that reached the service: when (epoch seconds), for which account (its token; undefined for none), the target with any token
 * taken out, the status, and the credits billed.
 */
export interface Entry {
  readonly time: number
  readonly account: string | undefined
  readonly target: string
  readonly status: number
  readonly credits: number
}

/** A log of requests that remembers the last ones. */
export interface RequestLog {
  readonly add: (entry: Entry) => void
  /** What it remembers, the oldest first. */
  readonly entries: () => ReadonlyArray<Entry>
  /** How many were ever added. */
  readonly count: () => number
}

/** Opens a log that remembers a number of entries: the newest takes the place of the oldest. */
export const make = (capacity: number): RequestLog => {
  const ring: Array<Entry> = []
  let count = 0
  return {
    add: (entry) => {
      if (capacity > 0) ring[count % capacity] = entry
      count++
    },
    entries: () => {
      const oldest = count > capacity ? count % capacity : 0
      return [...ring.slice(oldest), ...ring.slice(0, oldest)]
    },
    count: () => count
  }
}
