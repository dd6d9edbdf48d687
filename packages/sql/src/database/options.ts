/** The options of all modules of this package: names, durations, and the program. */
import * as Problem from "@effect-marketdata/core/Problem"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { DatabaseError, InvalidOption } from "./DatabaseError.ts"

/** Says of an option what is wrong with it. */
export const refuse = (option: string, value: unknown, problem: Problem.Problem): DatabaseError =>
  new DatabaseError({
    reason: new InvalidOption({ problem: Problem.format(`${option} ${Problem.shown(value)}`, problem) })
  })

/** A name as it is written; a database would cut off or refuse what is longer, and PostgreSQL takes no NUL. */
export const named = (option: string, value: unknown, most = 100): Effect.Effect<string, DatabaseError> =>
  typeof value === "string" && value.length > 0 && value.length <= most && !value.includes("\0")
    ? Effect.succeed(value)
    : Effect.fail(refuse(option, value, { rule: `must be a string of 1 to ${most} characters`, example: "\"main\"" }))

/** Which times an option may have, in seconds, and how that is said. */
interface Times extends Problem.Problem {
  readonly least: number
  readonly most?: number
}

/** A time, in seconds. */
export const seconds = (
  option: string,
  value: Duration.Input,
  { least, most = Infinity, ...problem }: Times
): Effect.Effect<number, DatabaseError> => {
  const duration = Duration.fromInput(value)
  const seconds = duration._tag === "Some" ? Duration.toSeconds(duration.value) : NaN
  return seconds >= least && seconds <= most ? Effect.succeed(seconds) : Effect.fail(refuse(option, value, problem))
}

/** The duration of a lease, in seconds. */
export const lease = (value: Duration.Input): Effect.Effect<number, DatabaseError> =>
  seconds("lease", value, { least: 1, most: 86_400, rule: "must be from 1 second to 1 day", example: "\"60 seconds\"" })

/** A program that uses a database: an id that no other has, and a name for people. */
export interface Program {
  readonly owner: string
  readonly askedBy: string
}

/** Which ledger of a database, and who uses it. */
export interface Owner extends Program {
  readonly account: string
  readonly budget: string
}

/** This program. Its id does not come from Effect's `Random`: two programs with the same seed are two owners. */
export const program = (askedBy: string | undefined): Effect.Effect<Program, DatabaseError> =>
  Effect.map(
    named("askedBy", askedBy ?? `${hostname()} ${process.pid}`.slice(0, 100)),
    (askedBy) => ({ owner: randomUUID(), askedBy })
  )
