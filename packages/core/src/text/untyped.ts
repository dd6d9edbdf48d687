import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"

/** Shows any value in a message, bounded. What cannot be printed is named by its type; nothing that a value does makes this throw. */
export const shown = (input: unknown): string => {
  switch (typeof input) {
    case "string":
      return input
    case "bigint":
      return `${input}n`
    case "function":
      return "a function"
    case "object":
      return input === null ? "null" : Result.getOrElse(Result.try(() => shownObject(input)), () => "an object")
    default:
      return String(input)
  }
}

const shownObject = (input: object): string =>
  Predicate.isDate(input) ? `Date ${input.toJSON()}` : (JSON.stringify(input) ?? "an object").slice(0, longest)

/** Long enough to recognise an object by, too short for a megabyte in a log. */
const longest = 200

/**
 * Reads the fields of these names, each once: types promise them, and data from elsewhere have no types. Undefined for what is not an object
 * or does not let itself be read.
 */
export const fields = <Name extends string>(
  input: unknown,
  names: ReadonlyArray<Name>
): { readonly [N in Name]: unknown } | undefined =>
  typeof input !== "object" || input === null
    ? undefined
    : Result.getOrUndefined(Result.try(() => {
      const known = input as Readonly<Record<string, unknown>>
      // By hand, because each query is looked at several times on its way: `Object.fromEntries` takes five times as long.
      const found = {} as { [N in Name]: unknown }
      for (const name of names) found[name] = known[name]
      return found
    }))

/** Reads all fields that hold something, each once; undefined for what is not a record of named fields, such as a list or a date. */
export const entries = (input: unknown): ReadonlyMap<string, unknown> | undefined =>
  Result.getOrUndefined(Result.try(() => {
    if (Object.prototype.toString.call(input) !== "[object Object]") return undefined
    const record = input as Readonly<Record<string, unknown>>
    const found = new Map<string, unknown>()
    for (const name in record) {
      const value = record[name]
      if (value !== undefined) found.set(name, value)
    }
    return found
  }))

/**
 * Returns whether a value is an object of a form, by its fields; one that does not let itself be read is not. Each query is looked at several times
 * on its way: this copies nothing.
 */
export const hasForm = <Form extends object>(
  input: unknown,
  has: (fields: { readonly [Name in keyof Form]: unknown }) => boolean
): boolean => {
  if (typeof input !== "object" || input === null) return false
  try {
    return has(input as Form)
  } catch {
    return false
  }
}

/** Returns whether a value is a list of which each member can be read; throws where one does not let itself be read. */
export const isList = (input: unknown): boolean => {
  if (!Array.isArray(input)) return false
  const { length } = input
  for (let at = 0; at < length; at++) void input[at]
  return true
}

/** Reads the members of a list, each once; undefined for anything else, a text included. */
export const list = (input: unknown): ReadonlyArray<unknown> | undefined =>
  Result.getOrUndefined(Result.try(() => Array.isArray(input) ? Array.from<unknown>(input) : undefined))
