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

/** The formats of the tables. */
export const formats = ["parquet", "arrow", "csv", "jsonl"] as const

/** Whose folder it is: `id` is in the claims of its queries. */
const Head = Schema.Struct({
  manifest: Schema.Literal(1),
  id: Schema.String,
  service: Schema.String,
  files: Schema.Literals(formats)
})

export type Head = typeof Head.Type

const amount = Schema.NullOr(Schema.Finite)
const count = Schema.optionalKey(Schema.Int)
const text = Schema.optionalKey(Schema.String)

/**
 * What became of a query: it is in its file, the service has no data, or it was sent and the answer is not here. `price` is the most that it was to cost,
 * and `uncertain` what it may have been charged in addition; null is without an upper bound.
 */
const Entry = Schema.Struct({
  file: Schema.String,
  query: Schema.String,
  state: Schema.Literals(["kept", "empty", "lost"]),
  price: amount,
  charged: Schema.Finite,
  uncertain: amount,
  rows: count,
  bytes: count,
  sha256: text,
  why: text,
  at: Schema.String
})

export type Entry = typeof Entry.Type

export const name = "manifest.jsonl"

const headOf = Schema.decodeUnknownResult(Schema.fromJsonString(Head))
const entryOf = Schema.decodeUnknownResult(Schema.fromJsonString(Entry))

/** Reads the manifest of a folder, and how many bytes of whole lines it has; where there is none, nothing was kept. */
export const read = Effect.fnUntraced(function*(path: string) {
  const bytes = yield* (yield* FileSystem.FileSystem).readFile(path).pipe(
    Effect.catchIf(({ reason }) => reason._tag === "NotFound", () => Effect.succeed(new Uint8Array()))
  )
  const size = bytes.lastIndexOf(10) + 1
  const [first, ...others] = new TextDecoder().decode(bytes.subarray(0, size)).split("\n").slice(0, -1)
  const damaged = (line: number) =>
    wrong(
      "Manifest",
      `${ForeignText.line(path)}, line ${line}: this is no line of a manifest. Nothing was sent.`,
      line === 1
        ? "put the file back as it was, or name another folder"
        : "put it back as it was, or delete it: the next run finds out what became of its query, and pays for nothing twice"
    )
  const head = first === undefined ? Result.succeed(undefined) : headOf(first)
  if (Result.isFailure(head)) return yield* damaged(1)
  const entries = new Map<string, Entry>()
  for (const [index, line] of others.entries()) {
    const entry = entryOf(line)
    if (Result.isFailure(entry)) return yield* damaged(index + 2)
    entries.set(entry.success.file, entry.success)
  }
  return { head: head.success, entries, size }
})

/** Opens a manifest to write to it, for as long as the scope is open. What cannot be written whole is taken back. */
export const open = Effect.fnUntraced(function*(path: string, whole: number) {
  const files = yield* FileSystem.FileSystem
  const file = yield* files.open(path, { flag: "a" })
  let size = whole
  const cut = Effect.suspend(() => files.truncate(path, size))
  yield* cut
  return (line: Head | Entry) => {
    const bytes = new TextEncoder().encode(`${JSON.stringify(line)}\n`)
    const written = Effect.onError(Effect.andThen(file.writeAll(bytes), file.sync), () => Effect.ignore(cut))
    return one.withPermits(1)(Effect.map(written, () => void (size += bytes.length)))
  }
})

/** A line goes after the other. */
const one = Semaphore.makeUnsafe(1)
