import { MarketData, Policies } from "@effect-marketdata/client"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { clientOf } from "./support/clients.ts"
import { chainBody, service } from "./support/scripted.ts"

describe("a client that keeps replies", () => {
  const poll = MarketData.optionChain("AAPL", { assume: { contracts: 9 } })

  const [three, four] = [chainBody(3), chainBody(4)]
  const http = service({ status: 200, body: three }, { status: 203, body: three }, { status: 200, body: four })
  it.effect("answers a poll with the same table, of its own moment and at its own price", function*() {
    const [first, second] = [yield* poll, yield* poll]
    assert.strictEqual(second.data, first.data)
    assert.deepStrictEqual([first.credits.charged, second.credits.charged], [3, 3])
    const [third, strict] = [yield* poll, yield* Effect.provideService(poll, Policies.Findings, "strict")]
    assert.notStrictEqual(third.data, first.data)
    assert.strictEqual(third.data.length, 4)
    assert.notStrictEqual(strict.data, third.data)
  }, clientOf(http, { maxKeptBytes: 1_000_000 }))

  it.effect("makes a table of each reply where nothing says otherwise", function*() {
    assert.notStrictEqual((yield* poll).data, (yield* poll).data)
  }, clientOf(service({ status: 200, body: chainBody(3) })))
})

it.effect("the memory of tables is not filled with zeros first, where the platform can do that", function*() {
  const allocUnsafeSlow = Buffer.allocUnsafeSlow.bind(Buffer)
  const sizes: Array<number> = []
  Buffer.allocUnsafeSlow = (size) => {
    sizes.push(size)
    return allocUnsafeSlow(size)
  }
  const restore = Effect.sync(() => void (Buffer.allocUnsafeSlow = allocUnsafeSlow))
  const { data } = yield* Effect.ensuring(MarketData.optionChain("AAPL", { assume: { contracts: 9001 } }), restore)
  assert.isNotEmpty(sizes)
  assert.strictEqual(data.strike[8], 108)
}, clientOf(service({ status: 200, body: chainBody(9001) })))
