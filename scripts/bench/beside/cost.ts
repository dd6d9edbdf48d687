/** What one call costs: milliseconds of time, of the processor and of the collector; and the most memory that the process had, in MB. */
export interface Cost {
  readonly milliseconds: number
  readonly processor: number
  readonly collector: number
  readonly megabytes: number
}

/** The ways that are compared, ours first. */
export const names = [
  "ours",
  "fetch + JSON.parse",
  "the official SDK's path",
  "zod rows",
  "Effect Schema columns",
  "Effect Schema rows",
  "apache-arrow"
] as const
