import * as Claim from "@effect-marketdata/client/Claim"
import { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { Job, JobSink } from "@effect-marketdata/cluster"
import { Answer, CalendarDate, DataMode, NewYork, Query, Reason } from "@effect-marketdata/core"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import { SqlLedger, Tables } from "@effect-marketdata/sql"
import { Clock, Deferred, Effect, Fiber, Layer, Option, Result, Stream } from "effect"
import { PersistenceError } from "effect/cluster/ClusterError"
import { MessageStorage } from "effect/cluster/MessageStorage"
import { SqlClient, type Statement } from "effect/sql"
import * as TestClock from "effect/testing/TestClock"
import { WorkflowEngine } from "effect/workflow/WorkflowEngine"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { type Database, kind } from "../../sql/test/support/databases.ts"
import { test } from "../../sql/test/support/onDatabase.ts"
import * as Input from "../src/job/input.ts"
import * as Store from "../src/job/store.ts"
import {
  ledger,
  type Machine,
  machine,
  type MachineOptions,
  type Run,
  service,
  until,
  untilOver
} from "./support/machines.ts"
import { pass } from "./support/time.ts"

const prices = (...symbols: ReadonlyArray<string>) => Result.getOrThrow(Query.stockPrices(symbols))

/** Queries of one credit each. */
const five = ["AAPL", "MSFT", "SPY", "QQQ", "F"].map((symbol) => prices(symbol))

/** A machine that has started the job "prices": five queries for five credits, unless said otherwise. */
const begun = Effect.fnUntraced(
  function*(database: Database, options: MachineOptions = {}, job: Partial<Job.Options> = {}) {
    const one = yield* machine(database, options)
    yield* one.use(Job.start({ id: "prices", queries: five, budget: 5, ...job }))
    return one
  }
)

const outcomes = ({ use }: Machine, id: string) =>
  Effect.map(use(Stream.runCollect(Job.outcomes(id))), (all) => all.map(({ outcome }) => outcome))

const kept = ({ use }: Machine, id: string) =>
  Effect.map(use(Stream.runCollect(JobSink.answers(id))), (all) => all.map(({ index }) => index))

const reasonOf = <A, R>(asked: Effect.Effect<A, import("@effect-marketdata/cluster/JobError").JobError, R>) =>
  Effect.map(Effect.flip(asked), ({ reason }) => reason)

/** The service that is asked, and what was sent to it. */
const sent = Effect.gen(function*() {
  const sandbox = yield* Sandbox.Sandbox
  return { billed: yield* sandbox.billed, requests: (yield* sandbox.requests).length }
})

/** Lets time go by, ten minutes at most, until something is so much. */
const reached = Effect.fnUntraced(function*<E, R>(count: Effect.Effect<number, E, R>, least: number) {
  for (let second = 0; (yield* count) < least && second < 600; second++) yield* pass(1)
})

/** Lets time go by until the ledger has so many credits as charged. */
const charged = ({ use }: Machine, credits: number) =>
  reached(
    Effect.map(use(Effect.orDie(SqlLedger.spending())), (rows) => rows.reduce((sum, row) => sum + row.credits, 0)),
    credits
  )

/** Tells the database of a machine something. */
const tell = <A extends object>({ use }: Machine, statement: (sql: SqlClient.SqlClient) => Statement.Statement<A>) =>
  use(Effect.flatMap(SqlClient.SqlClient, statement))

/** A client that is asked, and never hears the answer of those that are chosen. */
const deaf = (isDeaf: (query: Query.Query) => boolean) => (run: Run) => (query: Query.Query) =>
  isDeaf(query) ? Effect.andThen(run(query), Effect.never) : run(query)

const all = Result.getOrThrow(Query.optionChain("SPX", { expiration: "all" }))
const orLive = DataMode.cachedOrLive()

it("the price of a job is that of all its queries, and is refused above the budget, with both", () => {
  const priced = Job.price({ id: "prices", queries: five, budget: 5 })
  assert.deepStrictEqual(Result.getOrThrow(priced), { queries: 5, min: 0, max: 5, notStated: 0, unavailable: 0 })
  const { message, reason } = Result.getOrThrow(Result.flip(Job.price({ id: "prices", queries: five, budget: 4 })))
  assert.deepInclude(reason, { _tag: "TooExpensive", max: 5, budget: 4 })
  const words = /^the job "prices" may cost 5 credits, and its budget is 4\. Raise the budget, ask for less, or /
  assert.match(message, words)
})

it("the price of a job is refused without an upper bound, with the query that has none and what to do", () => {
  const queries = [...five, all]
  const { message, reason } = Result.getOrThrow(Result.flip(Job.price({ id: "SPX", queries, budget: 1e6 })))
  assert.deepInclude(reason, { _tag: "TooExpensive", budget: 1e6, unbounded: 1 })
  const words = /nothing bounds its price: 1 query has no upper bound, such as optionChain SPX.*\. Add assume: /
  assert.match(message, words)
  const held = Job.price({ id: "SPX", queries, budget: 10, whenOver: "hold" })
  assert.strictEqual(Result.getOrThrow(held).max, Infinity)
})

it("the price of a job of cached data that may fall back to live data is bounded by the consent", () => {
  const queries = [Result.getOrThrow(Query.optionChain("SPX", { expiration: "all", mode: orLive }))]
  assert.strictEqual(Result.getOrThrow(Job.price({ id: "SPX", queries, budget: 1, consent: 300 })).max, 1)
  const known = [Result.getOrThrow(Query.optionChain("SPX", { mode: orLive, assume: { contracts: 250 } }))]
  assert.strictEqual(Result.getOrThrow(Job.price({ id: "SPX", queries: known, budget: 300, consent: 300 })).max, 250)
  assert.strictEqual(Result.getOrThrow(Job.price({ id: "SPX", queries: known, budget: 300, consent: 200 })).max, 1)
})

it("the price of a job is refused with words where callers without types give something else", () => {
  const refusal = (options: object | undefined) => {
    const given = options === undefined ? options : { id: "a", queries: five, budget: 5, ...options }
    return Result.getOrThrow(Result.flip(Job.price(given as Job.Options))).message
  }
  assert.match(refusal(undefined), /^id undefined must be a string of 1 to 100 printable characters/)
  assert.match(refusal({ id: "a\nb" }), /^id "a\\nb" must be a string/)
  assert.match(refusal({ queries: [] }), /^queries \[\] must be a non-empty list of queries/)
  assert.match(refusal({ queries: ["SPX"] }), /^query "SPX" must be /)
  assert.match(refusal({ budget: undefined }), /^budget undefined must be a number of credits, 0 or more/)
  assert.match(refusal({ budget: Infinity }), /^budget Infinity must be a number of credits/)
  assert.match(refusal({ consent: -1 }), /^consent -1 must be a number of credits/)
  assert.match(refusal({ whenOver: "stop" }), /^whenOver "stop" must be "refuse" or "hold"/)
  assert.match(refusal({ whenLost: "again" }), /^whenLost "again" must be "report" or "askAgain"/)
})

test("asks each query once, keeps the answers, and says how it stands", function*(database) {
  const one = yield* machine(database)
  const queries = [...five, prices("NOSUCH"), prices("AAPL", "NOSUCH")]
  const begun = yield* one.use(Job.start({ id: "prices", queries, budget: 8 }))
  assert.deepInclude(begun, { state: "running", queries: 7, answered: 0, credits: 0 })
  const all = yield* Effect.forkChild(one.use(Stream.runCollect(Job.follow("prices"))))
  const over = yield* untilOver(one, "prices")
  assert.deepInclude(over, { state: "ended", answered: 6, failed: 1, lost: 0, credits: 6, uncertain: 0, asked: 0 })
  assert.deepStrictEqual(yield* sent, { billed: 6, requests: 7 })
  const told = yield* outcomes(one, "prices")
  assert.deepInclude(told[0], { _tag: "Answered", credits: 1, missing: [] })
  assert(told[5]?._tag === "Failed" && told[5].error.reason._tag === "NotFound")
  assert.deepStrictEqual(yield* kept(one, "prices"), [0, 1, 2, 3, 4, 6])
  yield* pass(2)
  const seen = yield* Fiber.join(all)
  assert.deepStrictEqual(seen[seen.length - 1], over)
  assert.isAbove(seen.length, 1)
}, service({ latency: "2 seconds" }))

test("asks through the gateway of the account, with its claims in the ledger there", function*(database) {
  const one = yield* begun(database, { gateway: true })
  assert.deepInclude(yield* untilOver(one, "prices"), { answered: 5, credits: 5, uncertain: 0 })
  const claimed = yield* Effect.orDie(one.use(SqlLedger.claimed({ account: "main", key: "job prices query 4" })))
  assert.deepInclude(claimed, { state: "charged", requests: 1, credits: 1 })
  assert.deepStrictEqual(yield* sent, { billed: 5, requests: 5 })
}, service())

test("is refused before anything is stored or sent", function*(database) {
  const one = yield* machine(database)
  const refused = yield* reasonOf(one.use(Job.start({ id: "prices", queries: five, budget: 4 })))
  assert.deepInclude(refused, { _tag: "TooExpensive", max: 5, budget: 4 })
  assert.deepInclude(yield* reasonOf(one.use(Job.progress("prices"))), { _tag: "UnknownJob", id: "prices" })
  assert.strictEqual((yield* reasonOf(one.use(Job.cancel("prices"))))._tag, "UnknownJob")
  assert.strictEqual((yield* reasonOf(one.use(Job.resume("prices"))))._tag, "UnknownJob")
  assert.strictEqual((yield* reasonOf(one.use(Job.progress(""))))._tag, "InvalidQuery")
  const followed = Stream.runDrain(Job.follow("prices", { every: 0 }))
  assert.strictEqual((yield* reasonOf(one.use(followed)))._tag, "InvalidQuery")
  yield* pass(2)
  assert.deepStrictEqual(yield* sent, { billed: 0, requests: 0 })
}, service())

test("is held to its budget: what does not fit is not asked", function*(database) {
  const one = yield* machine(database)
  const chain = Result.getOrThrow(Query.optionChain("SPX", { expiration: "all" }))
  yield* one.use(Job.start({ id: "prices", queries: [chain, ...five], budget: 3, whenOver: "hold" }))
  const over = yield* untilOver(one, "prices")
  assert.deepInclude(over, { state: "ended", answered: 3, notAsked: 3, credits: 3, reserved: 0 })
  const told = yield* outcomes(one, "prices")
  assert.deepStrictEqual(told[0], { _tag: "NotAsked", credits: 0, uncertain: 0, bound: Infinity })
  assert.strictEqual((yield* sent).billed, 3)
}, service({ latency: "2 seconds" }))

test("[8.3-fallback] pays for live data no more than its consent: what costs more is not sent", function*(database) {
  const one = yield* machine(database)
  // What the first pays for is cached afterwards, whichever of both is asked first.
  const queries = [["F"], ["AAPL", "MSFT"]].map((tickers) =>
    Result.getOrThrow(Query.stockPrices(tickers, { mode: DataMode.cachedOrLive() }))
  )
  yield* one.use(Job.start({ id: "prices", queries, budget: 4, consent: 1 }))
  assert.deepInclude(yield* untilOver(one, "prices"), { answered: 1, failed: 1, credits: 1, uncertain: 0 })
  const told = yield* outcomes(one, "prices")
  assert(told[1]?._tag === "Failed" && told[1].error.reason._tag === "FallbackDeclined")
  assert.strictEqual((yield* sent).billed, 1)
}, service({ cold: ["F", "AAPL", "MSFT"] }))

test("is one job under its name, and another list under it is refused", function*(database) {
  const one = yield* machine(database)
  const job = { id: "prices", queries: five, budget: 5 }
  yield* one.use(Job.start(job))
  yield* one.use(Job.start(job))
  assert.strictEqual((yield* untilOver(one, "prices")).answered, 5)
  assert.deepInclude(yield* one.use(Job.start(job)), { state: "ended", answered: 5 })
  assert.strictEqual((yield* reasonOf(one.use(Job.start({ ...job, budget: 6 }))))._tag, "NameInUse")
  // Its runners may have no `Job.layer`.
  const execute = () => Effect.die(new Error("no runner runs jobs"))
  const vain = Effect.updateService(Job.start({ ...job, id: "vain" }), WorkflowEngine, (own) => ({ ...own, execute }))
  assert.match((yield* Effect.flip(one.use(vain))).message, /no runner runs jobs/)
  yield* pass(2)
  assert.deepStrictEqual(yield* sent, { billed: 5, requests: 5 })
}, service())

test("of another version is refused by name, is suspended, and goes on once it can be read", function*(database) {
  const one = yield* machine(database, { client: deaf(() => true) })
  const version = (version: number) => tell(one, (sql) => sql`UPDATE marketdata_job SET version = ${version}`)
  yield* one.use(Job.start({ id: "prices", queries: five, budget: 5, whenLost: "report" }))
  yield* until(one, "prices", ({ asked }) => asked > 0)
  yield* version(2)
  yield* one.stop
  const two = yield* machine(database)
  const suspended = tell(two, (sql) => sql`SELECT id FROM marketdata_job WHERE problem IS NOT NULL`)
  yield* reached(Effect.map(suspended, ({ length }) => length), 1)
  assert.deepStrictEqual(
    yield* reasonOf(two.use(Job.progress("prices"))).pipe(Effect.map(({ message }) => message)),
    "the job \"prices\" was written as version 2, and this program reads version 1. Run the same version of " +
      "effect-marketdata on all machines, and then Job.resume it. Nothing was sent."
  )
  yield* version(1)
  assert.deepInclude(yield* two.use(Job.progress("prices")), { state: "suspended" })
  yield* Effect.forkChild(Effect.delay(two.use(Job.resume("prices")), "10 seconds"))
  assert.deepInclude(yield* untilOver(two, "prices"), { state: "ended", problem: undefined })
}, service())

test("has the times of its database, since machines may have different clocks", function*(database) {
  const one = yield* machine(database)
  const before = yield* one.use(Effect.orDie(Tables.now))
  yield* one.use(Job.start({ id: "prices", queries: five, budget: 5 }))
  yield* one.use(Job.cancel("prices"))
  const { cancelled = NaN, ended = NaN, started } = yield* untilOver(one, "prices")
  const after = yield* one.use(Effect.orDie(Tables.now))
  const times = [before, started, cancelled, ended, after]
  assert.deepStrictEqual(times, times.toSorted((a, b) => a - b))
}, service())

test("is cancelled from another machine: what is under way is finished, nothing else begins", function*(database) {
  const one = yield* begun(database, { runner: { concurrency: 2 } })
  yield* until(one, "prices", ({ asked }) => asked === 2)
  const sql = yield* Layer.build(database.open)
  const elsewhere = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) => Effect.provideContext(effect, sql)
  yield* elsewhere(Job.cancel("prices"))
  assert.deepInclude(yield* elsewhere(Job.progress("prices")), { state: "cancelling", asked: 2, reserved: 2 })
  const over = yield* untilOver(one, "prices")
  assert.deepInclude(over, { state: "cancelled", answered: 2, asked: 0, notAsked: 0, credits: 2 })
  yield* elsewhere(Job.cancel("prices"))
  yield* pass(10)
  assert.deepStrictEqual(yield* sent, { billed: 2, requests: 2 })
}, service({ latency: "5 seconds" }))

describe("A job whose process dies", () => {
  /** Starts a job on a machine that is stopped before it hears the answer, and continues on another. */
  const continued = Effect.fnUntraced(function*(options: Partial<Job.Options> = {}) {
    const database = yield* kind.make
    const one = yield* begun(database, { client: deaf((query) => query.tickers.includes("SPY")) }, {
      budget: 6,
      ...options
    })
    yield* until(one, "prices", ({ answered }) => answered === 4)
    yield* charged(one, 5)
    yield* one.stop
    const two = yield* machine(database)
    return { two, over: yield* untilOver(two, "prices") }
  })

  it.effect("says what an answer cost that was lost, and sends nothing twice", function*() {
    const { over, two } = yield* continued()
    assert.deepInclude(over, { state: "ended", answered: 4, lost: 1, credits: 5, uncertain: 0 })
    const detail = "an earlier run was charged, and its answer was lost"
    assert.deepStrictEqual((yield* outcomes(two, "prices"))[2], { _tag: "Lost", credits: 1, uncertain: 0, detail })
    assert.deepStrictEqual(yield* sent, { billed: 5, requests: 5 })
  }, service())

  it.effect("asks again where that is allowed and the budget has room, and counts both", function*() {
    const { over, two } = yield* continued({ whenLost: "askAgain" })
    assert.deepInclude(over, { state: "ended", answered: 5, lost: 0, credits: 6, uncertain: 0 })
    assert.deepInclude((yield* outcomes(two, "prices"))[2], { _tag: "Answered", credits: 2 })
    assert.deepStrictEqual(yield* sent, { billed: 6, requests: 6 })
  }, service())

  it.effect("does not ask again above the budget", function*() {
    const { over } = yield* continued({ whenLost: "askAgain", budget: 5 })
    assert.deepInclude(over, { state: "ended", answered: 4, lost: 1, credits: 5 })
    assert.deepStrictEqual(yield* sent, { billed: 5, requests: 5 })
  }, service())

  test("is asked nothing again for two machines, or once it is cancelled", function*(database) {
    const { use } = yield* machine(database)
    const place = { id: "prices", index: 0 }
    const input = { queries: five, budget: 2, consent: 0, whenOver: "hold", whenLost: "askAgain" } as const
    yield* use(Effect.andThen(Store.insert("prices", input), Store.begin(place, 1)))
    const again = Store.again(place, 1, { credits: 1, uncertain: 0 })
    assert.deepStrictEqual((yield* use(Effect.all([again, again])))[1], { _tag: "Ask", asks: 2 })
    const late = Store.again(place, 2, Store.free)
    assert.isUndefined(yield* use(Effect.andThen(Job.cancel("prices"), late)))
  }, service())

  const asked = { answered: 5, lost: 0, credits: 5 }
  for (
    const [ending, whenLost, over] of [
      ["lost", "report", { answered: 4, lost: 1, credits: 4, uncertain: 1 }],
      ["lost", "askAgain", { ...asked, uncertain: 1 }],
      ["free", "report", { ...asked, uncertain: 0 }]
    ] as const
  ) {
    test(
      `asks nothing again that is in flight, and then only what may be paid twice or is ${ending} (${whenLost})`,
      function*(database) {
        const sql = yield* Layer.build(database.open)
        const own = yield* Effect.provideContext(SqlLedger.makeUnlimited(ledger), sql)
        const claim = { key: "job prices query 0", run: "elsewhere" }
        const reservation = yield* Effect.provideService(own.reserve(1), Claim.Current, claim)
        yield* reservation.send(1, 0)
        const one = yield* begun(database, {}, { budget: 9, whenLost })
        assert.deepInclude(yield* until(one, "prices", () => false, 30), { answered: 4, asked: 1, lost: 0 })
        if (ending === "free") yield* reservation.charge({ credits: 0, uncertain: 0 }, 0)
        yield* reservation.settle
        assert.deepInclude(yield* untilOver(one, "prices"), over)
        assert.strictEqual((yield* sent).requests, over.answered)
        // What may have been charged is taken from the budget, too.
        const taken = over.credits + over.uncertain
        assert.deepStrictEqual(yield* tell(one, (sql) => sql`SELECT taken FROM marketdata_job`), [{ taken }])
      },
      service()
    )
  }

  /** A sink that holds an answer up, before or after it is kept. */
  const slow = (when: "before" | "after") =>
    Layer.effect(
      JobSink.JobSink,
      Effect.map(JobSink.JobSink, ({ has, put }) => ({
        has: (place: JobSink.Place) => when === "before" ? Effect.fail({ message: "away" }) : has(place),
        put: (place: JobSink.Place, answer: Parameters<typeof put>[1]) =>
          when === "before" ? Effect.never : Effect.andThen(put(place, answer), Effect.never)
      }))
    ).pipe(Layer.provide(JobSink.layerSql))

  for (const when of ["before", "after"] as const) {
    test(`${when} its answers are kept: they are ${when === "before" ? "lost" : "found"}`, function*(database) {
      const one = yield* begun(database, { sink: slow(when), runner: { concurrency: 5 } })
      yield* charged(one, 5)
      if (when === "after") yield* reached(Effect.map(kept(one, "prices"), ({ length }) => length), 5)
      yield* one.stop
      const two = yield* machine(database, { sink: slow(when), runner: { patience: "5 seconds" } })
      const over = yield* untilOver(two, "prices")
      const found = when === "after" ? 5 : 0
      assert.deepInclude(over, { state: "ended", answered: found, lost: 5 - found, credits: 5, uncertain: 0 })
      assert.lengthOf(yield* kept(two, "prices"), found)
      assert.deepStrictEqual(yield* sent, { billed: 5, requests: 5 })
    }, service())
  }

  for (const isStopped of [false, true]) {
    const moved = isStopped ? "after it has given the job up" : "and still believes that it has the job"
    test(`and is found alive, ${moved}: its late answer takes the place of what was lost`, function*(database) {
      const answers = yield* Deferred.make<void>()
      const one = yield* machine(database, {
        // It does not look for messages: it would take those of the machine that has the job now.
        polls: "1 day",
        client: (run) => (query) => Effect.tap(run(query), Deferred.await(answers))
      })
      yield* one.use(Job.start({ id: "prices", queries: five.slice(0, 1), budget: 5 }))
      yield* charged(one, 1)
      if (isStopped) yield* one.stop
      const two = yield* machine(database)
      assert.deepInclude(yield* untilOver(two, "prices"), { state: "ended", lost: 1, credits: 1 })
      yield* Deferred.succeed(answers, undefined)
      const found = yield* until(two, "prices", ({ lost }) => lost === 0)
      assert.deepInclude(found, { answered: 1, credits: 1, uncertain: 0 })
      assert.deepStrictEqual(yield* sent, { billed: 1, requests: 1 })
    }, service())
  }
})

describe("A job whose surroundings fail", () => {
  /** A client whose gateway takes no calls for a while, and whose guard of the address cannot be asked each second time. */
  const away = (times: number, wasSent: boolean) => (run: Run) => {
    let left = times
    const gone = new Reason.GatewayUnavailable({ cause: "Unreachable", detail: "no runner", wasSent })
    const unguarded = new Reason.GuardUnavailable({ detail: "no database", wasSent })
    return (query: Query.Query) => {
      if (left-- <= 0) return run(query)
      const error = new MarketDataError({ query: "prices", reason: left % 2 === 0 ? unguarded : gone, trace: [] })
      return Effect.andThen(wasSent ? Effect.exit(run(query)) : Effect.void, error)
    }
  }

  test("waits until its gateway and its guard are there", function*(database) {
    const one = yield* begun(database, { client: away(12, false) })
    assert.deepInclude(yield* untilOver(one, "prices"), { answered: 5, credits: 5 })
  }, service())

  test("does not send again what its gateway may have sent", function*(database) {
    const one = yield* begun(database, { client: away(1, true) })
    assert.deepInclude(yield* untilOver(one, "prices"), { answered: 4, lost: 1, credits: 5, uncertain: 0 })
    assert.deepStrictEqual(yield* sent, { billed: 5, requests: 5 })
  }, service())

  const spent = { "its gateway": [0, 0], "its answers": [5, 0], "its answers and its ledger": [0, 5] } as const
  for (const [gone, [credits, uncertain]] of Object.entries(spent)) {
    test(`gives up without ${gone} when its patience is over, and says what may have been spent`, function*(database) {
      const isSent = gone !== "its gateway"
      const one = yield* machine(database, { client: away(Infinity, isSent), runner: { patience: "1 minute" } })
      const started = yield* Clock.currentTimeMillis
      yield* one.use(Job.start({ id: "prices", queries: five, budget: 5 }))
      if (isSent) yield* charged(one, 4)
      if (credits === 0) yield* tell(one, (sql) => sql`ALTER TABLE marketdata_event RENAME claim TO elsewhere`)
      assert.deepInclude(yield* untilOver(one, "prices"), { failed: 5, credits, uncertain })
      assert.isAtLeast((yield* Clock.currentTimeMillis) - started, 60_000)
    }, service())
  }

  test("is cancelled while it waits for its gateway", function*(database) {
    const one = yield* begun(database, { client: away(Infinity, false) })
    yield* until(one, "prices", ({ asked }) => asked === 4)
    yield* one.use(Job.cancel("prices"))
    assert.deepInclude(yield* until(one, "prices", ({ ended }) => ended !== undefined, 60), { failed: 4, asked: 0 })
  }, service())

  /** A client whose calls all end for this reason, after they may have been charged a credit. */
  const failing = (reason: Reason.Reason) => () => () => {
    const attempt = { target: "", status: undefined, charge: undefined, uncertain: 1, repeats: 0, elsewhere: 0, reason }
    return Effect.fail(new MarketDataError({ query: "prices", reason, trace: [Answer.makeAttempt(attempt)] }))
  }

  const timedOut = new Reason.TimedOut({ milliseconds: 1, limit: "attempt", mayHaveBeenCharged: true })
  test("counts what a failure may have cost", function*(database) {
    const one = yield* begun(database, { client: failing(timedOut) })
    assert.deepInclude(yield* untilOver(one, "prices"), { failed: 5, credits: 0, uncertain: 5 })
  }, service())

  test("waits for a ledger that cannot be read, and takes for charged what it does not know", function*(database) {
    const one = yield* machine(database, { client: failing(new Reason.AlreadySent({ key: "prices", time: 0 })) })
    yield* tell(one, (sql) => sql`ALTER TABLE marketdata_event RENAME claim TO elsewhere`)
    yield* one.use(Job.start({ id: "prices", queries: five, budget: 5 }))
    assert.deepInclude(yield* until(one, "prices", () => false, 30), { asked: 4, lost: 0 })
    yield* tell(one, (sql) => sql`ALTER TABLE marketdata_event RENAME elsewhere TO claim`)
    assert.deepInclude(yield* untilOver(one, "prices"), { lost: 5, credits: 0, uncertain: 5 })
  }, service())

  test("goes on when the database is there again, also after its patience is over", function*(database) {
    const one = yield* machine(database, { runner: { patience: "20 seconds" } })
    const renamed = (table: string, column: string) =>
      [[column, "elsewhere"], ["elsewhere", column]].map(([from, to]) => `ALTER TABLE ${table} RENAME ${from} TO ${to}`)
    const troubles = {
      "no outcome can be recorded": renamed("marketdata_job_query", "state"),
      "the engine cannot store that the job is over": renamed("cluster_replies", "payload")
    }
    for (const [id, statements] of Object.entries(troubles)) {
      yield* one.use(Job.start({ id, queries: five, budget: 5 }))
      yield* until(one, id, ({ asked }) => asked === 4)
      for (const statement of statements) {
        yield* tell(one, (sql) => sql.unsafe(statement))
        yield* pass(60)
      }
      assert.deepInclude(yield* untilOver(one, id), { state: "ended", answered: 5, credits: 5 }, id)
    }
    assert.deepStrictEqual(yield* sent, { billed: 10, requests: 10 })
  }, service({ latency: "5 seconds" }))

  test("whose list is long is a text before its transaction begins, and is read with pauses", function*(database) {
    const { use } = yield* machine(database)
    const { id, input } = Result.getOrThrow(Input.of({ id: "long", queries: Array(1000).fill(five[0]), budget: 1000 }))
    const order: Array<PropertyKey> = []
    const noted = <A extends object>(of: A) =>
      new Proxy(of, { get: (of, key) => (order.push(key), Reflect.get(of, key)) })
    const sql = noted(yield* use(SqlClient.SqlClient))
    yield* Effect.provideService(Store.insert(id, noted(input)), SqlClient.SqlClient, sql)
    assert.isBelow(order.indexOf("queries"), order.indexOf("onDialectOrElse"))
    let turns = 0
    const counting = setInterval(() => turns++)
    assert.deepStrictEqual(yield* use(Store.input(id)), input)
    clearInterval(counting)
    assert.isAbove(turns, 5)
  }, service())

  test("keeps a paid answer once its sink is back, even if the job has moved to another machine", function*(database) {
    const answers = new Set<number>()
    let isAway = true
    const put = ({ index }: { readonly index: number }) =>
      Effect.suspend(() => isAway ? Effect.fail({ message: "away" }) : Effect.sync(() => void answers.add(index)))
    const sink = Layer.succeed(JobSink.JobSink, { put, has: ({ index }) => Effect.sync(() => answers.has(index)) })
    const one = yield* machine(database, { sink })
    yield* one.use(Job.start({ id: "prices", queries: five.slice(0, 1), budget: 1 }))
    yield* charged(one, 1)
    yield* one.stop
    isAway = false
    const two = yield* machine(database, { sink })
    assert.deepInclude(yield* untilOver(two, "prices"), { state: "ended", credits: 1 })
    assert.deepInclude(yield* until(two, "prices", ({ lost }) => lost === 0, 60), { answered: 1, lost: 0, credits: 1 })
  }, service())

  test("is suspended by a sink that breaks, and counts as lost what it refuses", function*(database) {
    let put: Effect.Effect<never, JobSink.Refusal> = Effect.die("a bug\0")
    const sink = Layer.succeed(JobSink.JobSink, { put: () => put, has: () => Effect.succeed(false) })
    const doubtful = (run: Run) => (query: Query.Query) =>
      Effect.map(run(query), (answer) => ({ ...answer, credits: { ...answer.credits, uncertain: 1 } }))
    const runner = { concurrency: 1, patience: "1 minute" } as const
    const one = yield* begun(database, { client: doubtful, sink, runner }, { budget: 10 })
    // PostgreSQL has no NUL in a text: there it is written with an escape.
    const { problem = "" } = yield* until(one, "prices", ({ state }) => state === "suspended", 60)
    assert.include(["a bug\0", "a bug\\u0000"], problem)
    put = Effect.fail({ message: "the disk’s quota is used up" })
    // It goes on even if the problem could not be recorded.
    yield* pass(5)
    yield* tell(one, (sql) => sql`UPDATE marketdata_job SET problem = NULL`)
    yield* one.use(Job.start({ id: "prices", queries: five, budget: 10 }))
    // What the first one cost is known from the ledger.
    assert.deepInclude(yield* untilOver(one, "prices"), { lost: 5, credits: 5, uncertain: 4 })
    const detail = "the answer could not be kept: the disk’s quota is used up"
    assert.deepInclude((yield* outcomes(one, "prices"))[1], { _tag: "Lost", detail })
    // Databases of every encoding hold ASCII.
    yield* one.use(Store.keep({ id: "prices", index: 1 }, JSON.stringify("’")))
    const texts = yield* tell(
      one,
      (sql) => sql`SELECT outcome FROM marketdata_job_query UNION SELECT answer FROM marketdata_job_answer`
    )
    assert.match(JSON.stringify(texts), /^[\0-\x7f]*u2019[\0-\x7f]*$/)
  }, service())

  const tables = "marketdata_job marketdata_job_query marketdata_job_answer cluster_messages cluster_replies".split(" ")
  /** How many rows there are of all jobs, and how many of the engine's: a message and a reply of each job. */
  const rows = (one: Machine) =>
    Effect.forEach(tables, (table) =>
      Effect.map(
        tell(one, (sql) => sql.unsafe<{ count: unknown }>(`SELECT COUNT(*) AS count FROM ${table}`)),
        ([row]) => Number(row?.count)
      ))

  test("gives all that is kept of it, in order, however much that is", function*(database) {
    const one = yield* machine(database)
    // More rows than are read at once, some of them larger than all that is read at once.
    const texts = Array.from({ length: 450 }, (_, index) => "x".repeat(index % 150 === 7 ? 9_000_000 : index))
    yield* one.use(Effect.forEach(texts, (text, index) => Store.keep({ id: "large", index }, text)))
    const read = yield* one.use(Stream.runCollect(Store.kept("large")))
    const sizes = read.map(({ number, text }) => [number, text.length])
    assert.deepStrictEqual(sizes, texts.map((text, at) => [at, text.length]))
  }, service())

  test("is removed with all that is kept of it once it is over, and is not paid again", function*(database) {
    const one = yield* begun(database)
    assert.deepInclude(yield* one.use(reasonOf(Job.remove("prices"))), { _tag: "NotOver", id: "prices" })
    yield* untilOver(one, "prices")
    yield* pass(5)
    assert.isTrue((yield* rows(one)).every((count) => count > 0))
    // What the engine keeps would take a new job of that name for the old one: a removal that fails half way can be done again.
    const clearAddress = () => new PersistenceError({ cause: "gone" })
    const cut = Effect.updateService(Job.remove("prices"), MessageStorage, (own) => ({ ...own, clearAddress }))
    assert.deepInclude(yield* one.use(reasonOf(cut)), { _tag: "JobsUnavailable" })
    yield* one.use(Job.remove("prices"))
    assert.deepStrictEqual(yield* rows(one), [0, 0, 0, 0, 0])
    assert.deepInclude(yield* one.use(reasonOf(Job.progress("prices"))), { _tag: "UnknownJob" })
    assert.deepInclude(yield* one.use(reasonOf(Job.remove("prices"))), { _tag: "UnknownJob" })
    // The ledger still knows what was paid under that name: nothing is sent again.
    yield* one.use(Job.start({ id: "prices", queries: five, budget: 5 }))
    assert.deepInclude(yield* untilOver(one, "prices"), { lost: 5, credits: 5 })
    assert.deepStrictEqual(yield* sent, { billed: 5, requests: 5 })
  }, service())

  test("leaves nothing, and nothing of the engine, after as long as it is kept", function*(database) {
    const one = yield* begun(database)
    yield* untilOver(one, "prices")
    yield* pass(5)
    yield* one.stop
    /** What is left when a machine starts that many hours later: this is waited for, since a busy server is late. */
    const leftAfter = Effect.fnUntraced(function*(hours: number, isLeft: (rows: ReadonlyArray<number>) => boolean) {
      const next = yield* machine(database, { runner: { keep: "3 hours" } })
      yield* tell(next, (sql) => sql`UPDATE marketdata_job SET ended = ended - ${hours * 3600}`)
      yield* next.stop
      const last = yield* machine(database, { runner: { keep: "3 hours" } })
      for (let second = 0; second < 60; second++) {
        yield* pass(1)
        if (second > 1 && isLeft(yield* rows(last))) break
      }
      return yield* rows(last)
    })
    assert.deepStrictEqual(yield* leftAfter(1.5, () => true), [1, 5, 5, 1, 1])
    const other = { id: "other", version: 2, input: "", queries: 1, budget: 1, started: 0, ended: 0 }
    const insert = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO marketdata_job ${sql.insert(other)}`)
    yield* Effect.provide(insert, database.open)
    // What this version cannot read is left, and keeps nothing else.
    assert.deepStrictEqual(yield* leftAfter(2, (rows) => rows[0] === 1), [1, 0, 0, 0, 0])
  }, service())

  test("is started on each trading day at its time of New York, and on no other day", function*(database) {
    const days: Array<number> = []
    const job = (date: CalendarDate.CalendarDate) => {
      days.push(date.day)
      return { queries: [prices("AAPL")], budget: date.day === 23 ? 0 : date.day }
    }
    // The price of Monday is above the budget, Thursday is Thanksgiving, and the week ends on Friday.
    const trading = [24, 27]
    for (const day of [23, 24, 26, 27, 28]) {
      yield* TestClock.setTime((NewYork.at(CalendarDate.makeUnsafe(2026, 11, day), 15, 44) + 30) * 1000)
      const one = yield* machine(database, { schedule: { name: "close", at: "15:45", job } })
      const id = `close 2026-11-${day}`
      const progress = one.use(Effect.option(Job.progress(id)))
      yield* pass(20)
      assert.isTrue(Option.isNone(yield* progress), id)
      yield* pass(20)
      // A busy server is late.
      for (let second = 0; trading.includes(day) && second < 60 && Option.isNone(yield* progress); second++) {
        yield* pass(1)
      }
      assert.strictEqual(Option.getOrUndefined(yield* progress)?.budget, trading.includes(day) ? day : undefined, id)
      yield* one.stop
    }
    assert.isAtMost(days.filter((day) => day === 23).length, 1)
  }, service())

  test("is not run, scheduled or read with what cannot be", function*(database) {
    const refusal = (options: object) => Effect.map(Effect.flip(machine(database, options)), ({ message }) => message)
    const schedule = { name: "close", at: "15:45", job: () => ({ queries: five, budget: 5 }) }
    const scheduled = (changes: object) => refusal({ schedule: { ...schedule, ...changes } })
    assert.match(yield* scheduled({ name: "" }), /^name "" must be a string of 1 to 80 printable characters/)
    assert.match(yield* scheduled({ at: "24:00" }), /^at "24:00" must be a time of New York/)
    assert.match(yield* scheduled({ job: five }), /must be a function of the day/)
    const run = (runner: object) => refusal({ runner })
    assert.match(yield* run({ account: "" }), /^account "" must be a string of 1 to 100 printable characters/)
    assert.match(yield* run({ budget: 5 }), /^budget 5 must be a string/)
    assert.match(yield* run({ concurrency: 0 }), /^concurrency 0 must be an integer of at least 1/)
    assert.match(yield* run({ keep: 0 }), /^keep 0 must be a duration above zero/)
    assert.match(yield* run({ patience: "soon" }), /^patience "soon" must be a duration above zero/)
    const asked = JobSink.answers(null as unknown as string).pipe(Stream.runCollect, Effect.provide(database.open))
    assert.match((yield* Effect.flip(asked)).message, /^id null must be a string of 1 to 100 printable characters/)
  }, service())
})
