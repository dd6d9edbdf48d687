/** What `JSON.stringify` makes of values that hold what JSON has no form for. */

/**
 * Gives a value its own form in JSON. Nothing else sees it: the value stays plain data, which is copied, compared and sent to a worker as before.
 */
export const withJson = <A extends object>(value: A, toJSON: (this: A) => unknown): A =>
  Object.defineProperty(value, "toJSON", { value: toJSON })

/** Copies the fields of a value as JSON can hold them: a number without a bound by its name, as Effect's schemas write it, and maps as lists of their entries. */
export const fields = (value: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(value).map(([name, field]) => [name, exact(field)]))

const exact = (value: unknown): unknown => {
  if (value === Infinity) return "Infinity"
  if (typeof value !== "object" || value === null) return value
  if (value instanceof Map) return [...value]
  if (Array.isArray(value)) return value.map(exact)
  return "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON() : fields(value)
}
