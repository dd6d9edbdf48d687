/** Fields that may be undefined, in schemas whose values are written as JSON: there such a field is left out. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"

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
