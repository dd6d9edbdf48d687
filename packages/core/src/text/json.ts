/** What `JSON.stringify` makes of values that hold what JSON has no form for. */

/**
 * Adds a `toJSON` to a value. It is not enumerable, so the value is copied, compared and sent to a worker as before.
 */
export const withJson = <A extends object>(value: A, toJSON: (this: A) => unknown): A =>
  Object.defineProperty(value, "toJSON", { value: toJSON })

/**
 * The fields of a value with `Infinity` as a text, as Effect's schemas write it, and maps as lists of their entries. Returns the value itself, without a copy,
 * if it has neither.
 */
export const fields = (value: object): object =>
  Object.values(value).every(isExact)
    ? value
    : Object.fromEntries(Object.entries(value).map(([name, field]) => [name, exact(field)]))

/** Whether JSON can hold a value as it is. A value with a `toJSON` converts itself. */
const isExact = (value: unknown): boolean =>
  typeof value !== "object" || value === null
    ? value !== Infinity
    : "toJSON" in value || !(value instanceof Map) && Object.values(value).every(isExact)

const exact = (value: unknown): unknown => {
  if (value === Infinity) return "Infinity"
  if (typeof value !== "object" || value === null) return value
  if (value instanceof Map) return [...value]
  if (Array.isArray(value)) return value.map(exact)
  return "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON() : fields(value)
}
