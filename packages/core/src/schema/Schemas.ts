/**
 * Schemas of queries, workloads, estimates, answers and their parts, to store them, send them over RPC and read them again without loss.
 *
 * They encode to JSON, and `JSON.stringify` makes the same of such a value. Infinite credits are `"Infinity"`, a table is a list of
 * elements for each column, and undefined fields are left out. Decoding makes the same checks as the constructors, and fails with
 * `SchemaError`. These schemas do not read replies of the service: decoders do.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Schemas from "@effect-marketdata/core/Schemas"
 * import * as Result from "effect/Result"
 * import * as Schema from "effect/Schema"
 *
 * const query = Result.getOrThrow(Query.optionChain("SPX", { expiration: "all", columns: ["strike", "last"] }))
 * const stored = Schema.encodeSync(Schema.fromJsonString(Schemas.Query))(query)
 * Query.target(Schema.decodeSync(Schema.fromJsonString(Schemas.Query))(stored)) === Query.target(query) // => true
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"strike":[150,155],"last":[1.2,null]}`, {
 *   columns: ["strike", "last"],
 *   statusOptional: true
 * }))
 * const Chain = Schema.fromJsonString(Schemas.Table(OptionChain.spec, ["strike", "last"]))
 * Schema.encodeSync(Chain)(chain) // => "{\"length\":2,\"columns\":{\"strike\":[150,155],\"last\":[1.2,null]},\"findings\":[]}"
 * Schema.decodeSync(Chain)(JSON.stringify(chain)).isNull("last", 1) // => true
 * ```
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"
import type { Restore, Stored } from "../endpoints/define.ts"
import * as OptionChain from "../endpoints/OptionChain.ts"
import * as Queries from "../endpoints/Query.ts"
import * as StockBulkCandles from "../endpoints/StockBulkCandles.ts"
import * as StockQuotes from "../endpoints/StockQuotes.ts"
import * as Workloads from "../plan/Workload.ts"
import { type Asked, asked, isSound } from "../query/made.ts"
import { refuse } from "../query/parameter.ts"
import * as Rules from "../query/rules.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import { nearest } from "../text/Problem.ts"
import { Estimate } from "./answer.ts"

/**
 * Answers, and their parts besides the data: amounts of credits (which may be infinite), estimates, attempts, findings and provenance.
 *
 * @since 0.1.0
 */
export { Amount, Answer, Attempt, Estimate, Finding, Provenance } from "./answer.ts"

/**
 * Tables, of the columns of any endpoint; the data of any query, and the whole answer to it.
 *
 * @since 0.1.0
 */
export { AnswerTo, DataOf, Table } from "./answer.ts"

/**
 * Rows as plain values, a class for each table. A row with fewer columns is `Schemas.OptionChainRow.mapFields(Struct.pick(["strike", "bid"]))`.
 *
 * @since 0.1.0
 */
export * from "./rows.ts"

/**
 * Data of endpoints that do not answer with a table.
 *
 * @since 0.1.0
 */
export { AccountStatus, OptionExpirations, OptionLookup, OptionStrikes, RequestHeaders } from "./answer.ts"

// Queries.

const text = /* @__PURE__ */ Schema.optionalKey(Schema.String)

/** What the paths of endpoints name, in the order in which constructors take it. */
const places = { resolution: text, symbol: text, underlyingSymbol: text, optionSymbol: text, description: text }

/** The fields besides those of the subject. */
const said = {
  endpoint: /* @__PURE__ */ Schema.Literals(Object.keys(Queries.endpoints) as ReadonlyArray<Queries.EndpointName>),
  parameters: /* @__PURE__ */ Schema.optionalKey(/* @__PURE__ */ Schema.Record(Schema.String, Schema.Json)),
  columns: /* @__PURE__ */ Schema.optionalKey(/* @__PURE__ */ Schema.Array(Schema.String)),
  mode: /* @__PURE__ */ Schema.optionalKey(Schema.Json),
  assume: /* @__PURE__ */ Schema.optionalKey(/* @__PURE__ */ Schema.Record(Schema.String, Schema.Json)),
  format: /* @__PURE__ */ Schema.optionalKey(/* @__PURE__ */ Schema.Literal("csv"))
}

const symbols = /* @__PURE__ */ Schema.optionalKey(/* @__PURE__ */ Schema.Array(Schema.String))

// Unknown fields are kept, so that the constructor refuses them: without its misspelt mode a query would ask for something else.
const encoded = /* @__PURE__ */ Schema.StructWithRest(
  /* @__PURE__ */ Schema.Struct({ ...said, symbols, ...places }),
  [/* @__PURE__ */ Schema.Record(Schema.String, Schema.Json)]
)

type Encoded = typeof encoded.Type

/**
 * The schema of queries to any endpoint. In JSON a query is the name of its endpoint and what was asked. Decoding calls the endpoint's
 * constructor, so it accepts only what the constructor accepts.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Query: Schema.Codec<Queries.Query, Schema.Json> = /* @__PURE__ */ encoded.pipe(
  /* @__PURE__ */ Schema.decodeTo(/* @__PURE__ */ Schema.declare(Queries.isQuery, { expected: "a query" }), {
    decode: /* @__PURE__ */ SchemaGetter.transformEffect((input: Encoded, options) =>
      construct(input).pipe(Result.mapError((error) => issueOf(input, error, options)), Effect.fromResult)
    ),
    // A query that was changed since it was made, and could not be read again, is not written.
    encode: /* @__PURE__ */ SchemaGetter.transformEffect((query: Queries.Query, options) =>
      written(query).pipe(
        Result.flatMap((input) => isSound(query) ? Result.succeed(input) : Result.flatMap(construct(input), written)),
        Result.mapError((error) => issueOf(asked(query), error, options)),
        Effect.fromResult
      )
    )
  })
)

/** A query as it is written; one that holds what JSON does not have was not made by a constructor. */
const written = (query: Queries.Query): Result.Result<Encoded, InvalidQuery> =>
  Result.orElse(Result.try(() => JSON.parse(JSON.stringify(asked(query)))), () => refuse("query", query, Rules.query))

/** The endpoints of which some parameters are not options as they stand. */
const restores: { readonly [Name in Queries.EndpointName]?: Restore } = {
  optionChain: OptionChain.restore,
  stockQuotes: StockQuotes.restore,
  stockBulkCandles: StockBulkCandles.restore
}

/** Asks the constructor of the endpoint. */
const construct = (input: Encoded): Result.Result<Queries.Query, InvalidQuery> =>
  Result.gen(function*() {
    const { endpoint, format, symbols } = input
    const row = Queries.endpoints[endpoint]
    const stored: Stored = { subject: yield* subjectOf(row, input), options: yield* optionsOf(row, input) }
    const { options, subject } = yield* restores[endpoint]?.(stored) ?? Result.succeed(stored)
    // The list of endpoints says which there are, and each has a constructor of that name; that of one stock's quote is called in the singular.
    const all: Readonly<Record<string, unknown>> = Queries
    const constructor = all[endpoint === "stockQuotes" && symbols === undefined ? "stockQuote" : endpoint]
    const query = typeof constructor === "function"
      ? yield* constructor(...subject, options) as Result.Result<Queries.Query, InvalidQuery>
      : yield* page(constructor as Queries.Query, options)
    if (format === undefined) return query
    return format === "csv" ? Queries.asCsv(query) : yield* refuse("format", format, Rules.format)
  })

/** The pages of the account and the service have nothing to choose. */
const page = (query: Queries.Query, options: object): Result.Result<Queries.Query, InvalidQuery> => {
  const [option] = Object.entries(options)
  return option === undefined
    ? Result.succeed(query)
    : refuse(option[0], option[1], Rules.unknownOption(undefined, []))
}

/** What a constructor takes before its options: the symbols of a list, or what the path names. */
const subjectOf = ({ listPath, path }: Queries.AnyEndpoint, input: Encoded) => {
  const taken = input.symbols === undefined ? [...path.matchAll(/\{(\w+)\}/g)].map(([, place]) => place!) : ["symbols"]
  const known = [...Object.keys(said), ...taken]
  const other = Object.keys(input).find((name) => !known.includes(name) || name === "symbols" && listPath === undefined)
  const fields: Readonly<Record<string, unknown>> = input
  if (other !== undefined) {
    return refuse(
      other,
      fields[other],
      Rules.unknownOption(nearest(other, known.filter((name) => name !== other)), taken)
    )
  }
  return Result.succeed(taken.map((place) => fields[place]))
}

/** What was asked beside the subject: parameters as they were sent, and what every query takes. */
const optionsOf = (row: Queries.AnyEndpoint, { assume, columns, mode, parameters = {} }: Encoded) => {
  const names: ReadonlyArray<string> = row.parameters
  const unknown = Object.entries(parameters).find(([name]) => !names.includes(name))
  return unknown === undefined
    ? Result.succeed({
      ...parameters,
      ...columns === undefined ? {} : { columns },
      ...mode === undefined ? {} : { mode },
      ...assume === undefined || Object.keys(assume).length === 0 ? {} : { assume }
    })
    : refuse(...unknown, Rules.unknownOption(nearest(unknown[0], names), names))
}

/** Says where in the encoded query the mistake is. */
const issueOf = (
  { endpoint, parameters = {} }: Asked,
  { message, parameter }: InvalidQuery,
  options: Parameters<Parameters<typeof SchemaGetter.transformEffect>[0]>[1]
): SchemaIssue.Issue => {
  const [first = parameter, ...rest] = parameter.split(".")
  const names: ReadonlyArray<string> = Queries.endpoints[endpoint as Queries.EndpointName].parameters
  const path = Object.hasOwn(parameters, first) || names.includes(first)
    ? ["parameters", first, ...rest]
    : first === "underlying"
    ? ["underlyingSymbol"]
    : first === "maxAge"
    ? ["mode", first]
    : [first, ...rest]
  return new SchemaIssue.Pointer(path, new SchemaIssue.InvalidValue({ message }, undefined, options))
}

// Workloads.

const task = /* @__PURE__ */ Schema.Struct({
  query: Query,
  assume: Schema.Json,
  price: Estimate,
  schedule: /* @__PURE__ */ Schema.Struct({ first: Schema.Finite, every: Schema.Finite, times: Schema.Int })
})

const isTask = (input: unknown): input is Workloads.Task =>
  typeof input === "object" && input !== null && "query" in input && "price" in input && "schedule" in input

/** A task as it was made: its schedule and its assumptions are checked. It is priced again, unless it falls back: a ceiling may have made that cheaper. */
const Task = /* @__PURE__ */ task.pipe(
  /* @__PURE__ */ Schema.decodeTo(/* @__PURE__ */ Schema.declare(isTask, { expected: "a task" }), {
    decode: /* @__PURE__ */ SchemaGetter.transformEffect(({ assume, price, query, schedule }: typeof task.Type) =>
      Workloads.task(query, schedule, assume as object).pipe(
        Result.map((made) => query.mode?._tag === "CachedOrLive" ? { ...made, price } : made),
        Result.mapError(({ message }) => new SchemaIssue.InvalidValue({ message }, schedule)),
        Effect.fromResult
      )
    ),
    encode: /* @__PURE__ */ SchemaGetter.transform((made: Workloads.Task) => ({
      ...made,
      // What is left out is not in JSON.
      assume: JSON.parse(JSON.stringify(made.assume)) as Schema.Json
    }))
  })
)

/**
 * The schema of workloads: each task with its query, its assumptions, its price and its schedule.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Workload: Schema.Codec<Workloads.Workload, Schema.Json> = /* @__PURE__ */ Schema.Array(Task)
