/** Answers and what they hold besides their data: credits, estimates, findings, attempts and where a reply came from. */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as Findings from "../columns/Finding.ts"
import type * as Credits from "../credits/Credits.ts"
import { range } from "../credits/estimate.ts"
import { InvalidQuery, Reason } from "../reason/Reason.ts"
import * as Answers from "../reply/Answer.ts"
import type * as Provenances from "../reply/Provenance.ts"
import { optional, orUndefined } from "../text/json.ts"

/** An amount of credits is never negative. */
const NonNegative = /* @__PURE__ */ Schema.Finite.check(/* @__PURE__ */ Schema.isGreaterThanOrEqualTo(0))

/**
 * The schema of an amount of credits, 0 or more. An infinite one is `"Infinity"` in JSON.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Amount: Schema.Codec<number, number | "Infinity"> = /* @__PURE__ */ Schema.Union([
  NonNegative,
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

/**
 * The same schema, whose values are made anew from their fields: so that `JSON.stringify` prints what was read as it prints what was made. What was made here
 * has been looked through, and is not looked through again: a part of an answer would be once for each whole that it is in.
 */
const printing = <A extends object, E>(schema: Schema.Codec<A, E>, make: (fields: A) => A): Schema.Codec<A, E> => {
  const seen = new WeakSet()
  const isWhole = Schema.is(schema)
  const decode = SchemaGetter.transform((fields: A) => {
    const value = make(fields)
    seen.add(value)
    return value
  })
  return schema.pipe(
    Schema.decodeTo(
      Schema.declare<A>((input): input is A => Predicate.isObjectKeyword(input) && seen.has(input) || isWhole(input), {
        toCodecArbitrary: () => Schema.link<A>()(Schema.toType(schema), { decode, encode: SchemaGetter.passthrough() })
      }),
      { decode, encode: SchemaGetter.passthrough() }
    )
  )
}

const count = /* @__PURE__ */ Schema.Int.check(/* @__PURE__ */ Schema.isGreaterThanOrEqualTo(0))

/**
 * The schema of findings.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Finding: Schema.Codec<Findings.Finding, Schema.Json> = /* @__PURE__ */ Schema.Struct({
  code: /* @__PURE__ */ Schema.Literals(Findings.codes),
  column: /* @__PURE__ */ orUndefined(Schema.String),
  count,
  examples: /* @__PURE__ */ Schema.Array(
    /* @__PURE__ */ Schema.Struct({
      index: /* @__PURE__ */ orUndefined(count),
      expected: Schema.String,
      received: Schema.String
    })
  )
})

/** Something that a price takes for granted. */
const assumptions = /* @__PURE__ */ Schema.Array(
  /* @__PURE__ */ Schema.Struct({ name: Schema.String, value: Schema.String })
)

const terms = { clause: Schema.String, assumptions }

/**
 * The schema of estimates. An infinite bound is `"Infinity"` in JSON.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Estimate: Schema.Codec<Credits.Estimate, Schema.Json> = /* @__PURE__ */ Schema.Union([
  /* @__PURE__ */ Schema.TaggedStruct("Exact", { credits: NonNegative, ...terms }),
  /* @__PURE__ */ printing(
    /* @__PURE__ */ Schema.TaggedStruct("Range", {
      min: NonNegative,
      max: Amount,
      movedBy: Schema.String,
      ...terms
    }).check(
      /* @__PURE__ */ Schema.makeFilter(({ max, min }) =>
        min <= max || { path: ["max"], issue: "Expected min or more" }
      )
    ),
    range
  ),
  /* @__PURE__ */ Schema.TaggedStruct("NotStated", { what: Schema.String, ...terms }),
  /* @__PURE__ */ Schema.TaggedStruct("Unavailable", { why: Schema.String, ...terms }),
  /* @__PURE__ */ Schema.TaggedStruct("Refused", { reason: InvalidQuery, ...terms })
])

/**
 * The schema of `Provenance`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Provenance: Schema.Codec<Provenances.Provenance, Schema.Json> = /* @__PURE__ */ Schema.Struct({
  status: /* @__PURE__ */ Schema.Literals([200, 203]),
  source: /* @__PURE__ */ Schema.Literals(["provider", "cache", "local"]),
  age: /* @__PURE__ */ optional(Schema.Finite),
  requestedMode: /* @__PURE__ */ orUndefined(
    /* @__PURE__ */ Schema.Literals(["Live", "Delayed", "Cached", "CachedOrLive", "Eod", "Historical"])
  ),
  sentMode: /* @__PURE__ */ orUndefined(
    /* @__PURE__ */ Schema.Literals(["live", "delayed", "cached", "eod", "historical"])
  ),
  updated: /* @__PURE__ */ orUndefined(
    /* @__PURE__ */ Schema.Struct({ oldest: Schema.Finite, newest: Schema.Finite })
  ),
  receivedAt: Schema.Finite,
  requestId: /* @__PURE__ */ orUndefined(Schema.String)
})

const Charge = /* @__PURE__ */ Schema.Struct({
  credits: NonNegative,
  uncertain: Amount,
  reported: /* @__PURE__ */ orUndefined(Schema.Finite),
  computed: /* @__PURE__ */ orUndefined(Schema.Finite),
  finding: /* @__PURE__ */ orUndefined(Finding),
  clause: Schema.String,
  assumptions
})

/**
 * The schema of `Answer.Attempt`: one request that was sent for a query.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Attempt: Schema.Codec<Answers.Attempt, Schema.Json> = /* @__PURE__ */ printing(
  /* @__PURE__ */ Schema.Struct({
    target: Schema.String,
    status: /* @__PURE__ */ orUndefined(Schema.Int),
    charge: /* @__PURE__ */ orUndefined(Charge),
    uncertain: Amount,
    repeats: count,
    elsewhere: NonNegative,
    reason: /* @__PURE__ */ orUndefined(Reason)
  }),
  Answers.makeAttempt
)

/**
 * Returns the schema of answers, from the schema of their data.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Answer = <A>(data: Schema.Codec<A, Schema.Json>): Schema.Codec<Answers.Answer<A>, Schema.Json> =>
  printing(
    Schema.Struct({
      data,
      findings: Schema.Array(Finding),
      provenance: Provenance,
      credits: Schema.Struct({ estimate: Estimate, charged: NonNegative, uncertain: Amount }),
      trace: Schema.Array(Attempt)
    }),
    Answers.make
  )
