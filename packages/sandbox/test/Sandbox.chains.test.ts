import { NewYork, type OptionChain } from "@effect-marketdata/core"
import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ask, at, chain, chainOf, isData, json, test } from "./support/service.ts"

const filtered = (query: string, symbol = "AAPL") =>
  Effect.map(ask(`/v1/options/chain/${symbol}/?${query}`), (reply) => [...chainOf(reply)])

/** The rows of whole chains at noon, which are the same for every test. */
const wholes = new Map<string, ReadonlyArray<OptionChain.Row>>()

const every = Effect.fnUntraced(function*(query: string, holds: (row: OptionChain.Row) => boolean, symbol = "AAPL") {
  const all = wholes.get(symbol) ?? [...chainOf(yield* ask(`/v1/options/chain/${symbol}/`))]
  wholes.set(symbol, all)
  const kept = yield* filtered(query, symbol)
  const expected = all.filter(holds).map(({ optionSymbol }) => optionSymbol)
  assert.deepStrictEqual(kept.map(({ optionSymbol }) => optionSymbol), expected, query)
  assert.isAbove(kept.length, 0, query)
  assert.isBelow(kept.length, all.length, query)
})

const day = ({ expiration }: OptionChain.Row): string => {
  const { day, month, year } = NewYork.dateOf(expiration)
  return [year, month, day].map((part) => String(part).padStart(2, "0")).join("-")
}

const monthlies = new Set(["2026-11-20", "2026-12-18", "2027-01-15", "2027-02-19", "2027-03-19"])

describe("the filters of a chain", () => {
  const cases: ReadonlyArray<readonly [query: string, holds: (row: OptionChain.Row) => boolean]> = [
    ["expiration=2026-12-18", (row) => day(row) === "2026-12-18"],
    ["expiration=12/18/2026", (row) => day(row) === "2026-12-18"],
    ["expiration=1797627600", (row) => day(row) === "2026-12-18"],
    ["expiration=46374", (row) => day(row) === "2026-12-18"],
    ["from=2026-12-01&to=2026-12-18", (row) => day(row) >= "2026-12-01" && day(row) <= "2026-12-18"],
    ["from=2026-12-18", (row) => day(row) >= "2026-12-18"],
    ["to=2026-12-18", (row) => day(row) <= "2026-12-18"],
    ["month=12", (row) => day(row).slice(5, 7) === "12"],
    ["year=2027", (row) => day(row).startsWith("2027")],
    ["month=1&year=2027", (row) => day(row).startsWith("2027-01")],
    ["dte=26", (row) => day(row) === "2026-12-18"],
    ["dte=0", (row) => day(row) === "2026-11-20"],
    ["expiration=2026-12-18&dte=0", (row) => day(row) === "2026-12-18"],
    ["to=2027-03-31&monthly=true", (row) => monthlies.has(day(row))],
    ["to=2027-03-31&monthly=false", (row) => day(row) <= "2027-03-31" && !monthlies.has(day(row))],
    ["to=2027-03-31&weekly=true", (row) => day(row) <= "2027-03-31" && !monthlies.has(day(row))],
    ["side=call", (row) => row.side === "call"],
    ["side=put", (row) => row.side === "put"],
    ["range=itm", (row) => row.inTheMoney === true],
    ["range=otm", (row) => row.inTheMoney === false],
    ["strike=270", (row) => row.strike === 270],
    ["strike=270,275", (row) => row.strike === 270 || row.strike === 275],
    ["strike=265-275", (row) => row.strike >= 265 && row.strike <= 275],
    ["strike=%3E270", (row) => row.strike > 270],
    ["strike=%3E%3D270", (row) => row.strike >= 270],
    ["strike=%3C270", (row) => row.strike < 270],
    ["strike=%3C%3D270", (row) => row.strike <= 270],
    ["strike=270&delta=.1", (row) => row.strike === 270],
    ["delta=%3E.5", (row) => Math.abs(row.delta!) > 0.5],
    ["delta=.30-.60", (row) => Math.abs(row.delta!) >= 0.3 && Math.abs(row.delta!) <= 0.6],
    ["minBid=5", (row) => row.bid! >= 5],
    ["maxBid=5", (row) => row.bid! <= 5],
    ["minAsk=5", (row) => row.ask! >= 5],
    ["maxAsk=5", (row) => row.ask! <= 5],
    ["maxBidAskSpread=0.05", (row) => row.ask! - row.bid! <= 0.05 + 1e-6],
    ["maxBidAskSpreadPct=0.0005", (row) => row.ask! - row.bid! <= 0.0005 * row.underlyingPrice! + 1e-6],
    ["minOpenInterest=500", (row) => row.openInterest! >= 500],
    ["minVolume=50", (row) => row.volume! >= 50],
    ["nonstandard=false", (row) => !row.optionSymbol.startsWith("AAPL1")],
    ["MINBID=5", (row) => row.bid! >= 5],
    ["side=call&range=otm&minBid=1", (row) => row.side === "call" && row.inTheMoney === false && row.bid! >= 1]
  ]
  for (const [query, holds] of cases) {
    test(`[4.1-params] ${query} keeps the contracts that it says`, () => every(query, holds))
  }

  const settlements = [
    ["am=true", (root: string) => root === "SPX"],
    ["pm=true", (root: string) => root === "SPXW"],
    ["am=false", (root: string) => root === "SPXW"],
    ["pm=false", (root: string) => root === "SPX"]
  ] as const
  for (const [query, holds] of settlements) {
    test(`[4.1-params] ${query} keeps the contracts of an index that settle then`, () =>
      every(query, (row) => holds(row.optionSymbol.slice(0, -15)), "SPX"))
  }

  test("[4.1-params] a delta is the nearest contract of each expiration and side, a list that for each", function*() {
    const one = yield* filtered("delta=.50&expiration=2026-12-18")
    assert.deepStrictEqual(one.map(({ side }) => side), ["call", "put"])
    for (const { delta } of one) assert.closeTo(Math.abs(delta!), 0.5, 0.1)
    assert.lengthOf(yield* filtered("delta=.60,.30&expiration=2026-12-18&side=call"), 2)
  })

  test("[4.1-params] strikeLimit keeps the strikes nearest the money, after side and range", function*() {
    const strikes = (query: string) =>
      Effect.map(filtered(`expiration=2026-12-18&${query}`), (rows) => new Set(rows.map(({ strike }) => strike)))
    const all = yield* filtered("expiration=2026-12-18&side=call")
    const price = all[0]!.underlyingPrice!
    const nearest = all.map(({ strike }) => strike).toSorted((a, b) => Math.abs(a - price) - Math.abs(b - price))
    assert.deepStrictEqual(yield* strikes("side=call&strikeLimit=3"), new Set(nearest.slice(0, 3)))
    const both = yield* filtered("expiration=2026-12-18&strikeLimit=3")
    assert.strictEqual(both.filter(({ strike }) => strike > price).length, 6)
    assert.strictEqual(both.filter(({ strike }) => strike <= price).length, 6)
    const otm = yield* filtered("expiration=2026-12-18&range=otm&strikeLimit=3")
    assert.deepStrictEqual(otm.map(({ side }) => side).toSorted(), ["call", "call", "call", "put", "put", "put"])
    assert.isTrue(otm.every(({ inTheMoney }) => inTheMoney === false))
  })

  test("[2.1-expiration] lists what is not over by the clock, until the next session and in it", function*() {
    const first = Effect.gen(function*() {
      const rows = chainOf(yield* ask("/v1/options/chain/AAPL/?strike=270"))
      const expirations = json(yield* ask("/v1/options/expirations/AAPL/"))["expirations"]!
      const strikes = Object.keys(json(yield* ask("/v1/options/strikes/AAPL/"))).filter((key) => /^\d/.test(key))
      return [day(rows.at(0)), expirations[0], strikes[0]]
    })
    const over = NewYork.at({ year: 2026, month: 11, day: 20 }, 16, 0)
    const cases = [[-1, "2026-11-20"], [0, "2026-11-27"], [86_400, "2026-11-27"], [230_400, "2026-11-27"]] as const
    for (const [seconds, expected] of cases) {
      yield* at(over + seconds)
      assert.deepStrictEqual(yield* first, [expected, expected, expected], String(seconds))
    }
    // Who names it, and who asks for the past day, gets its last quotes.
    assert.isAbove((yield* filtered("expiration=2026-11-20")).length, 0)
    assert.isAbove((yield* filtered("date=2026-11-20&expiration=2026-11-20")).length, 0)
  })

  describe("ways to choose expirations together", () => {
    const expirationsOf = (query: string) =>
      Effect.map(ask(`${chain}?${query}&columns=expiration`), (reply) => {
        if (reply.status === 404) return []
        assert.isTrue(isData(reply), `${query}: ${reply.body.slice(0, 200)}`)
        const moments = new Set(json(reply)["expiration"] as ReadonlyArray<number>)
        return [...moments].map((moment) => NewYork.format(moment).slice(0, 10))
      })

    const december = ["2026-12-04", "2026-12-11", "2026-12-18", "2026-12-24"]
    const pairs: ReadonlyArray<readonly [query: string, expirations: ReadonlyArray<string>]> = [
      ["expiration=all&from=2026-12-01&to=2026-12-31", december],
      ["expiration=ALL&to=2026-12-31&from=2026-12-01", december],
      ["expiration=all&month=12&year=2026", december],
      ["expiration=2026-12-18&month=12", ["2026-12-18"]],
      ["expiration=2026-12-18&month=1", []],
      ["expiration=2026-12-18&year=2027", []],
      ["expiration=2026-12-18&from=2026-12-01", ["2026-12-18"]],
      ["expiration=2026-12-18&from=2026-12-19", []],
      ["expiration=2026-12-18&dte=3", ["2026-12-18"]],
      ["from=2026-12-01&month=12&year=2026", december],
      ["from=2026-12-10&to=2027-03-01&month=12", ["2026-12-11", "2026-12-18", "2026-12-24"]],
      ["dte=25&month=12", ["2026-12-18"]],
      ["dte=25&monthly=false", ["2026-12-11"]],
      ["date=2026-11-18&from=2026-12-01&to=2026-12-31", december],
      ["date=2026-11-18&expiration=2026-12-18&month=12", ["2026-12-18"]],
      // As an SDK in PHP writes a whole chain: every default, and booleans as numbers.
      ["expiration=all&from=2026-12-01&to=2026-12-31&weekly=1&monthly=1&quarterly=1&nonstandard=1&range=all", december]
    ]
    for (const [query, expected] of pairs) {
      test(`[4.1-params] ${query}`, () =>
        Effect.map(expirationsOf(query), (found) => assert.deepStrictEqual(found, expected)))
    }
  })

  test("[4.1-params] booleans are words or numbers, whatever their case", function*() {
    const cases = [["weekly", "true", "1"], ["weekly", "FALSE", "0"], ["nonstandard", "False", "0"]]
    for (const [name, word, number] of cases) {
      const [one, other] = [yield* ask(`${chain}?${name}=${word}`), yield* ask(`${chain}?${name}=${number}`)]
      assert.isTrue(isData(one))
      assert.strictEqual(one.body, other.body)
    }
  })

  test("[4.1-params] a spread is a share of the price, as a fraction or in percent", function*() {
    const kept = (text: string) =>
      Effect.map(ask(`${chain}?maxBidAskSpreadPct=${text}&columns=strike`), ({ body }) => body)
    const cases = [["0.0005", "0.05%25", "0.05%", ".05%25"], ["0.0014", "0.14%25"]] as const
    for (const [fraction, ...percentages] of cases) {
      const expected = yield* kept(fraction)
      assert.isBelow(JSON.parse(expected).strike.length, JSON.parse(yield* kept("1")).strike.length)
      for (const percentage of percentages) assert.strictEqual(yield* kept(percentage), expected, percentage)
    }
    const before = yield* ask(`${chain}?maxBidAskSpreadPct=0.05%&side=call&columns=side`)
    assert.deepStrictEqual(new Set(json(before)["side"]), new Set(["call"]))
  })

  const refused: ReadonlyArray<readonly [clause: string, query: string]> = [
    ["7.3-cause-wrong-type", "dte=soon"],
    ["7.3-cause-wrong-type", "strike=abc"],
    ["7.3-cause-wrong-type", "strike=270,"],
    ["7.3-cause-wrong-type", "minBid=1e3"],
    ["7.3-cause-wrong-type", "weekly=perhaps"],
    ["7.3-cause-wrong-type", "from=2026-13-01"],
    ["7.3-cause-wrong-type", "limit=ten"],
    ["7.3-cause-unsupported-value", "dte=-1"],
    ["7.3-cause-unsupported-value", "month=13"],
    ["7.3-cause-unsupported-value", "year=1999"],
    ["7.3-cause-unsupported-value", "delta=1.5"],
    ["7.3-cause-unsupported-value", "strike=1.0001"],
    ["7.3-cause-unsupported-value", "strikeLimit=0"],
    ["7.3-cause-unsupported-value", "range=atm"],
    ["7.3-cause-unsupported-value", "minVolume=1.5"],
    ["7.3-cause-unsupported-value", "am=true"],
    ["7.3-cause-unsupported-value", "weekly=true&monthly=false"],
    ["7.3-cause-unsupported-value", "date=2026-11-18&delta=.5"],
    ["7.3-cause-unsupported-value", "dte=30&from=2026-12-01"],
    ["7.3-cause-unsupported-value", "dte=30&to=2026-12-31"],
    ["7.3-cause-unsupported-value", "expiration=all&month=0"],
    ["7.3-cause-wrong-type", "maxBidAskSpreadPct=a%25"],
    ["7.3-cause-wrong-type", "maxBidAskSpreadPct=%25"],
    ["7.3-cause-wrong-type", "minBid=5%25"],
    ["7.3-cause-wrong-type", "nonstandard=2"],
    ["7.3-cause-unsupported-value", "limit=0"],
    ["7.3-cause-unsupported-value", "limit=50001"],
    ["7.3-cause-unsupported-value", "offset=-1"],
    ["7.3-cause-unsupported-value", "dateformat=roman"]
  ]
  for (const [clause, query] of refused) {
    test(`[${clause}] [7.1-400] ${query} is refused`, function*() {
      const reply = yield* ask(`${chain}?${query}`)
      assert.deepStrictEqual([reply.status, json(reply)["s"]], [400, "error"], reply.body)
    })
  }
})

describe("how replies are written", () => {
  const few = `${chain}?expiration=2026-12-18&side=call&strikeLimit=2`

  test("limit and offset cut the rows, and so the price; candles have neither", function*() {
    const all = json(yield* ask(`${chain}?columns=optionSymbol`))["optionSymbol"]!
    const some = yield* ask(`${chain}?columns=optionSymbol&limit=10&offset=5`)
    assert.deepStrictEqual(json(some)["optionSymbol"], all.slice(5, 15))
    assert.strictEqual(some.headers["x-api-ratelimit-consumed"], "10")
    assert.strictEqual((yield* ask(`${chain}?offset=50000`)).status, 404)
    const candles = yield* ask("/v1/stocks/candles/D/AAPL/?from=2026-11-02&to=2026-11-13&limit=2")
    assert.strictEqual(json(candles)["t"]!.length, 10)
  })

  test("times come as unix, as text or as a spreadsheet's numbers", function*() {
    const times = (form: string) =>
      Effect.map(ask(`${few}&columns=expiration&limit=1&dateformat=${form}`), (reply) => json(reply)["expiration"])
    const expiration = NewYork.at({ year: 2026, month: 12, day: 18 }, 16, 0)
    assert.deepStrictEqual(yield* times("unix"), [expiration])
    assert.deepStrictEqual(yield* times("timestamp"), ["2026-12-18 16:00:00 -05:00"])
    assert.deepStrictEqual(yield* times("spreadsheet"), [46374.66667])
    const days = yield* ask("/v1/options/expirations/AAPL/?dateformat=unix")
    assert.strictEqual(json(days)["expirations"]![0], NewYork.midnight({ year: 2026, month: 11, day: 20 }))
  })

  const people: ReadonlyArray<readonly [target: string, some: ReadonlyArray<string>]> = [
    ["/v1/stocks/quotes/AAPL/?52week=1&candle=1", ["Change $", "Change %", "52 Week High", "Open", "Close"]],
    ["/v1/stocks/prices/?symbols=AAPL", ["Symbol", "Mid", "Date"]],
    ["/v1/stocks/candles/D/AAPL/?countback=2", ["Date", "Open", "High", "Low", "Close", "Volume"]],
    ["/v1/stocks/bulkcandles/D/?symbols=AAPL,F", ["Symbol", "Date"]],
    ["/v1/stocks/earnings/AAPL/?x=1", ["Date", "Updated", "Reported EPS", "Estimated EPS", "Surprise EPS %"]],
    ["/v1/stocks/news/AAPL/?x=1", ["Symbol", "headline", "content", "source", "publicationDate", "Date"]],
    ["/v1/funds/candles/D/VFINX/?x=1", ["Date", "Open", "High", "Low", "Close"]],
    ["/v1/markets/status/?x=1", ["Date", "Status"]],
    ["/v1/options/expirations/AAPL/?x=1", ["Expirations", "Date"]],
    ["/v1/options/lookup/AAPL%2012/18/2026%20270%20call?x=1", ["Symbol"]],
    [
      "/v1/options/chain/AAPL/?strikeLimit=1",
      ["Expiration Date", "Option Side", "Days To Expiration", "Bid Size", "In The Money", "IV", "Date"]
    ],
    ["/v1/options/quotes/AAPL261218C00270000/?x=1", ["Symbol", "Open Interest", "First Traded"]]
  ]
  for (const [target, some] of people) {
    test(`names can be for people, in the service's spelling, and no two are the same: ${target}`, function*() {
      const [plain, human] = [yield* ask(target), yield* ask(`${target}&human=true`)]
      // The text itself: an object has each of its keys once, whatever was written.
      const written = [...human.body.matchAll(/[{,]"([^"]*)":(?=[["\d])/g)].map(([, name]) => name)
      assert.strictEqual(new Set(written).size, Object.keys(json(plain)).length)
      assert.includeMembers(written, [...some])
      assert.deepStrictEqual(Object.values(json(human)), Object.values(json(plain)))
      const table = yield* ask(`${target}&human=1&format=csv`)
      assert.deepStrictEqual(table.body.split("\r\n")[0], written.slice(1).join(","))
    })
  }

  test("CSV has a row of names, unless it is left out", function*() {
    const reply = yield* ask(`${few}&columns=side,strike,last&format=csv`)
    assert.strictEqual(reply.headers["content-type"], "text/csv")
    const lines = reply.body.split("\r\n")
    assert.strictEqual(lines[0], "side,strike,last")
    assert.match(lines[1]!, /^call,\d+(\.\d+)?,[\d.]*$/)
    assert.lengthOf(lines, 4)
    const bare = yield* ask(`${few}&columns=side,%20strike,last%20&format=csv&headers=false`)
    assert.deepStrictEqual(bare.body.split("\r\n"), lines.slice(1))
    const lookup = yield* ask("/v1/options/lookup/AAPL%2012/18/2026%20270%20call?format=csv")
    assert.strictEqual(lookup.body, "optionSymbol\r\nAAPL261218C00270000\r\n")
    const refused = yield* ask("/v1/options/chain/ZZZZ/?format=csv")
    assert.deepStrictEqual([refused.status, refused.body], [404, "s,errmsg\r\nerror,Symbol not found.\r\n"])
  })
})
