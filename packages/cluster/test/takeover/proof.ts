/** A proof: machines of one account are killed, cut off from their database and held up under load, and in the end the books are compared. */
import * as Job from "@effect-marketdata/cluster/Job"
import * as IpRule from "@effect-marketdata/core/IpRule"
import * as SqlIpGuard from "@effect-marketdata/sql/SqlIpGuard"
import { Effect, Option, Random, Schedule } from "effect"
import { randomUUID } from "node:crypto"
import * as Books from "../../../sql/test/crashes/books.ts"
import * as Database from "../../../sql/test/crashes/database.ts"
import * as Process from "../../../sql/test/crashes/process.ts"
import type { Service, Visit } from "../../../sql/test/crashes/service.ts"
import { freePort } from "../support/freePort.ts"
import * as Machine from "./machine.ts"
import type * as Postgres from "./postgres.ts"
import * as Wire from "./wire.ts"

/** What happens, by name: the flag that says how often, and what it does. */
export const troubles = {
  kill: ["kills", "How often the machine that sends is killed"],
  crash: ["crashes", "How often a machine is killed, whichever it is"],
  stop: ["stops", "How often it is stopped in order, with SIGTERM"],
  cut: ["cuts", "How often it is cut off from the database, for 15 to 30 seconds"],
  pause: ["pauses", "How often it is stopped for 6 to 9 seconds, longer than its leases, and goes on"],
  hole: ["holes", "How often one direction between it and the database is cut, for 10 to 20 seconds"],
  sever: ["deaths", "How often its connections to the database die without a word, while new ones work"],
  restart: ["restarts", "How often the database is restarted"],
  outage: ["outages", "How often the database is stopped, for 30 seconds"],
  terminate: ["terminations", "How often the database ends all its connections"]
} as const
export type Trouble = keyof typeof troubles
export const names: ReadonlyArray<Trouble> = Object.keys(troubles) as ReadonlyArray<Trouble>

/** What is drawn from when faults are drawn: all but what takes long. */
export const drawn = names.filter((name) => name !== "outage" && name !== "crash")

/** `isMoving`: a machine that is started again has another address, as in a cloud. Without a gateway each machine asks for itself. */
export interface Plan {
  readonly troubles: ReadonlyArray<Trouble>
  readonly isGateway: boolean
  readonly isMoving: boolean
  readonly callers: number
  readonly queries: number
  /** How long a round trip to the database takes, in milliseconds. */
  readonly roundTrip: number
  /** How soon the service has to be asked again when what was wrong is over, and the rule of addresses allows it, in milliseconds. */
  readonly soon: number
}

/** How long nobody may have sent until that is a failure, in seconds. The rule alone may take five minutes. */
const patience = 400

/** When the rule allows a request from an address after these visits, in milliseconds. */
const allowed = (visits: ReadonlyArray<Visit>, address: string): number => {
  const rule = visits.reduce((rule, { address, at }) => IpRule.judge(rule, address, at / 1000).rule, IpRule.empty)
  return IpRule.safeAfter(rule, address) * 1000
}

/** After these a machine may go on by itself. */
const lasting: ReadonlySet<Trouble> = new Set(["cut", "hole", "pause"])

/** One life of a machine. */
type Life = Process.Running & { readonly address: string; isReady: boolean }

/**
 * Plays it with three machines, whose clocks are ten minutes apart. Of what came of it `silences` are the milliseconds until the service was asked
 * again, from when the rule of addresses allowed it.
 */
export const play = Effect.fnUntraced(
  function*(plan: Plan, service: Service, database: Postgres.Server, tell: (text: string) => void) {
    const first = service.visits.length
    const visits = () => service.visits.slice(first)
    const before = yield* service.billed
    const budget = { account: "main", budget: randomUUID(), allowance: 1e6, lease: 5000 }
    const { baseUrl, token } = service
    const { callers, isGateway, queries } = plan
    const common = { baseUrl, token, budget, isGateway, callers, queries }
    const outcomes: Record<string, number> = {}
    const complaints: Array<string> = []
    let slowest = 0
    let largest = 0
    let lives = 0
    let isEnding = false
    let vain = 0
    /** Since when nothing has happened to a machine. */
    let calm = Infinity

    const began = Date.now()
    const log = (text: string, at = Date.now()): void => {
      if (process.env["TAKEOVER_LOG"]) console.log(`${((at - began) / 1000).toFixed(2)} ${text}`)
    }
    let said = "answered"
    const heard = (index: number, line: string): void => {
      if (!line.startsWith("{")) return log(`machine ${index}: ${line}`)
      const { milliseconds, outcome, rss, turn } = JSON.parse(line)
      largest = Math.max(largest, rss)
      if (turn > 300) log(`machine ${index}: a turn of its event loop took ${Math.round(turn)} ms`)
      if (outcome !== said) log(`machine ${index}: ${outcome} after ${Math.round(milliseconds)} ms`)
      said = outcome
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      slowest = Math.max(slowest, milliseconds)
      const before = Date.now() - plan.soon
      const mayAny = () => machines.some(({ now }) => now.isReady && allowed(visits(), now.address) < before)
      if (outcome === "IpBlocked" && calm < before && mayAny()) vain++
    }

    const machineAt = Effect.fnUntraced(function*(index: number) {
      const wire = yield* Wire.lay(Number(database.url.port), plan.roundTrip)
      const port = yield* freePort
      const url = Object.assign(new URL(database.url), { port: String(wire.port) })
      const start = (): void => {
        const life = lives++
        const address = plan.isMoving
          ? `127.${1 + index}.${Math.floor(life / 250)}.${1 + life % 250}`
          : `127.0.0.${1 + index}`
        const task: Machine.Task = { ...common, database: url.href, address, port, ahead: (index - 1) * 600, life }
        const running = Process.start(Machine.file, task, (line) => heard(index, line))
        machine.now = { ...running, address, isReady: false }
        const { now } = machine
        void running.ready.then(() => {
          now.isReady = true
          calm = Math.max(calm, Date.now())
        })
        void running.ended.then(() => {
          now.isReady = false
          // As what watches over programs does: one that ends by itself is started again.
          if (isEnding || running.child.killed) return
          // One whose database is silent ends itself.
          if (Date.now() > machine.silentUntil || running.child.exitCode !== 1) {
            complaints.push(`machine ${index} ended by itself: ${running.child.exitCode ?? running.child.signalCode}`)
          }
          setTimeout(start, 1000)
        })
      }
      const machine = { wire, start, silentUntil: 0, now: undefined as never as Life }
      start()
      return machine
    })
    const machines = yield* Effect.forEach([0, 1, 2], machineAt)
    yield* Effect.addFinalizer(() => Effect.sync(() => machines.forEach(({ now }) => now.child.kill("SIGKILL"))))

    const until = (holds: () => boolean, what: string) =>
      Effect.sync(holds).pipe(
        Effect.repeat({ until: (held) => held, schedule: Schedule.spaced(20) }),
        Effect.timeoutOrElse({
          duration: patience * 1000,
          orElse: () => Effect.sync(() => void complaints.push(`${what} within ${patience} s`))
        })
      )
    const pause = (least: number, most: number) => Effect.flatMap(Random.nextIntBetween(least, most), Effect.sleep)
    const senderOf = (visit: Visit | undefined) => machines.find(({ now }) => now.address === visit?.address)
    const sender = () => senderOf(service.visits.at(-1)) ?? machines[0]!

    const again = Effect.fnUntraced(function*(signal: NodeJS.Signals, which: Effect.Effect<typeof machines[number]>) {
      const machine = yield* which
      machine.now.child.kill(signal)
      yield* Effect.promise(() => machine.now.ended)
      yield* pause(0, 2000)
      machine.start()
    })
    const cut = (least: number, most: number, ...ways: ReadonlyArray<Wire.Way>) =>
      Effect.suspend(() => {
        const machine = sender()
        machine.silentUntil = Infinity
        machine.wire.cut(...ways)
        return Effect.ensuring(
          pause(least, most),
          Effect.sync(() => {
            // What waited may take as long to notice that it is back.
            machine.silentUntil = Date.now() + 15_000
            machine.wire.mend()
          })
        )
      })
    /** Troubles the database. A machine that is only starting then may end, and is started again. */
    const shaken = <E, R>(self: Effect.Effect<unknown, E, R>) =>
      Effect.suspend(() => {
        for (const machine of machines) if (!machine.now.isReady) machine.silentUntil = Date.now() + 45_000
        return self
      })
    const does: Readonly<Record<Trouble, Effect.Effect<unknown>>> = {
      kill: again("SIGKILL", Effect.sync(sender)),
      crash: again("SIGKILL", Effect.map(Random.shuffle(machines), ([any]) => any!)),
      stop: again("SIGTERM", Effect.sync(sender)),
      cut: cut(15_000, 30_000),
      hole: Effect.flatMap(Random.nextBoolean, (isTo) => cut(10_000, 20_000, isTo ? "to" : "from")),
      sever: Effect.suspend(() => Effect.sync(sender().wire.sever)),
      pause: Effect.suspend(() => {
        const { child } = sender().now
        // Node takes a child for killed that it sent any signal.
        process.kill(child.pid!, "SIGSTOP")
        return Effect.ensuring(pause(6000, 9000), Effect.sync(() => process.kill(child.pid!, "SIGCONT")))
      }),
      restart: shaken(Effect.andThen(database.stop, database.restart)),
      outage: shaken(Effect.andThen(database.stop, Effect.delay(database.restart, "30 seconds"))),
      terminate: shaken(database.cutAll)
    }

    yield* until(() => machines.every(({ now }) => now.isReady), "the machines were not ready")
    const marks: Array<{
      readonly trouble: Trouble
      readonly from: number
      readonly over: number
      readonly address: string
      /** From when another machine might send. */
      readonly other: number
    }> = []
    for (const [index, trouble] of plan.troubles.entries()) {
      tell(`${index} of ${plan.troubles.length}, ${visits().length} requests, ${JSON.stringify(outcomes)}`)
      const since = Date.now()
      yield* until(() => (service.visits.at(-1)?.at ?? 0) > since, `nothing was sent before "${trouble}"`)
      yield* until(() => machines.filter(({ now }) => now.isReady).length > 1, "only one machine was ready")
      yield* pause(0, 3000)
      const from = Date.now()
      const { address } = sender().now
      log(`${trouble}; machine ${machines.indexOf(sender())} sends from ${address}`)
      const others = machines.flatMap(({ now }) => now.isReady && now.address !== address ? [now.address] : [])
      // By the guard: it learns of a switch after the service, and holds an address back for so much longer.
      const { blocks, returns } = yield* SqlIpGuard.status({ account: budget.account }).pipe(
        Effect.provide(Database.open(database.url.href)),
        Effect.orDie
      )
      const safe = (own: string) =>
        Math.max(...[...blocks, ...returns].map(({ address, until }) => address === own ? until * 1000 : -Infinity))
      const other = Math.min(...others.map(safe))
      calm = Infinity
      yield* does[trouble]
      calm = Date.now()
      marks.push({ trouble, from, over: calm, address, other })
    }
    const job = plan.queries === 0 ? undefined : yield* Job.progress(budget.budget).pipe(
      Effect.repeat({ until: ({ ended }) => ended !== undefined, schedule: Schedule.spaced("1 second") }),
      Effect.timeoutOption(patience * 1000),
      Effect.map(Option.getOrUndefined),
      Effect.provide(Database.open(database.url.href))
    )
    if (plan.queries > 0 && (job?.answered ?? 0) + (job?.lost ?? 0) !== plan.queries) {
      complaints.push(`the job is not done: ${JSON.stringify(job)}`)
    }
    yield* until(() => machines.every(({ now }) => now.isReady), "the machines were not ready")
    const since = Date.now()
    yield* until(() => (service.visits.at(-1)?.at ?? 0) > since, "nothing was sent in the end")
    yield* pause(3000, 6000)
    isEnding = true
    for (const { now } of machines) now.child.stdin.end()
    yield* Effect.promise(() => Promise.all(machines.map(({ now }) => now.ended)))
    for (const [index, { now }] of machines.entries()) {
      if (now.child.exitCode !== 0) complaints.push(`machine ${index} did not end in order`)
    }
    yield* Effect.sleep(budget.lease + 100)
    const silences = marks.map(({ address, from, other, over, trouble }) => {
      const next = visits().findIndex((visit) => visit.at > over || visit.at > from && visit.address !== address)
      const { address: asks, at } = visits()[next] ?? { address: "no address", at: Infinity }
      // Where only the machine that was cut off may send, one can when it is back.
      const since = trouble === "outage" || trouble === "restart"
        ? over
        : lasting.has(trouble)
        ? Math.min(over, Math.max(from, other))
        : from
      const silence = Math.max(0, at - Math.max(since, next < 0 ? since : allowed(visits().slice(0, next), asks)))
      log(`${trouble} of ${address}: asked again at ${(at - began) / 1000} from ${asks}, after ${silence} ms`, from)
      if (silence > plan.soon) complaints.push(`${trouble}: the service was not asked for ${Math.round(silence)} ms`)
      return [trouble, silence] as const
    })
    const books = yield* Books.read(database.url.href, budget, {
      requests: visits().length,
      billed: (yield* service.billed) - before
    })
    const blocked = visits().filter(({ status }) => status === 403).length
    const repeated = visits().length - new Set(visits().map(({ target }) => target)).size
    if (blocked > 0) complaints.push(`${blocked} requests were refused because of their address`)
    if (repeated > 0) complaints.push(`${repeated} requests were sent twice`)
    if (vain > 0) complaints.push(`${vain} calls were refused because of their address while a machine might send`)
    if (slowest > Machine.deadline + 5000) complaints.push(`a call took ${Math.round(slowest)} ms`)
    for (const outcome of Object.keys(outcomes)) if (outcome.startsWith("Defect")) complaints.push(outcome)
    const all = [...complaints, ...Books.complaints(books)]
    return { books, blocked, job, largest, outcomes, slowest, silences, complaints: all }
  },
  Effect.scoped
)
