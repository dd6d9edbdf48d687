/**
 * The manifest of a folder: a line of JSON for what became of each query, behind a first line that says whose folder it is. A line is on the disk before
 * it counts, and a later one of the same file holds. A line that a killed run left unfinished was never written.
 */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { wrong } from "../failure/failure.ts"

/** Whose folder it is: `id` is in the claims of its queries, and `files` is the format. */
const Head = Schema.Struct({
  manifest: Schema.Literal(1),
  id: Schema.String,
  service: Schema.String,
  files: Schema.Literals(["parquet", "arrow", "csv", "jsonl"])
})

export type Head = typeof Head.Type

/** Credits; null is an amount without an upper bound. */
const Amount = Schema.NullOr(Schema.Finite)

/**
 * What became of a query: `kept` in its file; `empty`, because the service has no data; or `lost`, because it was sent and the answer is not here. `price` is
 * the most that it was to cost, `charged` what it was charged, and `uncertain` the most that it may have been in addition.
 */
const Entry = Schema.Struct({
  file: Schema.String,
  query: Schema.String,
  state: Schema.Literals(["kept", "empty", "lost"]),
  price: Amount,
  charged: Schema.Finite,
  uncertain: Amount,
  rows: Schema.optionalKey(Schema.Int),
  bytes: Schema.optionalKey(Schema.Int),
  sha256: Schema.optionalKey(Schema.String),
  why: Schema.optionalKey(Schema.String),
  at: Schema.String
})

export type Entry = typeof Entry.Type

/** A manifest as it was read; `size` is how many bytes of whole lines it has. */
export interface Manifest {
  readonly head: Head | undefined
  readonly entries: ReadonlyMap<string, Entry>
  readonly size: number
}

export const name = "manifest.jsonl"

const decode = {
  head: Schema.decodeUnknownResult(Schema.fromJsonString(Head)),
  entry: Schema.decodeUnknownResult(Schema.fromJsonString(Entry))
}

const damaged = (path: string, line: number) =>
  wrong(
    "Manifest",
    `${ForeignText.line(path)}, line ${line}: this is no line of a manifest, so it was damaged. Nothing was sent.`,
    line === 1
      ? "put the file back as it was, or name another folder: who has paid for what is in it"
      : "put the file back as it was, or delete that line: the next run finds out what became of its query, and pays for nothing twice"
  )

/** Reads the manifest of a folder; where there is none, nothing was kept. */
export const read = Effect.fnUntraced(function*(path: string) {
  const files = yield* FileSystem.FileSystem
  const bytes = yield* Effect.catchIf(
    files.readFile(path),
    ({ reason }) => reason._tag === "NotFound",
    () => Effect.succeed(new Uint8Array())
  )
  const size = bytes.lastIndexOf(10) + 1
  const [first, ...others] = new TextDecoder().decode(bytes.subarray(0, size)).split("\n").slice(0, -1)
  const entries = new Map<string, Entry>()
  if (first === undefined) return { head: undefined, entries, size } satisfies Manifest
  const head = decode.head(first)
  if (Result.isFailure(head)) return yield* damaged(path, 1)
  for (const [index, line] of others.entries()) {
    const entry = decode.entry(line)
    if (Result.isFailure(entry)) return yield* damaged(path, index + 2)
    entries.set(entry.success.file, entry.success)
  }
  return { head: head.success, entries, size } satisfies Manifest
})

/** Opens a manifest to write to it, for as long as the scope is open. What cannot be written whole is taken back. */
export const open = Effect.fnUntraced(function*(path: string, whole: number) {
  const files = yield* FileSystem.FileSystem
  const file = yield* files.open(path, { flag: "a" })
  const one = Semaphore.makeUnsafe(1)
  let size = whole
  const cut = Effect.suspend(() => files.truncate(path, size))
  yield* cut
  return (line: Head | Entry) =>
    Effect.gen(function*() {
      const bytes = new TextEncoder().encode(`${JSON.stringify(line)}\n`)
      yield* Effect.onError(Effect.andThen(file.writeAll(bytes), file.sync), () => Effect.ignore(cut))
      size += bytes.length
    }).pipe(one.withPermits(1))
})
