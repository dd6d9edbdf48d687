/**
 * The folder of a run. Beside the manifest it has the claims of its queries, in a database that one run at a time holds locked: the system lets go of the
 * lock when a process dies, however it dies, so that who has it knows that nobody else will answer for what was sent.
 */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import * as Sqlite from "@effect-marketdata/sql/Sqlite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { createHash, randomUUID } from "node:crypto"
import * as Ledger from "../asking/ledger.ts"
import { CommandError, wrong } from "../failure/failure.ts"
import * as Place from "../settings/place.ts"
import type { Day } from "./days.ts"
import * as Manifest from "./manifest.ts"

/** Fails a run by what is wrong with its folder. */
const unusable = (folder: string) => ({ message }: { readonly message: string }) =>
  wrong(
    "Folder",
    `the folder ${ForeignText.line(folder)} cannot be used: ${ForeignText.line(message, 300)}. Nothing was sent.`,
    "mend it, or name another with --output DIR"
  )

/** The digest of a file; undefined where there is no file. */
export const digestOf = Effect.fnUntraced(function*(path: string) {
  const files = yield* FileSystem.FileSystem
  const hash = createHash("sha256")
  yield* Stream.runForEach(files.stream(path), (bytes) => Effect.sync(() => void hash.update(bytes)))
  return hash.digest("hex")
}, Effect.catchIf(({ reason }) => reason._tag === "NotFound", () => Effect.succeed(undefined)))

/** How the days of a plan stand in a folder: those whose files are whole, those that are over without one, and those to ask. */
export interface Standing {
  readonly manifest: Manifest.Manifest
  readonly kept: ReadonlyArray<Manifest.Entry>
  readonly over: ReadonlyArray<Manifest.Entry>
  readonly open: ReadonlyArray<Day>
}

/** Which days without a file are asked again. */
export type Again = "lost" | "empty" | undefined

/** Reads how days stand in a folder. A folder of another service or format is refused, and so is a file of another query, or a way that leads elsewhere. */
export const standing = Effect.fnUntraced(function*(
  root: string,
  days: ReadonlyArray<Day>,
  { again, ...head }: Head & { readonly again: Again }
) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const manifest = yield* Manifest.read(path.join(root, Manifest.name))
  for (const name of ["service", "files"] as const) {
    const found = manifest.head?.[name]
    if (found === undefined || found === head[name]) continue
    return yield* unusable(root)({
      message: `it holds what was asked as ${name} ${found}, and this run would ask as ${head[name]}`
    })
  }
  const [kept, over, open]: [Array<Manifest.Entry>, Array<Manifest.Entry>, Array<Day>] = [[], [], []]
  for (const day of days) {
    const entry = manifest.entries.get(day.file)
    if (entry !== undefined && entry.query !== day.target) {
      return yield* unusable(root)({
        message: `${day.file} is there from another plan, which asked ${entry.query}; give the task a name of its own`
      })
    }
    const digest = yield* digestOf(path.join(root, day.file))
    if (entry?.sha256 !== undefined && entry.sha256 === digest) kept.push({ ...entry, state: "kept" })
    // What was lost and is there all the same was written by a run that died before it could say so.
    else if (
      entry?.state === "empty" || entry?.state === "lost" && (digest === undefined || entry.sha256 !== undefined)
    ) {
      if (entry.state === again) open.push(day)
      else over.push(entry)
    } else open.push(day)
  }
  // What leads elsewhere, or cannot be written to, is told before it is paid for.
  const ways = new Set(
    open.flatMap(({ file }) => file.split("/").map((_, depth, parts) => parts.slice(0, depth).join("/")))
  )
  for (const way of ways) {
    const folder = path.join(root, way)
    if (!(yield* files.exists(folder))) continue
    const real = yield* files.realPath(folder)
    if (real !== folder) return yield* unusable(folder)({ message: `it is a link, which leads to ${real}` })
    yield* files.access(folder, { writable: true })
  }
  return { manifest, kept, over, open } satisfies Standing
}, (effect, root) => Effect.catchTag(effect, "PlatformError", (error) => Effect.fail(unusable(root)(error))))

/** What the first line of a manifest says of the service and the format. */
export type Head = Pick<Manifest.Head, "service" | "files">

/** A folder that this run alone works in. */
export interface Held {
  readonly id: string
  readonly write: (line: Manifest.Entry) => Effect.Effect<void, CommandError>
  /** What was sent under a claim, and what that cost; undefined where nothing was. */
  readonly claimed: (key: string) => Effect.Effect<SqlLedger.Claimed | undefined, CommandError>
  /** The claims, as a ledger that every step is taken in. */
  readonly claims: CreditLedger.CreditLedger["Service"]
}

const account = "claims"

/** Opens the claims, which nobody else can do until the scope is closed. */
const openClaims = Effect.fnUntraced(function*(filename: string, isNew: boolean) {
  const files = yield* FileSystem.FileSystem
  yield* Effect.catchTag(Ledger.prepareFile(filename), "LedgerFileError", (error) =>
    Effect.gen(function*() {
      const { size, type } = yield* files.stat(filename)
      // A run that died while it made the file has sent nothing.
      if (!isNew || type !== "File" || size > 0n) return yield* error
      yield* files.remove(filename)
    }))
  const database = yield* Layer.build(Sqlite.layer({ filename, lockTimeout: "250 millis" }))
  const sql = Context.get(database, SqlClient.SqlClient)
  yield* sql`PRAGMA locking_mode = EXCLUSIVE`
  // The first thing that is written takes the lock.
  yield* sql`PRAGMA user_version = 1`
  const ledger = yield* Effect.provide(SqlLedger.makeUnlimited({ account, keep: Infinity }), database)
  return { ledger, claimed: (key: string) => Effect.provide(SqlLedger.claimed({ account, key }), database) }
})

/** Opens the folder for this run alone, which must find it as it was when its price was told. */
export const hold = Effect.fnUntraced(function*(root: string, { manifest }: Standing, head: Head) {
  const path = yield* Path.Path
  const orFail = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.mapError(effect, unusable(root))
  yield* orFail(Place.makeFolder(root))
  const opened = Effect.catchTag(
    openClaims(path.join(root, ".marketdata", "claims.db"), manifest.head === undefined),
    "SqlError",
    (error) =>
      Effect.fail(error.reason._tag === "LockTimeoutError" ? { message: "another run is at work in it" } : error)
  )
  const { claimed, ledger } = yield* orFail(opened)
  const now = yield* Manifest.read(path.join(root, Manifest.name))
  if (now.size !== manifest.size) {
    return yield* unusable(root)({ message: "another run has been at work in it meanwhile; type the command again" })
  }
  const write = yield* orFail(Manifest.open(path.join(root, Manifest.name), manifest.size))
  const id = manifest.head?.id ?? randomUUID()
  if (manifest.head === undefined) yield* orFail(write({ manifest: 1, id, ...head }))
  /** What is under way by now may be paid for. */
  const orStop = Effect.mapError(({ message }: { readonly message: string }) =>
    new CommandError({
      class: "failed",
      reason: "Folder",
      message: `what became of a query cannot be written down in ${ForeignText.line(root)}: ${
        ForeignText.line(message, 300)
      }`,
      next: "mend it, e.g. make room, and type the command again: it finds out, and pays for nothing twice"
    })
  )
  return {
    id,
    claims: ledger,
    claimed: (key) => orStop(claimed(key)),
    write: (line) => orStop(write(line))
  } satisfies Held
})
