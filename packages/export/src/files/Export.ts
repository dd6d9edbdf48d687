/**
 * Writes tables to files, in the format of the file's extension: Arrow, Parquet, CSV, JSON lines. Tables come as a stream, and are held one at a time;
 * a file is written atomically.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Export from "@effect-marketdata/export/Export"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * export const saved = Effect.gen(function*() {
 *   const answer = yield* MarketData.optionChain("SPX", { expiration: "all", mode: "cached" })
 *   return yield* Export.toFile(Stream.make(answer.data), "spx.parquet", { metadata: Export.about(answer) })
 * })
 * ```
 *
 * @see {@link Dataset} for a folder of days
 * @see {@link Arrow} and {@link Parquet} for bytes in memory
 * @since 0.1.0
 */
import type * as Answer from "@effect-marketdata/core/Answer"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Problem from "@effect-marketdata/core/Problem"
import * as Provenance from "@effect-marketdata/core/Provenance"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type * as PlatformError from "effect/PlatformError"
import * as Result from "effect/Result"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import type { Table } from "../columns/Columns.ts"
import * as Arrow from "../formats/Arrow.ts"
import * as Csv from "../formats/Csv.ts"
import { type Bytes, type Encoder, joined, type Options as Common } from "../formats/encoder.ts"
import * as JsonLines from "../formats/JsonLines.ts"
import * as Parquet from "../formats/Parquet.ts"
import { ExportError, invalid, Unwritable } from "../reason/ExportError.ts"

/**
 * A format. `arrow` is the file of Arrow IPC, `arrow-stream` its stream.
 *
 * @category models
 * @since 0.1.0
 */
export type Format = "arrow" | "arrow-stream" | "parquet" | "csv" | "jsonl"

/**
 * How tables are written. Each option is for the formats that have it.
 *
 * - `format`: the format; by default that of the file's extension
 * - `types`: other types for columns of numbers, see `Columns.Types`
 * - `metadata`: the metadata of the file, in Arrow and Parquet; `about` makes it from an answer
 * - `times`: how CSV and JSON lines write times: `iso`, by default, or `epoch`
 * - `compression`: that of Parquet: `zstd`, by default, `snappy` or `none`
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends Common {
  readonly format?: Format | undefined
  readonly times?: "iso" | "epoch" | undefined
  readonly compression?: "zstd" | "snappy" | "none" | undefined
}

/**
 * A file that was written.
 *
 * @category models
 * @since 0.1.0
 */
export interface Written {
  readonly path: string
  readonly format: Format
  readonly rows: number
  readonly bytes: number
}

/**
 * The formats by the extensions of their files; the first of several is the one that a file of ours gets.
 *
 * @internal
 */
export const suffixes: Readonly<Record<string, Format>> = {
  arrow: "arrow",
  arrows: "arrow-stream",
  csv: "csv",
  feather: "arrow",
  jsonl: "jsonl",
  ndjson: "jsonl",
  parquet: "parquet"
}

const encoders: { readonly [F in Format]: (options: Options) => Encoder } = {
  arrow: (options) => Arrow.encoder({ ...options, format: "file" }),
  "arrow-stream": (options) => Arrow.encoder({ ...options, format: "stream" }),
  parquet: Parquet.encoder,
  csv: Csv.encoder,
  jsonl: JsonLines.encoder
}

/**
 * Returns the format of a file's extension: `.arrow` or `.feather`, `.arrows` (a stream of Arrow), `.parquet`, `.csv`, `.jsonl` or `.ndjson`.
 *
 * @category getters
 * @since 0.1.0
 */
export const formatOf = (path: string): Result.Result<Format, ExportError> => {
  const suffix = typeof path === "string" ? /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() : undefined
  return suffix !== undefined && Object.hasOwn(suffixes, suffix)
    ? Result.succeed(suffixes[suffix]!)
    : Result.fail(invalid("file", path, {
      rule: `must end with the name of a format: ${Object.keys(suffixes).map((suffix) => `.${suffix}`).join(", ")}`,
      example: "\"chain.parquet\""
    }))
}

/**
 * The error of an unknown format.
 *
 * @internal
 */
export const noFormat = (format: unknown): ExportError =>
  invalid("format", format, { rule: `must be one of ${Object.keys(encoders).join(", ")}`, example: "\"parquet\"" })

const encoderOf = (format: Format, options: Options): Result.Result<Encoder, ExportError> =>
  Object.hasOwn(encoders, format) ? Result.succeed(encoders[format](options)) : Result.fail(noFormat(format))

const knownAnswer = /* @__PURE__ */ Problem.guard("answer", "what MarketData.optionChain(…) answers", {
  credits: {},
  provenance: {}
})

const knownCredits = /* @__PURE__ */ Problem.guard("charge", "{ charged: 5, uncertain: 0 }", {
  charged: 0,
  uncertain: 0
})

/**
 * Returns the metadata of a file from the answer that it contains: `source`, `provenance`, `mode`, `credits`, `updated` and `asked` (when the
 * reply arrived), as far as they are known. `more` adds to it. Throws `ValueError` for what is not an answer.
 *
 * @category getters
 * @since 0.1.0
 */
export const about = (
  answer: Pick<Answer.Answer<unknown>, "credits" | "provenance">,
  more: Readonly<Record<string, string>> = {}
): Readonly<Record<string, string>> => {
  const { credits, provenance } = knownAnswer(answer)
  const { charged, uncertain } = knownCredits(credits)
  const { newest, oldest } = provenance.updated ?? {}
  const said = {
    source: "Market Data",
    provenance: Provenance.format(provenance),
    mode: provenance.requestedMode,
    credits: String(charged) + (uncertain === 0 ? "" : `, and up to ${uncertain} more`),
    updated: oldest === undefined || newest === undefined
      ? undefined
      : `${NewYork.formatIso(oldest)} to ${NewYork.formatIso(newest)}`,
    asked: NewYork.formatIso(Math.floor(provenance.receivedAt))
  }
  const known = Object.entries(said).flatMap(([name, text]) => text === undefined ? [] : [[name, text] as const])
  return { ...Object.fromEntries(known), ...more }
}

/**
 * Returns a stream of tables as it is. What a caller without types has instead, such as a table alone, is refused.
 *
 * @internal
 */
export const streamOf = <E, R>(tables: Stream.Stream<Table, E, R>): Stream.Stream<Table, E | ExportError, R> => {
  const problem = { rule: "must be a stream of tables", example: "Stream.make(answer.data)" }
  return Stream.isStream(tables) ? tables : Stream.fail(invalid("tables", tables, problem))
}

/**
 * Turns a stream of tables into the bytes of one file. The bytes may lie over the memory of a table: use them before it is released.
 *
 * @category encoding
 * @since 0.1.0
 */
export const encode = <E, R>(
  tables: Stream.Stream<Table, E, R>,
  options: Options & { readonly format: Format }
): Stream.Stream<Bytes, E | ExportError, R> =>
  Stream.unwrap(Effect.map(Effect.fromResult(encoderOf(options?.format, options)), (encoder) => {
    const pieces = (ready: () => Result.Result<ReadonlyArray<Bytes>, ExportError>) =>
      Stream.unwrap(Effect.suspend(() => Effect.fromResult(Result.map(ready(), Stream.fromIterable))))
    return Stream.concat(
      Stream.flatMap(streamOf(tables), (table) => pieces(() => encoder.push(table))),
      pieces(encoder.end)
    )
  }))

/**
 * What the system says, as the error of a file.
 *
 * @internal
 */
export const failed = (path: string) => ({ cause, message }: PlatformError.PlatformError): ExportError => {
  // Of a full disk only the system's own error says that it is full.
  const detail = cause instanceof Error ? `${message} (${cause.message})` : message
  return new ExportError({ reason: new Unwritable({ path, detail }) })
}

/** After how many milliseconds without a write an unfinished file is taken for that of a killed program. */
const abandonedAfter = 3_600_000

/** The prefix of the names of unfinished files. A long name is cut, because systems allow only 255 bytes. */
const beginningOf = (name: string): string => `.${Array.from(name).slice(0, 50).join("")}`

/** Removes the unfinished files of a path that were not written to for some milliseconds, as far as the folder can be read. */
const sweep = (target: string, unwrittenFor: number) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = path.dirname(target)
    const beginning = beginningOf(path.basename(target))
    const now = yield* Clock.currentTimeMillis
    for (const found of yield* fs.readDirectory(folder)) {
      if (!found.startsWith(beginning)) continue
      if (!/^\.[\da-f-]{36}\.unfinished$/.test(found.slice(beginning.length))) continue
      const { mtime } = yield* fs.stat(path.join(folder, found))
      if (Option.exists(mtime, (written) => now - written.getTime() > unwrittenFor)) {
        yield* fs.remove(path.join(folder, found))
      }
    }
  }).pipe(Effect.ignore)

/**
 * Opens a file that is removed when the scope closes, unless it was put in its place by `commit`: until then there is nothing at its path, or what was there
 * before. No reader of a folder takes it for a table: its name begins with a dot, and ends otherwise.
 */
const open = Effect.fnUntraced(function*(target: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.dirname(target)
  const orFail = Effect.mapError(failed(target))
  // What cannot be replaced is found before the first table is asked for, and a device or a pipe is never replaced.
  const there = yield* fs.stat(target).pipe(
    Effect.catchReason("PlatformError", "NotFound", () => Effect.undefined),
    orFail
  )
  if (there !== undefined && there.type !== "File") {
    return yield* new ExportError({ reason: new Unwritable({ path: target, detail: "what is there is not a file" }) })
  }
  yield* sweep(target, abandonedAfter)
  const beginning = beginningOf(path.basename(target))
  const unfinished = path.join(folder, `${beginning}.${globalThis.crypto.randomUUID()}.unfinished`)
  let isInPlace = false
  yield* Effect.addFinalizer(() => isInPlace ? Effect.void : Effect.ignore(fs.remove(unfinished, { force: true })))
  const file = yield* orFail(fs.open(unfinished, { flag: "wx" }))
  let size = 0
  // The pieces of a table, a few hundred in Arrow, are written at once.
  const write = (pieces: ReadonlyArray<Bytes>) =>
    Effect.suspend(() => {
      const bytes = joined(pieces)
      size += bytes.length
      return bytes.length === 0 ? Effect.void : orFail(file.writeAll(bytes))
    })
  /** Syncs the folder; the failure is ignored, because Windows cannot do that. */
  const syncFolder = Effect.ignore(Effect.scoped(Effect.flatMap(fs.open(folder), ({ sync }) => sync)))
  /** Syncs the file to the disk, and renames it to its path. Returns how many bytes it has. */
  const commit = Effect.uninterruptible(Effect.gen(function*() {
    yield* orFail(file.sync)
    yield* orFail(fs.rename(unfinished, target))
    isInPlace = true
    yield* syncFolder
    return size
  }))
  return { write, commit }
})

/**
 * A sink that writes tables to a file atomically: to a temporary file beside it, which is synced and renamed. If the stream fails or is interrupted, the
 * temporary file is removed.
 *
 * @category running
 * @since 0.1.0
 */
export const sink = (
  path: string,
  options: Options = {}
): Sink.Sink<Written, Table, never, ExportError, FileSystem.FileSystem | Path.Path> =>
  Sink.unwrap(Effect.gen(function*() {
    const format = yield* Effect.fromResult(
      options?.format === undefined || typeof path !== "string" ? formatOf(path) : Result.succeed(options.format)
    )
    const encoder = yield* Effect.fromResult(encoderOf(format, options))
    const file = yield* open(path)
    const write = (ready: () => Result.Result<ReadonlyArray<Bytes>, ExportError>) =>
      Effect.flatMap(Effect.suspend(() => Effect.fromResult(ready())), file.write)
    let rows = 0
    return Sink.forEach((table: Table) =>
      Effect.map(write(() => encoder.push(table)), () => void (rows += table.length))
    ).pipe(
      Sink.mapEffect(() => Effect.andThen(write(encoder.end), file.commit)),
      Sink.map((bytes): Written => ({ path, format, rows, bytes }))
    )
  }))

/**
 * Writes a stream of tables to a file, as `sink` does.
 *
 * @category running
 * @since 0.1.0
 */
export const toFile = <E, R>(
  tables: Stream.Stream<Table, E, R>,
  path: string,
  options: Options = {}
): Effect.Effect<Written, E | ExportError, R | FileSystem.FileSystem | Path.Path> =>
  Stream.run(streamOf(tables), sink(path, options))

/**
 * Removes what killed programs have left of a file, however young: only for one that no other program writes at this moment. `toFile` does so by itself with
 * what is older than an hour.
 *
 * @category running
 * @since 0.1.0
 */
export const removeUnfinished = (path: string): Effect.Effect<void, never, FileSystem.FileSystem | Path.Path> =>
  sweep(path, -Infinity)
