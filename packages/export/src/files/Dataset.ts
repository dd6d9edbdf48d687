/**
 * A Hive-partitioned folder of tables: `underlying=SPX/date=2026-11-20/part.parquet`. DuckDB, Polars, pandas and Spark read it as one table whose
 * partitions are columns, and open only the partitions that a query needs. A new day is one more folder; existing files do not change.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Dataset from "@effect-marketdata/export/Dataset"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * export const keepDay = (date: string) =>
 *   Dataset.write(
 *     Stream.map(Stream.fromEffect(MarketData.optionChain("SPX", { expiration: "all", date })), ({ data }) => data),
 *     "chains",
 *     { underlying: "SPX", date },
 *     { existing: "keep" }
 *   )
 * ```
 *
 * @see {@link Export} for one file
 * @since 0.1.0
 */
import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Table } from "../columns/Columns.ts"
import * as Columns from "../columns/Columns.ts"
import * as Values from "../columns/values.ts"
import { attempt, type ExportError, invalid } from "../reason/ExportError.ts"
import * as Export from "./Export.ts"

/**
 * The columns of the folders, from the outermost on, with their values.
 *
 * @category models
 * @since 0.1.0
 */
export type Partition = Readonly<Record<string, string>>

/**
 * How a part is written.
 *
 * - `format`: Parquet, by default, or another
 * - `name`: the name of the file without its extension, `part` by default; several parts of one day need different names
 * - `existing`: whether an existing part is replaced, the default, or kept; a kept part does not run the stream of tables
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends Export.Options {
  readonly name?: string | undefined
  readonly existing?: "replace" | "keep" | undefined
}

const dated = "{ date: \"2026-11-20\" }"
const text = { rule: "must be a string of 1 to 60 characters", example: "\"SPX\"" }

/** A value as Hive writes it into the name of a folder: what would be more than a name is a percent sign and two digits. */
const encoded = (value: string): string =>
  encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * Returns the path of a part, relative to the folder.
 *
 * @example
 * ```ts
 * import * as Dataset from "@effect-marketdata/export/Dataset"
 * import * as Result from "effect/Result"
 *
 * Dataset.pathOf({ underlying: "SPX", date: "2026-11-20" })
 * // => Result.succeed(["underlying=SPX", "date=2026-11-20", "part.parquet"])
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const pathOf = (
  partition: Partition,
  options: Options = {}
): Result.Result<ReadonlyArray<string>, ExportError> =>
  attempt((): ReadonlyArray<string> => {
    // A text would say nothing: what exists was replaced where it said "keep".
    if (typeof options !== "object") throw invalid("options", options, { rule: "must be an object", example: kept })
    const { format = "parquet", name = "part" } = options ?? {}
    const folders = Object.entries(partition ?? {}).map(([column, value]) => {
      if (!/^[A-Za-z_]\w*$/.test(column)) {
        throw invalid("partition", column, { rule: "must have names of letters and digits", example: dated })
      }
      if (typeof value !== "string" || value === "" || /\p{Cs}/u.test(value) || value.length > 60) {
        throw invalid(`partition.${column}`, value, text)
      }
      return `${column}=${encoded(value)}`
    })
    if (folders.length === 0) {
      throw invalid("partition", partition, { rule: "must have a column", example: dated })
    }
    if (typeof name !== "string" || !/^\w[\w-]{0,63}$/.test(name)) {
      throw invalid("name", name, { rule: "must have up to 64 letters, digits, - and _", example: "\"part\"" })
    }
    const suffix = Object.keys(Export.suffixes).find((suffix) => Export.suffixes[suffix] === format)
    if (suffix === undefined) throw Export.noFormat(format)
    return [...folders, `${name}.${suffix}`]
  })

const kept = "{ existing: \"keep\" }"

const place = { rule: "must be the path of a folder", example: "\"chains\"" }
const list = { rule: "must be a list of names", example: "[\"date\"]" }
const ways = { rule: "must be replace or keep", example: "\"keep\"" }

/** What the path says stands in no row: the columns of a table that are its partitions are left out, if they say the same. */
const without = (table: Table, partition: Partition): Table => {
  const columns = Columns.of(table).filter(({ name }) => Object.hasOwn(partition, name))
  if (columns.length === 0) return table
  for (const values of Values.read(table, columns)) {
    const { column: { name, type }, length } = values
    for (let row = 0; row < length; row++) {
      if (type === "category" && Values.textAt(values, row) === partition[name]) continue
      throw invalid(`partition.${name}`, partition[name], {
        rule: `must be what the column ${name} says in row ${row}, or have another name`,
        example: type === "category" ? JSON.stringify(Values.textAt(values, row)) : `{ ${name}_of: "…" }`
      })
    }
  }
  const kept = table.columnNames.filter((name) => !Object.hasOwn(partition, name))
  return ColumnTable.select(table as ColumnTable.TableMethods<ColumnSpec, string>, kept)
}

/**
 * Writes tables as a part of the folder, atomically. As in Hive, partition columns are not in the file; a table whose values differ from its partition
 * is refused. Returns the file, or undefined if an existing one was kept.
 *
 * @category running
 * @since 0.1.0
 */
export const write = <E, R>(
  tables: Stream.Stream<Table, E, R>,
  folder: string,
  partition: Partition,
  options: Options = {}
): Effect.Effect<Export.Written | undefined, E | ExportError, R | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const existing = options?.existing ?? "replace"
    if (typeof folder !== "string" || folder === "") return yield* invalid("folder", folder, place)
    if (!["replace", "keep"].includes(existing)) return yield* invalid("existing", existing, ways)
    const target = path.join(folder, ...yield* Effect.fromResult(pathOf(partition, options)))
    const orFail = Effect.mapError(Export.failed(target))
    if (existing === "keep" && (yield* orFail(fs.exists(target)))) return undefined
    yield* orFail(fs.makeDirectory(path.dirname(target), { recursive: true }))
    const parts = Stream.mapEffect(
      Export.streamOf(tables),
      (table) => Effect.fromResult(attempt(() => without(table, partition)))
    )
    return yield* Export.toFile(parts, target, { ...options, format: options?.format ?? "parquet" })
  })

/**
 * Returns the partitions of a folder that have a part of this name, in order; an empty list if there is no folder. `columns` are the partition columns,
 * from the outermost to the innermost.
 *
 * @category getters
 * @since 0.1.0
 */
export const partitions = <const Column extends string>(
  folder: string,
  columns: ReadonlyArray<Column>,
  options: Options = {}
): Effect.Effect<
  ReadonlyArray<{ readonly [C in Column]: string }>,
  ExportError,
  FileSystem.FileSystem | Path.Path
> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if (typeof folder !== "string" || folder === "") return yield* invalid("folder", folder, place)
    if (!Array.isArray(columns)) return yield* invalid("columns", columns, list)
    const pattern = yield* Effect.fromResult(
      pathOf(Object.fromEntries(columns.map((column) => [column, "x"])), options)
    )
    const glob = [...columns.map((column) => `${column}=*`), pattern.at(-1)!].join("/")
    const found = yield* Effect.mapError(fs.glob(glob, { root: path.resolve(folder) }), Export.failed(folder))
    return found.flatMap((file) => {
      const values = file.split("/").slice(0, -1).map((part) =>
        Result.getOrUndefined(Result.try(() => decodeURIComponent(part.slice(part.indexOf("=") + 1))))
      )
      return values.includes(undefined)
        ? []
        : [Object.fromEntries(columns.map((column, at) => [column, values[at]!])) as { [C in Column]: string }]
    })
  })
