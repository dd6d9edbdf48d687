/** Writes tables in a format, one after the other. */
import * as Result from "effect/Result"
import * as Columns from "../columns/Columns.ts"
import { attempt, ExportError, invalid, NoColumns, OtherColumns } from "../reason/ExportError.ts"

/** Bytes that are ready to be written. They may share memory with the last table. */
export type Bytes = Uint8Array<ArrayBuffer>

/**
 * Writes tables one after the other. `push` takes a table, and returns what can be written of it and of those before; `end` returns the rest. What they
 * return may lie over the memory of the table: write it before the table is released.
 */
export interface Encoder {
  readonly push: (table: Columns.Table) => Result.Result<ReadonlyArray<Bytes>, ExportError>
  readonly end: () => Result.Result<ReadonlyArray<Bytes>, ExportError>
}

/**
 * What all formats take.
 *
 * - `types`: what columns of numbers become instead of their own type
 * - `metadata`: what the file says of itself: texts by name, such as `Export.about` makes of an answer. CSV and JSON lines have no place for it
 */
export interface Options {
  readonly types?: Columns.Types | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

const texts = { rule: "must be a string", example: "\"SPX\"" }

/** A format for known columns. */
export interface Writing {
  readonly table: (table: Columns.Table) => ReadonlyArray<Bytes>
  readonly end: () => ReadonlyArray<Bytes>
}

/** Whether columns go below others: a column without nulls also where there may be some. */
const isAlike = (found: ReadonlyArray<string>, expected: ReadonlyArray<string>): boolean =>
  found.length === expected.length &&
  found.every((column, at) => column === expected[at] || column === expected[at]!.replace(" or null", ""))

/** Makes an encoder of what writes in a format: the first table says which columns there are. Callers without types may give null for options. */
export const make = <O extends Options>(
  options: O,
  format: (options: O) => (columns: ReadonlyArray<Columns.Column>) => Writing
): Encoder => {
  const given = options ?? {} as O
  const start = format(given)
  let expected: ReadonlyArray<string> = []
  let writing: Writing | undefined
  return {
    push: (table) =>
      attempt(() => {
        const columns = Columns.of(table, given.types ?? {})
        const found = columns.map(({ name, nullable, type }) => `${name} (${type}${nullable ? " or null" : ""})`)
        if (writing === undefined) {
          if (columns.length === 0) throw new ExportError({ reason: new NoColumns() })
          for (const [name, text] of Object.entries(given.metadata ?? {})) {
            if (typeof text !== "string") throw invalid(`metadata.${name}`, text, texts)
          }
          expected = found
          writing = start(columns)
        } else if (!isAlike(found, expected)) {
          throw new ExportError({ reason: new OtherColumns({ expected, found }) })
        }
        return writing.table(table)
      }),
    end: () =>
      attempt(() => {
        if (writing === undefined) throw new ExportError({ reason: new NoColumns() })
        return writing.end()
      })
  }
}

/** Concatenates bytes. */
export const joined = (pieces: ReadonlyArray<Bytes>): Bytes => {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** Writes one table as a whole. */
export const whole = (encoder: Encoder, table: Columns.Table): Result.Result<Bytes, ExportError> =>
  Result.flatMap(encoder.push(table), (begun) => Result.map(encoder.end(), (rest) => joined([...begun, ...rest])))
