/**
 * Reads JSON that has a known form, without a schema, which takes longer than the rest of a small answer. What has another form is left to a schema, or is
 * refused.
 */

/** Returns what it is given, as what it is; throws for another form. */
type Read<A> = (value: unknown) => A

/** Reads a text; undefined if it is not JSON of this form. */
export const parse = <A>(form: Read<A>, text: string): A | undefined => {
  try {
    return form(JSON.parse(text))
  } catch {
    return undefined
  }
}

export const other = (): never => {
  throw new Error("the value has another form")
}

/** A value for which a condition holds. */
export const where = <A>(holds: (value: unknown) => boolean): Read<A> => (value) => holds(value) ? value as A : other()

export const text = where<string>((value) => typeof value === "string")

export const number = where<number>(Number.isFinite)

export const positive = where<number>((value) => Number.isFinite(value) && Number(value) >= 0)

export const integer = where<number>(Number.isSafeInteger)

export const count = where<number>((value) => Number.isSafeInteger(value) && Number(value) >= 0)

export const oneOf = <const A>(...values: ReadonlyArray<A>): Read<A> => where((value) => values.includes(value as A))

export const maybe = <A>(form: Read<A>): Read<A | undefined> => (value) => value === undefined ? undefined : form(value)

export const list = <A>(form: Read<A>): Read<ReadonlyArray<A>> => (value) =>
  Array.isArray(value) ? value.map((one) => form(one)) : other()

/** An object, of which these fields are read in this order. */
export const struct = <const Fields extends Readonly<Record<string, Read<unknown>>>>(
  fields: Fields
): Read<{ readonly [Name in keyof Fields]: ReturnType<Fields[Name]> }> => {
  const all = Object.entries(fields)
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return other()
    const made: Record<string, unknown> = {}
    for (const [name, form] of all) made[name] = form((value as Record<string, unknown>)[name])
    return made as never
  }
}
