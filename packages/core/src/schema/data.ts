import * as Schema from "effect/Schema"
import type { ColumnSpec } from "../columns/ColumnSpec.ts"
import { specOf } from "../endpoints/define.ts"
import { type EndpointName, endpoints } from "../endpoints/list.ts"
import type { Endpoint } from "../query/Endpoint.ts"
import type { Query } from "../query/query.ts"
import type * as Answers from "../reply/Answer.ts"
import { Answer } from "./answer.ts"
import { Table } from "./table.ts"
import * as Values from "./values.ts"

/** The endpoints that do not answer with a table. */
type ValueName = {
  [Name in EndpointName]: typeof endpoints[Name] extends Endpoint<never> ? Name : never
}[EndpointName]

/** What these answer with; the compiler asks for all of them. */
const values: { readonly [Name in ValueName]: Schema.Codec<unknown, Schema.Json> } = {
  optionLookup: Values.OptionLookup,
  optionExpirations: Values.OptionExpirations,
  optionStrikes: Values.OptionStrikes,
  account: Values.AccountStatus,
  requestHeaders: Values.RequestHeaders
}

/** The columns of what answers a query, where that is a table. The row is found by name, because that of a query that was cloned is a copy. */
export const specFor = ({ endpoint }: Query): ColumnSpec | undefined => specOf(endpoints[endpoint.name as EndpointName])

const schemaOf = (query: Query): Schema.Codec<unknown, Schema.Json> => {
  const { endpoint, format, returns } = query
  if (format === "csv") return Schema.String
  const spec = specFor(query)
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
