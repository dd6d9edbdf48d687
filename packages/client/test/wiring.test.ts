/** Every way to put a client, its services and a program together: each works, does not compile, or fails by name before anything is sent. */
import { ChainSizes, Claim, CreditLedger, IpGuard, MarketData, Policies, ReplyCache } from "@effect-marketdata/client"
import { type Incomplete, QuoteResolver, RetryBudget, RetryPolicy } from "@effect-marketdata/client"
import { CacheFallback } from "@effect-marketdata/client/CacheFallback"
import type { MarketDataConfig } from "@effect-marketdata/client/MarketDataConfig"
import { DataMode, type Reason } from "@effect-marketdata/core"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { type Context, Effect, Layer, ManagedRuntime, Redacted, Schedule, Tracer } from "effect"
import { inspect } from "node:util"
import { refuse } from "../../core/test/support/untyped.ts"
import { pricesBody, replying, symbolsOf } from "./support/scripted.ts"

/** The reason of a failure, as far as these tests look at it. */
type Told = Reason.Reason | Incomplete.Incomplete<unknown, Reason.Reason>

const prices = MarketData.stockPrices(["A"])

const answering = () => replying((url) => ({ status: 200, body: pricesBody(symbolsOf(url)) }))

const usual = { baseUrl: "https://service.test", token: Redacted.make("a-token-for-tests") }

/** A client over an HTTP client, with what else is provided to it. */
const clientOf = (
  http: Pick<ReturnType<typeof replying>, "layer">,
  under: Layer.Layer<never> = Layer.empty,
  options: MarketDataConfig = usual
) => MarketData.layer(options).pipe(Layer.provide(under), Layer.provide([http.layer, CreditLedger.layerUnlimited]))

const setting = (under?: Layer.Layer<never>, http = answering()) => ({ http, client: clientOf(http, under) })

/** What a client may be made without. */
const optional = {
  IpGuard: IpGuard.layerMemory(),
  ReplyCache: ReplyCache.layerMemory({ maxBytes: 1_000_000 }),
  ChainSizes: ChainSizes.layerMemory(),
  RetryBudget: RetryBudget.layerMemory()
}

describe("a service that stands beside the client", () => {
  for (const [name, service] of Object.entries(optional) as ReadonlyArray<[string, Layer.Layer<never>]>) {
    const wirings: Readonly<
      Record<string, (client: Layer.Layer<MarketData.MarketData>) => Promise<Told | undefined>>
    > = {
      "layers merged": (client) => askedOf(Layer.mergeAll(client, service)),
      "provided together": (client) => asked(Effect.provide(prices, [client, service])),
      // @effect-diagnostics-next-line multipleEffectProvide:off
      "provided before the client": (client) => asked(prices.pipe(Effect.provide(service), Effect.provide(client))),
      "in a runtime": async (client) => {
        const runtime = ManagedRuntime.make(Layer.mergeAll(client, service))
        const reason = await runtime.runPromise(reasonOf(prices))
        await runtime.dispose()
        return reason
      }
    }
    for (const [wiring, ask] of Object.entries(wirings)) {
      it(`${name}, ${wiring}: fails by name, and nothing is sent`, async () => {
        const { client, http } = setting()
        const reason = await ask(client)
        assert(reason?._tag === "InvalidQuery")
        assert.strictEqual(reason.parameter, name)
        assert.include(reason.message, `must be provided to the client`)
        const options = name === "ReplyCache" ? "{ maxBytes: " : ")"
        assert.include(reason.message, `Layer.provide(${name}.layerMemory(${options}`)
        assert.lengthOf(http.requests, 0)
      })
    }

    it(`${name}, provided to the client, also where the program has it too: is used`, async () => {
      const { client } = setting()
      assert.isUndefined(await askedOf(Layer.provide(client, service)))
      assert.isUndefined(await askedOf(Layer.provideMerge(client, service)))
    })
  }

  it("two accounts with a guard and a budget of retries each ask in one process", async () => {
    const accounts = ["one", "two"].map(() => {
      const { client, http } = setting()
      return { http, layer: Layer.fresh(client) }
    })
    for (const { http, layer } of accounts) {
      assert.isUndefined(await askedOf(layer))
      assert.lengthOf(http.requests, 1)
    }
  })
})

it("[5.6-single-ip] two clients of one program have a guard each: a block of one account holds back no other, and one that is provided is used", async () => {
  const blocked = replying(() => ({ status: 403, body: `{"blockedIP":"192.0.2.1"}` }))
  let admitted = 0
  const counting = Layer.effect(
    IpGuard.IpGuard,
    Effect.map(IpGuard.makeMemory(), ({ admit }) => ({ admit: Effect.tap(admit, () => Effect.sync(() => admitted++)) }))
  )
  const program = Effect.gen(function*() {
    const { reason } = yield* Effect.flip(prices)
    assert.strictEqual(reason._tag, "AddressBlocked")
    yield* Effect.provide(prices, setting().client)
    yield* Effect.provide(prices, setting(counting).client)
  })
  await Effect.runPromise(Effect.provide(program, setting(Layer.empty, blocked).client))
  assert.strictEqual(admitted, 1)
})

it("[5.6-simultaneous] a request whose span the program's tracer cannot make is not in flight for ever", async () => {
  const endings: Array<IpGuard.Ending> = []
  const leave = (ending: IpGuard.Ending) => Effect.sync(() => void endings.push(ending))
  const { client } = setting(
    Layer.succeed(IpGuard.IpGuard, { admit: Effect.succeed({ _tag: "Send" as const, leave }) })
  )
  const span = (options: ConstructorParameters<typeof Tracer.NativeSpan>[0]) =>
    options.kind === "client" ? assert.fail("no space left") : new Tracer.NativeSpan(options)
  await Effect.runPromiseExit(prices.pipe(Effect.provide(client), Effect.withTracer(Tracer.make({ span }))))
  assert.deepEqual(endings, ["lost"])
})

describe("policies under the client", () => {
  /** Replies with a column that the contract does not know. */
  const deviating = () => replying(() => ({ status: 200, body: `{"s":"ok","symbol":["A"],"mid":[1],"foo":[1]}` }))

  it("[2.1-closed] hold for each of its calls, and a call's own come first", async () => {
    const http = deviating()
    const client = clientOf(http, Layer.succeed(Policies.Findings, "strict"))
    assert.deepInclude(await askedOf(client), { _tag: "MalformedReply" })
    const kept = prices.pipe(Effect.provideService(Policies.Findings, "keep"), Effect.provide(client))
    assert.isUndefined(await asked(kept))
  })

  it("[2.1-closed] are not shared with a call that has others", async () => {
    const http = deviating()
    const policies = Layer.merge(Layer.succeed(Policies.Findings, "strict"), Layer.succeed(Policies.Coalesce, true))
    const client = clientOf(http, policies)
    const three = [prices, prices, Effect.provideService(prices, Policies.Findings, "keep")].map(reasonOf)
    const both = Effect.all(three, { concurrency: "unbounded" })
    const tags = await Effect.runPromise(Effect.provide(both, client))
    assert.deepStrictEqual(tags.map((reason) => reason?._tag), ["MalformedReply", "MalformedReply", undefined])
    assert.lengthOf(http.requests, 2)
  })

  it("[2.1-closed] nor is a row of one with others sent together", async () => {
    const http = replying((url) => ({
      status: 200,
      body: JSON.stringify({ s: "ok", symbol: symbolsOf(url), mid: symbolsOf(url).map(() => 1), foo: symbolsOf(url) })
    }))
    const strict = QuoteResolver.stockPrice("A")
    const kept = Effect.provideService(QuoteResolver.stockPrice("B"), Policies.Findings, "keep")
    const both = Effect.all([strict, kept].map(reasonOf), { concurrency: "unbounded" })
    const client = clientOf(http, Layer.succeed(Policies.Findings, "strict"))
    const [first, second] = await Effect.runPromise(Effect.provide(both, client))
    assert.deepInclude(first, { _tag: "MalformedReply" })
    assert.isUndefined(second)
  })

  it("limit an attempt", async () => {
    const policies = Layer.merge(Layer.succeed(Policies.AttemptTimeout, 20), RetryPolicy.layerNone)
    const client = clientOf(replying(() => ({ hangs: true })), policies)
    assert.deepInclude(await askedOf(client), { _tag: "TimedOut", milliseconds: 20 })
  })

  it("claim for a run what another then cannot send", async () => {
    const http = deviating()
    const client = clientOf(http, Layer.succeed(Claim.Current, { key: "prices", run: "one" }))
    const again = Effect.provideService(prices, Claim.Current, { key: "prices", run: "two" })
    const twice = Effect.all([reasonOf(prices), reasonOf(again)])
    const [first, second] = await Effect.runPromise(Effect.provide(twice, client))
    assert.isUndefined(first)
    assert.deepInclude(second, { _tag: "AlreadySent" })
    assert.lengthOf(http.requests, 1)
  })
})

describe("callers without types", () => {
  const marker = "c3VwZXJzZWNyZXQtbWFya2Vy"
  const untyped = (value: unknown): never => value as never
  const throwing = new Proxy({}, { get: refuse })

  const given = (options: unknown) => clientOf(answering(), Layer.empty, untyped(options))

  it.each<[string, unknown, string]>([
    ["a token that is not redacted", { token: marker }, "token"],
    ["a token that is a number", { token: 5 }, "token"],
    ["no object", 5, "options"],
    ["null", null, "options"],
    ["an address that is a number", { baseUrl: 5 }, "baseUrl"],
    ["an address that is a URL", { baseUrl: new URL("https://service.test") }, "baseUrl"],
    ["a place for the token that there is not", { tokenIn: "cookie" }, "tokenIn"],
    ["a client that is not transformed by a function", { transformClient: {} }, "transformClient"],
    ["retries that are a number", { retries: 3 }, "retries"],
    ["retries that cannot be read", { retries: throwing }, "retries"],
    ["tickers that are none", { maxSymbols: 0 }, "maxSymbols"],
    ["requests that are none", { maxInFlight: 0 }, "maxInFlight"],
    ["options that cannot be read", throwing, "baseUrl"]
  ])("are told what is wrong with %s, at each call, and nothing is sent", async (_, options, parameter) => {
    const reason = await askedOf(given(options))
    assert(reason?._tag === "InvalidQuery")
    assert.strictEqual(reason.parameter, parameter)
  })

  it.each<[string, Layer.Layer<never>, string | undefined]>([
    ["no allowance", CreditLedger.layerMemory(untyped(null)), "CreditBudgetExceeded"],
    ["no account", CreditLedger.layerAccount(untyped(null)), "CreditBudgetExceeded"],
    ["no address", IpGuard.layerMemory(untyped(null)), undefined],
    ["one that stays the same", IpGuard.layerMemory(untyped({ address: "192.0.2.1" })), undefined],
    ["no budget of retries", RetryBudget.layerMemory(untyped(null)), undefined],
    ["no number of chains", ChainSizes.layerMemory(untyped(null)), undefined],
    ["no numbers of retries", RetryPolicy.layer(untyped(null)), undefined],
    ["no deadline", RetryPolicy.layerSchedule(Schedule.recurs(1), untyped(null)), undefined],
    ["no size of a cache", ReplyCache.layerMemory(untyped(null)), "InvalidQuery"],
    ["no folder of a cache", Layer.provide(ReplyCache.layerDisk(untyped(null)), NodeServices.layer), "InvalidQuery"]
  ])("who give null for options have %s, and what follows from that", async (_, layer, tag) => {
    assert.strictEqual((await askedOf(clientOf(answering(), layer, {})))?._tag, tag)
  })

  it("who give undefined for numbers of retries have the usual ones, and waits between attempts", () => {
    const { numbers } = RetryPolicy.make(untyped({ attempts: undefined, base: undefined, cap: undefined }))
    assert.deepStrictEqual(numbers, RetryPolicy.make().numbers)
  })

  it("see nothing of a token that was passed as it stands", async () => {
    const error = await Effect.runPromise(Effect.flip(Effect.provide(prices, given({ token: marker }))))
    const showns = [error.message, error.stack, inspect(error, { depth: 9 }), JSON.stringify(error), String(error)]
    for (const shown of showns) assert.notInclude(shown, marker)
  })

  it("are told what is wrong with a token that holds no text, or too long a one, in a moment", async () => {
    const wiped = Redacted.make(marker)
    Redacted.wipeUnsafe(wiped)
    const fetched = [marker, null, undefined].map((value) => Effect.succeed(value))
    const redacted = [Redacted.make(5), Redacted.make("x".repeat(2_000_000)), Redacted.make(undefined), wiped]
    for (const token of [...redacted, ...fetched]) {
      const reason = await askedOf(given({ token, baseUrl: "https://service.test" }))
      assert(reason?._tag === "InvalidQuery")
      assert.strictEqual(reason.parameter, "token")
      if (token === wiped) assert.include(reason.message, "made by the same copy of effect")
    }
  })

  it("are told of a policy or a consent that does not decide, and nothing dies", async () => {
    const http = replying((url) => ({ status: url.searchParams.get("mode") === "cached" ? 204 : 502 }))
    const client = clientOf(http)
    const gives = [5, "text", undefined, Effect.succeed("text"), Effect.succeed({ _tag: "Wait", milliseconds: NaN })]
    for (const given of gives) {
      for (const start of [Effect.succeed(given), Effect.succeed(() => given)]) {
        const policy = Effect.provideService(RetryPolicy.RetryPolicy, untyped({ start }))
        const retried = prices.pipe(policy, Effect.provide(client))
        assert.deepInclude(await asked(retried), { _tag: "InvalidQuery", parameter: "RetryPolicy" })
      }
      if (given === undefined) continue
      const fallback = MarketData.stockQuote("A", { mode: DataMode.cachedOrLive() }).pipe(
        Effect.provideService(CacheFallback, untyped({ decide: () => given })),
        Effect.provide(client)
      )
      assert.deepInclude(await asked(fallback), { _tag: "InvalidQuery", parameter: "CacheFallback" })
    }
  })

  it("are told which service has a wrong form, under the client and around the call", async () => {
    for (const service of [{}, null, 5, throwing, { start: 5 }]) {
      const policy = Effect.provideService(RetryPolicy.RetryPolicy, untyped(service))
      const at = prices.pipe(policy, Effect.provide(given({})))
      assert.deepInclude(await asked(at), { _tag: "InvalidQuery", parameter: "RetryPolicy" })
      const ledger = MarketData.layer().pipe(
        Layer.provide([answering().layer, Layer.succeed(CreditLedger.CreditLedger, untyped(service))])
      )
      assert.deepInclude(await askedOf(ledger), { parameter: "CreditLedger" })
    }
  })
})

describe("a policy that is none", () => {
  const policy = <A>(policy: Context.Reference<A>, value: unknown): Layer.Layer<never> =>
    Layer.succeed(policy, value as A)

  it.each<[string, Layer.Layer<never>, string]>([
    // As of `Number(process.env.TIMEOUT)`: a timer would take it for no time at all.
    ["a time that is not a number", policy(Policies.AttemptTimeout, NaN), "Policies.AttemptTimeout"],
    ["a time that is over", policy(Policies.AttemptTimeout, -1), "Policies.AttemptTimeout"],
    ["no time", policy(Policies.AttemptTimeout, 0), "Policies.AttemptTimeout"],
    ["a time in words", policy(Policies.AttemptTimeout, "5 seconds"), "Policies.AttemptTimeout"],
    ["a time that is undefined", policy(Policies.AttemptTimeout, undefined), "Policies.AttemptTimeout"],
    ["a deadline that is not a number", RetryPolicy.layer({ deadline: NaN }), "RetryPolicy"],
    ["a word that is misspelt", policy(Policies.Findings, "Strict"), "Policies.Findings"],
    ["figures of another kind", policy(Policies.RecordedFigures, "all"), "Policies.RecordedFigures"],
    ["no rule of the address", policy(Policies.IpRule, null), "Policies.IpRule"],
    ["half a rule of the address", policy(Policies.IpRule, { whenHeld: "wait" }), "Policies.IpRule"],
    ["a word for true", policy(Policies.Coalesce, "false"), "Policies.Coalesce"],
    ["a budget that is not a ledger", policy(CreditLedger.Budget, { allowance: 3 }), "CreditLedger.Budget"]
  ])("%s: is refused at the call and under the client, and nothing is sent", async (_, wrong, parameter) => {
    const { client, http } = setting()
    for (const layer of [Layer.merge(client, wrong), clientOf(http, wrong)]) {
      assert.deepInclude(await askedOf(layer), { _tag: "InvalidQuery", parameter })
    }
    assert.lengthOf(http.requests, 0)
  })
})

function reasonOf<E extends { readonly reason: Told }, R>(ask: Effect.Effect<unknown, E, R>) {
  return Effect.match(ask, { onFailure: ({ reason }) => reason, onSuccess: () => undefined })
}

function asked<E extends { readonly reason: Told }>(ask: Effect.Effect<unknown, E>): Promise<Told | undefined> {
  return Effect.runPromise(reasonOf(ask))
}

/** What comes of a query to a client. */
function askedOf(client: Layer.Layer<MarketData.MarketData>): Promise<Told | undefined> {
  return asked(Effect.provide(prices, client))
}
