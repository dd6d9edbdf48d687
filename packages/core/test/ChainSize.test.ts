import { CalendarDate, ChainSize, Credits, DataMode, NewYork, Query } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { refuse } from "./support/untyped.ts"

/** A moment of November 2026: the 20th is a Friday, the 26th Thanksgiving. */
const at = (day: number, hour: number, minute = 0): number => NewYork.at({ year: 2026, month: 11, day }, hour, minute)

const friday = at(20, 11)

type Options = Parameters<typeof Query.optionChain>[1]

const chain = (options: Options = { expiration: "all" }, underlying = "SPX") =>
  Result.getOrThrow(Query.optionChain(underlying, options))

const sizeOf = (query: Query.Query, contracts = 300, seenAt = friday): ChainSize.ChainSize => {
  const size = ChainSize.ofChain(query, { contracts, seenAt })
  assert(size !== undefined)
  return size
}

/** How many contracts a chain may have where sizes were seen; its price is for one more, which tells whether it has grown. */
const most = (query: Query.Query, now: number, ...sizes: ReadonlyArray<ChainSize.ChainSize>): number => {
  const price = Credits.estimate(query, { seen: { sizes, now } })
  return Credits.bound(price) - (ChainSize.assumedBy(price) === undefined || query.historical ? 0 : 1)
}

/** The bound of a chain where another one of 300 contracts was seen an hour before. */
const within = (inner: Options, outer: Options, seenAt = friday): number =>
  most(chain(inner), seenAt + 3600, sizeOf(chain(outer), 300, seenAt))

const listed = (query: Query.Query, strikes: Readonly<Record<string, number>>, seenAt = friday) => {
  const size = ChainSize.ofStrikes(query, {
    expirations: Object.entries(strikes).map(([day, count]) => ({
      expiration: CalendarDate.parseUnsafe(day),
      strikes: Array.from({ length: count }, (_, at) => 100 + at)
    })),
    seenAt
  })
  assert(size !== undefined)
  return size
}

describe("of a chain", () => {
  it("[4.1-cost-live] bounds the same chain in each mode that counts contracts, by name and age", () => {
    const seen = { sizes: [sizeOf(chain(), 22_718)], now: friday + 3600 }
    const price = Credits.estimate(chain(), { seen })
    assert.strictEqual(Credits.format(price), "1 to 22,719 credits")
    assert.deepStrictEqual(price.assumptions, [
      { name: "size of the chain", value: "22,718 contracts, seen 1 hour ago" },
      { name: "contracts more", value: "1, which tells whether the chain has grown" }
    ])
    assert.strictEqual(ChainSize.assumedBy(price), "22,718 contracts, seen 1 hour ago")
    const formats = [DataMode.delayed, DataMode.cached(), DataMode.cachedOrLive()].map((mode) =>
      Credits.format(Credits.estimate({ ...chain(), mode }, { seen }))
    )
    assert.deepStrictEqual(formats, ["1 to 22,719 credits", "0 to 1 credit", "1 to 22,719 credits"])
    assert.isUndefined(ChainSize.assumedBy(Credits.estimate(chain())))
  })

  it("limits a query to one contract more than was seen, and none whose price needs no size", () => {
    const limited = (query: Query.Query, contracts: number) => {
      const date = Query.dateOf(query)
      const sizes = [sizeOf(chain({ expiration: "all", ...date === undefined ? {} : { date } }), contracts)]
      const price = Credits.estimate(query, { seen: { sizes, now: friday } })
      return ChainSize.limited(query, price).options["limit"]
    }
    assert.deepStrictEqual([limited(chain(), 300), limited(chain({ expiration: "all", limit: 500 }), 300)], [301, 301])
    assert.strictEqual(limited(chain({ expiration: "all", limit: 100 }), 300), 100)
    assert.strictEqual(limited(chain(), 60_000), 50_000)
    assert.strictEqual(limited(chain({ expiration: "all", date: "2026-11-18" }), 1001), 2000)
    assert.isUndefined(limited(chain({ dte: 30, strikeLimit: 25 }), 300))
    assert.isUndefined(limited({ ...chain(), mode: DataMode.cached() }, 300))
    assert.isUndefined(limited(chain({ expiration: "all", assume: { contracts: 5 } }), 300))
  })

  it("bounds a chain with more filters, and none with fewer or others", () => {
    const all = { expiration: "all" } as const
    const one = { expiration: "2026-12-18" } as const
    const bounded = [
      [one, all],
      [{ dte: 30 }, all],
      [{}, all],
      [{ from: "2026-12-01", to: "2026-12-31" }, all],
      [{ ...all, monthly: true, delta: 0.3, minBid: 1, range: "itm", am: true, nonstandard: false }, all],
      [one, { from: "2026-12-18", to: "2026-12-18" }],
      [one, { month: 12, year: 2026 }],
      [one, { from: "2026-12-01" }],
      [{ ...one, side: "call" }, { ...one, side: "call" }],
      [{ ...all, monthly: true, side: "put" }, { ...all, monthly: true }],
      [{ ...all, strike: [100, 110] }, { ...all, strike: { from: 100, to: 110 } }],
      [{ ...all, strike: { above: 100 } }, { ...all, strike: { atLeast: 100 } }],
      [{ ...all, strike: { below: 100 } }, { ...all, strike: { atMost: 99.999 } }],
      [{ ...all, am: true }, { ...all, am: true }],
      [{ ...all, nonstandard: true }, { ...all, nonstandard: true }],
      [all, { ...all, nonstandard: true }],
      [{ ...all, range: "otm" }, { ...all, range: "all" }]
    ] satisfies ReadonlyArray<readonly [Options, Options]>
    for (const [inner, outer] of bounded) assert.isAtMost(within(inner, outer), 300, JSON.stringify([inner, outer]))
    const unbounded = [
      [all, one],
      [all, {}],
      [one, {}],
      [{ expiration: "2026-12-19" }, one],
      [{ from: "2026-12-01" }, { from: "2026-12-01", to: "2027-12-31" }],
      [{ year: 2026 }, { year: 2026, month: 12 }],
      [{ month: 12 }, { month: 12, year: 2026 }],
      [all, { ...all, side: "call" }],
      [{ ...all, side: "put" }, { ...all, side: "call" }],
      [all, { ...all, monthly: true }],
      [{ ...all, weekly: true }, { ...all, monthly: true }],
      [{ dte: 30, weekly: true }, { dte: 30 }],
      [{ dte: 30, am: true }, { dte: 30 }],
      [{ ...all, strike: { atLeast: 100 } }, { ...all, strike: { above: 100 } }],
      [{ ...all, strike: [100, 120] }, { ...all, strike: [100, 105] }],
      [all, { ...all, strike: 100 }],
      [{ ...all, pm: true }, { ...all, am: true }],
      [{ ...all, nonstandard: true }, all],
      [all, { ...all, nonstandard: false }]
    ] satisfies ReadonlyArray<readonly [Options, Options]>
    for (const [inner, outer] of unbounded) {
      assert.strictEqual(within(inner, outer), Infinity, JSON.stringify([inner, outer]))
    }
  })

  it("[4.1-cost-live] bounds nothing once a part of the chain was larger, because contracts were listed since", () => {
    const part = sizeOf(chain({ expiration: "all", side: "call" }), 301, friday + 60)
    const few = sizeOf(chain({ expiration: "all", side: "put" }), 10, friday + 120)
    assert.strictEqual(most(chain(), friday + 3600, sizeOf(chain()), part, few), Infinity)
  })

  it("of another underlying, or of a past day, bounds nothing", () => {
    assert.strictEqual(most(chain({ expiration: "all" }, "SPY"), friday, sizeOf(chain())), Infinity)
    assert.strictEqual(most(chain({ expiration: "all" }, "spx"), friday, sizeOf(chain())), 300)
    assert.strictEqual(within({ expiration: "all" }, { date: "2026-11-18", expiration: "all" }), Infinity)
  })

  it("tells nothing where its filters go by prices, or where it may not be all", () => {
    const all = { expiration: "all" } as const
    const one = { contracts: 30, seenAt: friday }
    const filters = [{ delta: 0.3 }, { strikeLimit: 5 }, { range: "itm" }, { minBid: 1 }, { minVolume: 1 }] as const
    const cuts = [{ maxBidAskSpread: 1 }, { offset: 10 }, { limit: 30 }]
    const optionses = [...filters, ...cuts].map((part): Options => ({ ...all, ...part }))
    for (const options of optionses) assert.isUndefined(ChainSize.ofChain(chain(options), one), JSON.stringify(options))
    assert.isDefined(ChainSize.ofChain(chain({ ...all, limit: 31 }), one))
    // The public service returns as many at most where no limit is given.
    assert.isUndefined(ChainSize.ofChain(chain(), { contracts: 10_000, seenAt: friday }))
    assert.isUndefined(ChainSize.ofChain(Result.getOrThrow(Query.stockPrices(["SPX"])), one))
  })

  it("whose expirations are told from the day holds on that day only", () => {
    for (const options of [{ dte: 30 }, {}, { month: 12 }] satisfies ReadonlyArray<Options>) {
      const size = sizeOf(chain(options))
      assert.strictEqual(most(chain(options), at(20, 23), size), 300)
      assert.strictEqual(most(chain(options), at(21, 1), size), Infinity)
    }
  })

  it("[4.1-cost-historical] of a past day holds for ever, once that day is historical", () => {
    const past = chain({ date: "2026-11-18", expiration: "all" })
    assert.strictEqual(most(past, at(20, 11) + 10 * 365 * 86_400, sizeOf(past, 22_718, at(20, 11))), 23)
    assert.strictEqual(most(past, at(19, 9, 29), sizeOf(past, 22_718, at(19, 8))), 23)
    assert.strictEqual(most(past, at(19, 9, 30), sizeOf(past, 22_718, at(19, 8))), Infinity)
  })
})

describe("of strikes", () => {
  const strikes = (options: Parameters<typeof Query.optionStrikes>[1] = {}, underlying = "F") =>
    Result.getOrThrow(Query.optionStrikes(underlying, options))
  const all = { "2026-11-20": 30, "2026-12-18": 20, "2027-01-15": 10 }
  const size = listed(strikes(), all)

  it("bounds a chain at a call and a put for each strike of its expirations", () => {
    const bound = (options: Options, of = size) => most(chain(options, "F"), friday + 60, of)
    assert.deepStrictEqual([bound({ expiration: "all" }), bound({ expiration: "all", side: "call" })], [120, 60])
    assert.strictEqual(bound({ expiration: "2026-12-18" }), 40)
    assert.strictEqual(bound({ from: "2026-12-01", to: "2027-12-31" }), 60)
    assert.deepStrictEqual([bound({ dte: 30 }), bound({})], [60, 120])
    assert.strictEqual(bound({ expiration: "all", strikeLimit: 6 }), 2 * (12 + 12 + 10))
    assert.strictEqual(bound({ expiration: "all", strike: 10 }), 6)
    assert.strictEqual(bound({ expiration: "all", nonstandard: true }), Infinity)
    assert.strictEqual(bound({ expiration: "2026-11-27" }), 0)
    const one = listed(strikes({ expiration: "2026-12-18" }), { "2026-12-18": 20 })
    assert.strictEqual(bound({ expiration: "2026-12-18" }, one), 40)
    assert.strictEqual(bound({ expiration: "all" }, one), Infinity)
  })

  it("names the strikes, and what filters let through of them", () => {
    const assumptions = (options: Options) =>
      Credits.estimate(chain(options, "F"), { seen: { sizes: [size], now: friday + 90 } }).assumptions
        .map(({ value }) => value)
    assert.deepStrictEqual(assumptions({ expiration: "all" }), [
      "60 strikes in 3 expirations, seen 1 minute ago",
      "a call and a put",
      "none unless nonstandard is true",
      "1, which tells whether the chain has grown"
    ])
    assert.deepStrictEqual(assumptions({ dte: 30 })[0], "at most 30 strikes in an expiration, seen 1 minute ago")
    assert.deepStrictEqual(assumptions({ expiration: "all", strikeLimit: 6 }).slice(0, 2), [
      "60 strikes in 3 expirations, seen 1 minute ago",
      "at most 12, 6 on either side of the money"
    ])
  })

  it("of an index count twice on the third Friday of a month: settled in the morning and in the afternoon", () => {
    const index = (day: string) => listed(strikes({}, "SPX"), { [day]: 20 })
    const whole = chain({ expiration: "all" })
    // 2026-06-19 is a holiday, and what was listed for it expires on the 18th; in 2013 it expired on Saturdays.
    for (const day of ["2026-12-18", "2027-01-15", "2027-05-21", "2026-06-18", "2013-01-19"]) {
      assert.strictEqual(most(whole, friday, index(day)), 80)
    }
    for (const day of ["2026-12-11", "2026-12-25", "2027-01-22", "2027-05-14", "2026-12-16", "2026-12-31"]) {
      assert.strictEqual(most(whole, friday, index(day)), 40)
    }
    assert.strictEqual(most(chain({ expiration: "all", pm: true }), friday, index("2026-12-18")), 40)
    assert.strictEqual(most(chain({ dte: 30 }), friday, index("2026-12-18")), 80)
  })

  it("without any tell nothing", () => {
    assert.isUndefined(ChainSize.ofStrikes(strikes(), { expirations: [], seenAt: friday }))
    assert.isUndefined(ChainSize.ofStrikes(chain(), { expirations: [], seenAt: friday }))
  })
})

describe("read", () => {
  it("reads what JSON kept of a size, and nothing else", () => {
    for (const size of [sizeOf(chain()), listed(Result.getOrThrow(Query.optionStrikes("F")), { "2026-12-18": 2 })]) {
      assert.deepStrictEqual(ChainSize.read(JSON.parse(JSON.stringify(size))), size)
    }
    const size = sizeOf(chain())
    const thrower = Object.defineProperty({ ...size }, "filters", { get: refuse })
    const changes = [{ contracts: -1 }, { contracts: 1.5 }, { seenAt: NaN }, { filters: { side: 5 } }, { filters: [] }]
    const others = [{ underlying: undefined }, { _tag: "Strikes" }]
    const changed = [...changes, ...others].map((change) => ({ ...size, ...change }))
    const inputs = [undefined, 5, [], {}, ...changed, thrower]
    for (const input of inputs) assert.isUndefined(ChainSize.read(input))
  })

  it("is how a price reads what was seen", () => {
    const refused = (seen: unknown) => Credits.format(Credits.estimate(chain(), { seen: seen as ChainSize.Seen }))
    for (const seen of [5, { sizes: [] }, { sizes: {}, now: 1 }, { sizes: [{}], now: 1 }, { sizes: [], now: NaN }]) {
      assert.match(refused(seen), /^refused: assume\.seen .* must have sizes, as ChainSize makes them, and the/)
    }
    assert.strictEqual(refused({ sizes: [], now: 1 }), "at least 1 credit, no upper bound")
  })
})

it("names a chain by its underlying and its day, and a size by what was asked", () => {
  const nameOf = (query: Query.Query) => ChainSize.nameOf(sizeOf(query))
  assert.strictEqual(ChainSize.chainOf(chain({}, "spx")), "SPX")
  assert.strictEqual(ChainSize.chainOf(chain({ date: "2026-11-18" })), "SPX 2026-11-18")
  assert.strictEqual(ChainSize.chainOf(Result.getOrThrow(Query.optionStrikes("SPX"))), "SPX")
  assert.isUndefined(ChainSize.chainOf(Result.getOrThrow(Query.stockPrices(["SPX"]))))
  const name = nameOf(chain({ side: "call", expiration: "all", mode: "live" }))
  assert.strictEqual(name, nameOf(chain({ expiration: "all", side: "call", mode: "delayed" })))
  assert.notStrictEqual(nameOf(chain({ side: "call" })), nameOf(chain({ side: "put" })))
})

it("leaves the advice of a query as it is: what was seen is not a reason to expect less", () => {
  const seen = { sizes: [sizeOf(chain(), 22_718)], now: friday }
  assert.deepStrictEqual(Credits.advice(chain(), 500, { seen }), Credits.advice(chain(), 500))
  assert.deepStrictEqual(Credits.ways(chain(), 500, { seen }).map(({ price }) => Credits.bound(price)), [100, 80, 1])
})
