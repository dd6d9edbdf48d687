/** What `JSON.stringify` makes of values that hold what JSON has no form for. */

/**
 * Gives a value its own form in JSON. Nothing else sees it: the value stays plain data, which is copied, compared and sent to a worker as before.
 */
export const withJson = <A extends object>(value: A, toJSON: (this: A) => unknown): A =>
  Object.defineProperty(value, "toJSON", { value: toJSON })

/**
 * The fields of a value as JSON can hold them: a number without a bound by its name, as Effect's schemas write it, and maps as lists of their entries. Where
 * there is neither, it is the value itself: most are printed often, and copied never.
 */
export const fields = (value: object): object =>
  Object.values(value).every(isExact)
    ? value
    : Object.fromEntries(Object.entries(value).map(([name, field]) => [name, exact(field)]))

/** Whether JSON holds a value as it is; what has a form of its own gives it where it is printed. */
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
