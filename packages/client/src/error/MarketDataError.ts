/**
 * The error of the client: which query failed, why, and what happened to each of its requests.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Effect from "effect/Effect"
 *
 * export const orNothing = MarketData.optionChain("SPX").pipe(
 *   Effect.map((answer) => answer.data.length),
 *   Effect.catchReason("MarketDataError", "NotFound", () => Effect.succeed(0))
 * )
 * ```
 *
 * @see `Reason` of core for every reason and its message
 * @see {@link Incomplete} for the reason that holds part of an answer
 * @since 0.1.0
 */
import * as Answer from "@effect-marketdata/core/Answer"
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Reason from "@effect-marketdata/core/Reason"
import * as Schemas from "@effect-marketdata/core/Schemas"
import * as Data from "effect/Data"
import * as Inspectable from "effect/Inspectable"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { inAll, Incomplete } from "./Incomplete.ts"

/**
 * Every reason of a failure: those of core, and `Incomplete`.
 *
 * @category errors
 * @since 0.1.0
 */
export type AnyReason = Reason.Reason | Incomplete

/**
 * A query that was not answered, or not completely. Handle its `reason` with `Effect.catchReason` or `Effect.unwrapReason`. `trace` lists
 * the requests that were sent, with what each was charged.
 *
 * @category errors
 * @since 0.1.0
 */
export class MarketDataError<out R extends AnyReason = AnyReason>
  extends Data.TaggedError("MarketDataError")<Fields<R> & { readonly message: string }>
{
  constructor(fields: Fields<R>) {
    // A label names what was asked for, and a token may have been pasted into that.
    const query = label(fields.query)
    const said = saidOf(fields)
    const words = said === undefined ? fields.reason.message : Reason.formatSaid(said)
    // No getter: V8 writes the message into the stack here, and a Worker's log and `structuredClone` read only a message of the error's own.
    super({ ...fields, query, message: `${query}: ${words}` })
    // Node prints a failure that nobody caught with all it can enumerate: the reason, which is an error too, again and again.
    for (const name of ["message", "query", "reason", "trace"]) Object.defineProperty(this, name, { enumerable: false })
  }
  /** The sentences of the reason, where the cost is that of all requests if they cost more than the reason says; undefined for `Incomplete`. */
  get said(): Reason.Said | undefined {
    return saidOf(this)
  }
  /** What `JSON.stringify` prints: charges that nothing bounds are `"Infinity"`. */
  override toJSON(): object {
    const { _tag, query, reason, trace } = this
    return { _tag, query, reason, trace: trace.map(Answer.makeAttempt) }
  }
  /** What `console.log` prints: the words once, and a line for each request that was sent. */
  override [Inspectable.NodeInspectSymbol](): string {
    const sent = this.trace.map((attempt) => `\n    ${Answer.formatAttempt(attempt)}`)
    return `${this.stack}\n  reason: ${this.reason._tag}\n  sent: ${sent.length === 0 ? "nothing" : sent.join("")}`
  }
}

/** The sentences of a reason, with what all requests cost. */
const saidOf = ({ reason, trace }: Omit<Fields<AnyReason>, "query">): Reason.Said | undefined => {
  if (reason._tag === "Incomplete") return undefined
  const spent = Answer.spent(trace)
  const own = "charged" in reason ? reason.charged ?? 0 : 0
  return spent.charged > own || spent.uncertain > 0 && reason.cost !== "possible"
    ? { ...reason.said, cost: inAll(spent) }
    : reason.said
}

/** A line of at most 200 characters, none of them cut in two. Doing it twice changes nothing, so an error is read as it was written. */
const label = (query: string): string => {
  const line = ForeignText.line(query)
  return line.length <= 200 ? line : `${line.slice(0, 199).replace(/[\ud800-\udbff]$/, "")}…`
}

interface Fields<out R extends AnyReason> {
  readonly query: string
  readonly reason: R
  readonly trace: ReadonlyArray<Answer.Attempt>
}

/** A schema of errors of these reasons: fields are read and written, and the constructor makes the error of them. */
const withReason = <R extends AnyReason>(reason: Schema.Codec<R, Schema.Json>) => {
  const isReason = Schema.is(reason)
  const isError = (input: unknown): input is MarketDataError<R> =>
    // By its name: a framework may bundle the class several times in one process, and evaluates it again after an edit.
    input instanceof Error && input.name === "MarketDataError" && "reason" in input && isReason(input.reason)
  const fields = { query: Schema.String, reason, trace: Schema.Array(Schemas.Attempt) }
  return Schema.TaggedStruct("MarketDataError", fields).pipe(
    Schema.decodeTo(Schema.declare(isError, { expected: "a MarketDataError of these reasons" }), {
      decode: SchemaGetter.transform(({ query, reason, trace }) => new MarketDataError<R>({ query, reason, trace })),
      encode: SchemaGetter.transform(({ _tag, query, reason, trace }) => ({ _tag, query, reason, trace }))
    })
  )
}

/**
 * The schema of errors, for RPC and stores: of every reason but `Incomplete`, which holds data, see `FromJsonWith`. Its JSON is what
 * `JSON.stringify` prints: the name of the query, the reason, and each request that was sent; no token.
 *
 * @example
 * ```ts
 * import * as MarketDataError from "@effect-marketdata/client/MarketDataError"
 * import * as Reason from "@effect-marketdata/core/Reason"
 * import * as Schema from "effect/Schema"
 *
 * const reason = new Reason.ServerFault({ status: 503, temporary: true, body: "" })
 * const error = new MarketDataError.MarketDataError({ query: "optionChain SPX", reason, trace: [] })
 * const stored = JSON.stringify(error)
 * Schema.decodeSync(Schema.fromJsonString(MarketDataError.FromJson))(stored).message === error.message // => true
 * ```
 *
 * @category schemas
 * @since 0.1.0
 */
export const FromJson: Schema.Codec<MarketDataError<Reason.Reason>, Schema.Json> = /* @__PURE__ */ withReason(
  Reason.Reason
)

/**
 * Returns the schema of errors of every reason, `Incomplete` included. `data` is the schema of the data in its answer.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FromJsonWith = <A>(
  data: Schema.Codec<A, Schema.Json>
): Schema.Codec<MarketDataError<Reason.Reason | Incomplete<A>>, Schema.Json> => {
  const incomplete = Schema.TaggedStruct("Incomplete", {
    answered: Schemas.Answer(data),
    missing: Schema.Array(Schema.String),
    errors: Schema.NonEmptyArray(Schema.Struct({ tickers: Schema.Array(Schema.String), reason: Reason.Reason }))
  })
  const isPart = Schema.is(incomplete.mapFields(({ _tag, ...fields }) => fields))
  const isIncomplete = (input: unknown): input is Incomplete<A> => input instanceof Error && isPart({ ...input })
  return withReason(Schema.Union([
    Reason.Reason,
    incomplete.pipe(Schema.decodeTo(Schema.declare(isIncomplete), {
      decode: SchemaGetter.transform(({ answered, errors, missing }) => new Incomplete({ answered, errors, missing })),
      encode: SchemaGetter.transform(({ _tag, answered, errors, missing }) => ({ _tag, answered, errors, missing }))
    }))
  ]))
}
