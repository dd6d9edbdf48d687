/** What a plan says of its price: in words, in each mode, and of its tasks together. */
import { DataMode, NewYork, Plan, PlanReport, Query, TradingCalendar, Workload } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { runs } from "./support/depth.ts"

const now = { now: NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0), calendar: TradingCalendar.NYSE }

const priced = (query: Query.Query, given: Partial<Plan.Task> = {}, options: Plan.Options = {}): Plan.Priced =>
  Result.getOrThrow(Result.flatMap(Plan.task({ ...given, queries: [query] }, now), (task) => Plan.price(task, options)))

const chain = (options: Parameters<typeof Query.optionChain>[1]) => Result.getOrThrow(Query.optionChain("SPX", options))

const cost = (given: Partial<Workload.Cost>): Workload.Cost => ({ ...Workload.zero, queries: 1, ...given })

it("a cost in words is a number, a range or a bound, and says what is not known", () => {
  const of = (given: Partial<Workload.Cost>) => [PlanReport.short(cost(given)), PlanReport.format(cost(given))]
  assert.deepStrictEqual(of({ min: 1, max: 1 }), ["1", "1 credit"])
  assert.deepStrictEqual(of({ min: 1000, max: 22_718 }), ["1,000 to 22,718", "1,000 to 22,718 credits"])
  assert.deepStrictEqual(of({ min: 2, max: Infinity }), ["2 or more", "at least 2 credits, no upper bound"])
  assert.deepStrictEqual(of({ max: Infinity, notStated: 1 }), ["not stated", "not stated"])
  const unbounded = of({ min: 5, max: Infinity, notStated: 1 })
  assert.deepStrictEqual(unbounded, ["not stated", "at least 5 credits, the rest not stated"])
  assert.deepStrictEqual(of({ unavailable: 1 }), ["unavailable", "0 credits"])
})

describe("the prices of a task", () => {
  it("are told each time and for all times, the mode that is asked first, the cheapest that is fresh enough marked", () => {
    const task = priced(chain({ assume: { contracts: 300 }, mode: DataMode.live }), {
      when: "every 1h on trading days of 2026-12",
      need: { seconds: 3600, mayMiss: true }
    })
    assert.deepStrictEqual(
      PlanReport.inModes(task).map(({ cost, each, isCheapest, name }) => [name, each.max, cost.max, isCheapest]),
      [
        ["live (asked)", 300, 45_300, false],
        ["delayed", 300, 45_300, false],
        ["cached", 1, 151, true],
        ["cached, else live", 300, 45_300, false]
      ]
    )
    assert.deepStrictEqual([PlanReport.times(task), PlanReport.liveBound(task)], [151, 300])
    assert.deepStrictEqual(PlanReport.clauses(task.asked), ["4.1-cost-live"])
    assert.strictEqual(PlanReport.liveBound(priced(chain({}))), Infinity)
  })

  it("name what they assume, what moves them, the ceiling, and when they are asked", () => {
    const facts = (query: Query.Query, given: Partial<Plan.Task> = {}) =>
      Object.fromEntries(PlanReport.facts(priced(query, given)))
    assert.deepStrictEqual(Object.keys(facts(chain({ dte: 30, strikeLimit: 25 }))), ["moved by", "assumes", "requests"])
    const cached = facts(chain({ mode: DataMode.cachedOrLive() }), {
      fallbackUpTo: 1200,
      when: "every 1h from 10:00 to 12:00 on 2026-11-23"
    })
    assert.strictEqual(cached["ceiling"], "live data are asked for only if they cost 1,200 credits at most")
    assert.match(cached["when"]!, /^2 times from 2026-11-\d\d 1\d:00:00 EST to 2026-/)
  })
})

it("tasks together are sums, whatever the tasks are, with a verdict and what is expected only where these can be told", () => {
  const query = fc.record({ contracts: fc.integer({ min: 1, max: 5000 }), mode: fc.constantFrom("live", "cached") })
    .map(({ contracts, mode }) => chain({ assume: { contracts }, mode: mode as never }))
  const when = fc.constantFrom("once", "every 30min on trading days of 2026-12", "every 2h on 2026-11-23")
  fc.assert(
    fc.property(fc.array(fc.tuple(query, when), { maxLength: 4 }), fc.boolean(), (drawn, isTold) => {
      const all = drawn.map(([query, when]) => priced(query, { when }))
      const allowance = { credits: 1000, window: "day" } as const
      const sum = PlanReport.together(all, isTold ? { allowance, hitRate: 0.5 } : undefined)
      const added = (costs: ReadonlyArray<Workload.Cost>) => costs.reduce(Workload.add, Workload.zero)
      assert.deepStrictEqual(sum.cost, added(all.map(({ asked }) => asked.cost)))
      assert.deepStrictEqual(added(Object.values(sum.byMode)), sum.cost)
      assert.deepStrictEqual(added(sum.days.map(({ cost }) => cost)), sum.cost)
      assert.deepStrictEqual(sum.verdict, isTold ? Workload.fits(sum.workload, allowance) : undefined)
      assert.deepStrictEqual(sum.expected, isTold ? Plan.expected(sum.workload, 0.5) : undefined)
      const months = PlanReport.grouped(sum.days, (start) => NewYork.format(start).slice(0, 7))
      assert.deepStrictEqual(added([...months.values()]), sum.cost)
      assert.deepStrictEqual([...months.keys()], [...new Set(months.keys())].toSorted())
    }),
    { numRuns: runs(60, 20) }
  )
})
