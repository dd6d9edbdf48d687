/** A ledger in a database does what the one in memory does, step by step: the same answers, the same balance, the same history. */
import { Claim, CreditLedger } from "@effect-marketdata/client"
import * as Query from "@effect-marketdata/core/Query"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Result, Scope, Stream } from "effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { forAllAsync, runs } from "../../core/test/support/depth.ts"
import { type Database, type Kind, kind, pass, setTime } from "./support/databases.ts"

/** 2026-11-20, 12:00 in New York, in seconds. */
const noon = Date.UTC(2026, 10, 20, 17) / 1000

/** A step: which of the reservations so far, which of its requests, and how many credits. */
const command = fc.record({
  step: fc.constantFrom("reserve", "reserve", "send", "send", "charge", "charge", "lose", "settle", "wait", "reopen"),
  which: fc.nat({ max: 5 }),
  request: fc.nat({ max: 1 }),
  credits: fc.oneof(fc.nat({ max: 60 }), fc.constantFrom(NaN, -1, 2.5, Infinity)),
  ceiling: fc.constantFrom(undefined, undefined, 0, 50),
  claim: fc.constantFrom(undefined, { key: "a", run: "1" }, { key: "a", run: "2" }, { key: "b", run: "1" }),
  besides: fc.oneof(fc.constant(0), fc.nat({ max: 20 })),
  seconds: fc.oneof(fc.nat({ max: 90 }), fc.nat({ max: 20 }).map((hours) => hours * 3600)),
  figures: fc.option(
    fc.record({
      limit: fc.constant(1000),
      remaining: fc.integer({ min: -5, max: 200 }),
      reset: fc.nat({ max: 90_000 })
    }),
    { nil: undefined, freq: 3 }
  )
})
type Command = typeof command extends fc.Arbitrary<infer A> ? A : never

type Service = CreditLedger.CreditLedger["Service"]

/** A ledger that can be closed and opened again; who is in memory closes what is open by hand. */
interface Subject {
  readonly ledger: () => Service
  readonly reopen: (open: ReadonlyArray<CreditLedger.Reservation>) => Effect.Effect<void>
  readonly events: Effect.Effect<ReadonlyArray<CreditLedger.Event>>
}

type Opening = "day" | "minute" | "none" | "unlimited" | "following"

const query = Result.getOrThrow(Query.optionChain("SPX", { dte: 30, strikeLimit: 25 }))

const inMemory = Effect.fnUntraced(function*(opening: Opening, allowance: number): Effect.fn.Return<Subject> {
  const ledger = yield* opening === "unlimited"
    ? CreditLedger.makeUnlimited()
    : opening === "following"
    ? CreditLedger.makeFollowing({ allowance })
    : CreditLedger.makeMemory({ allowance, window: opening })
  const seen: Array<CreditLedger.Event> = []
  yield* Effect.forkChild(Stream.runForEach(ledger.history, (event) => Effect.sync(() => seen.push(event))))
  return {
    ledger: () => ledger,
    reopen: Effect.forEach((reservation) => reservation.settle, { discard: true }),
    events: Effect.as(TestClock.adjust(0), seen)
  }
})

const inDatabase = (
  database: Database,
  opening: Opening,
  allowance: number
): Effect.Effect<Subject, never, Scope.Scope> =>
  Effect.gen(function*() {
    const open = Effect.gen(function*() {
      const scope = yield* Scope.make()
      const client = yield* Layer.buildWithScope(database.open, scope)
      const options = { account: "main", allowance, lease: "1 day" } as const
      const made = opening === "unlimited"
        ? SqlLedger.makeUnlimited(options)
        : opening === "following"
        ? SqlLedger.makeFollowing(options)
        : SqlLedger.make({ ...options, window: opening })
      const ledger = yield* Effect.orDie(made).pipe(Effect.provideContext(Context.add(client, Scope.Scope, scope)))
      return { ledger, scope, client }
    })
    let opened = yield* open
    yield* Effect.addFinalizer(() => Scope.close(opened.scope, Exit.void))
    return {
      ledger: () => opened.ledger,
      reopen: () =>
        Effect.gen(function*() {
          yield* Scope.close(opened.scope, Exit.void)
          opened = yield* open
        }),
      events: Stream.runCollect(Stream.map(SqlLedger.history(), ({ event }) => event)).pipe(Effect.orDie, (read) =>
        Effect.suspend(() => Effect.provideContext(read, opened.client)))
    }
  })

/** Takes a step, and tells what came of it. */
const take = (subject: Subject, open: Array<CreditLedger.Reservation>, command: Command): Effect.Effect<unknown> => {
  const { besides, ceiling, claim, credits, figures, request, step, which } = command
  const reservation = open[which]
  const during = <A, E>(use: (reservation: CreditLedger.Reservation) => Effect.Effect<A, E>) =>
    reservation === undefined ? Effect.void : Effect.result(use(reservation))
  const told = figures === undefined ? undefined : { ...figures, reset: noon + figures.reset }
  switch (step) {
    case "reserve":
      return Effect.map(Effect.result(subject.ledger().reserve(credits, query, ceiling)), (made) => {
        if (Result.isSuccess(made)) open.push(made.success)
        return Result.isSuccess(made) ? "reserved" : made.failure
      }).pipe(Effect.provideService(Claim.Current, claim))
    case "send":
      return during(({ send }) => send(credits, request))
    case "charge":
      return during(({ charge }) => charge({ credits, uncertain: besides, computed: credits }, request, told))
    case "lose":
      return during(({ markLost }) => markLost(request, told))
    case "settle":
      return during(({ settle }) => settle)
    case "wait":
      return Effect.void
    case "reopen":
      return Effect.tap(subject.reopen(open), () => Effect.sync(() => void (open.length = 0)))
  }
}

const agree = (kind: Kind, opening: Opening, allowance: number, commands: ReadonlyArray<Command>) =>
  Effect.gen(function*() {
    const made = yield* kind.make
    yield* setTime(made, noon * 1000)
    const memory = yield* inMemory(opening, allowance)
    const database = yield* inDatabase(made, opening, allowance)
    const [here, there]: [Array<CreditLedger.Reservation>, Array<CreditLedger.Reservation>] = [[], []]
    for (const command of commands) {
      if (command.step === "wait") yield* pass(made, command.seconds * 1000)
      const expected = yield* take(memory, here, command)
      assert.deepStrictEqual(yield* take(database, there, command), expected)
      assert.deepStrictEqual(yield* database.ledger().balance, yield* memory.ledger().balance)
    }
    yield* memory.reopen(here)
    yield* database.reopen(there)
    const [kept, remembered] = [yield* database.events, yield* memory.events]
    // Who closes a ledger closes all that is open in one step, by hand it is one step each: what is left afterwards is compared above.
    const comparable = (events: ReadonlyArray<CreditLedger.Event>) =>
      events.map(({ available, ...event }) => {
        assert.isNumber(available)
        return "query" in event ? { ...event, query: event.query && Query.format(event.query) } : event
      })
    assert.deepStrictEqual(comparable(kept), comparable(remembered))
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.orDie)

it(`does what the ledger in memory does, whatever is asked of it and however often it is closed, on ${kind.name}`, () => {
  const openings = fc.constantFrom<Opening>("day", "minute", "none", "unlimited", "following")
  const commands = fc.array(command, { maxLength: 30 })
  return forAllAsync(
    { numRuns: kind.name === "SQLite" ? runs(60, 30) : 20, seed: 56_003 },
    openings,
    fc.integer({ min: 0, max: 200 }),
    commands,
    (opening, allowance, commands) => Effect.runPromise(agree(kind, opening, allowance, commands))
  )
})
