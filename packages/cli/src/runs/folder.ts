/**
 * The folder of a run. Beside the manifest it has the claims of its queries, in a database that one run at a time holds locked: the system lets go of the
 * lock when a process dies, however it dies, so that who has it knows that nobody else will answer for what was sent.
 */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import * as Sqlite from "@effect-marketdata/sql/Sqlite"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { createHash, randomUUID } from "node:crypto"
import * as LedgerFile from "../asking/ledgerFile.ts"
import { CommandError, wrong } from "../failure/failure.ts"
import type { Day } from "./days.ts"
import * as Manifest from "./manifest.ts"

type Told = { readonly message: string }

/** Says what is wrong with a folder, where nothing else is. */
const unusable = (folder: string) => (error: Told): CommandError =>
  error instanceof CommandError ? error : wrong(
    "Folder",
    `the folder ${ForeignText.line(folder)} cannot be used: ${ForeignText.line(error.message, 300)}`,
    "mend it, or name another with --output DIR; the same command goes on where it stood, and pays for nothing twice"
  )

/** The digest of a file; undefined where there is no file. */
export const digestOf = Effect.fnUntraced(function*(path: string) {
  const hash = createHash("sha256")
  const bytes = (yield* FileSystem.FileSystem).stream(path)
  yield* Stream.runForEach(bytes, (bytes) => Effect.sync(() => void hash.update(bytes)))
  return hash.digest("hex")
}, Effect.catchIf(({ reason }) => reason._tag === "NotFound", () => Effect.succeed(undefined)))

/** What the first line of a manifest says of the service and the format. */
export type Head = Pick<Manifest.Head, "service" | "files">

/** Which days without a file are asked again. */
export type Again = "lost" | "empty" | undefined

/** Reads how days stand in a folder. One of another service or format is refused, and so is a file of another query, or a way that leads elsewhere. */
export const standing = Effect.fnUntraced(
  function*(root: string, days: ReadonlyArray<Day>, head: Head, again: Again) {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const manifest = yield* Manifest.read(path.join(root, Manifest.name))
    for (const name of ["service", "files"] as const) {
      const found = manifest.head?.[name] ?? head[name]
      if (found !== head[name]) {
        return yield* unusable(root)({ message: `it has the ${name} ${found}, and this run would have ${head[name]}` })
      }
    }
    const over: Array<Manifest.Entry> = []
    const open: Array<Day> = []
    for (const day of days) {
      const entry = manifest.entries.get(day.file)
      if (entry !== undefined && entry.query !== day.target) {
        return yield* unusable(root)({
          message: `${day.file} is of another query, ${entry.query}: give the task a name`
        })
      }
      const digest = yield* digestOf(path.join(root, day.file))
      if (entry?.sha256 !== undefined && entry.sha256 === digest) over.push({ ...entry, state: "kept" })
      else if (entry === undefined || entry.state === "kept" || entry.state === again) open.push(day)
      // What was lost and is there all the same was written by a run that died before it could say so.
      else if (entry.state === "lost" && digest !== undefined && entry.sha256 === undefined) open.push(day)
      else over.push(entry)
    }
    // What leads elsewhere, or cannot be written to, is told before it is paid for.
    const ways = open.flatMap(({ file }) =>
      file.split("/").map((_, depth, parts) => path.join(root, ...parts.slice(0, depth)))
    )
    for (const way of new Set(ways)) {
      if (!(yield* files.exists(way))) continue
      const real = yield* files.realPath(way)
      if (real !== way) return yield* unusable(root)({ message: `${way} is a link, which leads to ${real}` })
      yield* files.access(way, { writable: true })
    }
    return { manifest, over, open }
  },
  (effect, root) => Effect.mapError(effect, unusable(root))
)

/** What became of the days that are over, and those to ask. */
export type Standing = Effect.Success<ReturnType<typeof standing>>

/** Opens the folder for this run alone, which must find it as it was when its price was told. */
export const hold = Effect.fnUntraced(function*(root: string, { manifest }: Standing, head: Head) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const filename = path.join(root, ".marketdata", "claims.db")
  yield* Effect.catchTag(
    LedgerFile.prepare(filename),
    "LedgerFileError",
    (error) =>
      Effect.flatMap(
        files.stat(filename),
        ({ size, type }): Effect.Effect<void, LedgerFile.LedgerFileError | PlatformError> =>
          // A run that died while it made the file has sent nothing.
          manifest.head === undefined && type === "File" && size === 0n ? files.remove(filename) : Effect.fail(error)
      )
  )
  const database = yield* Layer.build(Sqlite.layer({ filename, lockTimeout: "250 millis" }))
  // The first thing that is written takes the lock.
  yield* Effect.provide(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => Effect.andThen(sql`PRAGMA locking_mode = EXCLUSIVE`, sql`PRAGMA user_version = 1`)
    ),
    database
  )
  const account = "claims"
  const claims = yield* Effect.provide(SqlLedger.makeUnlimited({ account, keep: Infinity }), database)
  const { size } = yield* Manifest.read(path.join(root, Manifest.name))
  if (size !== manifest.size) {
    return yield* unusable(root)({ message: "another run was at work in it meanwhile; try again" })
  }
  const write = yield* Manifest.open(path.join(root, Manifest.name), size)
  const id = manifest.head?.id ?? randomUUID()
  if (manifest.head === undefined) yield* write({ manifest: 1, id, ...head })
  return {
    id,
    /** The claims, as a ledger that every step is taken in. */
    claims,
    /** What was sent under a claim, and what that cost; undefined where nothing was. */
    claimed: (key: string) =>
      Effect.mapError(Effect.provide(SqlLedger.claimed({ account, key }), database), unusable(root)),
    write: (line: Manifest.Entry) => Effect.mapError(write(line), unusable(root))
  }
}, (effect, root) =>
  Effect.mapError(effect, (error) =>
    unusable(root)(
      error._tag === "SqlError" && error.reason._tag === "LockTimeoutError"
        ? { message: "another run is at work in it" }
        : error
    )))

/** A folder that this run alone works in. */
export type Held = Effect.Success<ReturnType<typeof hold>>
