/**
 * Writes the table of an answer to a file, in the format of its extension, or to standard output in a binary format. Imported only when needed: it loads the
 * encoders of all formats.
 */
import { type Answer, Query } from "@effect-marketdata/core"
import { Columns, Export } from "@effect-marketdata/export"
import type { ExportError } from "@effect-marketdata/export/ExportError"
import { Effect, Stream } from "effect"
import * as Failure from "../failure/failure.ts"
import { Output } from "../output/output.ts"
import * as Place from "../settings/place.ts"
import type { Common } from "../text/flags.ts"
import * as Words from "../text/words.ts"
import type { Beside } from "../views/table.ts"
import type { Call } from "./command.ts"

const failed = ({ message, reason }: ExportError) =>
  (reason._tag === "Unwritable" ? Failure.failed : Failure.wrong)(reason._tag, message)

/** Checks before anything is sent: the format, the folder, and that the command returns a table. */
export const check = Effect.fnUntraced(function*<Data>({ every, query }: Call<Data>, output: Common["output"]) {
  const refuse = (message: string, next: string) => Failure.wrong("NoFile", `${message}. Nothing was sent.`, next)
  if (every !== undefined) {
    return yield* refuse("--watch cannot be combined with -o, arrow or parquet: each holds one answer", "leave one out")
  }
  if (query.endpoint.columns.length === 0) {
    return yield* refuse("this command does not return a table", "print it, e.g. with `--format json > FILE`")
  }
  if (output === undefined) return
  yield* Effect.mapError(Effect.fromResult(Export.formatOf(output)), failed)
  yield* Place.checkFile(output)
})

/** What was asked for a table. */
export interface Asked {
  readonly query: Query.Query
  readonly answers: readonly [Answer.Answer<unknown>, ...ReadonlyArray<Answer.Answer<unknown>>]
}

/** The metadata of a file: where its table comes from, of which nothing is known for a saved reply. */
const metadataOf = (asked: Asked | undefined): Readonly<Record<string, string>> => {
  if (asked === undefined) return {}
  const [first, ...others] = asked.answers
  return others.length > 0 ? { source: "Market Data" } : Export.about(first, { query: Query.target(asked.query) })
}

type Encoding = Parameters<typeof Export.encode>[1]

/** Writes a table to standard output, and counts its bytes. */
const print = Effect.fnUntraced(function*(table: Columns.Table, options: Encoding) {
  let bytes = 0
  const pieces = Export.encode(Stream.make(table), options).pipe(
    Stream.mapError(failed),
    Stream.tap((piece) => Effect.sync(() => void (bytes += piece.length)))
  )
  yield* (yield* Output).send(pieces)
  return { path: "standard output", rows: table.length, bytes }
})

/** Where to save a table, and how its times are written. */
export type To = Pick<Common, "output" | "times">

/** Writes a table, to standard output where no file is named, and returns a line about it. */
export const save = Effect.fnUntraced(function*(data: unknown, beside: Beside | undefined, to: To, asked?: Asked) {
  const table = beside?.table === undefined
    ? data as Columns.Table
    : Columns.beside(data as Columns.Table, beside.table as Columns.Table, beside.meanings)
  const options = { metadata: metadataOf(asked), times: to.times }
  const { bytes, path, rows } = to.output === undefined
    ? yield* print(table, { ...options, format: (yield* Output).bytes! })
    : yield* Effect.mapError(Export.toFile(Stream.make(table), to.output, options), failed)
  return `${path}, ${Words.count(rows, "row")}, ${Words.bytes(bytes)}`
})
