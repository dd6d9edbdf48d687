import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import type * as Query from "@effect-marketdata/core/Query"
import { assert } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import * as TestClock from "effect/testing/TestClock"
import { cutOff, pricesBody, symbolsOf } from "./scripted.ts"

/** A number from 0 on and below 1 that depends on the seed and the words only, not on what else was drawn. */
export const draw = (seed: number, ...words: ReadonlyArray<string | number>): number => {
  let hash = 0x811c9dc5 ^ seed
  for (const character of words.join(" ")) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  hash = Math.imul(hash ^ hash >>> 16, 0x85ebca6b)
  hash = Math.imul(hash ^ hash >>> 13, 0xc2b2ae35)
  return ((hash ^ hash >>> 16) >>> 0) / 2 ** 32
}

/** The tickers that a caller asks for: one to six, which are up to three requests of two. */
export const tickersOf = (seed: number, caller: number): ReadonlyArray<string> =>
  Array.from({ length: 1 + Math.floor(draw(seed, "tickers", caller) ** 2 * 6) }, (_, index) => `C${caller}N${index}`)

/** The caller that asks for a ticker. */
const callerOf = (ticker: string): number => Number(/^C(\d+)N/.exec(ticker)?.[1])

/** The most tickers in one request. */
export const maxSymbols = 2

/** How far a caller has come. */
export type Stage = "not asked" | "refused" | "reserved" | "in flight" | "in the body" | "between attempts" | "settled"

/** Where each caller is at the moment, for those who want to interrupt it there. */
export class Stages {
  private readonly reached = new Map<number, Stage>()
  of(caller: number): Stage {
    return this.reached.get(caller) ?? "not asked"
  }
  reach(tickers: ReadonlyArray<string>, stage: Stage): void {
    this.reached.set(callerOf(tickers[0] ?? ""), stage)
  }
}

/** What a request comes to: so much is billed, at half time, and then this is replied. */
interface Reply {
  readonly bill: number
  readonly reply: "refuses" | "resets" | "hangs" | "stalls" | "breaks off" | { readonly status: number }
  readonly symbols?: ReadonlyArray<string>
  readonly consumed?: number
}

/**
 * A service that bills, loses, refuses and stalls by the seed, and knows the truth: what it billed within the bounds, and beyond them, which it
 * does only where `plants`.
 */
export class Service {
  billed = 0
  planted = 0
  requests = 0
  private readonly attempts = new Map<string, number>()
  private readonly seed: number
  private readonly plants: boolean
  private readonly stages: Stages

  constructor(seed: number, plants: boolean, stages: Stages) {
    this.seed = seed
    this.plants = plants
    this.stages = stages
  }

  /** What the service does with a request for some tickers that costs one credit each at most. */
  private replyTo(symbols: ReadonlyArray<string>, attempt: number): Reply {
    const bound = symbols.length
    const dice = (what: string) => draw(this.seed, what, symbols[0]!, attempt)
    const some = Math.floor(dice("bill") * (bound + 1))
    const kind = dice("kind")
    if (kind < 0.06) return { bill: 0, reply: "refuses" }
    if (kind < 0.14) return { bill: some, reply: "resets" }
    if (kind < 0.18) return { bill: some, reply: "hangs" }
    // A reply whose body is lost may have said in its headers what it cost.
    const stated = dice("stated") < 0.3 ? { consumed: some } : {}
    if (kind < 0.22) return { bill: some, reply: "stalls", ...stated }
    if (kind < 0.28) return { bill: some, reply: "breaks off", ...stated }
    if (kind < 0.38) return { bill: 0, reply: { status: 503 } }
    if (kind < 0.42) return { bill: 0, reply: { status: 404 } }
    if (kind < 0.47 && this.plants) {
      const consumed = bound + 1 + Math.floor(dice("beyond") * 5)
      return { bill: consumed, consumed, symbols, reply: { status: 200 } }
    }
    // Fewer symbols than were asked for cost less; and what the service says was consumed may be less again.
    if (dice("reported") < 0.5) return { bill: some, consumed: some, symbols, reply: { status: 200 } }
    const returned = symbols.slice(0, 1 + Math.floor(dice("returned") * bound))
    return { bill: returned.length, symbols: returned, reply: { status: 200 } }
  }

  /** Receives a request, bills it and gives the reply, each in its time. */
  ask(symbols: ReadonlyArray<string>): Effect.Effect<Reply> {
    return Effect.suspend(() => {
      const key = symbols.join()
      const attempt = (this.attempts.get(key) ?? 0) + 1
      this.attempts.set(key, attempt)
      this.requests++
      const reply = this.replyTo(symbols, attempt)
      const half = Effect.sleep(5 + Math.floor(draw(this.seed, "delay", key, attempt) ** 3 * 1500))
      const settle = Effect.sync(() => {
        this.billed += Math.min(reply.bill, symbols.length)
        this.planted += Math.max(0, reply.bill - symbols.length)
      })
      return half.pipe(Effect.andThen(settle), Effect.andThen(half), Effect.as(reply))
    })
  }

  /** The same over HTTP. */
  readonly client = HttpClient.make((request, url) => {
    const fails = (code: string) =>
      Effect.fail(
        new HttpClientError.HttpClientError({
          reason: new HttpClientError.TransportError({ request, cause: Object.assign(new Error(code), { code }) })
        })
      )
    const respond = (status: number, body: string | ReadableStream<Uint8Array>, headers = {}) => {
      if (typeof body !== "string") this.stages.reach(symbolsOf(url), "in the body")
      return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(body, { status, headers })))
    }
    return Effect.flatMap(this.ask(symbolsOf(url)), ({ consumed, reply, symbols = [] }) => {
      const headers = consumed === undefined ? {} : { "x-api-ratelimit-consumed": String(consumed) }
      switch (reply) {
        case "refuses":
          return fails("ECONNREFUSED")
        case "resets":
          return fails("ECONNRESET")
        case "hangs":
          return Effect.never
        case "stalls":
          return respond(200, beginning(), headers)
        case "breaks off":
          return respond(200, cutOff(`{"s":"ok",`), headers)
        default:
          return respond(reply.status, reply.status === 200 ? pricesBody(symbols) : "{}", headers)
      }
    })
  })
}

/** A body that begins, and never goes on. */
const beginning = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(`{"s":"ok",`)) })

/** What the accountant knows of a reservation. */
interface Account {
  readonly bound: number
  readonly used: number
  readonly open: ReadonlyMap<number, number>
  readonly settled: number
}

const inFlight = ({ open }: Account): number => [...open.values()].reduce((sum, bound) => sum + bound, 0)
const held = (account: Account): number =>
  account.settled > 0 ? 0 : Math.max(0, account.bound - account.used, inFlight(account))

/**
 * Keeps the ledger a second time, from what is asked of the first and not from what that makes of it, and stops the moment in which more is
 * admitted than the budget has. It notes a release before the ledger does and an admission after it, so that a switch of fibers
 * in between cannot blame the ledger.
 */
export class Accountant {
  readonly accounts: Array<Account> = []
  admitted = 0
  refused = 0
  charged = 0
  uncertain = 0
  excess = 0
  overruns = 0
  private total = 0
  private readonly allowance: number
  private readonly stages: Stages

  constructor(allowance: number, stages: Stages) {
    this.allowance = allowance
    this.stages = stages
  }

  private note(id: number, change: (account: Account) => Account): void {
    const before = this.accounts[id]!
    const after = change(before)
    this.accounts[id] = after
    this.total += held(after) - held(before)
    const committed = this.charged + this.uncertain + this.total
    if (committed > this.allowance + this.excess) assert.fail(`admitted ${committed} of ${this.allowance}`)
  }

  private close(id: number, request: number, credits: number): void {
    this.note(id, (account) => {
      const open = new Map(account.open)
      assert.isTrue(open.delete(request), "recorded a request that was not in flight")
      return { ...account, used: account.used + credits, open }
    })
  }

  /** The ledger, watched. */
  watch(ledger: CreditLedger.CreditLedger["Service"]): CreditLedger.CreditLedger["Service"] {
    const reserve = (bound: number, query?: Query.Query) =>
      Effect.tapError(
        Effect.map(ledger.reserve(bound, query), (reservation) => {
          const tickers = query?.tickers ?? []
          const id = this.accounts.push({ bound: 0, used: 0, open: new Map(), settled: 0 }) - 1
          this.note(id, (account) => ({ ...account, bound }))
          this.admitted++
          this.stages.reach(tickers, "reserved")
          return this.watchReservation(reservation, id, tickers)
        }),
        () =>
          Effect.sync(() => {
            this.refused++
            this.stages.reach(query?.tickers ?? [], "refused")
          })
      )
    return { ...ledger, reserve }
  }

  private watchReservation(
    { charge, markLost, send, settle }: CreditLedger.Reservation,
    id: number,
    tickers: ReadonlyArray<string>
  ): CreditLedger.Reservation {
    const first = <A, E>(note: () => void, step: Effect.Effect<A, E>) => Effect.andThen(Effect.sync(note), step)
    return {
      send: (bound, request) =>
        Effect.map(send(bound, request), () => {
          this.note(id, (account) => ({
            ...account,
            bound: Math.max(account.bound, account.used + inFlight(account) + bound),
            open: new Map(account.open).set(request, bound)
          }))
          this.stages.reach(tickers, "in flight")
        }),
      charge: (amount, request, figures) =>
        first(() => {
          const excess = Math.max(0, amount.credits - (this.accounts[id]!.open.get(request) ?? 0))
          this.charged += amount.credits
          this.excess += excess
          this.overruns += excess > 0 ? 1 : 0
          this.close(id, request, amount.credits)
          this.stages.reach(tickers, "between attempts")
        }, charge(amount, request, figures)),
      markLost: (request, figures) =>
        first(() => {
          const credits = this.accounts[id]!.open.get(request) ?? 0
          this.uncertain += credits
          this.close(id, request, credits)
          this.stages.reach(tickers, "between attempts")
        }, markLost(request, figures)),
      settle: first(() => {
        assert.strictEqual(this.accounts[id]!.open.size, 0, "settled with requests in flight")
        this.note(id, (account) => ({ ...account, settled: account.settled + 1 }))
        this.stages.reach(tickers, "settled")
      }, settle)
    }
  }
}

/** Reads the whole history of a ledger that is at rest. */
export const wholeHistory = (
  ledger: CreditLedger.CreditLedger["Service"]
): Effect.Effect<ReadonlyArray<CreditLedger.Event>> =>
  Effect.gen(function*() {
    const events: Array<CreditLedger.Event> = []
    const reader = yield* Effect.forkChild(
      Stream.runForEach(ledger.history, (event) => Effect.sync(() => events.push(event)))
    )
    yield* TestClock.adjust(0)
    yield* Fiber.interrupt(reader)
    return events
  })
