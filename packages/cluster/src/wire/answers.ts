/** The encoding of answers and errors: a head as JSON, and the data as the bytes of their columns. */
import { Incomplete } from "@effect-marketdata/client/Incomplete"
import * as MarketDataError from "@effect-marketdata/client/MarketDataError"
import type { Answer } from "@effect-marketdata/core/Answer"
import * as Answers from "@effect-marketdata/core/Answer"
import type * as Query from "@effect-marketdata/core/Query"
import * as Schemas from "@effect-marketdata/core/Schemas"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Bytes from "./Bytes.ts"
import { count, integer, list, maybe, number, oneOf, other, parse, positive, struct, text } from "./form.ts"

/** The answer to a call. The head is a text, because the cluster would traverse any other value several times. */
export const Reply = Schema.Struct({ head: Schema.String, data: Schema.Uint8Array })

/** The error of a call; `data` are those of an incomplete answer. */
export const Failure = Schema.Struct({ error: Schema.Json, data: Schema.NullOr(Schema.Uint8Array) })

const Head = Schema.fromJsonString(Schemas.Answer(Schema.Null))
const ErrorHead = MarketDataError.FromJsonWith(Schema.Null)

const withData = <A, B>(answer: Answer<A>, data: B): Answer<B> => Answers.make({ ...answer, data })

/** Encodes an answer. `JSON.stringify` writes the head as its schema would; the schema would double the time of a small answer. */
export const encode = <Data>(query: Query.Query<Data>, answer: Answer<Data>) =>
  Effect.map(Bytes.encode(query, answer.data), (data) => ({ head: JSON.stringify(withData(answer, null)), data }))

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

const usual = struct({
  data: oneOf(null),
  findings: list(other),
  provenance: (value) => typeof value === "object" && value !== null && "age" in value ? kept(value) : fresh(value),
  credits: struct({ estimate, charged: positive, uncertain: amount }),
  trace: list((value) => Answers.makeAttempt(attempt(value)))
})

/** Decodes a usual head without its schema; undefined if it is unusual, and the schema decodes it or says what is wrong with it. */
export const readHead = (text: string): Answer<null> | undefined => parse((value) => Answers.make(usual(value)), text)

/** Decodes an answer. */
export const decode = <Data>(query: Query.Query<Data>, { data, head }: typeof Reply.Type) => {
  const read = readHead(head)
  const answer = read === undefined ? Schema.decodeEffect(Head)(head) : Effect.succeed(read)
  return Effect.zipWith(answer, Bytes.decode(query, data), withData)
}

/** The same error with another incomplete answer. */
const replaced = <A>(error: MarketDataError.MarketDataError, answered: (answer: Answer<unknown>) => Answer<A>) => {
  const { query, reason, trace } = error
  if (reason._tag !== "Incomplete") return error
  const { errors, missing } = reason
  const incomplete = new Incomplete({ answered: answered(reason.answered), errors, missing })
  return new MarketDataError.MarketDataError({ query, reason: incomplete, trace })
}

/** Encodes an error. The error of a call whose query could not be read has no query. */
export const encodeError = (query: Query.Query | undefined, error: MarketDataError.MarketDataError) =>
  Effect.all({
    error: Schema.encodeEffect(ErrorHead)(replaced(error, (answer) => withData(answer, null)) as typeof ErrorHead.Type),
    data: query !== undefined && error.reason._tag === "Incomplete"
      ? Bytes.encode(query, error.reason.answered.data)
      : Effect.succeed(null)
  })

/** Decodes an error. */
export const decodeError = (query: Query.Query, { data, error }: typeof Failure.Type) =>
  Effect.zipWith(
    Schema.decodeUnknownEffect(ErrorHead)(error),
    data === null ? Effect.succeed(null) : Bytes.decode(query, data),
    (error, data) => replaced(error, (answer) => withData(answer, data))
  )
