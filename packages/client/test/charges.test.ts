import { MarketData, Policies, RetryPolicy } from "@effect-marketdata/client"
import { Finding, type Reason } from "@effect-marketdata/core"
import { Effect, Layer, Logger, Tracer } from "effect"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { balance, clientOf, over } from "./support/clients.ts"
import { cutOff, pricesBody, replying, type Script, service, symbolsOf } from "./support/scripted.ts"

const consumed = (credits: number) => ({ "x-api-ratelimit-consumed": String(credits) })

/** Nothing is asked again. */
const once = Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 1 }))

const bids = JSON.stringify({ symbol: ["A", "B"], bid: [null, 1] })
const askBids = MarketData.stockQuotes(["A", "B"], { columns: ["symbol", "bid"] })

it.effect(
  "[8.2-cost-quotes] a charge that the reply does not tell is recorded as what is certain, and what may be besides",
  function*() {
    const { credits, findings, trace } = yield* askBids
    assert.deepStrictEqual([credits.charged, credits.uncertain], [1, 1])
    assert.deepStrictEqual([trace[0]?.charge?.credits, trace[0]?.uncertain], [1, 1])
    assert.deepStrictEqual(findings, [])
    assert.deepInclude(yield* balance, { charged: 1, uncertain: 1, reserved: 0, available: 8, overruns: [] })
  },
  clientOf(service({ status: 200, body: bids }), { allowance: 10 })
)

describe("a figure that no price leads to", () => {
  const body = pricesBody(["A", "B"])
  const ask = MarketData.stockPrices(["A", "B"])
  const absurd = clientOf(service({ status: 200, body, headers: consumed(999_999_999) }), { allowance: 10 })

  it.effect("[8.2-cost-quotes] is a finding, and is not recorded", function*() {
    const { credits, findings, trace } = yield* ask
    const found = findings.map(Finding.format)
    assert.deepStrictEqual(found, ["UnexplainedCharge: expected 2 credits, received 999,999,999 credits"])
    assert.deepStrictEqual([credits.charged, credits.uncertain, trace[0]?.charge?.reported], [2, 0, 999_999_999])
    assert.deepInclude(yield* balance, { charged: 2, available: 8, overruns: [] })
  }, absurd)

  it.effect("is no reason to lose the reply, though the program's logger and tracer die of it", function*() {
    const full = () => assert.fail("no space left on device")
    const span: Tracer.Tracer["span"] = (options) => {
      const made = new Tracer.NativeSpan(options)
      const end = made.end.bind(made)
      return Object.assign(made, { end: (...of: Parameters<typeof end>) => (end(...of), full()) })
    }
    const broken = Layer.merge(Logger.layer([Logger.make(full)]), Layer.succeed(Tracer.Tracer, Tracer.make({ span })))
    assert.strictEqual((yield* Effect.provide(ask, broken)).credits.charged, 2)
  }, absurd)

  const dear = clientOf(service({ status: 200, body, headers: consumed(7) }), { allowance: 10 })

  it.effect("is recorded where it may be a price, as an overrun, unless the caller takes explained ones only", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* ask).credits.charged, 7)
      assert.deepInclude(yield* balance, { charged: 7, overdrawn: 5 })
      const { credits, findings } = yield* Effect.provideService(ask, Policies.RecordedFigures, "explained")
      assert.deepStrictEqual([credits.charged, findings.map(({ code }) => code)], [2, ["UnexplainedCharge"]])
      assert.deepInclude(yield* balance, { charged: 9 })
    }).pipe(Effect.provide(dear)))

  it.effect("[8.1-batches] is counted over the requests of a query", () =>
    over(replying((url) => ({ status: 200, body: pricesBody(symbolsOf(url)), headers: consumed(9) })), {
      maxSymbols: 1
    }, function*() {
      const { findings } = yield* MarketData.stockPrices(["A", "B", "C"])
      assert.deepStrictEqual(findings.map(Finding.format), [
        "UnexplainedCharge: 3 times, first: expected 1 credit, received 9 credits",
        "Overrun: expected at most 3 credits, received 27 credits"
      ])
    }))

  it.effect("is in the trace where there is no data", function*() {
    const { reason, trace } = yield* Effect.flip(ask)
    assert.strictEqual(reason._tag, "NotFound")
    assert.deepStrictEqual([trace[0]?.charge?.credits, trace[0]?.charge?.finding?.code], [0, "UnexplainedCharge"])
    assert.deepInclude(yield* balance, { charged: 0, uncertain: 0 })
  }, clientOf(service({ status: 404, headers: consumed(999_999_999) })))

  it.effect("says nothing of a reply that was lost: that may have cost its most", function*() {
    const { trace } = yield* once(Effect.flip(ask))
    assert.isUndefined(trace[0]?.charge)
    assert.deepInclude(yield* balance, { charged: 0, uncertain: 2 })
  }, clientOf(service({ status: 200, body: cutOff("{\"s\":"), headers: consumed(999_999_999) })))
})

describe("what a failure says of its cost", () => {
  const failure = (script: Script, allowance = 10) =>
    Effect.flip(MarketData.stockQuotes(["A", "B"])).pipe(
      Effect.map(({ reason, trace }) => ({ reason, trace })),
      Effect.provide(clientOf(service(script, { status: 404 }), { allowance, maxReplyBytes: 1000 }))
    )

  const cases: ReadonlyArray<readonly [name: string, script: Script, tag: Reason.Reason["_tag"]]> = [
    ["a reply that cannot be read", { status: 200, body: "{oops" }, "MalformedReply"],
    ["a reply that is too large", { status: 200, body: " ".repeat(2000) }, "ReplyTooLarge"],
    ["a refusal", { status: 402, body: "" }, "PlanRequired"],
    ["a status that nobody knows", { status: 418, body: "" }, "UnexpectedStatus"],
    ["no content", { status: 204 }, "UnexpectedNoContent"]
  ]

  for (const [name, script, tag] of cases) {
    for (const credits of [0, 2]) {
      it.effect(`[7.1-charge-not-stated] follows the trace: ${name} that was charged ${credits}`, function*() {
        const { reason, trace } = yield* failure({ ...script, headers: consumed(credits) })
        assert.deepStrictEqual([reason._tag, reason.cost], [tag, credits === 0 ? "none" : "full"])
        assert.include(reason.message, credits === 0 ? "Nothing was charged" : "It was charged 2 credits")
        assert.notMatch(reason.message, /may have been|states no price/)
        assert.strictEqual(trace[0]?.charge?.credits, credits)
      })
    }
  }

  it.effect("follows the trace where the reply told its charge, and was lost then", function*() {
    const script = { status: 200, body: cutOff("{\"s\":"), headers: consumed(0) }
    const lost = yield* once(Effect.flip(MarketData.stockQuotes(["A", "B"]))).pipe(
      Effect.provide(clientOf(service(script), { allowance: 10 }))
    )
    assert.strictEqual(lost.reason._tag, "TransportFailure")
    assert.include(lost.reason.message, "Nothing was charged")
    assert.deepStrictEqual(lost.trace.map(({ charge, reason }) => [charge?.credits, reason?.cost]), [[0, "none"]])
  })
})
