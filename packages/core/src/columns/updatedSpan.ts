/** When the rows of a table were taken: the oldest and the newest, in epoch seconds. */
export interface UpdatedSpan {
  readonly oldest: number
  readonly newest: number
}

/** The span of a table's column `updated`; undefined where no row has one. */
export const of = ({ updated = none }: { readonly updated?: Float64Array<ArrayBuffer> }): UpdatedSpan | undefined => {
  let oldest = Infinity
  let newest = -Infinity
  for (const time of updated) {
    if (time < oldest) oldest = time
    if (time > newest) newest = time
  }
  return oldest <= newest ? { oldest, newest } : undefined
}

const none = new Float64Array()
