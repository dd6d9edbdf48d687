/**
 * The folder of a run, in which each query of a plan has the file of its table. It has a manifest: a first line that says whose folder it is, then a line of
 * JSON for the outcome of each query. A line is synced to the disk before the run goes on; of several lines for a file the last holds; an unfinished last line,
 * of a run that was killed, is ignored.
 *
 * The folder also has the claims of its queries, in a database that one run at a time holds locked. The system releases the lock when the process dies,
 * however it dies: the run that holds it knows that no other run is still waiting for what was sent.
 */
import { Claim, MarketData } from "@effect-marketdata/client"
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { Credits, DataMode, ForeignText, Query, Reuse, WorkloadSchedule } from "@effect-marketdata/core"
import { Dataset, Export } from "@effect-marketdata/export"
import type { Table } from "@effect-marketdata/export/Columns"
import { Sqlite, SqlLedger } from "@effect-marketdata/sql"
import { Context, DateTime, Effect, FileSystem, Layer, Path, Result, Schema, Semaphore, Stream, Struct } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { createHash, randomUUID } from "node:crypto"
import * as Kept from "../call/kept.ts"
import { changed, CommandError, failed, wrong } from "../failure/failure.ts"
import type { PricedTask } from "../plans/planFile.ts"
import * as Words from "../text/words.ts"

/** The formats of the tables. */
export const formats = ["parquet", "arrow", "csv", "jsonl"] as const

/** A name of a folder or a file, of any text. */
const plain = (text: string): string =>
  text.replaceAll(/[^\w-]+/g, "-").replaceAll(/^-+|-+$/g, "").slice(0, 60) || "tables"

type Format = Dataset.Options["format"]

/**
 * One query, and the file of its table below the folder of the run: `set` is the folder of the tables of its kind, in which each symbol and each day has a
 * folder; a range of days is a file with both ends in its name.
 */
const dayOf = (query: Query.Query, estimate: Credits.Estimate, set: string, format: Format) => {
  const { kind, list, resolution, subject, tickers } = query
  const { countback = "", date, from = "", to = "" } = query.options as Readonly<Record<string, string | undefined>>
  const partition: Dataset.Partition = {
    ...resolution && { resolution: `${resolution.count}-${resolution.unit}` },
    ...!list && { [kind === "chain" ? "underlying" : "symbol"]: resolution === undefined ? subject : tickers[0]! },
    ...date !== undefined && { date }
  }
  const options = date === undefined ? { format, name: plain(`${from}${countback}_${to}`) } : { format }
  // A past day has a ticker or a date, which are names of folders.
  const file = [set, ...Result.getOrThrow(Dataset.pathOf(partition, options))].join("/")
  return { query, target: Query.target(query), estimate, set, partition, options, file }
}

export type Day = ReturnType<typeof dayOf>

type Refusal = readonly [why: string, next: string]

/** Why a query cannot be kept, and what to do instead; undefined if it can. */
const refusalOf = (query: Query.Query, schedule: WorkloadSchedule.Runs, now: number): Refusal | undefined => {
  if (WorkloadSchedule.span(schedule).times !== 1) {
    return ["is asked more than once", "leave `when` out; name days with `date`, e.g. date: 2026-11-02..today"]
  }
  const { columns, date, kind } = query.endpoint
  if (columns.length === 0) return ["is not a table", "leave the task out"]
  if (date !== "past" && kind !== "candles" && kind !== "bulkCandles") {
    const why = "may be answered otherwise tomorrow, whichever days it names"
    return [why, "leave the task out; save it by its own command with -o FILE"]
  }
  // Live data change until their day is over.
  if (Reuse.isPossible(Query.withMode(query, DataMode.live), { now })) return undefined
  const next = "name days before today with `date`, or for quotes and candles `from` and `to`"
  return ["is not about days that are over", `${next}; a candle that goes on today is not over`]
}

/** The queries of a plan, in its order. Fails if one cannot be kept: its data may still change, or another has the same file. */
export const daysOf = Effect.fnUntraced(function*(priced: ReadonlyArray<PricedTask>, format: Format) {
  const now = yield* Words.epochSeconds
  const days = new Map<string, Day>()
  for (const { asked, task } of priced) {
    const refused = (why: string, next: string) =>
      wrong("PlanNotRun", `${ForeignText.line(task.name, 200)} ${why}. Nothing was sent.`, next)
    for (const [index, query] of task.queries.entries()) {
      const refusal = refusalOf(query, task.schedule, now)
      if (refusal !== undefined) return yield* refused(...refusal)
      const day = dayOf(query, asked.each[index]!, plain(task.folder), format)
      if ((days.get(day.file)?.target ?? day.target) !== day.target) {
        const why = `has the file ${day.file}, as another task has`
        return yield* refused(why, "give the task a `name`, which is then its folder")
      }
      days.set(day.file, day)
    }
  }
  return [...days.values()]
})

/** The first line of a manifest: `id` is part of the claims of its queries. */
const Head = Schema.Struct({
  manifest: Schema.Literal(1),
  id: Schema.String,
  service: Schema.String,
  files: Schema.Literals(formats)
})

type Head = typeof Head.Type

/**
 * The outcome of a query: `kept` in its file, `empty` if the service has no data, or `lost` if it was sent and its answer is not here. `price` is the most that
 * it could cost, `uncertain` what it may have been charged in addition; null means no upper bound.
 */
const Entry = Schema.Struct({
  file: Schema.String,
  query: Schema.String,
  state: Schema.Literals(["kept", "empty", "lost"]),
  price: Schema.NullOr(Schema.Finite),
  charged: Schema.Finite,
  uncertain: Schema.NullOr(Schema.Finite),
  rows: Schema.optionalKey(Schema.Int),
  bytes: Schema.optionalKey(Schema.Int),
  sha256: Schema.optionalKey(Schema.String),
  why: Schema.optionalKey(Schema.String),
  at: Schema.String
})

export type Entry = typeof Entry.Type

const nameOfManifest = "manifest.jsonl"

const headOf = Schema.decodeUnknownResult(Schema.fromJsonString(Head))
const entryOf = Schema.decodeUnknownResult(Schema.fromJsonString(Entry))

/** Reads the manifest of a folder, and how many bytes of whole lines it has; a folder without a manifest has kept nothing. */
const readManifest = Effect.fnUntraced(function*(path: string) {
  const bytes = yield* (yield* FileSystem.FileSystem).readFile(path).pipe(
    Effect.catchIf(({ reason }) => reason._tag === "NotFound", () => Effect.succeed(new Uint8Array()))
  )
  const size = bytes.lastIndexOf(10) + 1
  const [first, ...others] = new TextDecoder().decode(bytes.subarray(0, size)).split("\n").slice(0, -1)
  const damaged = (line: number) => {
    const message = `${ForeignText.line(path)}, line ${line}: this is not a line of a manifest. Nothing was sent.`
    const next = line === 1
      ? "put the file back as it was, or name another folder"
      : "put it back as it was, or delete it: the next run finds out what became of its query, and pays for nothing twice"
    return wrong("Manifest", message, next)
  }
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

/** One line is written at a time. */
const turn = Semaphore.makeUnsafe(1)

/** Opens a manifest for writing until the scope closes. A line that cannot be written whole is removed again. */
const openManifest = Effect.fnUntraced(function*(path: string, whole: number) {
  const files = yield* FileSystem.FileSystem
  const file = yield* files.open(path, { flag: "a" })
  let size = whole
  const cut = Effect.suspend(() => files.truncate(path, size))
  yield* cut
  return (line: Head | Entry) => {
    const bytes = new TextEncoder().encode(`${JSON.stringify(line)}\n`)
    const written = Effect.onError(Effect.andThen(file.writeAll(bytes), file.sync), () => Effect.ignore(cut))
    return turn.withPermit(Effect.map(written, () => void (size += bytes.length)))
  }
})

/** The failure of a folder that cannot be used; a `CommandError` stays as it is. */
const unusable = (folder: string) => (error: { readonly message: string }): CommandError =>
  error instanceof CommandError ? error : wrong(
    "Folder",
    `the folder ${ForeignText.line(folder)} cannot be used: ${ForeignText.line(error.message, 300)}`,
    "mend it, or name another with --output DIR; the same command goes on where it stood, and pays for nothing twice"
  )

/** The digest of a file; undefined where there is no file. */
const digestOf = Effect.fnUntraced(function*(path: string) {
  const hash = createHash("sha256")
  const bytes = (yield* FileSystem.FileSystem).stream(path)
  yield* Stream.runForEach(bytes, (bytes) => Effect.sync(() => void hash.update(bytes)))
  return hash.digest("hex")
}, Effect.catchIf(({ reason }) => reason._tag === "NotFound", () => Effect.succeed(undefined)))

/** What the first line of a manifest says of the service and the format. */
type About = Pick<Head, "service" | "files">

/** Which days without a file are asked again. */
export type Again = "lost" | "empty" | undefined

/** Whether a day was not historical yet when it was asked for: some accounts see it only then. */
const wasEarly = ({ query }: Day, receivedAt: number): boolean =>
  query.historical &&
  !Reuse.answers(query, { sentMode: undefined, maxAge: undefined, updated: undefined, receivedAt }, { now: 1e12 })

/** Reads which days a folder has, and which are open. Refuses a folder of another service or format, a file of another query, and links in its paths. */
export const standing = Effect.fnUntraced(
  function*(root: string, days: ReadonlyArray<Day>, head: About, again: Again) {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const manifest = yield* readManifest(path.join(root, nameOfManifest))
    for (const name of ["service", "files"] as const) {
      const found = manifest.head?.[name] ?? head[name]
      if (found !== head[name]) {
        return yield* unusable(root)({ message: `it has the ${name} ${found}, and this run would have ${head[name]}` })
      }
    }
    const over: Array<Entry> = []
    const open: Array<Day> = []
    for (const day of days) {
      const entry = manifest.entries.get(day.file)
      if (entry !== undefined && entry.query !== day.target) {
        const message = `${day.file} is of another query, ${entry.query}: give the task a name`
        return yield* unusable(root)({ message })
      }
      const digest = yield* digestOf(path.join(root, day.file))
      if (entry?.sha256 !== undefined && entry.sha256 === digest) over.push({ ...entry, state: "kept" })
      else if (entry === undefined || entry.state === "kept" || entry.state === again) open.push(day)
      else if (entry.state === "empty" && wasEarly(day, Date.parse(entry.at) / 1000)) open.push(day)
      // A lost answer whose file exists was written by a run that died before it wrote its line.
      else if (entry.state === "lost" && digest !== undefined && entry.sha256 === undefined) open.push(day)
      else over.push(entry)
    }
    // Links and folders that are not writable are found before anything is paid for.
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

/** The manifest, the outcomes of days that are settled, and the days to ask. */
type Standing = Effect.Success<ReturnType<typeof standing>>

/** Locks the folder for this run. Fails if it has changed since `standing` read it. */
export const hold = Effect.fnUntraced(function*(root: string, known: Standing, head: About, again: Again) {
  const { manifest } = known
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const filename = path.join(root, ".marketdata", "claims.db")
  if (manifest.head !== undefined && again !== "lost" && !(yield* files.exists(filename))) {
    const why = `${ForeignText.line(filename)} is gone: what is in no file may have been sent and paid for`
    const next =
      "copy it from where the folder came from, or type the same command with --again lost, which may pay again"
    return yield* wrong("Folder", `${why}. Nothing was sent.`, next)
  }
  const repaired = Effect.fnUntraced(function*(error: Kept.LedgerFileError) {
    const { size, type } = yield* files.stat(filename)
    // An empty file without a manifest is of a run that died before it sent anything.
    if (manifest.head !== undefined || type !== "File" || size !== 0n) return yield* error
    yield* files.remove(filename)
  })
  yield* Effect.catchTag(Kept.prepareLedger(filename), "LedgerFileError", repaired)
  const database = yield* Layer.build(Sqlite.layer({ filename, lockTimeout: "250 millis" }))
  const sql = Context.get(database, SqlClient.SqlClient)
  yield* sql`PRAGMA locking_mode = EXCLUSIVE`
  // The first write takes the lock.
  yield* sql`PRAGMA user_version = 1`
  const account = "claims"
  const claims = yield* Effect.provide(SqlLedger.makeUnlimited({ account, keep: Infinity }), database)
  const { size } = yield* readManifest(path.join(root, nameOfManifest))
  if (size !== manifest.size) {
    return yield* unusable(root)({ message: "another run was at work in it meanwhile; try again" })
  }
  // This run holds the lock: what is unfinished was left by one that was killed.
  for (const { file } of [...known.open, ...known.over.filter(({ state }) => state === "lost")]) {
    yield* Export.removeUnfinished(path.join(root, file))
  }
  const write = yield* openManifest(path.join(root, nameOfManifest), size)
  const id = manifest.head?.id ?? randomUUID()
  if (manifest.head === undefined) yield* write({ manifest: 1, id, ...head })
  return {
    id,
    /** The claims, as a ledger in which every step is recorded. */
    claims,
    /** What was sent under a claim, and what that cost; undefined where nothing was. */
    claimed: (key: string) =>
      Effect.mapError(Effect.provide(SqlLedger.claimed({ account, key }), database), unusable(root)),
    write: (line: Entry) => Effect.mapError(write(line), (error) => changed(unusable(root)(error), { class: "failed" }))
  }
}, (effect, root) =>
  Effect.mapError(effect, (error) => {
    const isLocked = error._tag === "SqlError" && error.reason._tag === "LockTimeoutError"
    return unusable(root)(isLocked ? { message: "another run is at work in it" } : error)
  }))

/** A folder that this run has locked. */
export type Held = Effect.Success<ReturnType<typeof hold>>

/** What the days of a run share. */
export interface Work extends Held {
  readonly root: string
  readonly run: string
  readonly again: Again
  readonly entries: ReadonlyMap<string, Entry>
  /** Waits until `renews`, in epoch seconds; fails with the error if the run is not to wait. */
  readonly wait: (error: MarketDataError, renews: number) => Effect.Effect<void, MarketDataError>
}

/** When credits that are used up renew, in epoch seconds. */
const renewsOf = ({ reason }: MarketDataError): number | undefined =>
  reason._tag === "CreditBudgetExceeded" ? reason.renews : reason._tag === "CreditsExhausted" ? reason.reset : undefined

/** Asks for a day and records the outcome. Its claim lets it be sent once, however often a run begins anew. */
export const keep = Effect.fnUntraced(
  function*(day: Day, { again, claimed, entries, id, root, run, wait, write }: Work) {
    const before = entries.get(day.file)
    const hash = createHash("sha256").update(day.target).digest("hex")
    const digest = digestOf((yield* Path.Path).join(root, day.file))
    const found = yield* digest
    const keyOf = (ask: number) => `${id} ${hash} ${ask}`
    if (found !== undefined && before === undefined && (yield* claimed(keyOf(1))) === undefined) {
      const why = `${day.file} is there, and no run has written it`
      return yield* wrong("Folder", why, "move it away, or name another --output DIR")
    }
    /** Records the outcome of the day, with the cost of all its claims. */
    const settle = Effect.fnUntraced(
      function*(asks: number, outcome: Pick<Entry, "state" | "rows" | "bytes" | "sha256" | "why">) {
        // A run that died may have asked once more than this one.
        const spent = [yield* claimed(keyOf(1))]
        while (spent.length < asks || spent.at(-1) !== undefined) spent.push(yield* claimed(keyOf(spent.length + 1)))
        const sum = (of: "credits" | "uncertain") => spent.reduce((sum, claim) => sum + (claim?.[of] ?? 0), 0)
        const finite = (amount: number) => amount === Infinity ? null : amount
        const price = finite(Credits.bound(day.estimate))
        const cost = { price, charged: sum("credits"), uncertain: finite(sum("uncertain")) }
        const at = DateTime.formatIso(yield* DateTime.now)
        const entry: Entry = { file: day.file, query: day.target, ...cost, ...outcome, at }
        return yield* Effect.as(write(entry), entry)
      }
    )
    for (let ask = 1;;) {
      const claim = { key: keyOf(ask), run }
      const asked = yield* Effect.result(Effect.provideService(MarketData.run(day.query), Claim.Current, claim))
      if (Result.isSuccess(asked)) {
        const { credits, data } = asked.success
        // The metadata has no time of asking, so that the same data make the same bytes.
        const options = { ...day.options, metadata: { source: "Market Data", query: day.target } }
        const tables = Stream.succeed(data as Table)
        const unwritten = `The answer was charged ${Words.credits(credits.charged)}, and is not in a file.`
        const next =
          "make room and type the command again: an answer that this machine has kept costs nothing, another is told as lost"
        const { bytes, rows } = (yield* Dataset.write(tables, `${root}/${day.set}`, day.partition, options).pipe(
          // An answer that was lost before is lost again, and its manifest says what both cost.
          Effect.tapError(() =>
            before?.state === "lost"
              ? Effect.ignore(settle(ask, Struct.pick(before, ["state", "why", "sha256"])))
              : Effect.void
          ),
          Effect.mapError(({ message, reason }) => failed(reason._tag, `${message} ${unwritten}`, next))
        ))!
        return yield* settle(ask, { state: "kept", rows, bytes, sha256: (yield* digest)! })
      }
      const { failure } = asked
      const renews = renewsOf(failure)
      if (failure.reason._tag === "NotFound") {
        return yield* settle(ask, { state: "empty", why: failure.reason.said.what })
      }
      if (renews !== undefined) yield* wait(failure, renews)
      else if (failure.reason._tag !== "AlreadySent") return yield* failure
      else {
        const spent = yield* claimed(claim.key)
        const isFree = spent === undefined || spent.credits + spent.uncertain === 0
        // A file without a line in the manifest was written by a run that died before it wrote the line.
        if (!isFree && found !== undefined && before?.sha256 === undefined) {
          return yield* settle(ask, { state: "kept", sha256: found })
        }
        // What it cost to learn that a day was empty is no answer that was lost.
        if (isFree || (before?.state === "empty" ? spent.since * 1000 <= Date.parse(before.at) : again === "lost")) {
          ask++
        } else {
          const isNowhere = "an earlier run has sent it, and its answer is in no file"
          const why = before?.sha256 === undefined ? isNowhere : "its file was changed or removed"
          return yield* settle(ask, { state: "lost", why, ...before?.sha256 && { sha256: before.sha256 } })
        }
      }
    }
  }
)
