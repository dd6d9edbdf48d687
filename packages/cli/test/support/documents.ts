/**
 * What commands print with `--format json`, as schemas; the tests hold every printed document against them. Decoding makes the same values of a document
 * as were printed: queries, answers, tables. A field that is there keeps its meaning; new ones may come. Amounts of credits without an upper bound are
 * `"Infinity"`, and times are in epoch seconds.
 */
import { type Answer, OptionChain, type Query, Schemas } from "@effect-marketdata/core"
import { Effect, Predicate, Schema, SchemaGetter, SchemaIssue } from "effect"
import { type Class, classes } from "../../src/failure/failure.ts"
import { version as current } from "../../src/output/document.ts"

const version = Schema.Literal(current)

/** Which service answered, and whether it was the embedded sandbox, whose data are synthetic. */
const service = Schema.Struct({ baseUrl: Schema.String, embedded: Schema.Boolean })

/** What a person must know of the answers that is not a deviation: what may be missing, came unasked, or is older than meant. */
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
    renews: Schema.optionalKey(Schema.Finite),
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

/** What queries cost: how many there are, the least and the most that they cost together, and how many have no price or no answer. */
const Cost = Schema.Struct({
  queries: Schema.Int,
  min: Schemas.Amount,
  max: Schemas.Amount,
  notStated: Schema.Int,
  unavailable: Schema.Int
})

const Mode = Schema.Literals(["Default", "Live", "Delayed", "Cached", "CachedOrLive", "Eod", "Historical"])

const Expected = Schema.Struct({ min: Schemas.Amount, max: Schemas.Amount })

/** One mode: the price of each query, and the cost of all times. `Default` is the mode that the account's plan decides. */
const ModePrice = Schema.Struct({ mode: Mode, asked: Schema.Boolean, each: Schema.Array(Schemas.Estimate), cost: Cost })

/** How fresh the data must be, and the modes that are, the cheapest first, as the flags that ask for them. */
const Freshness = Schema.Struct({
  seconds: Schema.Number,
  mayMiss: Schema.Boolean,
  modes: Schema.Array(Schema.Struct({
    mode: Mode,
    flags: Schema.String,
    cost: Cost,
    expected: Schema.optionalKey(Expected)
  }))
})

const task = {
  queries: Schema.Array(Schemas.Query),
  /** How many requests one time takes. */
  requests: Schema.Int,
  schedule: Schema.Array(Schema.Struct({ first: Schema.Number, every: Schema.Number, times: Schema.Int })),
  /** What it costs as it is asked. */
  cost: Cost,
  modes: Schema.Array(ModePrice),
  freshWithin: Schema.optionalKey(Freshness),
  /** What live data may cost at most after a cached miss, each time. */
  fallbackUpTo: Schema.optionalKey(Schema.Number)
}

/** What a budget buys; `times` is missing where the price has no bound. */
const Budget = Schema.Struct({
  credits: Schemas.Amount,
  times: Schema.optionalKey(Schemas.Amount),
  covers: Schema.optionalKey(Schema.Struct({
    unit: Schema.Literals(["contracts", "candles", "symbols"]),
    count: Schemas.Amount
  })),
  ways: Schema.Array(
    Schema.Struct({ flags: Schema.String, without: Schema.Array(Schema.String), price: Schemas.Estimate })
  )
})

const Minute = Schema.Struct({ start: Schema.Number, end: Schema.Number, cost: Cost })

/** The document of `estimate`. */
export const Estimated = Schema.Struct({
  version,
  ...task,
  peakMinute: Schema.optionalKey(Minute),
  budget: Schema.optionalKey(Budget)
})

const Verdict = Schema.Union([
  Schema.TaggedStruct("Holds", { left: Schemas.Amount }),
  Schema.TaggedStruct("MayRunOut", { at: Schema.Number }),
  Schema.TaggedStruct("RunsOut", { at: Schema.Number, mayRunOutAt: Schema.Number })
])

/** The document of `plan`. */
export const Planned = Schema.Struct({
  version,
  tasks: Schema.Array(Schema.Struct({ name: Schema.String, when: Schema.String, ...task })),
  /** All tasks together, as they are asked. */
  cost: Cost,
  /** The same by mode. */
  byMode: Schema.Record(Mode, Cost),
  /** The days of an allowance, from 9:30 to 9:30 in New York. */
  days: Schema.Array(Minute),
  peakMinute: Schema.optionalKey(Minute),
  allowance: Schema.optionalKey(Schema.Struct({
    credits: Schema.Number,
    window: Schema.Literals(["day", "minute", "none"]),
    verdict: Verdict
  })),
  expected: Schema.optionalKey(Schema.Struct({ hitRate: Schema.Number, ...Expected.fields }))
})
