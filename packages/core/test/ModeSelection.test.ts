import { Account, Credits, MaxAge, ModeSelection, Query, Workload } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { forAll, trials } from "./support/depth.ts"
import * as Queries from "./support/queries.ts"

const runs = trials(8_2)

const chain = Queries.chain({ assume: { contracts: 300 } }, "SPX")
const modes = (query: Query.Query, need: ModeSelection.Need) =>
  ModeSelection.admissible(query, need).map(({ mode }) => mode._tag)

const real = Account.nonProfessional("realTime")
const paid = Account.make({ plan: "paid", user: real })
const free = Account.make({ plan: "free", user: real })
const professional = Account.make({ plan: "paid", user: Account.professional })

const everyMode = ["Live", "Delayed", "Cached", "CachedOrLive"]

const anyNeed: fc.Arbitrary<ModeSelection.Need> = fc.record({
  staleness: fc.oneof(fc.nat({ max: 2000 }), fc.constantFrom(59, 60, 899, 900, 959, 960, 1e9, Infinity)),
  mayMiss: fc.boolean(),
  account: fc.constantFrom(undefined, paid, free, professional),
  hitRate: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined })
})

describe("admissible", () => {
  it("[8.2-timeliness] takes cached data from a minute on, and delayed data from a quarter of an hour on", () => {
    assert.deepStrictEqual(modes(chain, { staleness: 59, mayMiss: true }), ["Live"])
    assert.sameMembers(modes(chain, { staleness: 60, mayMiss: true }), ["Live", "Cached", "CachedOrLive"])
    assert.sameMembers(modes(chain, { staleness: 899 }), ["Live", "CachedOrLive"])
    assert.sameMembers(modes(chain, { staleness: 900 }), ["Live", "CachedOrLive", "Delayed"])
  })

  it("[8.2-access] [4.1-data-type-table] leaves out what the account does not have, or not fresh enough", () => {
    assert.deepStrictEqual(modes(chain, { staleness: 600, mayMiss: true, account: free }), [])
    for (const staleness of [900, 5000, Infinity]) {
      assert.sameMembers(modes(chain, { staleness, mayMiss: true, account: free }), ["Live", "Delayed"])
    }
    assert.deepStrictEqual(modes(chain, { staleness: 1e6, account: professional }), [])
    assert.sameMembers(modes(chain, { staleness: Infinity, mayMiss: true, account: professional }), everyMode)
    // The public service answers live and delayed of such an account with 402.
    assert.isEmpty(ModeSelection.admissible(chain, { staleness: Infinity, account: free }, { profile: "public" }))
  })

  it("[4.1-cost-historical] states no exact price of historical data without a date", () => {
    const prices = ModeSelection.admissible(chain, { staleness: Infinity, account: professional })
    assert.deepStrictEqual(prices.map(({ price }) => price._tag), ["Range", "Range", "Range"])
  })

  it("asks the cache for no older data than are left over", () => {
    const delayed = Account.make({ plan: "paid", user: Account.nonProfessional("delayed") })
    const ageOf = (need: ModeSelection.Need) => {
      const mode = ModeSelection.admissible(chain, { ...need, mayMiss: true }).find(({ mode }) =>
        mode._tag === "Cached"
      )?.mode
      return mode?.maxAge === undefined
        ? mode?._tag
        : Result.getOrThrow(Result.map(MaxAge.parse(mode.maxAge), MaxAge.format))
    }
    assert.strictEqual(ageOf({ staleness: 600 }), "10min")
    assert.strictEqual(ageOf({ staleness: 959, account: delayed }), undefined)
    assert.strictEqual(ageOf({ staleness: 1200, account: delayed }), "5min")
    assert.strictEqual(ageOf({ staleness: Infinity }), "Cached")
  })

  it("[4.1-cost-historical] has no cached mode for past days, which do not age", () => {
    const past = modes(Queries.chain({ date: "2026-01-02" }), { staleness: 0, mayMiss: true })
    assert.sameMembers(past, ["Live", "Delayed"])
  })

  it("sorts by price, and prices what it names", () => {
    forAll(runs, Queries.anyKind, anyNeed, (query, need) => {
      const choices = ModeSelection.admissible(query, need)
      const costs = choices.map(({ mode, price }) => {
        const known = need.account === professional && !query.historical ? { historical: true } : {}
        assert.deepStrictEqual(price, Credits.estimate({ ...query, mode }, known))
        assert.notStrictEqual(price._tag, "Unavailable")
        const one = Workload.taskUnsafe({ ...query, mode }, { first: 0 }, known)
        return need.hitRate === undefined ? Credits.bound(price) : Workload.expected([one], need.hitRate).max
      })
      assert.deepStrictEqual(costs, costs.toSorted((a, b) => a === b ? 0 : a - b))
    })
  })

  it("names no fewer modes where the need is less strict", () => {
    forAll(runs, Queries.anyKind, anyNeed, fc.nat({ max: 5000 }), (query, need, more) => {
      const easier = modes(query, { ...need, staleness: need.staleness + more, mayMiss: true })
      assert.includeMembers(easier, modes(query, need))
    })
  })
})

it("[4.1-cost-cached] [8.3-fallback] cheapest is cached, then cached with a fallback, then live", () => {
  assert.strictEqual(ModeSelection.cheapest(chain, { staleness: 600, mayMiss: true })?.mode._tag, "Cached")
  assert.strictEqual(ModeSelection.cheapest(chain, { staleness: 600, hitRate: 0.1 })?.mode._tag, "CachedOrLive")
  assert.strictEqual(ModeSelection.cheapest(chain, { staleness: 30 })?.mode._tag, "Live")
  assert.isUndefined(ModeSelection.cheapest(chain, { staleness: 0, account: free }))
})

describe("breakEven", () => {
  const costAt = (hitRate: number, live: number, cached: number) => hitRate * cached + (1 - hitRate) * live

  it("[8.3-fallback] pays against live data at every hit rate, because a miss is free", () => {
    assert.deepStrictEqual(ModeSelection.breakEven({ live: 300, alternative: 300 }), { from: 0, to: 1 })
    assert.deepStrictEqual(ModeSelection.breakEven({ live: 1, alternative: 3, cached: 5 }), { from: 0, to: 0.5 })
  })

  it("tells the hit rate that keeps to a budget, or that none does", () => {
    assert.deepStrictEqual(ModeSelection.breakEven({ live: 101, alternative: 51 }), { from: 0.5, to: 1 })
    assert.isUndefined(ModeSelection.breakEven({ live: 100, alternative: 0.5 }))
    assert.deepStrictEqual(ModeSelection.breakEven({ live: Infinity, alternative: 5 }), { from: 1, to: 1 })
  })

  it("holds within its bounds, and nowhere else", () => {
    const credits = fc.nat({ max: 2000 })
    const [times, rate] = [fc.integer({ min: 1, max: 5 }), fc.double({ min: 0, max: 1, noNaN: true })]
    forAll(trials(8_2), credits, credits, times, rate, (live, alternative, cached, hitRate) => {
      const range = ModeSelection.breakEven({ live, alternative, cached })
      const margin = costAt(hitRate, live, cached) - alternative
      if (Math.abs(margin) < 1e-6) return
      assert.strictEqual(margin < 0, range !== undefined && range.from <= hitRate && hitRate <= range.to)
    })
  })
})
