/** Decodes the heads of usual answers without their schema. Any other head is left to the schema, which decodes it or says what is wrong with it. */
import * as Answers from "@effect-marketdata/core/Answer"
import { count, integer, list, maybe, number, oneOf, other, parse, positive, struct, text } from "./form.ts"

/** Decodes a head; undefined if it is unusual. */
export const read = (text: string): Answers.Answer<null> | undefined =>
  parse((value) => Answers.make(answer(value)), text)

const amount = (value: unknown) => value === "Infinity" ? Infinity : positive(value)

const terms = { clause: text, assumptions: list(struct({ name: text, value: text })) }

const exact = struct({ _tag: oneOf("Exact"), credits: positive, ...terms })

const range = struct({ _tag: oneOf("Range"), min: positive, max: positive, movedBy: text, ...terms })

const estimate = (value: unknown) => {
  if ((value as { readonly _tag?: unknown })._tag === "Exact") return exact(value)
  const read = range(value)
  return read.min <= read.max ? read : other()
}

const charge = struct({
  credits: positive,
  uncertain: amount,
  reported: maybe(number),
  computed: maybe(number),
  finding: maybe(other),
  ...terms
})

const attempt = struct({
  target: text,
  status: maybe(integer),
  charge: maybe(charge),
  uncertain: amount,
  repeats: count,
  elsewhere: positive,
  reason: maybe(other)
})

/** The provenance of a reply with an age, or without: an answer of the service has no such field. */
const provenance = <const Age extends object>(age: Age) =>
  struct({
    status: oneOf(200, 203),
    source: oneOf("provider", "cache", "local"),
    ...age,
    requestedMode: maybe(oneOf("Live", "Delayed", "Cached", "CachedOrLive", "Eod", "Historical")),
    sentMode: maybe(oneOf("live", "delayed", "cached", "eod", "historical")),
    updated: maybe(struct({ oldest: number, newest: number })),
    receivedAt: number,
    requestId: maybe(text)
  })

const [fresh, kept] = [provenance({}), provenance({ age: number })]

const answer = struct({
  data: oneOf(null),
  findings: list(other),
  provenance: (value) => typeof value === "object" && value !== null && "age" in value ? kept(value) : fresh(value),
  credits: struct({ estimate, charged: positive, uncertain: amount }),
  trace: list((value) => Answers.makeAttempt(attempt(value)))
})
