/** A database server, and what a machine has of it. It can be out, a machine can be cut off from it, and it forgets a machine that is killed. */
import type { Chance } from "@effect-marketdata/testing/Chance"
import { Effect, Layer, Stream } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, Statement } from "effect/sql"
import type { Connection } from "effect/sql/SqlConnection"
import { ConnectionError, LockTimeoutError, SqlError, UnknownError } from "effect/sql/SqlError"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import * as Dialect from "./dialect.ts"
import type { Host, Network } from "./network.ts"

/** What a machine has open. The server ends it when it hears of its end, or of its machine's. */
interface Session {
  readonly host: Host
  latest: number
  isClosed: boolean
}

export type Database = ReturnType<typeof make>

type Rows = ReadonlyArray<Record<string, unknown>>
type Reply = (result: Effect.Effect<Rows, SqlError>) => void

const failed = (
  message: string,
  Reason: typeof ConnectionError | typeof LockTimeoutError | typeof UnknownError = ConnectionError
) => new SqlError({ reason: new Reason({ message, operation: "execute", cause: undefined }) })

/** How long a transaction waits for another one, as the package says it to PostgreSQL. */
const lockTimeout = 5000

/** How long the server waits for a statement of a transaction before it undoes it. */
const idleTimeout = 4000

/** Longer than a statement waits for a lock. */
const silence = 10_000

export const make = ({ chance, network, now }: {
  readonly chance: Chance
  readonly network: Network
  readonly now: () => number
}) => {
  const server = network.host("database")
  const database = new DatabaseSync(":memory:")
  Dialect.prepare(database, now)
  const prepared = new Map<string, ReadonlyArray<{ readonly params: number; readonly statement: StatementSync }>>()
  let outUntil = 0

  /** Runs one text; the parts of it have their parameters in order. */
  const query = (sql: string, params: ReadonlyArray<unknown>): Rows => {
    const block = Dialect.blockOf(sql)
    if (block !== undefined) return (database.exec(block), [])
    const parts = prepared.get(sql) ??
      Dialect.translate(sql).map((part) => ({ ...part, statement: database.prepare(part.sql) }))
    if (prepared.size > 500) prepared.clear()
    prepared.set(sql, parts)
    let at = 0
    let rows: Rows = []
    for (const { params: count, statement } of parts) {
      rows = statement.all(...params.slice(at, at += count).map(written))
    }
    return rows
  }

  // Transactions come one after the other. Who holds the lock is in one.
  let holder: Session | undefined
  let idle = () => {}
  let waiting: Array<{ readonly session: Session; readonly run: () => void }> = []

  const release = (): void => {
    idle()
    holder = undefined
    // One of them may become the holder, and those behind it then wait again, in their order.
    for (const { run } of waiting.splice(0)) run()
  }
  const abort = (session: Session): void => {
    session.isClosed = true
    if (holder !== session) return
    database.exec("ROLLBACK")
    release()
  }

  const run = (
    session: Session,
    sql: string,
    params: ReadonlyArray<unknown>,
    reply: Reply,
    latest = now() + lockTimeout
  ): void => {
    if (session.isClosed) return reply(Effect.fail(failed("the server has ended the connection")))
    if (now() < outUntil) return reply(Effect.fail(failed("the server is starting up")))
    if (holder !== undefined && holder !== session) {
      const turn = { session, run: () => (giveUp(), run(session, sql, params, reply, latest)) }
      const giveUp = server.process.post(() => {
        waiting = waiting.filter((other) => other !== turn)
        reply(Effect.fail(failed("canceling statement due to lock timeout", LockTimeoutError)))
      }, latest - now())
      return void waiting.push(turn)
    }
    let rows: Rows
    try {
      rows = query(sql, params)
    } catch (error) {
      return reply(Effect.fail(failed(`${(error as Error).message}: ${sql}`, UnknownError)))
    }
    if (sql.startsWith("BEGIN")) holder = session
    if (holder === session) {
      idle()
      idle = server.process.post(() => abort(session), idleTimeout)
    }
    reply(Effect.succeed(rows))
    if (sql === "COMMIT" || sql === "ROLLBACK") release()
  }

  const sessionOf = (host: Host): Effect.Effect<Session, never, import("effect/Scope").Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const session: Session = { host, latest: 0, isClosed: false }
        return session
      }),
      (session) =>
        Effect.sync(() => {
          if (!session.isClosed) network.carry(host, server, () => abort(session), session.latest)
        })
    )

  /** When the statements were sent that have no reply yet. */
  const asked = new Set<{ readonly host: Host; readonly at: number }>()

  /** Sends a statement, and waits for its rows. A connection that hears nothing for long breaks; what it sent may be done all the same. */
  const execute = (session: Session, sql: string, params: ReadonlyArray<unknown>): Effect.Effect<Rows, SqlError> =>
    Effect.callback((resume) => {
      const { host } = session
      if (session.isClosed) return resume(Effect.fail(failed("the connection is closed")))
      const asking = { host, at: now() }
      asked.add(asking)
      const end: Reply = (result) => {
        asked.delete(asking)
        tooLong()
        resume(result)
      }
      const tooLong = host.process.post(() => {
        asked.delete(asking)
        session.isClosed = true
        network.carry(host, server, () => abort(session), session.latest)
        resume(Effect.fail(failed("the connection timed out")))
      }, chance.pick([2000, 10_000, 60_000]))
      const arrive = () => run(session, sql, params, (result) => void network.carry(server, host, () => end(result)))
      session.latest = network.carry(host, server, arrive, session.latest)
      return Effect.sync(() => {
        asked.delete(asking)
        tooLong()
      })
    })

  const connectionOf = (session: Session): Connection => {
    const all: Connection["execute"] = (sql, params, transformRows) =>
      Effect.map(execute(session, sql, params), (rows) => transformRows === undefined ? rows : transformRows(rows))
    const values: Connection["executeValues"] = (sql, params) =>
      Effect.map(execute(session, sql, params), (rows) => rows.map((row) => Object.values(row)))
    return {
      execute: all,
      executeUnprepared: all,
      executeRaw: (sql, params) => execute(session, sql, params),
      executeValues: values,
      executeValuesUnprepared: values,
      executeStream: (sql, params, transformRows) =>
        Stream.unwrap(Effect.map(all(sql, params, transformRows), Stream.fromIterable))
    }
  }

  const compilers = { sqlite: Statement.makeCompilerSqlite(), pg: postgres }
  return {
    /** The client of a machine, in the dialect of PostgreSQL or, for the cluster's own tables, of SQLite. */
    layer: (host: Host, dialect: "pg" | "sqlite") => {
      host.onKill.add(() => {
        if (holder?.host === host) abort(holder)
        waiting = waiting.filter(({ session }) => session.host !== host)
      })
      const acquirer = Effect.map(sessionOf(host), connectionOf)
      const made = SqlClient.make({ acquirer, driver: "simulated", compiler: compilers[dialect], spanAttributes: [] })
      return Layer.effect(SqlClient.SqlClient, made).pipe(Layer.provide(Reactivity.layer))
    },
    /** Reads it from outside, in no time. */
    rows: <Row>(sql: string) => database.prepare(sql).all() as unknown as ReadonlyArray<Row>,
    /** Whether a machine waits for longer for a reply than the server ever takes. */
    isSilentTo: (host: Host) => [...asked].some((asking) => asking.host === host && now() - asking.at > silence),
    /** Lets it be out. */
    out: (milliseconds: number) => {
      outUntil = now() + milliseconds
      if (holder !== undefined) abort(holder)
    },
    close: () => database.close()
  }
}

const postgres = Statement.makeCompiler({
  dialect: "pg",
  placeholder: () => "?",
  onIdentifier: Statement.defaultEscape("\""),
  onRecordUpdate: () => ["", []],
  onCustom: () => ["", []]
})

const written = (value: unknown): SQLInputValue =>
  value === undefined ? null : typeof value === "boolean" ? Number(value) : value as SQLInputValue
