/**
 * Refuses programs whose clocks differ from those of the other programs of a ledger in a SQLite file. A server has a clock of its own, but a file is written
 * by the clocks of its programs. Each program that has a ledger open has a row with its time, and before it writes, it compares the rows of the others with
 * its own time.
 *
 * Programs that use the machine's clock never differ, however old a row is: the machine was asleep, or a program died. A program with another clock, such as
 * a replay of past days, is refused if programs with the machine's clock have written and its time is another. If no program uses the machine's clock, as
 * in a test, a program far ahead of the others may just have woken up: it is refused until the others have been silent for a while.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Owner } from "./options.ts"
import * as Transaction from "./transaction.ts"

/** By how many seconds clocks may differ. */
export const tolerance = 300

/** How often a program that has a ledger open writes down its time, in seconds. */
const pause = 120

/** By how many seconds the row of a running program may be behind. */
const mostSilent = pause + tolerance

/** The clocks of two programs differ. */
export class ClocksApart extends Data.TaggedError("ClocksApart")<{ readonly message: string }> {}

/** A program's last time by its clock, in epoch seconds, whether that is the machine's clock, and whether the program has ended in order. */
interface Row {
  readonly owner: string
  readonly asked_by: string
  readonly time: number
  readonly machine: unknown
  readonly ended: unknown
}

/** The time of a program and of its machine, and how long it runs, in seconds. */
type Moment = Readonly<ReturnType<typeof moment>>

const moment = (clock: Clock.Clock) => {
  // The clock of a program that was given no other.
  const machine = Context.get(Context.empty(), Clock.Clock)
  return {
    time: clock.currentTimeMillisUnsafe() / 1000,
    machine: machine.currentTimeMillisUnsafe() / 1000,
    running: Number(clock.monotonicTimeNanosUnsafe()) / 1e9,
    isMachine: clock === machine
  }
}

/** What a program knows of another: its time, since when that has not changed, and whether it was written while the two were apart. */
interface Known {
  readonly time: number
  readonly since: number
  readonly isApart: boolean
}

/** What a program saw, and its own time then. */
interface Seen {
  readonly time: number
  readonly known: ReadonlyMap<string, Known>
}

const isTrue = (value: unknown): boolean => Number(value) === 1

const isSilent = ({ since }: Known, now: Moment): boolean => now.running - since >= 2 * pause

/** Compares the rows with the last look: a row that has changed since then must have a time between that look and now. */
const look = (rows: ReadonlyArray<Row>, now: Moment, seen: Seen | undefined): Seen => {
  // After this program's clock was set back, the last look means nothing.
  const last = seen === undefined || now.time < seen.time - tolerance ? undefined : seen
  const known = rows.map(({ owner, time }): [string, Known] => {
    const before = last?.known.get(owner)
    if (before?.time === time) {
      return [owner, before.isApart && isSilent(before, now) ? { ...before, isApart: false } : before]
    }
    const isApart = last !== undefined && (time < last.time - tolerance || time > now.time + tolerance)
    return [owner, { time, since: now.running, isApart }]
  })
  return { time: now.time, known: new Map(known) }
}

/** A program whose time contradicts that of this one, and that time; undefined if there is none. */
const witness = (rows: ReadonlyArray<Row>, owner: string, now: Moment, { known }: Seen) => {
  const isByMachine = now.isMachine || rows.some(({ machine }) => isTrue(machine))
  if (isByMachine && !now.isMachine && Math.abs(now.time - now.machine) > tolerance) {
    return { who: "the machine's, by which others use the ledger", time: now.machine }
  }
  const others = rows.filter((row) => row.owner !== owner && !isTrue(row.ended) && isTrue(row.machine) === isByMachine)
    .toSorted((one, other) => other.time - one.time)
  const present = others.filter(({ owner }) => !isSilent(known.get(owner)!, now))
  const latest = Math.max(-Infinity, ...rows.map(({ time }) => time))
  const found = others.find(({ owner }) => known.get(owner)!.isApart) ??
    (isByMachine ? undefined : present.find(({ time }) => time > now.time + tolerance)) ??
    (isByMachine || now.time - latest <= mostSilent ? undefined : present[0])
  return found && { who: `that of "${found.asked_by.slice(0, 40)}"`, time: found.time }
}

const shown = (time: number): string =>
  Math.abs(time) < 8.64e12 ? `${DateTime.formatIso(DateTime.makeUnsafe(time * 1000)).slice(0, 19)}Z` : `${time} s`

const apart = (now: Moment, { time, who }: NonNullable<ReturnType<typeof witness>>): ClocksApart => {
  const minutes = Math.abs(now.time - time) / 60
  const amount = minutes < 120 ? `${Math.round(minutes)} minutes` : `${(minutes / 60).toFixed(1)} hours`
  const order = now.time > time ? "ahead of" : "behind"
  return new ClocksApart({
    message: `the clock of this program is ${amount} ${order} ${who} (${shown(now.time)}, ${
      shown(time)
    }): set the wrong one right`
  })
}

/** Checks and writes the time of a program. On a server it does nothing. `check` and `tell` run within a transaction. */
export type Clocks = ReturnType<typeof ofFile>

/** Makes the `Clocks` of one program. */
export const make = (sql: SqlClient, owner: Owner): Clocks =>
  sql.onDialectOrElse({
    sqlite: () => ofFile(sql, owner),
    orElse: () => ({ check: Effect.void, tell: Effect.void, forever: Effect.never, leave: Effect.void })
  })

const ofFile = (sql: SqlClient, { account, askedBy, budget, owner }: Owner) => {
  let seen: Seen | undefined
  let [checked, told]: Array<Moment | undefined> = []
  /** Fails if the program's clock differs from those of the others. */
  const check: Effect.Effect<void, ClocksApart | SqlError> = Effect.clockWith((clock) =>
    Effect.flatMap(
      sql<Row>`SELECT owner, asked_by, time, machine, ended FROM marketdata_clock
        WHERE account = ${account} AND budget = ${budget}`,
      (rows) => {
        const now = moment(clock)
        seen = look(rows, now, seen)
        const other = witness(rows, owner, now, seen)
        if (other !== undefined) return Effect.fail(apart(now, other))
        checked = now
        return Effect.void
      }
    )
  )
  /** Writes the time of the last check, not more often than others need it. */
  const tell: Effect.Effect<void, SqlError> = Effect.suspend(() => {
    if (checked === undefined || told !== undefined && Math.abs(checked.time - told.time) < pause / 6) {
      return Effect.void
    }
    told = checked
    const clock = { time: told.time, machine: told.isMachine ? 1 : 0, ended: 0 }
    return Effect.asVoid(
      sql`INSERT INTO marketdata_clock ${sql.insert({ account, budget, owner, asked_by: askedBy, ...clock })}
      ON CONFLICT (account, budget, owner) DO UPDATE SET time = excluded.time, machine = excluded.machine, ended = 0`
    )
  })
  // Removes rows of silent programs and, from a program with the machine's clock, those of other clocks.
  const clear = Effect.suspend(() => {
    if (told === undefined) return Effect.void
    const machine = told.isMachine ? 1 : 0
    return Effect.asVoid(
      sql`DELETE FROM marketdata_clock WHERE account = ${account} AND budget = ${budget} AND owner <> ${owner} AND (machine < ${machine} OR machine = ${machine} AND time < ${
        told.time - mostSilent
      })`
    )
  })
  const mark = Effect.ignore(Transaction.run(sql, Effect.all([check, tell, clear])))
  return {
    check,
    tell,
    /** Writes the time again and again. */
    forever: Effect.forever(Effect.andThen(mark, Effect.sleep(pause * 1000))),
    /** Records that the program ends in order. */
    leave: Effect.ignore(
      sql`UPDATE marketdata_clock SET ended = 1 WHERE account = ${account} AND budget = ${budget} AND owner = ${owner}`
    )
  }
}
