import * as Query from "@effect-marketdata/core/Query"
import * as Queries from "@effect-marketdata/testing/Queries"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { sample, smallest } from "../support/drawn.ts"

describe("Queries", () => {
  for (const [endpoint, arbitrary] of Object.entries(Queries.byEndpoint)) {
    it(`go to their endpoint: ${endpoint}`, () => {
      for (const query of sample(arbitrary, 60)) assert.strictEqual(query.endpoint.name, endpoint)
    })
  }

  it("ask in every mode of the contract, and in none", () => {
    const modes = new Set(sample(Queries.query, 1000).map(({ mode }) => mode?._tag))
    assert.deepStrictEqual(modes, new Set(["Cached", "CachedOrLive", "Delayed", "Live", undefined]))
  })

  it("shrink to a short query", () => {
    const query = smallest(Queries.byEndpoint.stockPrices, ({ tickers }) => tickers.length < 3)
    assert.isBelow(Query.target(query as Query.Query).length, 60)
  })

  it("ask for more tickers than a request has room for", () => {
    const lists = sample(Queries.manyTickers)
    assert.isTrue(lists.some(({ length }) => length > 500))
    assert.isTrue(lists.some((list) => list.length < 500 && list.join().length > 4094))
    for (const list of lists.slice(0, 30)) {
      assert.isTrue(Result.isSuccess(Query.stockPrices(list)))
      assert.strictEqual(new Set(list).size, list.length)
    }
  })
})
