import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"
import type { ColumnSpec } from "../columns/ColumnSpec.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import * as TableBytes from "../columns/tableBytes.ts"
import * as TableContent from "../columns/tableContent.ts"
import type { Query } from "../query/query.ts"
import { DataOf, specFor } from "./data.ts"
import { Finding } from "./finding.ts"
import { issueOf, tableOf } from "./table.ts"

const Findings = /* @__PURE__ */ Schema.Array(Finding)

/**
 * Returns the schema of tables with these columns, or with all columns of the endpoint, as bytes: the columns as they are in memory. Writing
 * and reading them is many times faster than as JSON. They are for programs of the same version: to keep a table for years, use `Table`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TableAsBytes = <const Spec extends ColumnSpec, Name extends keyof Spec & string = keyof Spec & string>(
  spec: Spec,
  columns?: ReadonlyArray<Name>
): Schema.Codec<ColumnTable.ColumnTable<Spec, Name>, Uint8Array> => {
  const { names, table } = tableOf(spec, columns)
  return Schema.Uint8Array.pipe(
    Schema.decodeTo(table, {
      decode: SchemaGetter.transformEffect((bytes, options) =>
        Effect.fromResult(Result.mapError(TableBytes.read(spec, names, bytes), (error) => issueOf(error, options)))
          .pipe(
            Effect.flatMap(({ findings, ...content }) =>
              Schema.decodeUnknownEffect(Findings)(findings).pipe(
                Effect.mapBoth({
                  onFailure: ({ issue }) => new SchemaIssue.Pointer(["findings"], issue),
                  onSuccess: (findings) => ColumnTable.make<Spec, Name>(spec, { ...content, findings })
                })
              )
            )
          )
      ),
      encode: SchemaGetter.transform((table) => TableBytes.write(spec, names, TableContent.contentOf(table)))
    })
  )
}

/** The schema of anything else as bytes: its JSON. */
const jsonAsBytes = <A>(schema: Schema.Codec<A, Schema.Json>): Schema.Codec<A, Uint8Array> =>
  Schema.Uint8Array.pipe(
    Schema.decodeTo(Schema.fromJsonString(schema), {
      decode: SchemaGetter.transform((bytes) => new TextDecoder().decode(bytes)),
      encode: SchemaGetter.transform((text) => new TextEncoder().encode(text))
    })
  )

/**
 * Returns the schema of the data that answer a query, as bytes: a table as `TableAsBytes` has it, anything else as its JSON. The bytes are for
 * programs of the same version: to keep data for years, use `DataOf`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DataAsBytes = <Data>(query: Query<Data>): Schema.Codec<Data, Uint8Array> => {
  const spec = query.format === "csv" ? undefined : specFor(query)
  return spec === undefined
    ? jsonAsBytes(DataOf(query))
    // The endpoint's constructor typed the query with what that endpoint answers.
    : TableAsBytes(spec, query.returns) as unknown as Schema.Codec<Data, Uint8Array>
}
