import { Account, Budget, Credits, DataMode, NewYork, OptionSymbol, Plan, Query } from "@effect-marketdata/core"
import * as Schemas from "@effect-marketdata/core/Schemas"
import * as SymbolGuess from "@effect-marketdata/core/SymbolGuess"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Workload from "@effect-marketdata/core/Workload"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { forAll, trials } from "./support/depth.ts"
import * as Queries from "./support/queries.ts"

const now = { now: NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0), calendar: TradingCalendar.NYSE }

const chain = (contracts: number, mode?: DataMode.DataMode) => Queries.chain({ mode, assume: { contracts } }, "SPX")

const task = (given: Parameters<typeof Plan.task>[0]) => Result.getOrThrow(Plan.task(given, now))

const hourly = "every 1h on trading days of 2026-12"

describe("Plan", () => {
  it("prices a task as it is asked and in each other mode, by Credits and Workload", () => {
    const { asked, choices, others, requests } = Result.getOrThrow(
      Plan.price(task({ queries: [chain(300)], when: hourly }))
    )
    assert.strictEqual(requests, 1)
    assert.isUndefined(choices)
    assert.deepInclude(asked, { each: [Credits.estimate(chain(300))], cost: Workload.total(asked.workload) })
    assert.deepStrictEqual(others.map(({ mode }) => mode), ["Live", "Delayed", "Cached", "CachedOrLive"])
    const [list, seen] = [Result.getOrThrow(Query.stockQuotes(["AAPL"])), { profile: "public" }] as const
    const { asked: { each } } = Result.getOrThrow(Plan.price(task({ queries: [list] }), { seen }))
    assert.deepStrictEqual(each, [Credits.estimate(list, seen)])
  })

  it("checks a schedule without pricing its query for each of its runs", () => {
    const priced = (when: string): number => {
      let times = 0
      const seen = {
        get contracts() {
          times++
          return 300
        }
      }
      Result.getOrThrow(Plan.price(task({ queries: [chain(300)], when }), { seen }))
      return times
    }
    assert.isAbove(priced("once"), 0)
    assert.strictEqual(priced(hourly), priced("once"))
  })

  it("names the modes that are fresh enough, the cheapest first, at the hit rate that is expected", () => {
    const need = { seconds: 3600, mayMiss: true }
    const { choices = [] } = Result.getOrThrow(
      Plan.price(task({ queries: [chain(300)], when: hourly, need }), { hitRate: 0.5 })
    )
    assert.deepStrictEqual(choices.map(({ mode }) => mode._tag), ["Cached", "CachedOrLive", "Live", "Delayed"])
    assert.isTrue(choices.every(({ cost, expected }) => expected !== undefined && expected.max <= cost.max))
  })

  it("chooses a mode for all queries of a task, and no ceiling that leaves one without data", () => {
    const chosen = (queries: Plan.Task["queries"], mayMiss: boolean, fallbackUpTo?: number) =>
      Result.getOrThrow(Plan.price(task({ queries, need: { seconds: 600, mayMiss }, fallbackUpTo }), { hitRate: 0.5 }))
        .choices?.map(({ cost, mode }) => [mode._tag, cost.max])
    const [small, past] = [Queries.chain({ assume: { contracts: 1 } }), Queries.chain({ date: "2026-11-02" })]
    assert.deepStrictEqual(chosen([small, chain(300)], false), [["CachedOrLive", 301], ["Live", 301]])
    assert.deepStrictEqual(chosen([past, chain(300)], true), chosen([chain(300), past], true))
    assert.deepStrictEqual(chosen([past, chain(300)], true)?.map(([mode]) => mode), ["Live"])
    assert.deepStrictEqual(chosen([chain(300)], false, 10), [["CachedOrLive", 300], ["Live", 300]])
    assert.deepStrictEqual(chosen([chain(300)], true, 10), [["Cached", 1], ["CachedOrLive", 10], ["Live", 300]])
  })

  it("[8.3-fallback] holds the price of a fallback to its ceiling, and so what is expected", () => {
    const fallback = chain(300, DataMode.cachedOrLive())
    const estimate = Credits.estimate(fallback)
    assert.strictEqual(Credits.bound(Plan.capped(fallback, estimate, 100)), 100)
    assert.strictEqual(Plan.capped(fallback, estimate, 300), estimate)
    assert.strictEqual(Plan.capped(chain(300), Credits.estimate(chain(300)), 1).clause, "4.1-cost-live")
    const { asked } = Result.getOrThrow(Plan.price(task({ queries: [fallback], when: "2 times", fallbackUpTo: 100 })))
    assert.deepStrictEqual([asked.cost.max, Plan.expected(asked.workload, 1).max], [200, 2])
    assert.strictEqual(Plan.expected(asked.workload, 0).max, 200)
  })

  it("[8.1-batches] counts the requests of each list by itself, and those that hit beside the ceiling", () => {
    const [mode, tickers] = [DataMode.cachedOrLive(), Array.from({ length: 1200 }, (_, at) => `T${at}`)]
    const list = Result.getOrThrow(Query.stockQuotes(tickers, { mode }))
    const cost = (mode: DataMode.DataMode, fallbackUpTo: number) =>
      Result.getOrThrow(Plan.price(task({ queries: [Query.withMode(list, mode), list], fallbackUpTo }))).asked
    assert.deepStrictEqual(cost(DataMode.cached(), 2000).each.map(Credits.bound), [3, 1200])
    // All three hit, or two do and the third costs the ceiling.
    assert.deepStrictEqual([1, 500].map((ceiling) => cost(mode, ceiling).cost.max), [6, 1004])
    assert.strictEqual(Plan.expected(cost(mode, 1).workload, 1).max, 6)
  })

  it("expects what it costs at most, and at least, of a hit rate that is not a share", () => {
    const once = task({
      queries: [chain(300, DataMode.cachedOrLive())],
      fallbackUpTo: 100,
      need: { seconds: 3600, mayMiss: true }
    })
    for (const hitRate of [90, -1, NaN, "0.5" as unknown as number]) {
      const { asked, choices = [] } = Result.getOrThrow(Plan.price(once, { hitRate }))
      const { max, min } = asked.cost
      assert.deepStrictEqual(Plan.expected(asked.workload, hitRate), { max, min }, String(hitRate))
      assert.deepStrictEqual(choices.map(({ mode }) => mode._tag), ["Cached", "CachedOrLive", "Live", "Delayed"])
      for (const { cost, expected } of choices) assert.deepStrictEqual(expected, { max: cost.max, min: cost.min })
    }
  })

  it("[4.1-cost-historical] lists the modes that an account has, and prices them for it", () => {
    const quote = task({ queries: [chain(300)], need: { seconds: 3600, mayMiss: true } })
    const modesOf = (account?: Account.Account) => {
      const { choices = [], others } = Result.getOrThrow(Plan.price(quote, { account }))
      return [choices.map(({ mode }) => mode._tag), others.map(({ mode }) => mode)].map((modes) => modes.join(" "))
    }
    assert.deepStrictEqual(modesOf(), ["Cached CachedOrLive Live Delayed", "Live Delayed Cached CachedOrLive"])
    const trial = Account.make({ plan: "trial", user: Account.nonProfessional("realTime") })
    assert.deepStrictEqual(modesOf(trial), ["Live Delayed", "Live Delayed"])
    const professional = Account.make({ plan: "paid", user: Account.professional })
    const { asked, others } = Result.getOrThrow(Plan.price(task({ queries: [chain(3000)] }), { account: professional }))
    assert.deepStrictEqual([asked, others[0]!].map(({ cost: { max, min } }) => [min, max]), [[3, 3000], [3, 3000]])
  })

  it("holds a fallback to nothing by a ceiling that is not an amount", () => {
    const { asked } = Result.getOrThrow(
      Plan.price(task({ queries: [chain(300, DataMode.cachedOrLive())], fallbackUpTo: NaN }))
    )
    assert.strictEqual(asked.cost.max, 1)
  })

  it("refuses a schedule by its word, whatever it is", () => {
    for (const when of ["every", "evry 1min", "3", 7 as unknown as string]) {
      assert.isTrue(Result.isFailure(Plan.task({ queries: [chain(1)], when }, now)), when)
    }
  })
})

describe("Budget", () => {
  it("covers what costs no more, and names cheaper ways to ask only where it has to", () => {
    forAll(trials(4_1), fc.nat({ max: 5000 }), fc.integer({ min: 1, max: 5000 }), (credits, contracts) => {
      const { covered, times, ways } = Budget.buys(chain(contracts), credits)
      assert.deepStrictEqual(covered, { unit: "contracts", count: credits })
      assert.strictEqual(times, Math.floor(credits / contracts))
      if (contracts <= credits) assert.deepStrictEqual(ways, [])
      for (const { price } of ways) assert.isAtMost(Credits.bound(price), credits)
    })
  })

  it("covers any number of what costs the same whole, and no query of which it is not sure", () => {
    const cached = Budget.buys(chain(300, DataMode.cached()), 5)
    assert.deepStrictEqual([cached.covered, cached.times], [{ unit: "contracts", count: Infinity }, 5])
    const unbounded = Result.getOrThrow(Query.optionChain("SPX", { expiration: "all" }))
    assert.isUndefined(Budget.buys(unbounded, 100).times)
    const candles = Result.getOrThrow(Query.stockCandles("D", "AAPL"))
    assert.strictEqual(Budget.buys(candles, 1, { rounding: "down" }).covered?.count, 1999)
  })

  it("buys nothing with credits that are not an amount", () => {
    for (const credits of [NaN, -1, undefined as unknown as number]) {
      assert.deepStrictEqual(Budget.buys(chain(300), credits), Budget.buys(chain(300), 0), String(credits))
    }
  })
})

it("SymbolGuess reads what people, brokers and vendors write, and proposes nothing else", () => {
  const symbols = [".AAPL261120C150", "O:AAPL261120C00150000", "AAPL_112026C150", "aapl 20nov26 c150"]
  const written = ["AAPL 11/20/26 150 call", "Nov 20 2026 AAPL $150 C", ...symbols]
  for (const text of written) {
    assert.strictEqual(SymbolGuess.meant(text).map(OptionSymbol.format)[0], "AAPL261120C00150000", text)
  }
  for (const text of ["", "AAPL", "the usual", "9".repeat(100), 7 as unknown as string]) {
    assert.deepStrictEqual(SymbolGuess.meant(text), [])
  }
})

it("Schemas.Workload checks what Workload.task checks, and prices it again where nothing but the query prices it", () => {
  const json = Schema.fromJsonString(Schemas.Workload)
  const [stored] = JSON.parse(Schema.encodeSync(json)([Workload.taskUnsafe(chain(300), { first: 0 })]))
  const read = (changed: object) =>
    Schema.decodeUnknownResult(json)(JSON.stringify([{ ...stored, ...changed }]), { errors: "all" })
  const free = Result.getOrThrow(read({ price: { ...stored.price, credits: 0 } }))
  assert.strictEqual(Workload.total(free).max, 300)
  const wrong = [{ schedule: { first: 0, every: -1, times: 2 } }, { assume: { contracts: -1 } }, { price: 3 }]
  for (const changed of wrong) assert.isTrue(Result.isFailure(read(changed)), JSON.stringify(changed))
})
