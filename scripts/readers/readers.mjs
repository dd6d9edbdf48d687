/**
 * How the libraries of others read a file: what type each column has there, and its elements as plain values, times in seconds and decimals as numbers.
 * They are installed apart, and have no types here.
 */
import { DuckDBDecimalValue, DuckDBInstance, DuckDBTimestampTZValue } from "@duckdb/node-api"
import * as Arrow from "apache-arrow"
import { readFileSync } from "node:fs"
import polars from "nodejs-polars"
import { readParquet } from "parquet-wasm"

const duck = await (await DuckDBInstance.create(":memory:")).connect()

const plain = (value) =>
  value instanceof DuckDBTimestampTZValue
    ? Number(value.micros) / 1e6
    : value instanceof DuckDBDecimalValue
    ? Number(value.value) / 10 ** value.scale
    : value

const asked = async (from) => {
  const result = await duck.runAndReadAll(`select * from ${from}`)
  const [types, columns] = [result.columnTypes(), result.getColumns()]
  return Object.fromEntries(
    result.columnNames().map((name, at) => [name, { type: String(types[at]), values: (columns[at] ?? []).map(plain) }])
  )
}

/** How many rows DuckDB answers a line of SQL with. */
export const rowsOf = async (sql) => (await duck.runAndReadAll(sql)).currentRowCount

/** DuckDB is told the types of a text, which says none. */
const told = (types) => `{${Object.entries(types).map(([name, type]) => `'${name}': '${type}'`).join()}}`

const perSecond = [1, 1e3, 1e6, 1e9]

/** A decimal of Arrow is four words, the lowest first. */
const arrow = (bytes) => {
  const table = Arrow.tableFromIPC(bytes)
  return Object.fromEntries(table.schema.fields.map(({ name, type }) => {
    const { DataType } = Arrow
    // apache-arrow gives every time in milliseconds.
    const read = DataType.isDecimal(type)
      ? ([low]) => (low | 0) / 10 ** type.scale
      : DataType.isTimestamp(type)
      ? (time) => time / 1000
      : (value) => value
    const values = Array.from(table.getChild(name), (value) => value === null ? null : read(value))
    return [name, { type: String(type).replace(/Uint\d+/, "Int32"), values }]
  }))
}

const framed = (frame) =>
  Object.fromEntries(frame.columns.map((name) => {
    const series = frame.getColumn(name)
    const type = /^DataType\((.*)\)$/.exec(String(series.dtype))[1]
    const [, unit] = /^Datetime\((\w+)/.exec(type) ?? []
    const per = perSecond[["s", "ms", "us", "ns"].indexOf(unit)]
    const values = per !== undefined
      ? series.cast(polars.Int64).toArray().map((time) => time === null ? null : Number(time) / per)
      : type.startsWith("Decimal")
      ? series.cast(polars.Float64).toArray()
      : type.startsWith("Categorical")
      ? series.cast(polars.String).toArray()
      : series.toArray()
    return [name, { type, values }]
  }))

/** Each reader by its name: of which file, and how it reads it. */
export const readers = {
  "DuckDB, Parquet": { suffix: "parquet", read: (file) => asked(`read_parquet('${file}')`) },
  "DuckDB, CSV": {
    suffix: "csv",
    read: (file, types) => asked(`read_csv('${file}', header = true, columns = ${told(types)})`)
  },
  "DuckDB, JSON lines": {
    suffix: "jsonl",
    read: (file, types) => asked(`read_json('${file}', format = 'newline_delimited', columns = ${told(types)})`)
  },
  "Polars, Parquet": { suffix: "parquet", read: (file) => framed(polars.readParquet(file)) },
  "Polars, Arrow": { suffix: "arrow", read: (file) => framed(polars.readIPC(readFileSync(file))) },
  "apache-arrow, Arrow": { suffix: "arrow", read: (file) => arrow(readFileSync(file)) },
  "apache-arrow, a stream of Arrow": { suffix: "arrows", read: (file) => arrow(readFileSync(file)) },
  "parquet-wasm, Parquet": {
    suffix: "parquet",
    read: (file) => arrow(readParquet(new Uint8Array(readFileSync(file))).intoIPCStream())
  }
}
