/**
 * Schemas of answers: what they hold besides their data, which is credits, estimates, findings, attempts and where a reply came from; then their data, which
 * are values or tables; and the rows of tables.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"
import type { ColumnKind } from "../columns/ColumnKind.ts"
import type { ColumnSpec, Row } from "../columns/ColumnSpec.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type { DecodeError } from "../columns/DecodeError.ts"
import * as Findings from "../columns/Finding.ts"
import * as TableContent from "../columns/tableContent.ts"
import * as TableJson from "../columns/tableJson.ts"
import type * as Credits from "../credits/Credits.ts"
import { range } from "../credits/tariff.ts"
import type * as AccountStatuses from "../endpoints/AccountStatus.ts"
import type * as OptionExpirationLists from "../endpoints/OptionExpirations.ts"
import type * as OptionLookups from "../endpoints/OptionLookup.ts"
import type * as OptionStrikeLists from "../endpoints/OptionStrikes.ts"
import { type EndpointName, type endpoints, specOf } from "../endpoints/Query.ts"
import type * as RequestHeaderMaps from "../endpoints/RequestHeaders.ts"
import type { Endpoint } from "../query/Endpoint.ts"
import { known, type Query } from "../query/query.ts"
import { InvalidQuery, Reason } from "../reason/Reason.ts"
import * as Answers from "../reply/Answer.ts"
import type * as Provenances from "../reply/Provenance.ts"
import * as OptionSymbol from "../symbol/OptionSymbol.ts"
import * as Strike from "../symbol/Strike.ts"
import { optional, orUndefined } from "../text/json.ts"
import * as CalendarDate from "../time/CalendarDate.ts"

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
  updated: /* @__PURE__ */ orUndefined(/* @__PURE__ */ Schema.Struct({ oldest: Schema.Finite, newest: Schema.Finite })),
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

// Data that are no table.

/** A day as data. */
const Day = /* @__PURE__ */ Schema.Struct({ year: Schema.Int, month: Schema.Int, day: Schema.Int }).check(
  /* @__PURE__ */ Schema.makeFilter(CalendarDate.isCalendarDate, { expected: "a day of the calendar" })
)

/** A strike in dollars. */
const Dollars = /* @__PURE__ */ Schema.Finite.check(
  /* @__PURE__ */ Schema.makeFilter((dollars) => Result.isSuccess(Strike.parse(dollars)), { expected: "a strike" })
)

/**
 * The schema of the contract that a lookup found.
 *
 * @category schemas
 * @since 0.1.0
 */
export const OptionLookup: Schema.Codec<OptionLookups.OptionLookup, Schema.Json> = /* @__PURE__ */ Schema.Struct({
  optionSymbol: Schema.String,
  contract: /* @__PURE__ */ Schema.Struct({
    root: Schema.String,
    expiration: Day,
    side: /* @__PURE__ */ Schema.Literals(["call", "put"]),
    strike: Schema.Finite
  }).check(
    /* @__PURE__ */ Schema.makeFilter(OptionSymbol.isOptionSymbol, { expected: "the parts of an option symbol" })
  )
}).check(
  /* @__PURE__ */ Schema.makeFilter(({ contract, optionSymbol }) =>
    OptionSymbol.format(contract) === optionSymbol ||
    { path: ["optionSymbol"], issue: "Expected the symbol of the contract" }
  )
)

/**
 * The schema of the expirations of an underlying's options.
 *
 * @category schemas
 * @since 0.1.0
 */
export const OptionExpirations: Schema.Codec<OptionExpirationLists.OptionExpirations, Schema.Json> =
  /* @__PURE__ */ Schema.Struct({ expirations: /* @__PURE__ */ Schema.Array(Day), updated: Schema.Finite })

/**
 * The schema of the strikes of an underlying's options, by expiration.
 *
 * @category schemas
 * @since 0.1.0
 */
export const OptionStrikes: Schema.Codec<OptionStrikeLists.OptionStrikes, Schema.Json> = /* @__PURE__ */ Schema.Struct({
  expirations: /* @__PURE__ */ Schema.Array(
    /* @__PURE__ */ Schema.Struct({ expiration: Day, strikes: /* @__PURE__ */ Schema.Array(Dollars) })
  ),
  updated: Schema.Finite
})

/**
 * The schema of what the service knows of an account.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AccountStatus: Schema.Codec<AccountStatuses.AccountStatus, Schema.Json> = /* @__PURE__ */ Schema.Struct({
  creditsLimit: Schema.Finite,
  creditsRemaining: Schema.Finite,
  optionsData: Schema.String
})

/**
 * The schema of the headers of a request. In JSON they are a list of pairs of name and value.
 *
 * @category schemas
 * @since 0.1.0
 */
export const RequestHeaders: Schema.Codec<RequestHeaderMaps.RequestHeaders, Schema.Json> = /* @__PURE__ */ Schema
  .toCodecJson(/* @__PURE__ */ Schema.ReadonlyMap(Schema.String, Schema.String))

// Tables.

/** The lists are read by the columns that they are of, and not by a schema for each of their elements: a chain has half a million. */
const lists = /* @__PURE__ */ Schema.declare<Readonly<Record<string, unknown>>>(Predicate.isReadonlyObject, {
  expected: "an object of lists, one for each column",
  toCodecJson: () => undefined
})

const encodedTable = /* @__PURE__ */ Schema.Struct({
  length: count,
  columns: lists,
  findings: /* @__PURE__ */ Schema.Array(Finding)
})

/**
 * Returns the schema of tables with these columns, or with all columns of the endpoint. In JSON a table is a list of elements for each
 * column. Decoding gives back the same columns with the same nulls.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Table = <const Spec extends ColumnSpec, const Name extends keyof Spec & string = keyof Spec & string>(
  spec: Spec,
  columns?: ReadonlyArray<Name>
): Schema.Codec<ColumnTable.ColumnTable<Spec, Name>, Schema.Json> => {
  const names = Object.keys(spec).filter((name) => columns === undefined || columns.some((column) => column === name))
  const table = Schema.declare(
    (input): input is ColumnTable.ColumnTable<Spec, Name> => isTable(input, spec, names),
    { expected: `a table of the columns ${names.join(", ")}` }
  )
  const codec = encodedTable.pipe(Schema.decodeTo(table, {
    decode: SchemaGetter.transformEffect(({ columns, findings, length }, options) =>
      TableJson.read(spec, names, length, columns).pipe(
        Result.map((content) => ColumnTable.make<Spec, Name>(spec, { ...content, length, findings })),
        Result.mapError((error) => issueOf(error, options)),
        Effect.fromResult
      )
    ),
    encode: SchemaGetter.transform((table) => ({ ...table.toJSON() }))
  }))
  // Its lists hold texts, numbers, booleans and null: `toJSON` says so.
  return codec as Schema.Codec<ColumnTable.ColumnTable<Spec, Name>, Schema.Json>
}

const isTable = (input: unknown, spec: ColumnSpec, names: ReadonlyArray<string>): boolean => {
  const made = TableContent.find(input)
  // Another copy of this package has a spec of its own, which says the same.
  return made !== undefined && (made.spec === spec || JSON.stringify(made.spec) === JSON.stringify(spec)) &&
    TableContent.columnNames(spec, made.content).join() === names.join()
}

/** Says where in the table the mistake is. */
const issueOf = (
  { column, expected, index, received }: DecodeError,
  options: Parameters<Parameters<typeof SchemaGetter.transformEffect>[0]>[1]
): SchemaIssue.Issue =>
  new SchemaIssue.Pointer(
    ["columns", ...[column, index].filter((step) => step !== undefined)],
    new SchemaIssue.InvalidValue({ message: `Expected ${expected}, got ${received}` }, undefined, options)
  )

// Rows: which elements each column holds, whether they may be null, and what they mean.

/** The fields of a row of a table: schemas of its elements, which say to constructors what they take. */
export type Fields<Spec extends ColumnSpec> = {
  readonly [Name in keyof Spec]: Schema.Codec<Row<Spec, Name>[Name], string | number | boolean | null> & {
    readonly "~type.make": Row<Spec, Name>[Name]
    readonly "~type.make.in": Row<Spec, Name>[Name]
  }
}

/** A field for each column, described by what the column means. */
const fields = <const Spec extends ColumnSpec>(
  spec: Spec,
  meanings: { readonly [Name in keyof Spec]: string }
): Fields<Spec> => {
  const all = Object.entries(spec).map(([name, { kind, null: where }]) => {
    const element = elementOf(kind, { description: meanings[name]! })
    return [name, where === "identity" ? element : Schema.NullOr(element)] as const
  })
  // Each field is that of its own column.
  return Object.fromEntries(all) as unknown as Fields<Spec>
}

/** Makes the class of the rows of a table. */
export const rowOf = <Self>() =>
<Name extends string, const Spec extends ColumnSpec>(
  name: Name,
  spec: Spec,
  meanings: { readonly [Name in keyof Spec]: string }
) => Schema.Class<Self>(`@effect-marketdata/core/${name}`)(fields(spec, meanings))

type Meaning = { readonly description: string }

const elementOf = ({ expected, storage }: ColumnKind, meaning: Meaning): Schema.Codec<unknown> => {
  switch (storage._tag) {
    case "Numbers":
      return number(meaning)
    case "Choices":
      return Schema.Literals(storage.values).annotate(meaning)
    case "Texts": {
      const { problem } = storage
      const text = Schema.String.annotate(meaning)
      return problem === undefined
        ? text
        : text.check(Schema.makeFilter((text) => problem(text) ?? true, { expected }))
    }
  }
}

/** A finite number; minus zero, which JSON does not have, is `"-0"`. */
const number = (meaning: Meaning) =>
  Schema.Union([Schema.Finite, Schema.Literal("-0")]).annotate(meaning).pipe(
    Schema.decodeTo(Schema.Finite.annotate(meaning), {
      decode: SchemaGetter.transform(Number),
      encode: SchemaGetter.transform((value: number) => Object.is(value, -0) ? "-0" : value)
    })
  )

// What answers a query.

/** The endpoints that do not answer with a table. */
type ValueName = { [Name in EndpointName]: typeof endpoints[Name] extends Endpoint<never> ? Name : never }[EndpointName]

/** What these answer with; the compiler asks for all of them. */
const values: { readonly [Name in ValueName]: Schema.Codec<unknown, Schema.Json> } = {
  optionLookup: OptionLookup,
  optionExpirations: OptionExpirations,
  optionStrikes: OptionStrikes,
  account: AccountStatus,
  requestHeaders: RequestHeaders
}

const schemaOf = (query: Query): Schema.Codec<unknown, Schema.Json> => {
  const { endpoint, format, returns } = known(query)
  if (format === "csv") return Schema.String
  const spec = specOf(query)
  return spec === undefined ? values[endpoint.name as ValueName] : Table(spec, returns)
}

/**
 * Returns the schema of the data that answer a query: a table of its columns, a value, or a text in CSV.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DataOf = <Data>(query: Query<Data>): Schema.Codec<Data, Schema.Json> =>
  // The endpoint's constructor typed the query with what that endpoint answers.
  schemaOf(query) as Schema.Codec<Data, Schema.Json>

/**
 * Returns the schema of the whole answer to a query.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AnswerTo = <Data>(query: Query<Data>): Schema.Codec<Answers.Answer<Data>, Schema.Json> =>
  Answer(DataOf(query))
