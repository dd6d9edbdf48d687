/** Values as JSON: what `JSON.stringify` makes of values that hold what JSON has no form for, and parts of schemas. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"

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

// Schemas: fields that may be undefined, which JSON leaves out, and values that are texts in JSON.

/** A field that may be left out, or be undefined. */
export const optional = <A, E>(schema: Schema.Codec<A, E>) =>
  Schema.optionalKey(schema).pipe(
    Schema.decodeTo(Schema.optional(Schema.toType(schema)), {
      decode: SchemaGetter.passthroughSubtype(),
      encode: present()
    })
  )

/** A field that is always there, and may be undefined. */
export const orUndefined = <A, E>(schema: Schema.Codec<A, E>) =>
  Schema.optionalKey(schema).pipe(
    Schema.decodeTo(Schema.UndefinedOr(Schema.toType(schema)), {
      decode: SchemaGetter.transformOptional((value: Option.Option<A>) => Option.some(Option.getOrUndefined(value))),
      encode: present()
    })
  )

const present = <A>(): SchemaGetter.Getter<A, A | undefined> =>
  SchemaGetter.transformOptional(Option.filter((value) => value !== undefined))

interface Textual<A> {
  readonly identifier: string
  readonly is: (input: unknown) => input is A
  readonly parse: (input: string) => Result.Result<A, { readonly message: string }>
  readonly format: (value: A) => string
  readonly legal: RegExp
}

/**
 * Makes the schema of a value whose JSON is a text, from `parse` and `format`. The issue of an invalid text has the message of the parser. `legal` matches only
 * valid texts: values for property tests are parsed from texts that it generates.
 */
export const ofText = <A>(options: Textual<A>): Schema.Codec<A, string> =>
  Schema.String.pipe(
    Schema.decodeTo(Schema.declare(options.is, { identifier: options.identifier, toCodecArbitrary: drawn(options) }), {
      decode: SchemaGetter.transformEffect((text: string, parseOptions) =>
        Effect.fromResult(Result.mapError(
          options.parse(text),
          (error) => new SchemaIssue.InvalidValue({ message: error.message }, text, parseOptions)
        ))
      ),
      encode: SchemaGetter.transform(options.format)
    })
  )

/** How property tests generate values. */
const drawn = <A>({ format, legal, parse }: Textual<A>) => () =>
  Schema.link<A>()(Schema.String.check(Schema.isPattern(legal)), {
    decode: SchemaGetter.transform((text: string) => Result.getOrThrow(parse(text))),
    encode: SchemaGetter.transform(format)
  })
