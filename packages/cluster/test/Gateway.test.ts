import { CacheFallback, Claim, CreditLedger, MarketData, Policies, ReplyCache } from "@effect-marketdata/client"
import { IpGuard } from "@effect-marketdata/client/IpGuard"
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import { Gateway, Protocol } from "@effect-marketdata/cluster"
import { DataMode, Query, Schemas } from "@effect-marketdata/core"
import { MarketDataTest, Model } from "@effect-marketdata/testing"
import { Cause, Context, Effect, Exit, Fiber, Layer, Metric, Option, Result, Schema, Scope } from "effect"
import { Sharding } from "effect/cluster/Sharding"
import * as Socket from "effect/socket/Socket"
import * as TestClock from "effect/testing/TestClock"
import { balance, clientOf, passing, Requests, sent } from "../../client/test/support/clients.ts"
import { pricesBody, replying, type Script, service, symbolsOf } from "../../client/test/support/scripted.ts"
import { runs } from "../../core/test/support/depth.ts"
import { assert, describe, it, vi } from "../../core/test/support/it.ts"
import * as Calling from "../src/gateway/calling.ts"
import * as Serving from "../src/gateway/serving.ts"
import { connections } from "../src/runner/sockets.ts"
import { Connections } from "../src/wire/connections.ts"
import { callerNamed, runner, through } from "./support/embedded.ts"

/** What a caller sees of an answer or an error, as JSON. */
const seen = (query: Query.Query): Effect.Effect<unknown, never, MarketData.MarketData | CacheFallback.CacheFallback> =>
  MarketData.run(query).pipe(
    Effect.flatMap((answer) => Effect.orDie(Schema.encodeEffect(Schemas.AnswerTo(query))(answer))),
    Effect.catch((error) => Effect.succeed(JSON.parse(JSON.stringify(error))))
  )

const reasonOf = <A, R>(asked: Effect.Effect<A, MarketDataError, R>) =>
  Effect.map(Effect.flip(asked), ({ reason }) => reason)

const ok = (url: URL): Script => ({ status: 200, body: pricesBody(symbolsOf(url)) })
const refused: Script = { status: 400, body: `{"s":"error","errmsg":"no"}` }
const slow = (url: URL): Script => ({ ...ok(url), after: "10 seconds" })
const prices = (...symbols: ReadonlyArray<string>) => MarketData.stockPrices(symbols.length === 0 ? ["A"] : symbols)

const query = Result.getOrThrow

/** A query of every kind: tables, values, texts, free ones, cached ones, and some that fail. */
const queries: ReadonlyArray<Query.Query> = [
  query(Query.optionChain("AAPL", { expiration: "all" })),
  query(Query.optionChain("SPX", { mode: DataMode.cachedOrLive({ maxAge: "5 minutes" }), dte: 30 })),
  query(Query.optionChain("AAPL", { mode: "cached", columns: ["strike", "last"] })),
  query(Query.optionChain("NOSUCH")),
  query(Query.optionExpirations("AAPL")),
  query(Query.optionStrikes("AAPL")),
  query(Query.optionLookup("AAPL 12/18/2026 150 call")),
  query(Query.stockQuotes(["AAPL", "MSFT"], { include: ["candle"] })),
  query(Query.stockPrices(["AAPL", "NOSUCH"])),
  query(Query.stockCandles("D", "AAPL", { from: "2026-01-02", to: "2026-03-31" })),
  Query.asCsv(query(Query.stockCandles("D", "AAPL", { to: "2026-03-31", countback: 5 }))),
  query(Query.stockNews("AAPL")),
  query(Query.marketStatus()),
  Query.account,
  Query.serviceStatus,
  Query.requestHeaders
]

/** When the scripted quotes were taken. */
const quoted = 1_795_208_000

/** A client that does something before each query. */
const noting = (first: Effect.Effect<unknown>) =>
  Layer.effect(
    MarketData.MarketData,
    Effect.map(MarketData.MarketData, ({ run }) =>
      MarketData.MarketData.of({
        run: ((query: Query.Query) => Effect.andThen(first, run(query))) as typeof run
      }))
  )

/** A gateway and its callers with one cache, and what its runner was asked and what the service. */
const withCache = () => {
  const http = replying(ok)
  const counts = { runs: 0, consents: 0 }
  const counted = noting(Effect.sync(() => counts.runs++))
  const consent = Layer.succeed(CacheFallback.CacheFallback, { decide: () => Effect.sync(() => ++counts.consents) })
  const client = Layer.provide(counted, clientOf(http)).pipe(
    Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(quoted * 1000)))
  )
  const layer = through(client, { caller: { baseUrl: "https://service.test" } }).pipe(
    Layer.provide(ReplyCache.layerMemory({ account: "main", maxBytes: 1_000_000 })),
    Layer.merge(consent)
  )
  return { counts, http, layer }
}

it.effect("[8.3-age] a caller that shares the cache of the runners reads what is kept without asking a runner, within its maximum age", () => {
  const { counts, http, layer } = withCache()
  const within = (maxAge: "5 minutes" | "1 hour") =>
    MarketData.stockPrices(["A"], { mode: DataMode.cached({ maxAge }) })
  return Effect.gen(function*() {
    const first = yield* within("5 minutes")
    yield* TestClock.setTime((quoted + 300) * 1000)
    const second = yield* within("5 minutes")
    assert.deepStrictEqual(second.data.toJSON(), first.data.toJSON())
    assert.deepInclude(second.provenance, { source: "local", age: 300 })
    assert.deepInclude(second.credits, { charged: 0, uncertain: 0 })
    assert.deepInclude(counts, { runs: 1 })
    yield* TestClock.setTime((quoted + 301) * 1000)
    assert.notStrictEqual((yield* within("5 minutes")).provenance.source, "local")
    assert.deepInclude(counts, { runs: 2 })
    assert.lengthOf(http.requests, 2)
  }).pipe(Effect.provide(layer))
})

it.effect("a caller that shares the cache of the runners asks for what is not kept as if it had no cache: once for consent, once for the answer", () => {
  const { counts, http, layer } = withCache()
  return Effect.gen(function*() {
    yield* MarketData.stockPrices(["A"], { mode: DataMode.cachedOrLive({ maxAge: "5 minutes" }) })
    assert.deepStrictEqual(counts, { runs: 1, consents: 1 })
    yield* MarketData.stockPrices(["A"])
    yield* MarketData.run(Query.serviceStatus).pipe(Effect.exit)
    assert.deepStrictEqual(counts, { runs: 3, consents: 1 })
    assert.lengthOf(http.requests, 3)
  }).pipe(Effect.provide(layer))
})

it.effect("layer answers every query as the client behind it does", function*() {
  const direct = yield* Effect.forEach(queries, seen).pipe(Effect.provide(MarketDataTest.layer()))
  const gateway = yield* Effect.forEach(queries, seen).pipe(Effect.provide(through(MarketDataTest.layer())))
  for (const [at, query] of queries.entries()) assert.deepStrictEqual(gateway[at], direct[at], Query.format(query))
}, CacheFallback.layerUpTo(5000))

it.effect("layer holds the model of the service", function*() {
  const client: NonNullable<Model.ClientOptions["client"]> = (config) => through(MarketData.layerNoDeps(config))
  yield* Model.check(Model.ofClient({ client }), { seed: 1, runs: runs(8, 4) })
})

const refusing = replying((url) => symbolsOf(url).includes("B") ? refused : ok(url))
it.effect("layer gives the part of an answer that there is, and says what is missing", function*() {
  const part = yield* MarketData.partial(prices("A", "B"))
  assert.deepStrictEqual(part.data.symbol.values, ["A"])
  const reason = yield* reasonOf(prices("A", "B"))
  assert(reason._tag === "Incomplete")
  assert.deepStrictEqual(reason.missing, ["B"])
  assert.strictEqual(reason.answered.credits.charged, 1)
  assert.strictEqual(reason.errors[0].reason._tag, "BadRequest")
}, through(clientOf(refusing, { maxSymbols: 1 })))

it.effect("layer refuses what is not a query, and options that cannot be, before anything is sent", function*() {
  const http = replying(ok)
  const refusal = (caller: object) =>
    reasonOf(prices()).pipe(Effect.map((reason) => reason.message), Effect.provide(through(clientOf(http), { caller })))
  const nothing = yield* reasonOf(MarketData.run("SPX" as never)).pipe(Effect.provide(through(clientOf(http))))
  assert.strictEqual(nothing._tag, "InvalidQuery")
  assert.match(yield* refusal({ account: "" }), /^account "" must be a string of 1 to 100 printable characters/)
  assert.match(yield* refusal({ account: undefined }), /^account undefined must be a string/)
  assert.match(yield* refusal({ caller: "a\nb" }), /^caller "a\\nb" must be a string/)
  assert.match(yield* refusal({ patience: 0 }), /^patience 0 must be a duration above zero/)
  assert.lengthOf(http.requests, 0)
})

it.effect("terms sends the consent to pay: what the caller did not consent to is not spent", function*() {
  const ask = MarketData.stockPrices(["A"], { mode: DataMode.cachedOrLive() })
  const declined = yield* reasonOf(Effect.provide(ask, CacheFallback.layerUpTo(0)))
  assert.deepInclude(declined, { _tag: "FallbackDeclined", price: 1, ceiling: 0 })
  assert.strictEqual(yield* sent, 1)
}, through(clientOf(service({ status: 204 }, { status: 200, body: pricesBody(["A"]) }))))

const half = replying((url) =>
  url.searchParams.get("mode") === "cached" && symbolsOf(url).includes("B") ? { status: 204 } : ok(url)
)
it.effect("terms consents to the part of a list that costs no more than the ceiling, if all does", function*() {
  const ask = MarketData.stockPrices(["A", "B"], { mode: DataMode.cachedOrLive() })
  const { data } = yield* Effect.provide(ask, CacheFallback.layerUpTo(1))
  assert.deepStrictEqual(data.symbol.values, ["A", "B"])
}, through(clientOf(half, { maxSymbols: 1 })))

it.effect("terms obeys the policies at the call where it is sent", function*() {
  const asked = (script: Script, policies: Layer.Layer<never>) =>
    Effect.all([Effect.provide(reasonOf(prices()), policies), sent]).pipe(
      Effect.provide(through(clientOf(service(script))))
    )
  const odd = `{"s":"ok","symbol":["A"],"mid":[1],"change":[1],"changepct":[1],"updated":[1],"odd":[1]}`
  const [strict] = yield* asked({ status: 200, body: odd }, Layer.succeed(Policies.Findings, "strict"))
  assert.strictEqual(strict._tag, "MalformedReply")
  const [once, requests] = yield* asked({ status: 502 }, RetryPolicy.layerNone)
  assert.deepStrictEqual([once._tag, requests], ["ServerFault", 1])
  const hurried = Layer.merge(Layer.succeed(Policies.AttemptTimeout, 2000), RetryPolicy.layerNone)
  const [late] = yield* passing(asked({ hangs: true }, hurried), "3 seconds")
  assert.deepInclude(late, { _tag: "TimedOut", milliseconds: 2000 })
})

it.effect("terms obeys the policies under the caller's layer, and a call's own first", function*() {
  const claim = Layer.succeed(Claim.Current, { key: "month", run: "a" })
  const policies = Layer.mergeAll(Layer.succeed(Policies.AttemptTimeout, 2000), RetryPolicy.layerNone, claim)
  const http = service({ hangs: true })
  const claims: Array<Claim.Claim | undefined> = []
  const noted = Layer.provide(noting(Effect.map(Claim.Current, (claim) => claims.push(claim))), clientOf(http))
  const late = (asked = prices()) =>
    passing(reasonOf(Effect.provide(asked, Layer.fresh(Layer.provide(callerNamed("one"), policies)))), "10 seconds")
  yield* Effect.gen(function*() {
    assert.deepInclude(yield* late(), { _tag: "TimedOut", milliseconds: 2000 })
    const own = Effect.provideService(prices(), Policies.AttemptTimeout, 5000)
    assert.deepInclude(yield* late(Effect.provideService(own, Claim.Current, undefined)), { milliseconds: 5000 })
  }).pipe(Effect.provide(through(noted)))
  assert.strictEqual(claims[0]?.key, "month")
  assert.notStrictEqual(claims[1]?.key, "month")
})

it.effect("terms shares one request between callers of several machines that ask the same", function*() {
  const ask = Effect.provideService(prices(), Policies.Coalesce, true)
  yield* passing(Effect.all([ask, Effect.provide(ask, callerNamed("two"))], { concurrency: 2 }), "20 seconds")
  assert.strictEqual(yield* sent, 1)
}, through(clientOf(replying(slow))))

it.effect("terms refuses typed what no policy can be, before anything is sent", function*() {
  const reason = yield* reasonOf(Effect.provideService(prices(), Policies.AttemptTimeout, -1))
  assert.deepInclude(reason, { _tag: "InvalidQuery", parameter: "policies" })
  assert.strictEqual(yield* sent, 0)
}, through(clientOf(replying(ok))))

it.effect("terms counts the time that a call waits for its turn against its deadline", function*() {
  const hurried = prices("B").pipe(Effect.provide(RetryPolicy.layer({ deadline: 15_000 })))
  yield* Effect.forkChild(prices())
  yield* Effect.yieldNow
  const reason = yield* passing(reasonOf(hurried), "16 seconds")
  assert.deepInclude(reason, { _tag: "TimedOut", limit: "deadline" })
}, through(clientOf(replying(slow)), { entity: { maxInFlight: 1 } }))

describe.each(["as messages", "straight"])("a runner that stops, to which calls come %s", (way) => {
  const known = way === "straight"
    ? Layer.sync(Connections, () => connections({ name: "one", proof: "" }))
    : Layer.empty
  /** A gateway over a client, with a caller beside it, and what stops it. */
  const stoppable = Effect.fnUntraced(function*<E, R>(client: Layer.Layer<MarketData.MarketData, E, R>) {
    const cluster = yield* Layer.build(callerNamed("one").pipe(Layer.provideMerge(runner), Layer.provideMerge(known)))
    const scope = yield* Scope.make()
    const entity = Gateway.layerEntity().pipe(
      Layer.provide([client, Layer.succeedContext(Context.omit(MarketData.MarketData)(cluster))])
    )
    yield* Layer.buildWithScope(entity, scope)
    // The account is here before the first call, which else comes as a message.
    const running = Effect.map(Effect.provideContext(Gateway.status("main"), cluster), ({ running }) => running)
    assert.strictEqual(yield* running, 0)
    const asked = Effect.provideContext(Effect.exit(prices()), cluster)
    const begun = Effect.tap(Effect.forkChild(asked), TestClock.adjust("1 second"))
    return { running, asked, begun, stop: Scope.close(scope, Exit.void) }
  })

  /** Why a call was not answered, and whether it was perhaps sent. */
  const unavailable = (exit: Exit.Exit<unknown, MarketDataError>) => {
    assert(Exit.isFailure(exit))
    const { reason } = Option.getOrThrow(Cause.findErrorOption(exit.cause))
    assert(reason._tag === "GatewayUnavailable", exit.cause.toString())
    return [reason.cause, reason.detail, reason.wasSent]
  }

  it.effect("has nothing running for a caller that went away", function*() {
    const { begun, running } = yield* stoppable(clientOf(replying(slow)))
    const call = yield* begun
    assert.strictEqual(yield* running, 1)
    yield* Fiber.interrupt(call)
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* running, 0)
  })

  it.effect("lets end what it has begun", function*() {
    const { begun, stop } = yield* stoppable(clientOf(replying(slow)))
    const call = yield* begun
    const stopped = yield* Effect.forkChild(stop)
    yield* TestClock.adjust("8 seconds")
    assert.deepStrictEqual([call.pollUnsafe(), stopped.pollUnsafe()], [undefined, undefined])
    yield* TestClock.adjust("2 seconds")
    assert.isTrue(Exit.isSuccess(yield* Fiber.join(call)))
    yield* Fiber.join(stopped)
  })

  it.effect("ends typed what it cannot finish in time, and the caller knows that it may have been sent", function*() {
    const http = service({ hangs: true })
    const client = yield* Layer.build(clientOf(http, { allowance: 10 }))
    const { begun, stop } = yield* stoppable(Layer.succeedContext(client))
    const call = yield* begun
    assert.lengthOf(http.requests, 1)
    yield* passing(stop, "1 minute")
    assert.deepStrictEqual(unavailable(yield* Fiber.join(call)), ["Unreachable", "this program is stopping", true])
    assert.deepInclude(yield* Effect.provideContext(balance, client), { reserved: 0, uncertain: 1 })
  })

  it.effect("does not keep a caller whose call cannot be interrupted, as where no database answers", function*() {
    const stuck = Layer.succeed(MarketData.MarketData, { run: () => Effect.uninterruptible(Effect.never) })
    const { begun, stop } = yield* stoppable(stuck)
    const call = yield* begun
    yield* Effect.forkChild(stop)
    yield* TestClock.adjust("1 minute")
    assert.isDefined(call.pollUnsafe())
    assert.deepStrictEqual(unavailable(yield* Fiber.join(call)), ["Unreachable", "this program is stopping", true])
  })

  it.effect("says of calls that come afterwards that they were not sent", function*() {
    const http = replying(ok)
    const { asked, stop } = yield* stoppable(clientOf(http))
    assert.isTrue(Exit.isSuccess(yield* asked))
    yield* stop
    assert.deepStrictEqual(unavailable(yield* asked), ["Unreachable", "this program is stopping", false])
    assert.lengthOf(http.requests, 1)
  })
})

/** The runner before this one has something in flight. */
const held = { _tag: "Held", until: undefined, over: Effect.never } as const

it.effect("a runner sends no call that waited for the one before it if it has lost the account", function*() {
  const call = yield* Effect.forkChild(prices())
  yield* TestClock.adjust("1 second")
  const lost = vi.spyOn(yield* Sharding, "hasShardId").mockReturnValue(false)
  yield* TestClock.adjust("1 second")
  assert.isUndefined(call.pollUnsafe())
  lost.mockRestore()
  yield* TestClock.adjust("1 second")
  yield* Fiber.join(call)
}, through(Layer.merge(clientOf(replying(ok)), Layer.succeed(IpGuard, { admit: Effect.succeed(held) }))))

const one = { entity: { maxInFlight: 1, maxWaiting: 3 } }

it.effect("turns lets callers take turns, however many calls one of them has", function*() {
  for (const symbol of ["A1", "A2", "A3"]) yield* Effect.tap(Effect.forkChild(prices(symbol)), TestClock.adjust(0))
  yield* Effect.forkChild(Effect.provide(prices("B1"), callerNamed("two")))
  yield* TestClock.adjust("1 minute")
  const sent = (yield* Requests).map(({ url }) => symbolsOf(new URL(url))[0])
  assert.deepStrictEqual(sent, ["A1", "A2", "B1", "A3"])
}, through(clientOf(replying(slow)), one))

it.effect("turns refuses typed what it has no seat for, and takes no seat from who has less waiting", function*() {
  const calls = []
  for (let call = 0; call < 4; call++) {
    calls.push(yield* Effect.forkChild(Effect.flip(prices(`A${call}`))))
    yield* TestClock.adjust(0)
  }
  const refused = yield* reasonOf(prices("A9"))
  assert(refused._tag === "GatewayUnavailable")
  assert.deepInclude(refused, { cause: "Busy", detail: "3 calls are waiting", wasSent: false, isRetryable: true })
  const metrics = yield* Metric.snapshot
  const stateOf = (name: string) => metrics.find(({ id }) => id === `marketdata.gateway.${name}`)?.state
  const states = ["running", "waiting", "refused"].map(stateOf)
  assert.deepStrictEqual(states, [{ value: 1 }, { value: 3 }, { count: 1, incremental: true }])
  // The last call of the caller with the most gives its seat to another caller.
  const other = yield* Effect.forkChild(Effect.provide(prices("B1"), callerNamed("two")))
  yield* TestClock.adjust(0)
  const unseated = yield* Fiber.join(calls[3]!)
  assert.strictEqual(unseated.reason._tag, "GatewayUnavailable")
  yield* TestClock.adjust("1 minute")
  yield* Fiber.join(other)
  assert.strictEqual(yield* sent, 4)
}, through(clientOf(replying(slow), { given: Layer.sync(Metric.MetricRegistry, () => new Map()) }), one))

it.effect("turns frees the place and the request of a caller that goes away", function*() {
  const first = yield* Effect.forkChild(prices("A1"))
  yield* TestClock.adjust("1 second")
  const second = yield* Effect.forkChild(prices("A2"))
  const third = yield* Effect.forkChild(prices("A3"))
  yield* TestClock.adjust("1 second")
  assert.deepInclude(yield* Gateway.status("main"), { running: 1, waiting: 2 })
  assert.deepInclude(yield* balance, { reserved: 1 })
  // One that waits leaves its seat, and one whose request is under way its place.
  yield* Fiber.interrupt(second)
  yield* Fiber.interrupt(first)
  yield* TestClock.adjust("1 second")
  assert.deepStrictEqual((yield* Gateway.status("main")).callers, [{ caller: "one", running: 1, waiting: 0 }])
  assert.deepInclude(yield* balance, { reserved: 1, uncertain: 1 })
  yield* TestClock.adjust("10 seconds")
  yield* Fiber.join(third)
  assert.deepStrictEqual((yield* Requests).map(({ url }) => symbolsOf(new URL(url))[0]), ["A1", "A3"])
  assert.deepInclude(yield* Gateway.status("main"), { running: 0, waiting: 0, callers: [] })
}, through(clientOf(replying(slow), { allowance: 10 }), one))

it.effect("turns ends a call without an answer after the caller's patience", function*() {
  const reason = yield* passing(reasonOf(prices()), "31 seconds")
  assert.deepInclude(reason, { _tag: "GatewayUnavailable", cause: "Unreachable", wasSent: true })
  assert.deepInclude(yield* balance, { reserved: 0, uncertain: 1 })
}, through(clientOf(service({ hangs: true }), { allowance: 10 }), { caller: { patience: "30 seconds" } }))

it.effect("turns refuses sizes and an account that cannot be, with each call", function*() {
  const refusal = (entity: Gateway.EntityOptions) =>
    Effect.map(reasonOf(prices()), ({ message }) => message).pipe(
      Effect.provide(through(clientOf(replying(ok)), { entity }))
    )
  assert.match(yield* refusal({ maxInFlight: 0 }), /^maxInFlight 0 must be an integer of at least 1/)
  assert.match(yield* refusal({ maxWaiting: -1 }), /^maxWaiting -1 must be an integer of at least 0/)
  assert.match(yield* refusal({ account: null } as never), /^account null must be a string of 1 to 100 printable/)
})

it.effect("turns refuses to serve with the client of a gateway, with each call: it would wait for itself", function*() {
  assert.match((yield* reasonOf(prices())).message, /^client "Gateway.layer" must be one that asks the service itself/)
}, Layer.provideMerge(Gateway.layerEntity(), callerNamed("one")).pipe(Layer.provideMerge(runner)))

it.effect("turns gives no budget of a caller where none is set", function*() {
  assert.strictEqual((yield* prices()).credits.charged, 1)
}, through(clientOf(replying(ok)), { entity: { budgets: null } as never }))

const call = (changes: object = {}): typeof Protocol.Call.Type => ({
  version: Protocol.version,
  call: "8e4c0d7e-8a2b-4b4e-9f8d-6d1f0c1f2a3b",
  caller: "raw",
  query: `{"endpoint":"stockPrices","symbols":["A"]}`,
  terms: "{}",
  ...changes
})
const tell = (changes?: object) =>
  Effect.flatMap(Protocol.Gateway.client, (gateway) => gateway("main").Ask(call(changes)))

it.effect("protocol refuses typed who speaks another version, or what cannot be read, and sends nothing", function*() {
  assert.deepStrictEqual(yield* Effect.flip(tell({ version: 2 })), { _tag: "OtherVersion", version: 1, tenure: 0 })
  const unknown = yield* Effect.flip(tell({ query: `{"endpoint":"optionChainOfTomorrow"}` }))
  assert.strictEqual(unknown._tag, "Unreadable")
  assert.strictEqual((yield* Effect.flip(tell({ terms: `{"findings":"maybe"}` })))._tag, "Unreadable")
  assert.strictEqual(yield* sent, 0)
}, through(clientOf(replying(ok))))

/** A caller, and a runner with an answer of its own. */
const answering = (ask: () => Effect.Effect<never, typeof Protocol.Failed.Type>) =>
  Gateway.layer({ account: "main", caller: "one" }).pipe(
    Layer.provideMerge(Protocol.Gateway.toLayer(
      Protocol.Gateway.of({ Ask: ask, Status: () => Effect.never }),
      { disableFatalDefects: true }
    )),
    Layer.provideMerge(runner)
  )

const failed = (reason: object) => ({
  _tag: "Failed",
  data: null,
  error: { _tag: "MarketDataError", query: "q", reason, trace: [] }
})
const refusals = {
  CreditBudgetExceeded: failed({ _tag: "CreditBudgetExceeded", cause: "Insufficient", bound: 5, available: 1 }),
  LedgerUnavailable: failed({ _tag: "LedgerUnavailable", detail: "it is out" }),
  GuardUnavailable: failed({ _tag: "GuardUnavailable", detail: "it is out" }),
  IpBlocked: failed({ _tag: "IpBlocked", until: 1_795_208_400 }),
  Busy: { _tag: "Busy", waiting: 3 },
  Unreadable: { _tag: "Unreadable", detail: "terms" }
}

/** Asks a runner that refuses after 3 seconds, and has had the account for this long. */
const refusedBy = (failure: object, tenure: number | undefined) => {
  const told = { ...failure, ...tenure === undefined ? {} : { tenure } } as typeof Protocol.Failed.Type
  return passing(reasonOf(prices("A")), "3 seconds").pipe(
    Effect.provide(answering(() => Effect.delay(Effect.fail(told), "3 seconds")))
  )
}

for (const [kind, failure] of Object.entries(refusals)) {
  it.effect(`a refusal of the kind ${kind} says that nothing was sent only if no other runner can have had the call`, function*() {
    const tenures = [60_000, 3000, 2999, undefined]
    const costs = yield* Effect.forEach(tenures, (tenure) => Effect.map(refusedBy(failure, tenure), ({ cost }) => cost))
    assert.deepStrictEqual(costs, ["none", "none", "possible", "possible"])
  })
}

it.effect("protocol brings a call again whose connection broke while it was written", () => {
  let asked = 0
  const busy = { _tag: "Busy", waiting: 3, tenure: 60_000 } as const
  const broken = new Socket.SocketError({ reason: new Socket.SocketCloseError({ code: 1006 }) })
  return Effect.gen(function*() {
    const reason = yield* passing(reasonOf(prices("A")), "1 second")
    assert.deepInclude(reason, { _tag: "GatewayUnavailable", cause: "Busy", wasSent: true })
    assert.strictEqual(asked, 2)
  }).pipe(Effect.provide(answering(() => ++asked === 1 ? Effect.die(broken) : Effect.fail(busy))))
})

it.effect("protocol never sends a call twice that is brought twice, as after the loss of its runner", function*() {
  const first = yield* Effect.forkChild(Effect.exit(tell()))
  yield* TestClock.adjust("1 second")
  yield* Fiber.interrupt(first)
  const failure = yield* passing(Effect.flip(tell()), "20 seconds")
  assert(failure._tag === "Failed")
  assert.deepInclude(failure.error, { _tag: "MarketDataError" })
  assert.include(JSON.stringify(failure.error), "\"AlreadySent\"")
  // How long the account was here tells nothing about a call that came before.
  assert.notProperty(failure, "tenure")
  assert.strictEqual(yield* sent, 1)
}, through(clientOf(replying(slow))))

it("protocol gives a call that comes again another run, at this gateway and at the next", () => {
  for (const claim of [undefined, { key: "day 1", run: "one" }]) {
    const [here, next] = [Serving.claims(), Serving.claims()]
    const runs = [here, here, next].map((claimOf) => claimOf("a call", claim).claim.run)
    assert.lengthOf(new Set(runs), 3)
  }
})

it("protocol knows a call that comes again, after thousands of others too", () => {
  const claimOf = Serving.claims()
  assert.isTrue(claimOf("a call", undefined).isFirst)
  for (let other = 0; other < 10_000; other++) claimOf(String(other), undefined)
  assert.isFalse(claimOf("a call", undefined).isFirst)
})

it("protocol asks again, or gives up, and says whether anything may have been sent", () => {
  for (
    const [failure, next, ...wasSent] of [
      [{ _tag: "Moved" }, "Again", false, true],
      [{ _tag: "Busy", waiting: 1, tenure: 60 }, "GiveUp", false, true],
      [{ _tag: "MailboxFull" }, "GiveUp", true, true],
      [{ _tag: "AlreadyProcessingMessage" }, "Again", true, true],
      [{ _tag: "PersistenceError" }, "GiveUp", true, true],
      [{ _tag: "EntityNotAssignedToRunner" }, "GiveUp", true, true]
    ] as const
  ) {
    const decided = [false, true].map((wasSent) => Calling.next(Cause.fail(failure as never), { wasSent, age: 30 }))
    assert.deepStrictEqual(decided.map(({ _tag }) => _tag), [next, next])
    const said = decided.map((next) =>
      next._tag === "Again" ? next.wasSent : next._tag === "GiveUp" && next.reason.wasSent
    )
    assert.deepStrictEqual(said, wasSent, failure._tag)
  }
})

it.effect("protocol remembers nothing of a call whose id, caller or claim is of another form, and sends nothing", () => {
  const http = replying(ok)
  return Effect.gen(function*() {
    const callers = ["", "x".repeat(101), "two\nlines"].map((caller) => ({ caller }))
    const claim = { key: "x".repeat(201), run: "1" }
    const wrong = [{ call: "1" }, { call: "x".repeat(50_000) }, ...callers, { claim }]
    for (const part of wrong) {
      assert.strictEqual((yield* Effect.flip(tell(part)))._tag, "Unreadable", JSON.stringify(part).slice(0, 50))
    }
    assert.lengthOf(http.requests, 0)
  }).pipe(Effect.provide(through(clientOf(http))))
})

it.effect("protocol refuses a query that is larger than a frame before it is sent", function*() {
  const symbols = Array.from({ length: 6000 }, (_, index) => `SYMBOL${index}`)
  const reason = yield* reasonOf(prices(...symbols))
  assert(reason._tag === "InvalidQuery")
  assert.match(reason.message, /must be at most 61440 bytes/)
}, through(clientOf(replying(ok))))

it.effect("protocol claims a call under its caller's key, and all queries of one run share it", function*() {
  const under = (run: string) => Effect.provideService(Claim.Current, { key: "day 1", run })
  yield* prices("A").pipe(under("one"))
  yield* prices("B").pipe(under("one"))
  const reason = yield* reasonOf(prices("A").pipe(under("two")))
  assert.deepInclude(reason, { _tag: "AlreadySent", key: "day 1" })
  assert.strictEqual((yield* reasonOf(prices().pipe(under(""))))._tag, "InvalidQuery")
  assert.strictEqual(yield* sent, 2)
}, through(clientOf(replying(ok))))

it.effect("protocol has no token in anything that a caller is told", () => {
  const token = "a-token-for-tests"
  const http = service({ status: 200, body: pricesBody(["A"]) }, {
    status: 401,
    body: `{"s":"error","errmsg":"${token}"}`
  })
  return Effect.gen(function*() {
    const reply = yield* tell()
    const failure = yield* Effect.flip(tell({ call: "8e4c0d7e-8a2b-4b4e-9f8d-6d1f0c1f2a3c" }))
    const status = yield* Gateway.status("main")
    const told = JSON.stringify([reply.head, failure, status]) + new TextDecoder().decode(reply.data)
    assert.notInclude(told, token)
    const tokens = http.requests.map(({ headers }) => headers["authorization"])
    assert.deepStrictEqual(tokens, Array(2).fill(`Bearer ${token}`))
  }).pipe(Effect.provide(through(clientOf(http))))
})

it.effect("makes nothing more for a caller that does not read what waits for it", () => {
  let waiting = 64 * 1024 * 1024
  const http = replying(ok)
  const busy = Layer.sync(Connections, () => ({
    ...connections({ name: "one", proof: "" }),
    waiting: (name: string) => name === "one" ? waiting : 0
  }))
  return Effect.gen(function*() {
    const asked = yield* Effect.forkChild(prices("A"))
    yield* TestClock.adjust("1 minute")
    yield* Effect.provide(prices("B"), callerNamed("two"))
    assert.lengthOf(http.requests, 1)
    waiting = 0
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(asked)
    assert.lengthOf(http.requests, 2)
  }).pipe(Effect.provide(through(clientOf(http)).pipe(Layer.provideMerge(busy))))
})

/** A gateway whose caller "one" may spend so much, and that caller's ledger. */
const budgeted = Effect.fnUntraced(function*(allowance: number, http = replying(ok)) {
  const one = yield* CreditLedger.makeMemory({ allowance })
  const built = yield* Layer.build(through(clientOf(http), { entity: { budgets: { one } } }))
  return { built, http, one }
})

it.effect("budgets of callers refuse what a caller may not spend, and nobody else", function*() {
  const { built, http, one } = yield* budgeted(3)
  yield* Effect.provide(prices("A", "B"), built)
  assert.deepInclude(yield* one.balance, { charged: 2, uncertain: 0, reserved: 0 })
  assert.strictEqual((yield* Effect.provide(reasonOf(prices("A", "B")), built))._tag, "CreditBudgetExceeded")
  assert.lengthOf(http.requests, 1)
  yield* prices("A", "B").pipe(Effect.provide(callerNamed("two")), Effect.provide(built))
  yield* Effect.provide(prices("A"), built)
  assert.deepInclude(yield* one.balance, { available: 0, charged: 3 })
})

it.effect("budgets of callers count a refusal as free, and what was cut off as uncertain", function*() {
  const free = yield* budgeted(10, service(refused))
  yield* Effect.provide(Effect.flip(prices("A")), free.built)
  assert.deepInclude(yield* free.one.balance, { charged: 0, uncertain: 0, reserved: 0 })
  const lost = yield* budgeted(10, replying(slow))
  const asked = yield* Effect.forkChild(Effect.provide(prices("A", "B"), lost.built))
  yield* TestClock.adjust("1 second")
  assert.deepInclude(yield* lost.one.balance, { reserved: 2 })
  yield* Fiber.interrupt(asked)
  assert.deepInclude(yield* lost.one.balance, { charged: 0, uncertain: 2, reserved: 0 })
})

it.effect("budgets of callers are not fooled by names of other things, and stay where the account's ledger refuses", function*() {
  const { built, one } = yield* budgeted(1)
  yield* prices("A").pipe(Effect.provide(callerNamed("constructor")), Effect.provide(built))
  assert.deepInclude(yield* one.balance, { charged: 0 })
})

it.effect("status says who has the account, and since when", function*() {
  yield* TestClock.adjust("1 minute")
  const first = yield* Gateway.status("main")
  const idle = { running: 0, waiting: 0, callers: [] }
  assert.deepStrictEqual(first, { ...idle, account: "main", runner: "localhost:34431", since: 60 })
  yield* TestClock.adjust("1 hour")
  // It stays where it is, however long nobody asks.
  assert.strictEqual((yield* Gateway.status("main")).since, first.since)
}, through(clientOf(replying(ok))))
