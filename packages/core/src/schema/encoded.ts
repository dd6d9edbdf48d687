/** What the schemas have in common: values that JSON has no form for, and values that print themselves. */
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"

/** Credits: nobody is charged less than none. */
export const Credits = /* @__PURE__ */ Schema.Finite.check(/* @__PURE__ */ Schema.isGreaterThanOrEqualTo(0))

/**
 * The schema of an amount of credits, 0 or more. An infinite one is `"Infinity"` in JSON.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Amount: Schema.Codec<number, number | "Infinity"> = /* @__PURE__ */ Schema.Union([
  Credits,
  /* @__PURE__ */ Schema.Literal("Infinity")
]).pipe(
  /* @__PURE__ */ Schema.decodeTo(
    /* @__PURE__ */ Schema.Number.check(/* @__PURE__ */ Schema.isGreaterThanOrEqualTo(0)),
    {
      decode: /* @__PURE__ */ SchemaGetter.transform(Number),
      encode: /* @__PURE__ */ SchemaGetter.transform((credits: number) => credits === Infinity ? "Infinity" : credits)
    }
  )
)

/** The same schema, whose values are made anew from their fields: so that `JSON.stringify` prints what was read as it prints what was made. */
export const printing = <A extends object, E>(schema: Schema.Codec<A, E>, make: (fields: A) => A): Schema.Codec<A, E> =>
  schema.pipe(
    Schema.decodeTo(
      Schema.declare<A>(Schema.is(schema), {
        toCodecArbitrary: () =>
          Schema.link<A>()(Schema.toType(schema), {
            decode: SchemaGetter.transform(make),
            encode: SchemaGetter.passthrough()
          })
      }),
      { decode: SchemaGetter.transform(make), encode: SchemaGetter.passthrough() }
    )
  )
