/**
 * What commands that ask print with `--format json`, as a schema; the tests hold every printed document against it. Decoding makes the same values of
 * a document as were printed: queries, answers, tables. What `estimate` and `plan` print is described with them.
 */
import type * as Answer from "@effect-marketdata/core/Answer"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import type * as Query from "@effect-marketdata/core/Query"
import * as Schemas from "@effect-marketdata/core/Schemas"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"
import { type Class, classes } from "../failure/exit.ts"
import { version as current } from "./document.ts"

const version = Schema.Literal(current)

/** Which service answered, and whether it was the embedded sandbox, whose data are synthetic. */
const service = Schema.Struct({ baseUrl: Schema.String, embedded: Schema.Boolean })

/** What a person must know of the answers that is no deviation: what may be missing, came unasked, or is older than meant. */
const notes = Schema.Array(Schema.String)

/** A query with its answer: a document of its own, or one of a list. */
export interface Answered {
  readonly version?: typeof current
  readonly service?: typeof service.Type
  readonly notes?: typeof notes.Type
  readonly query: Query.Query
  readonly answer: Answer.Answer<unknown>
}

/** The answer can only be read by the query that it answers: that says which data there are. */
const answered: Schema.Codec<Answered, Schema.Json> = Schema.Struct({
  version: Schema.optionalKey(version),
  service: Schema.optionalKey(service),
  notes: Schema.optionalKey(notes),
  query: Schemas.Query,
  answer: Schema.Json
}).pipe(Schema.decodeTo(
  Schema.declare((input): input is Answered =>
    Predicate.hasProperty(input, "query") && Predicate.hasProperty(input, "answer")
  ),
  {
    decode: SchemaGetter.transformEffect(({ answer, ...asked }) =>
      Schema.decodeUnknownEffect(Schemas.AnswerTo(asked.query))(answer).pipe(
        Effect.map((answer): Answered => ({ ...asked, answer })),
        Effect.mapError(within("answer"))
      )
    ),
    encode: SchemaGetter.transformEffect(({ answer, ...asked }: Answered) =>
      Schema.encodeEffect(Schemas.AnswerTo(asked.query))(answer).pipe(
        Effect.map((answer) => ({ ...asked, answer })),
        Effect.mapError(within("answer"))
      )
    )
  }
))

/** Names the field that an error is in. */
const within = (field: string) => ({ issue }: Schema.SchemaError): SchemaIssue.Issue =>
  new SchemaIssue.Pointer([field], issue)

const columns = Schema.Struct({ columns: Schema.Record(Schema.String, Schema.Json) })

/** A saved reply has any of the columns of a chain, and says itself which. */
const reply: Schema.Codec<unknown, Schema.Json> = Schema.Json.pipe(Schema.decodeTo(Schema.Unknown, {
  decode: SchemaGetter.transformEffect((input) =>
    Effect.gen(function*() {
      const names = Object.keys((yield* Schema.decodeUnknownEffect(columns)(input)).columns) as ReadonlyArray<
        OptionChain.Column
      >
      return yield* Schema.decodeUnknownEffect(Schemas.Table(OptionChain.spec, names))(input)
    }).pipe(Effect.mapError(({ issue }) => issue))
  ),
  encode: SchemaGetter.transform((table) => JSON.parse(JSON.stringify(table)) as Schema.Json)
}))

/** What a failure is told as, on standard error. */
export const Failure = Schema.Struct({
  version,
  error: Schema.Struct({
    code: Schema.Literals(Object.values(classes).map(({ code }) => code)),
    class: Schema.Literals(Object.keys(classes) as ReadonlyArray<Class>),
    reason: Schema.String,
    message: Schema.String,
    troubles: Schema.optionalKey(
      Schema.Array(Schema.Struct({ line: Schema.Int, column: Schema.Int, message: Schema.String }))
    ),
    clause: Schema.optionalKey(Schema.String),
    next: Schema.optionalKey(Schema.String),
    ways: Schema.optionalKey(Schema.Array(Schema.Struct({ command: Schema.String, price: Schema.String }))),
    credits: Schema.optionalKey(Schema.Struct({ charged: Schema.Finite, uncertain: Schemas.Amount }))
  })
})

/** What a command that asks prints on standard output: an answer, the answers of a command that takes a list, or a saved reply. */
export const Document = Schema.Union([
  answered.check(
    Schema.makeFilter(({ notes, service, version }) =>
      version !== undefined && service !== undefined && notes !== undefined ||
      "a document says its version, its service and its notes"
    )
  ),
  Schema.Struct({ version, service, notes, answers: Schema.NonEmptyArray(answered) }),
  Schema.Struct({ version, reply })
])
