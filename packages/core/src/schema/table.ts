import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"
import type { ColumnSpec } from "../columns/ColumnSpec.ts"
import * as ColumnTable from "../columns/ColumnTable.ts"
import type { DecodeError } from "../columns/DecodeError.ts"
import * as TableElements from "../columns/tableElements.ts"
import * as TableContent from "../columns/tableContent.ts"
import { Finding } from "./finding.ts"

/** The lists are read by the columns that they are of, and not by a schema for each of their elements: a chain has half a million. */
const lists = /* @__PURE__ */ Schema.declare<Readonly<Record<string, unknown>>>(Predicate.isReadonlyObject, {
  expected: "an object of lists, one for each column",
  toCodecJson: () => undefined
})

const encoded = /* @__PURE__ */ Schema.Struct({
  length: /* @__PURE__ */ Schema.Int.check(/* @__PURE__ */ Schema.isGreaterThanOrEqualTo(0)),
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
export const Table = <const Spec extends ColumnSpec, Name extends keyof Spec & string = keyof Spec & string>(
  spec: Spec,
  columns?: ReadonlyArray<Name>
): Schema.Codec<ColumnTable.ColumnTable<Spec, Name>, Schema.Json> => {
  const { names, table } = tableOf<Spec, Name>(spec, columns)
  const codec = encoded.pipe(Schema.decodeTo(table, {
    decode: SchemaGetter.transformEffect(({ columns, findings, length }, options) =>
      TableElements.read(spec, names, length, columns).pipe(
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

/** The schema of tables with these columns in memory, and the names of the columns in the order of the spec. */
export const tableOf = <Spec extends ColumnSpec, Name extends keyof Spec & string>(
  spec: Spec,
  columns: ReadonlyArray<Name> | undefined
) => {
  const names = Object.keys(spec).filter((name) => columns === undefined || columns.some((column) => column === name))
  const table = Schema.declare(
    (input): input is ColumnTable.ColumnTable<Spec, Name> => isTable(input, spec, names),
    { expected: `a table of the columns ${names.join(", ")}` }
  )
  return { names, table }
}

const isTable = (input: unknown, spec: ColumnSpec, names: ReadonlyArray<string>): boolean => {
  const made = TableContent.find(input)
  return made !== undefined && made.spec === spec &&
    TableContent.columnNames(spec, made.content).join() === names.join()
}

/** Says where in the table the mistake is. */
export const issueOf = (
  { column, expected, index, received }: DecodeError,
  options: Parameters<Parameters<typeof SchemaGetter.transformEffect>[0]>[1]
): SchemaIssue.Issue =>
  new SchemaIssue.Pointer(
    ["columns", ...[column, index].filter((step) => step !== undefined)],
    new SchemaIssue.InvalidValue({ message: `Expected ${expected}, got ${received}` }, undefined, options)
  )
