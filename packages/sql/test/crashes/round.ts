/** A round: programs share one budget in a database, are killed at random points and started again, and in the end the books are compared. */
import { Effect, Random } from "effect"
import * as Books from "./books.ts"
import * as Process from "./process.ts"
import * as Program from "./program.ts"
import type { Service } from "./service.ts"

/** What happens in a round: so many programs with so many callers each, of which so many are killed. */
export interface Plan {
  readonly database: string
  readonly name: string
  readonly seed: string
  readonly programs: number
  readonly callers: number
  readonly kills: number
  /** A program is killed within this time of its callers' beginning, in milliseconds: while they reserve, send and are answered. */
  readonly killWithin: number
  readonly allowance: number
  readonly leaseSeconds: number
}

/** Plays a round: the books, and how the queries ended of programs that were not killed. */
export const play = Effect.fnUntraced(function*(plan: Plan, { baseUrl, billed, token, visits }: Service) {
  const { allowance, callers, database, killWithin, kills, leaseSeconds, name, programs, seed } = plan
  const before = { billed: yield* billed, requests: visits.length }
  const outcomes: Record<string, number> = {}
  let left = kills
  const budget = { account: "crashes", budget: name, allowance, lease: leaseSeconds * 1000 }
  // One program after the other in the same place: each is killed at some moment of its life, until enough were killed.
  const place = Effect.fnUntraced(function*(index: number) {
    for (let life = 0;; life++) {
      const task: Program.Task = { baseUrl, token, database, callers, budget, seed: `${seed} ${index} ${life}` }
      let last = ""
      const { child, ended, errors, ready } = Process.start(Program.file, task, (line) => last = line)
      if (left > 0) {
        left--
        // One in eight dies while it starts, and opens the database; the others while they ask.
        if ((yield* Random.nextIntBetween(0, 8)) > 0) yield* Effect.promise(() => ready)
        yield* Effect.sleep(yield* Random.nextIntBetween(0, killWithin))
        child.kill("SIGKILL")
      }
      yield* Effect.promise(() => ended)
      if (child.signalCode === "SIGKILL") continue
      if (child.exitCode !== 0) {
        throw new Error(`a program failed by itself, with exit code ${child.exitCode}: ${errors()}`)
      }
      for (const [tag, count] of Object.entries<number>(JSON.parse(last))) outcomes[tag] = (outcomes[tag] ?? 0) + count
      return
    }
  })
  yield* Effect.forEach(Array.from({ length: programs }), (_, index) => place(index), { concurrency: "unbounded" })
  yield* Effect.sleep(leaseSeconds * 1000 + 100)
  const bill = { billed: (yield* billed) - before.billed, requests: visits.length - before.requests }
  return { books: yield* Books.read(database, budget, bill), outcomes }
})
