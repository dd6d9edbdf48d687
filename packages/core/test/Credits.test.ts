import * as Credits from "@effect-marketdata/core/Credits"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as Query from "@effect-marketdata/core/Query"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Queries from "./support/queries.ts"

const runs = { numRuns: 10_000, seed: 4_1 }

const past = "2026-01-02"

const estimate = (options: Queries.Options, assume?: Query.Assumptions): Credits.Estimate =>
  Credits.estimate(Queries.chain(options), assume)

const exactly = (credits: number, clause: string, options: Queries.Options, contracts: number): void => {
  const price = estimate(options, { contracts })
  assert.deepStrictEqual([price._tag, Credits.bound(price), price.clause], ["Exact", credits, clause])
}

const charged = (options: Queries.Options, status: number, contracts: number, reported?: number): Credits.Charge =>
  Credits.charged(Queries.chain(options), { status, contracts, reported })

/** The names of what is taken for granted. */
const assumed = ({ assumptions }: Pick<Credits.Estimate, "assumptions">): ReadonlyArray<string> =>
  assumptions.map(({ name }) => name)

/** What the replies to a question cost together: a fallback pays for its live reply after a free miss. */
const paid = (query: Query.Query, contracts: number, hit: boolean): number => {
  const outcome = { contracts, reported: undefined }
  if (query.mode?._tag !== "Cached" && query.mode?._tag !== "CachedOrLive") {
    return Credits.charged(query, { ...outcome, status: hit ? 203 : 200 }).computed
  }
  if (hit) return Credits.charged(query, { ...outcome, status: 203 }).computed
  const miss = Credits.charged(query, { ...outcome, contracts: 0, status: 204 }).computed
  return query.mode._tag === "Cached"
    ? miss
    : miss + Credits.charged(Query.withMode(query, DataMode.live), { ...outcome, status: 200 }).computed
}

describe("Credits", () => {
  describe("the contract's examples", () => {
    it("[4.1-cost-live] [1-credits] 22,718 contracts in real time cost 22,718 credits", () => {
      exactly(22_718, "4.1-cost-live", { mode: DataMode.live }, 22_718)
      exactly(22_718, "4.1-cost-live", {}, 22_718)
      assert.strictEqual(charged({ mode: DataMode.live }, 200, 22_718).credits, 22_718)
      assert.strictEqual(charged({}, 200, 22_718).clause, "4.1-cost-live")
    })

    it("[4.1-cost-delayed] [1-credits] 22,718 delayed contracts cost 22,718 credits", () => {
      exactly(22_718, "4.1-cost-delayed", { mode: DataMode.delayed }, 22_718)
      const charge = charged({ mode: DataMode.delayed }, 200, 22_718)
      assert.deepStrictEqual([charge.credits, charge.clause], [22_718, "4.1-cost-delayed"])
    })

    it("[4.1-cost-cached] [8.3-hit] [1-credits] a cached chain costs 1 credit, whatever its size", () => {
      for (const contracts of [0, 1, 1000, 22_718]) {
        const charge = charged({ mode: DataMode.cached() }, 203, contracts)
        assert.deepStrictEqual([charge.credits, charge.clause], [1, "4.1-cost-cached"])
      }
    })

    it("[4.1-cost-historical] [1-credits] 5,000 contracts of a past day cost 5 credits", () => {
      exactly(5, "4.1-cost-historical", { date: past }, 5000)
      const charge = charged({ date: past }, 200, 5000)
      assert.deepStrictEqual([charge.credits, charge.clause], [5, "4.1-cost-historical"])
    })
  })

  describe("perThousand", () => {
    it("[4.1-cost-historical] counts a part of a thousand as a whole, and nothing as nothing", () => {
      const cases = [[0, 0], [1, 1], [999, 1], [1000, 1], [1001, 2], [5000, 5], [22_718, 23]] as const
      for (const [contracts, credits] of cases) assert.strictEqual(Credits.perThousand(contracts), credits)
    })
  })

  describe("estimate", () => {
    it("[4.1-cost-live] [4.1-cost-historical] has no upper bound where nobody knows how many contracts come back", () => {
      for (const options of [{}, { mode: DataMode.live }, { mode: DataMode.delayed }, { date: past }]) {
        const price = estimate(options)
        assert(price._tag === "Range")
        assert.deepStrictEqual([price.min, price.max, Credits.bound(price)], [1, Infinity, Infinity])
        assert.include(price.movedBy, "contracts")
      }
    })

    it("[4.1-cost-cached] is at most 1 credit for cached data, bounded without knowing anything", () => {
      const price = estimate({ mode: DataMode.cached() })
      assert(price._tag === "Range")
      assert.deepStrictEqual([price.min, price.max, price.clause], [0, 1, "4.1-cost-cached"])
    })

    it("[8.3-fallback] lies between a hit and the full live cost for cached data with a fallback", () => {
      const price = estimate({ mode: DataMode.cachedOrLive() }, { contracts: 300 })
      assert(price._tag === "Range")
      assert.deepStrictEqual([price.min, price.max, price.clause], [1, 300, "8.3-fallback"])
      assert.strictEqual(Credits.bound(estimate({ mode: DataMode.cachedOrLive() })), Infinity)
    })

    it("[4.1-cost-historical] names rounding as an assumption of ours", () => {
      assert.include(assumed(estimate({ date: past }, { contracts: 1500 })), "rounding of a part of 1000")
      assert.include(assumed(charged({ date: past }, 200, 1500)), "rounding of a part of 1000")
    })

    it("[4.1-cost-historical] is a range, never a number, for historical data without a date", () => {
      const price = estimate({ mode: DataMode.live }, { historical: true, contracts: 5000 })
      assert(price._tag === "Range")
      assert.deepStrictEqual([price.min, price.max, price.clause], [5, 5000, "4.1-cost-historical"])
      assert.include(assumed(price), "data type")
      fc.assert(
        fc.property(fc.nat({ max: 30_000 }), (contracts) => {
          const price = estimate({}, { historical: true, contracts })
          assert(price._tag === "Range")
          assert.isAtMost(price.min, price.max)
          if (contracts > 0) {
            assert.strictEqual(price.min, Credits.perThousand(contracts))
            assert.strictEqual(price.max, contracts)
          }
        }),
        { ...runs, numRuns: 1000 }
      )
    })

    it("lets the caller's word stand above the question's own assumption, and names it", () => {
      const price = estimate({ assume: { contracts: 100 } }, { contracts: 2000 })
      assert.strictEqual(Credits.bound(price), 2000)
      assert.deepStrictEqual(price.assumptions, [{ name: "contracts", value: "2,000" }])
      assert.strictEqual(Credits.bound(estimate({ assume: { contracts: 100 } })), 100)
    })

    it("[8.2-default] prices a question without a mode like live data", () => {
      fc.assert(
        fc.property(fc.option(fc.nat({ max: 30_000 }), { nil: undefined }), (contracts) => {
          assert.deepStrictEqual(estimate({}, { contracts }), estimate({ mode: DataMode.live }, { contracts }))
        }),
        { ...runs, numRuns: 100 }
      )
    })

    it("[4.1-cost-live] [4.1-cost-delayed] [4.1-cost-cached] [4.1-cost-historical] [8.3-fallback] bounds what is charged", () => {
      fc.assert(
        fc.property(Queries.query, fc.integer({ min: 1, max: 30_000 }), fc.boolean(), (query, contracts, hit) => {
          const price = Credits.estimate(query, { contracts })
          const cost = paid(query, contracts, hit)
          assert.isAtMost(cost, Credits.bound(price))
          assert.isAtLeast(cost, price._tag === "Exact" ? price.credits : price.min)
          assert.isAtMost(Credits.bound(price), Credits.bound(Credits.estimate(query, { contracts: undefined })))
        }),
        runs
      )
    })

    it("names a clause and never a figure out of nowhere", () => {
      fc.assert(
        fc.property(Queries.query, (query) => {
          const price = Credits.estimate(query)
          assert.match(price.clause, /^(4\.1-cost-(live|delayed|cached|historical)|8\.3-fallback)$/)
          assert.isAtLeast(Credits.bound(price), 0)
          assert.isFalse(Number.isNaN(Credits.bound(price)))
        }),
        runs
      )
    })
  })

  describe("charged", () => {
    it("[7.2-203-price] [8.2-modes] bills a 203 at the price of the mode that was asked for", () => {
      fc.assert(
        fc.property(Queries.query, fc.nat({ max: 30_000 }), (query, contracts) => {
          const [fresh, cached] = ([200, 203] as const).map((status) =>
            Credits.charged(query, { status, contracts, reported: undefined })
          )
          assert.deepStrictEqual(cached, fresh)
        }),
        { ...runs, numRuns: 1000 }
      )
      assert.strictEqual(charged({ mode: DataMode.live }, 203, 300).credits, 300)
      assert.strictEqual(charged({}, 203, 300).credits, 300)
      assert.strictEqual(charged({ mode: DataMode.delayed }, 203, 300).credits, 300)
    })

    it("[7.1-204] [8.3-miss] [1-credits] takes a 204 for free", () => {
      for (const options of [{}, { mode: DataMode.cached() }, { mode: DataMode.cachedOrLive() }, { date: past }]) {
        const charge = charged(options, 204, 0)
        assert.deepStrictEqual([charge.credits, charge.clause, charge.assumptions], [0, "7.1-204", []])
      }
    })

    it("[7.1-charge-not-stated] [1-credits] takes any other status for free, as a named assumption", () => {
      for (const status of [301, 400, 401, 402, 403, 404, 429, 500, 503]) {
        const charge = charged({ mode: DataMode.live }, status, 0)
        assert.strictEqual(charge.credits, 0)
        assert.deepStrictEqual(charge.assumptions, [{ name: `charge for status ${status}`, value: "0" }])
      }
    })

    it("[7.1-charge-not-stated] the service's own figure wins, and the computed one stays visible", () => {
      const outcome = fc.record({ status: fc.integer({ min: 100, max: 599 }), contracts: fc.nat(), reported: fc.nat() })
      fc.assert(
        fc.property(Queries.query, outcome, (query, outcome) => {
          const charge = Credits.charged(query, outcome)
          const alone = Credits.charged(query, { ...outcome, reported: undefined })
          assert.deepStrictEqual(charge, { ...alone, credits: outcome.reported, reported: outcome.reported })
          assert.strictEqual(alone.credits, alone.computed)
        }),
        { ...runs, numRuns: 2000 }
      )
    })
  })

  describe("format", () => {
    it("prints amounts with thousands apart", () => {
      assert.deepStrictEqual([0, 1, 2, 999, 1000, 22_718, 1_000_000].map(Credits.formatAmount), [
        "0 credits",
        "1 credit",
        "2 credits",
        "999 credits",
        "1,000 credits",
        "22,718 credits",
        "1,000,000 credits"
      ])
    })

    it("prints exact prices, ranges, and what has no bound", () => {
      assert.strictEqual(Credits.format(estimate({}, { contracts: 22_718 })), "exactly 22,718 credits")
      assert.strictEqual(Credits.format(estimate({})), "at least 1 credit, no upper bound")
      assert.strictEqual(Credits.format(estimate({ mode: DataMode.cached() })), "0 to 1 credit")
      assert.strictEqual(
        Credits.format(estimate({ mode: DataMode.cachedOrLive() }, { contracts: 2000 })),
        "1 to 2,000 credits"
      )
    })
  })
})
