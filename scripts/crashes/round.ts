/** A round: programs share one budget in a database, are killed at random points and started again, and in the end the books are compared. */
import * as Account from "@effect-marketdata/core/Account"
import type * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as Accounts from "@effect-marketdata/sandbox/Accounts"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import * as Script from "../shared/script.ts"
import * as Database from "./database.ts"
import * as Program from "./program.ts"

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

/** The books at the end of a round: what the service billed, and what the ledger says. */
export interface Books {
  readonly requests: number
  readonly billed: number
  readonly charged: number
  readonly uncertain: number
  readonly reserved: number
  readonly overdrawn: number
  readonly allowance: number
  /** Requests that the ledger has as sent, and those of them that it has as lost. */
  readonly sent: number
  readonly lost: number
  readonly outcomes: Program.Outcomes
}

/** What is wrong with the books; empty where nothing is. */
export const complaints = (books: Books): ReadonlyArray<string> => {
  const { allowance, billed, charged, overdrawn, requests, reserved, sent, uncertain } = books
  const claims: ReadonlyArray<readonly [holds: boolean, otherwise: string]> = [
    [reserved === 0, `${reserved} credits are still reserved`],
    [
      billed <= allowance + overdrawn,
      `${billed} credits were billed of ${allowance}, with ${overdrawn} of named overruns`
    ],
    [charged + uncertain <= allowance + overdrawn, `${charged} and ${uncertain} credits were spent of ${allowance}`],
    [charged <= billed, `${charged} credits are recorded as charged, and ${billed} were billed`],
    [billed <= charged + uncertain, `${billed} credits were billed, and ${charged} and ${uncertain} are in the ledger`],
    [requests <= sent, `${requests} requests reached the service, and ${sent} are in the ledger`]
  ]
  return claims.flatMap(([holds, otherwise]) => holds ? [] : [otherwise])
}

/** The service, which takes a moment for each reply: a kill finds requests in flight. */
export const service = Effect.gen(function*() {
  const account = Accounts.make(
    "sandbox-paid",
    Account.make({ plan: "paid", user: Account.nonProfessional("realTime") })
  )
  let requests = 0
  const counting = Layer.effect(
    Sandbox.Sandbox,
    Effect.map(Sandbox.Sandbox, (sandbox) =>
      Sandbox.Sandbox.of({
        ...sandbox,
        handle: (request) =>
          Effect.suspend(() => {
            requests++
            return sandbox.handle(request)
          })
      }))
  ).pipe(Layer.provide(Sandbox.layer({ seed: 1, accounts: [account], latency: "30 millis", mostInFlight: 1e6 })))
  const built = yield* Layer.build(Layer.provideMerge(SandboxServer.layer(), counting))
  const { billed } = yield* Effect.provide(Sandbox.Sandbox, built)
  const { baseUrl } = yield* Effect.provide(SandboxServer.SandboxServer, built)
  return { baseUrl, billed, requests: Effect.sync(() => requests) }
})

/** A program that runs, and what it says at its end; nothing where it was killed. */
interface Running {
  readonly child: ChildProcess
  readonly ready: Promise<void>
  readonly ended: Promise<Program.Outcomes>
}

const start = (task: Program.Task): Running => {
  const flags = [Script.fromSource, "--disable-warning=ExperimentalWarning"]
  const child = spawn(process.execPath, [...flags, Program.file, JSON.stringify(task)], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  const lines: Array<string> = []
  const reading = createInterface({ input: child.stdout }).on("line", (line) => lines.push(line))
  const said = once(reading, "close")
  const ready = once(reading, "line").then(() => {})
  const ended = once(child, "exit").then(async ([code, signal]): Promise<Program.Outcomes> => {
    if (signal === "SIGKILL") return {}
    if (code !== 0) throw new Script.ScriptError(`a program failed by itself, with exit code ${code}`)
    await said
    return JSON.parse(lines.at(-1)!)
  })
  return { child, ready: Promise.race([ready, ended.then(() => {})]), ended }
}

/** Plays a round. */
export const play = Effect.fnUntraced(function*(plan: Plan, service: {
  readonly baseUrl: string
  readonly billed: Effect.Effect<number>
  readonly requests: Effect.Effect<number>
}) {
  const { allowance, callers, database, killWithin, kills, leaseSeconds, name, programs, seed } = plan
  const before = { billed: yield* service.billed, requests: yield* service.requests }
  const outcomes: Record<string, number> = {}
  let left = kills
  const budget = { account: "crashes", budget: name, allowance, lease: leaseSeconds * 1000 }
  // One program after the other in the same place: each is killed at some moment of its life, until enough were killed.
  const place = (index: number) =>
    Effect.gen(function*() {
      for (let life = 0;; life++) {
        const task = { baseUrl: service.baseUrl, database, callers, budget, seed: `${seed} ${index} ${life}` }
        const { child, ended, ready } = start(task)
        if (left > 0) {
          left--
          // One in eight dies while it starts, and opens the database; the others while they ask.
          if ((yield* Random.nextIntBetween(0, 8)) > 0) yield* Effect.promise(() => ready)
          yield* Effect.sleep(yield* Random.nextIntBetween(0, killWithin))
          child.kill("SIGKILL")
        }
        for (const [tag, count] of Object.entries(yield* Effect.promise(() => ended))) {
          outcomes[tag] = (outcomes[tag] ?? 0) + count
        }
        if (child.signalCode === null) return
      }
    })
  yield* Effect.forEach(Array.from({ length: programs }), (_, index) => place(index), { concurrency: "unbounded" })
  yield* Effect.sleep(leaseSeconds * 1000 + 100)
  const after = { billed: yield* service.billed, requests: yield* service.requests }
  const asked = { account: "crashes", budget: name }
  return yield* Effect.gen(function*() {
    const ledger = yield* SqlLedger.make(budget)
    const { charged, overdrawn, reserved, uncertain } = yield* ledger.balance
    const events = yield* Stream.runCollect(Stream.map(SqlLedger.history(asked), ({ event }) => event))
    const told = (tag: CreditLedger.Event["_tag"]) => events.filter(({ _tag }) => _tag === tag).length
    const books: Books = {
      requests: after.requests - before.requests,
      billed: after.billed - before.billed,
      charged,
      uncertain,
      reserved,
      overdrawn,
      allowance,
      sent: told("Sent"),
      lost: told("Lost"),
      outcomes
    }
    return books
  }).pipe(Effect.scoped, Effect.provide(Database.open(database)))
})
