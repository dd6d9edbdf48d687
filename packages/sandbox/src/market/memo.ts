/**
 * Functions that remember their latest results. Only a pure function may be wrapped, because whether a result is remembered or made again must
 * make no difference.
 */

/**
 * Wraps a pure function so that it remembers the results it was last asked for, as many as `capacity`. Arguments with the same key have
 * the same result.
 */
export const recent = <Arguments extends ReadonlyArray<unknown>, Result>(
  capacity: number,
  keyOf: (...args: Arguments) => string | number,
  compute: (...args: Arguments) => Result
): (...args: Arguments) => Result => {
  // A Map keeps the order of insertion, so the first entry is the least recently used.
  const results = new Map<string | number, { readonly result: Result }>()
  let latest: { readonly key: string | number; readonly result: Result } | undefined
  return (...args) => {
    const key = keyOf(...args)
    if (latest?.key === key) return latest.result
    const found = results.get(key) ?? { result: compute(...args) }
    results.delete(key)
    results.set(key, found)
    if (results.size > capacity) results.delete(results.keys().next().value!)
    latest = { key, result: found.result }
    return found.result
  }
}
