/** The story of a seed: machines are started, get into trouble, are mended, ask once more, and are stopped. Then the books are compared. */
import type * as Gateway from "@effect-marketdata/cluster/Gateway"
import * as Account from "@effect-marketdata/core/Account"
import { Accounts, Sandbox } from "@effect-marketdata/sandbox"
import { Chance, SeededRuntime, SeededService } from "@effect-marketdata/testing"
import { Effect, type Fiber, Layer, type Scope } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Asking from "./asking.ts"
import * as Audit from "./audit.ts"
import * as Books from "./books.ts"
import * as Database from "./database.ts"
import * as Machine from "./machine.ts"
import * as Network from "./network.ts"
import * as Programs from "./programs.ts"
import * as Sockets from "./sockets.ts"
import * as Troubles from "./troubles.ts"

export interface Setting {
  readonly seed: number
  readonly runtime: SeededRuntime.SeededRuntime
  readonly audit: Audit.Audit
  readonly parts: Programs.Parts
}

const second = 1000
const minute = 60 * second

/** How long there is trouble. */
const length = 2 * minute

/** When a machine that was told to end has ended, be it that its program was killed. */
const toEnd = Machine.grace + second

/** After so long no lease of the ledger holds any more. */
const leases = 61 * second

/** The rule for programs that are told to end. */
const ending = "a program that is told to end does"

const token = `${Audit.mark}-main-token`

const allowance = { credits: 100_000, window: "day" } as const
const account = Account.make({ plan: "paid", user: Account.nonProfessional("realTime"), allowance })

export const tell = ({ audit, parts, runtime, seed }: Setting): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function*() {
    const chance = Chance.make(seed, "story")
    const network = Network.make({ runtime, chance: Chance.make(seed, "network") })
    const database = Database.make({ chance: Chance.make(seed, "database"), network, now: runtime.now })
    yield* Effect.addFinalizer(() => Effect.sync(database.close))
    const shape = Chance.make(seed, "shape")
    const shares = shape.is(0.5)
    const budget = shape.is(0.5) ? 5 + shape.below(20) : undefined
    const world: Programs.World = { database, sockets: Sockets.make(network), shares, budget }
    const watch = SeededRuntime.watching(audit.seek)

    const addresses = new Map<string, string>()
    const service = yield* SeededService.make({
      chance: Chance.make(seed, "service"),
      machine: runtime,
      sandbox: Sandbox.layer({ seed, accounts: [Accounts.make(token, account)], latency: "20 millis" }),
      mishaps: 0.4,
      // What is on its way when its runner is killed reaches the service within a lease. For how long it may be on its way no guard can know.
      late: "replies",
      onSent: (exchange) => audit.sent(exchange, addresses.get(exchange.desk) ?? ""),
      onServed: audit.served
    })

    /** What a process asks of the service goes on without it. */
    const httpOf = (host: Network.Host, program: string, address: string): HttpClient.HttpClient => {
      addresses.set(program, address)
      const client = service.clientAt(program, address)
      return HttpClient.make((request) =>
        Effect.callback((resume) => {
          let asked: Fiber.Fiber<unknown, unknown> | undefined
          runtime.post(() => {
            const fiber = runtime.fork(client.execute(request))
            asked = fiber
            fiber.addObserver((exit) => void host.process.post(() => resume(exit)))
          })
          return Effect.sync(() => void runtime.post(() => asked?.interruptUnsafe()))
        })
      )
    }

    let isMended = false

    /** A machine whose clock may be up to ten minutes away from the others'. */
    const start = (name: string, program: (host: Network.Host, life: number) => Effect.Effect<unknown, unknown>) =>
      Machine.start({
        name,
        ahead: chance.is(0.7) ? chance.below(20 * minute) - 10 * minute : 0,
        chance,
        network,
        runtime,
        program: (host, life) => Effect.provideContext(program(host, life), watch),
        onOverdue: (host) => {
          audit.overdue(host.name)
          // A program that is cut off waits for what it began. A writer of the library may wait for ever, see decision 25.
          const mayWait = !isMended || database.isSilentTo(host) || world.sockets.isStuck(host)
          if (!mayWait) audit.violate(ending, host.name)
        }
      })

    const runners = [1, 2, 3].map((number) =>
      start(`runner-${number}`, (host, life) => {
        // A machine keeps its address, as a rule.
        const address = `198.51.100.${life > 1 && chance.is(0.1) ? chance.pick([1, 4]) : number}`
        audit.event(`${host.name} starts at ${address}`)
        const http = httpOf(host, `${host.name}.${life}`, address)
        return Effect.scoped(
          Effect.andThen(Layer.build(Programs.runner(world, { host, address, http, parts, token })), Effect.never)
        )
      })
    )

    const over = runtime.now() + length
    const done = new Map<string, Gateway.Status>()
    const asking: Asking.Callers = {
      audit,
      chance: Chance.make(seed, "callers"),
      patience: chance.pick([10 * second, 30 * second, 2 * minute]),
      world,
      isOver: () => runtime.now() >= over,
      isMended: () => isMended,
      done,
      asked: 0
    }
    const callers = [1, 2].map((number) =>
      start(
        `caller-${number}`,
        (host) => Effect.provide(Asking.program(asking, host.name), Programs.caller(world, host, asking.patience))
      )
    )
    const machines = [...runners, ...callers]

    /** Waits until something is so, which by a rule is not for ever. */
    const until = Effect.fnUntraced(function*(rule: string, milliseconds: number, isSo: () => boolean) {
      const latest = runtime.now() + milliseconds
      while (!isSo() && runtime.now() < latest) yield* Effect.sleep(second)
      if (!isSo()) {
        audit.violate(rule, machines.map(({ isRunning, name }) => `${name}: ${isRunning() ? "runs" : "ended"}`).join())
      }
    })

    yield* Troubles.make({ audit, callers, chance, database, network, runners, runtime, until: over })
    const isCalm = () => machines.every(({ isRunning }) => isRunning()) && audit.open().length === 0
    yield* until("every caller gets an answer or a typed error", asking.patience + minute + 40 * second, isCalm)
    isMended = true
    service.calm = true
    const latest = Asking.longest + Asking.leftBehind + 10 * second
    yield* until("the account is served again when all is mended", latest, () => done.size === callers.length)
    const [last] = [...done.values()].slice(-1)
    if (last !== undefined && last.running + last.waiting > 0) {
      audit.violate("no call is left in the room", `${last.running} run, ${last.waiting} wait`)
    }
    for (const machine of machines) machine.end()
    yield* until(ending, toEnd, () => machines.every(({ isRunning }) => !isRunning()))
    yield* Effect.sleep(leases)
    const books = yield* Books.read(database, network.host("accountant"))
    audit.settle(books, Books.open(database), (caller) => caller === Programs.thrifty ? world.budget : undefined)
  })
