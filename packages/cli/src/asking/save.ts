/** Saves the table of an answer in a file, in the format that its name ends with. Loaded where a file is asked for: it brings the formats along. */
import type * as Answer from "@effect-marketdata/core/Answer"
import * as Query from "@effect-marketdata/core/Query"
import * as Columns from "@effect-marketdata/export/Columns"
import type { Table } from "@effect-marketdata/export/Columns"
import * as Export from "@effect-marketdata/export/Export"
import type { ExportError } from "@effect-marketdata/export/ExportError"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Stream from "effect/Stream"
import { wrong } from "../failure/failure.ts"
import * as Words from "../text/words.ts"
import type { Beside } from "../views/table.ts"
import type { Call, Saved } from "./call.ts"
import type { Asking } from "./flags.ts"

/** How the times of rows are written. */
type Times = Asking["times"]

const failed = ({ message, reason }: ExportError) => wrong(reason._tag, message)

/** Looks at what can be known before anything is sent: the format, the folder, and that there will be a table. */
export const check = Effect.fnUntraced(function*<Data>({ every, query }: Call<Data>, file: string) {
  const refuse = (message: string, next: string) => wrong("NoFile", `${message}. Nothing was sent.`, next)
  yield* Effect.mapError(Effect.fromResult(Export.formatOf(file)), failed)
  if (every !== undefined) {
    return yield* refuse("--watch shows what changes, and --output saves one answer", "leave one of them out")
  }
  if (query.endpoint.columns.length === 0) {
    return yield* refuse("what this command asks for is no table", "print it, e.g. with `--format json > FILE`")
  }
  const folder = (yield* Path.Path).dirname(file)
  yield* Effect.mapError(
    (yield* FileSystem.FileSystem).access(folder, { writable: true }),
    ({ message }) =>
      refuse(`no file can be written in ${JSON.stringify(folder)}: ${message}`, "name a folder that is there")
  )
})

/** Writes a table, and returns what to say of the file. */
const write = (
  { beside, data }: { readonly data: unknown; readonly beside: Beside | undefined },
  file: string,
  times: Times,
  metadata: Readonly<Record<string, string>>
) =>
  Export.toFile(
    Stream.make(
      beside?.table === undefined
        ? data as Table
        : Columns.beside(data as Table, beside.table as Table, beside.meanings)
    ),
    file,
    { metadata, times: Option.getOrUndefined(times) }
  ).pipe(
    Effect.mapBoth({
      onFailure: failed,
      onSuccess: ({ bytes, rows }) => `${file}, ${Words.count(rows, "row")}, ${Words.bytes(bytes)}`
    })
  )

/** Saves the table of a saved reply, whose provenance is unknown. */
export const saveReply = (reply: Saved, file: string, times: Times) => write(reply, file, times, {})

/** Saves the table of an answer, and returns what to say of the file. */
export const save = Effect.fnUntraced(function*(
  data: unknown,
  { answers, beside, file, query, times }: {
    readonly beside: Beside | undefined
    readonly query: Query.Query
    readonly answers: readonly [Answer.Answer<unknown>, ...ReadonlyArray<Answer.Answer<unknown>>]
    readonly file: string
    readonly times: Times
  }
) {
  // The endpoint of the query answers with a table.
  return yield* write(
    { data, beside },
    file,
    times,
    answers.length === 1 ? Export.about(answers[0], { query: Query.target(query) }) : { source: "Market Data" }
  )
})
