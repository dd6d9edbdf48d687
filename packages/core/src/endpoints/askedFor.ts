import type { ColumnSpec } from "../columns/ColumnSpec.ts"
import { type Code, type Example, type Finding, maxExamples } from "../columns/Finding.ts"
import type { Query } from "../query/query.ts"
import * as Bitmap from "../columns/bitmap.ts"
import * as TableContent from "../columns/tableContent.ts"

/** How rows belong to a query: by the names in column `about`; with `each`, every ticker of the query has exactly one row. */
export interface Belonging {
  readonly about: "symbol" | "underlying" | "optionSymbol"
  readonly each: boolean
}

/** A table as far as it is looked at here. */
interface Table {
  readonly length: number
  readonly columnNames: ReadonlyArray<string>
}

/** What parts a reply from its query: rows that were not asked for, and tickers without a row. */
export const deviations = (
  query: Query,
  spec: ColumnSpec,
  table: Table,
  { about, each }: Belonging
): ReadonlyArray<Finding> => {
  const names = about === "optionSymbol" ? [query.subject] : query.tickers
  if (names.length === 0) return []
  if (!table.columnNames.includes(about)) return each ? ofCount(names.length, table.length) : []
  // What is left of the names when each row has taken its own. Somebody may ask for one in two spellings.
  const left = new Map<string, Array<string>>()
  for (const name of names) {
    const key = normalized(name)
    const same = left.get(key)
    if (same === undefined) left.set(key, [name])
    else same.push(name)
  }
  // A chain has thousands of rows about one name: its legend holds it once.
  if (about === "underlying" && legendOf(spec, table, about).every((name) => left.has(normalized(name)))) return []
  const expected = names.length === 1 ? names.join() : `one of the ${names.length} that were asked for`
  const unexpected: Array<Example> = []
  for (const [index, name] of namesIn(spec, table, about)) {
    const own = left.get(normalized(name))
    if (own !== undefined && !each || own?.shift() !== undefined) continue
    unexpected.push({ index, expected, received: own === undefined ? name : `${name} once more` })
  }
  const missing = each ? [...left.values()].flat() : []
  return [
    ...finding("UnexpectedRow", about, unexpected),
    ...finding(
      "MissingRow",
      about,
      missing.map((name) => ({
        index: undefined,
        expected: `a row for ${name}`,
        received: "none"
      }))
    )
  ]
}

/** Services write share classes in several ways: `BRK.B`, `BRK-B` and `BRK/B` are one. */
const normalized = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, "")

/** Without names only the number of rows tells. */
const ofCount = (expected: number, received: number): ReadonlyArray<Finding> => {
  if (expected === received) return []
  const code = received < expected ? "MissingRow" : "UnexpectedRow"
  const example = { index: undefined, expected: rowsOf(expected), received: rowsOf(received) }
  return [{ code, column: undefined, count: Math.abs(expected - received), examples: [example] }]
}

const rowsOf = (count: number): string => `${count} ${count === 1 ? "row" : "rows"}`

const finding = (code: Code, column: string, all: ReadonlyArray<Example>): ReadonlyArray<Finding> =>
  all.length === 0 ? [] : [{ code, column, count: all.length, examples: all.slice(0, maxExamples) }]

const legendOf = (spec: ColumnSpec, table: Table, column: string): ReadonlyArray<string> =>
  spec[column]!.kind.pack(TableContent.contentOf(table).vectors[column]).legend

/** The rows that have a name, each with it. */
function* namesIn(spec: ColumnSpec, table: Table, column: string): Generator<readonly [index: number, name: string]> {
  const { nulls, vectors } = TableContent.contentOf(table)
  const { kind } = spec[column]!
  const bitmap = Bitmap.of(nulls, column)
  for (let index = 0; index < table.length; index++) {
    if (bitmap === undefined || !Bitmap.has(bitmap, index)) yield [index, String(kind.at(vectors[column], index))]
  }
}
