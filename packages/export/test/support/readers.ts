/** The formats as other libraries read them, as rows of what a table holds: times in seconds, decimals as numbers. */
import { assert } from "@effect/vitest"
import * as Arrow from "apache-arrow"
import { type ColumnData, parquetMetadata, parquetRead } from "hyparquet"
import { zstdDecompressSync } from "node:zlib"

export type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** 128 bits with a sign, the lowest 32 first. */
const whole = (words: Uint32Array): number =>
  Number(BigInt.asIntN(128, words.reduceRight((high, word) => (high << 32n) | BigInt(word), 0n)))

/** Arrow as the project's own library for JavaScript reads it. How many nulls a column has must be what its head says. */
export const arrow = (bytes: Uint8Array): Rows => {
  const table = Arrow.tableFromIPC(bytes)
  const columns = table.schema.fields.map(({ name, type }) => {
    const column = table.getChild(name)!
    assert.strictEqual(column.nullCount, Array.from(column).filter((value) => value === null).length, name)
    return [name, (row: number): unknown => {
      const value: unknown = column.get(row)
      if (value === null) return null
      if (Arrow.DataType.isDecimal(type)) return whole(value as Uint32Array) / 1000
      return Arrow.DataType.isTimestamp(type) ? Number(value) / 1000 : value
    }] as const
  })
  const rowOf = (row: number) => Object.fromEntries(columns.map(([name, at]) => [name, at(row)]))
  return Array.from({ length: table.numRows }, (_, row) => rowOf(row))
}

/** Parquet as hyparquet reads it. */
export const parquet = async (bytes: Uint8Array<ArrayBuffer>): Promise<Rows> => {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const metadata = parquetMetadata(file)
  // hyparquet multiplies decimals by 0.001, which is not a double.
  const decimals = new Set(
    metadata.schema.flatMap(({ converted_type, name }) => converted_type === "DECIMAL" ? [name] : [])
  )
  const elementOf = (name: string, value: unknown): unknown =>
    value instanceof Date
      ? value.getTime() / 1000
      : typeof value === "number" && decimals.has(name)
      ? Math.round(value * 1000) / 1000
      : value
  const rows = Array.from({ length: Number(metadata.num_rows) }, (): Record<string, unknown> => ({}))
  const put = ({ columnData, columnName, rowStart }: ColumnData): void => {
    for (const [at, value] of Array.from(columnData as ArrayLike<unknown>).entries()) {
      rows[rowStart + at]![columnName] = elementOf(columnName, value)
    }
  }
  await parquetRead({
    file,
    metadata,
    compressors: { ZSTD: (input) => new Uint8Array(zstdDecompressSync(input)) },
    onChunk: put
  })
  return rows
}

/** CSV by the grammar of RFC 4180. */
export const csv = (bytes: Uint8Array): ReadonlyArray<ReadonlyArray<string>> => {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
  const lines: Array<Array<string>> = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  let line: Array<string> = []
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const found = cell.exec(text)
    if (found === null) throw new Error(`no cell at ${at} of ${JSON.stringify(text.slice(at, at + 40))}`)
    line.push(found[1]?.replaceAll("\"\"", "\"") ?? found[2]!)
    if (found[3] === ",") continue
    lines.push(line)
    line = []
  }
  return lines
}

/** JSON lines by `JSON.parse`. */
export const jsonLines = (bytes: Uint8Array): Rows =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).split("\n").slice(0, -1).map((line) => JSON.parse(line))
