/** The reader of each query, found by its endpoint. */
import type { Finding } from "../columns/Finding.ts"
import readings, { type EndpointName } from "../endpoints/list.ts"
import { csv, type DataReader, type Reading, type ReadOptions } from "../endpoints/reading.ts"
import type { Query } from "../query/query.ts"

const readingOf = ({ endpoint, format }: Query): Reading<unknown> =>
  format === "csv" ? csv : readings[endpoint.name as EndpointName]

/** The reader of a query's data. */
export const forQuery = <Data>(query: Query<Data>, options: ReadOptions): DataReader<Data> =>
  // The endpoint's constructor typed the query with what the reading of that endpoint returns.
  readingOf(query).reader(query, options) as DataReader<Data>

/** One answer from those of a query's batches, whole and in order (clause 8.1-batches). */
export const merge = <Data>(query: Query<Data>, parts: readonly [Data, ...ReadonlyArray<Data>]): Data =>
  parts.length === 1 ? parts[0] : readingOf(query).merge(parts) as Data

/** What was unusual about data that were merged. */
export const findingsOf = <Data>(query: Query<Data>, merged: Data): ReadonlyArray<Finding> =>
  readingOf(query).findings(merged)

/** The same data without what a service may have told back of a token. */
export const cleaned = <Data>(query: Query<Data>, value: Data, clean: (text: string) => string): Data =>
  (readingOf(query).cleaned?.(value, clean) ?? value) as Data

/** The same data with other findings, where they have any of their own. */
export const withFindings = <Data>(query: Query<Data>, value: Data, findings: ReadonlyArray<Finding>): Data =>
  readingOf(query).withFindings(value, findings) as Data
