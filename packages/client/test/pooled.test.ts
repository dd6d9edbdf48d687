import { MarketData, Policies, RetryPolicy } from "@effect-marketdata/client"
import { BufferPool, ColumnTable } from "@effect-marketdata/core"
import { Effect, Layer } from "effect"
import { assert, it } from "../../core/test/support/it.ts"
import { clientOf, over } from "./support/clients.ts"
import { chainBody, pricesBody, replying, type Script, service, symbolsOf } from "./support/scripted.ts"

const contracts = 400
const ok: Script = { status: 200, body: chainBody(contracts) }
const chain = MarketData.optionChain("AAPL", { assume: { contracts } })

const lookedUp: Script = { status: 200, body: JSON.stringify({ s: "ok", optionSymbol: "AAPL261218C00150000" }) }
const each = replying((url) => {
  if (url.pathname.includes("prices")) return { status: 200, body: pricesBody(symbolsOf(url)) }
  return url.pathname.includes("chain") ? ok : lookedUp
})

/** The sizes of the buffers that wait in a pool. */
const waiting = (pool: BufferPool.BufferPool): ReadonlyArray<number> => {
  const buffers = Array.from({ length: 9 }, () => pool.take()).filter((buffer) => buffer !== undefined)
  const sizes = buffers.map(({ byteLength }) => byteLength)
  for (const buffer of buffers) pool.give(buffer)
  return sizes
}

it.effect("answers with a table in memory that was used before, which reads the same", function*() {
  const pool = BufferPool.make()
  const expected = ColumnTable.encode((yield* chain).data)
  for (let poll = 0; poll < 3; poll++) {
    yield* Effect.scoped(Effect.gen(function*() {
      const { credits, data } = yield* MarketData.pooled(chain, pool)
      assert.strictEqual(ColumnTable.encode(data), expected)
      assert.strictEqual(credits.charged, contracts)
      assert.deepStrictEqual(waiting(pool), [])
    }))
    assert.strictEqual(waiting(pool).length, 1)
  }
}, clientOf(service(ok)))

it.effect("leaves nothing to read after the scope, and keeps what was picked", function*() {
  const pool = BufferPool.make()
  const { bid, data, kept } = yield* Effect.scoped(
    Effect.map(
      MarketData.pooled(chain, pool),
      ({ data }) => ({ data, bid: data.bid, kept: ColumnTable.pick(data, [1]) })
    )
  )
  yield* Effect.scoped(MarketData.pooled(chain, pool))
  assert.throws(() => data.length, "was released when its scope closed")
  assert.deepStrictEqual([bid.length, kept.at(0).optionSymbol], [0, "AAPL261218C00101000"])
}, clientOf(service(ok)))

it.effect("is given a table of its own, where others share theirs or a poll would return the last one", function*() {
  const pool = BufferPool.make()
  const shared = yield* chain
  const inScope = Effect.scoped(Effect.map(MarketData.pooled(chain, pool), ({ data }) => data !== shared.data))
  assert.deepStrictEqual(yield* Effect.all([inScope, inScope], { concurrency: 2 }), [true, true])
  // Nobody took the memory of what was shared.
  assert.strictEqual((yield* chain).data, shared.data)
  assert.strictEqual(shared.data.bid.length, contracts)
  const prices = MarketData.stockPrices(["A", "B"])
  const { data } = yield* prices
  yield* Effect.scoped(MarketData.pooled(prices, pool))
  assert.deepStrictEqual([[...data.mid], [...(yield* prices).data.mid]], [[100, 101], [100, 101]])
}, clientOf(each, { maxKeptBytes: 10_000_000, given: Layer.succeed(Policies.Coalesce, true) }))

it.effect("has its buffer back from what came to nothing, and an attempt after it has one again", () =>
  over(service({ status: 200, body: `{"s":"ok","strike":[1,` }, { status: 503 }, ok), {
    given: RetryPolicy.layer({ base: 0 })
  }, function*() {
    const pool = BufferPool.make()
    pool.give(new ArrayBuffer(1_000_000))
    const { reason } = yield* Effect.flip(Effect.scoped(MarketData.pooled(chain, pool)))
    assert.strictEqual(reason._tag, "MalformedReply")
    assert.deepStrictEqual(waiting(pool), [1_000_000])
    yield* Effect.scoped(Effect.gen(function*() {
      const { data } = yield* MarketData.pooled(chain, pool)
      assert.strictEqual(data.bid.buffer.byteLength, 1_000_000)
    }))
  }))

it.effect("returns what is not a table as it is, and tables of lists too", function*() {
  const pool = BufferPool.make()
  const lookup = yield* MarketData.pooled(MarketData.optionLookup("AAPL 12/18/26 $150 call"), pool)
  assert.include(JSON.stringify(lookup.data), "AAPL261218C00150000")
  const { data } = yield* MarketData.pooled(MarketData.stockPrices(["A", "B", "C"]), pool)
  assert.deepStrictEqual([...data].map(({ symbol }) => symbol), ["A", "B", "C"])
}, clientOf(each, { maxSymbols: 2 }))
