import { ColumnTable, OptionChain, OptionSymbol } from "@effect-marketdata/core"
import { Black, Expiry, Volatility } from "@effect-marketdata/volatility"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as American from "../src/exercise/american.ts"
import * as Chains from "./support/chains.ts"
import * as Draw from "./support/draw.ts"
import * as Lattice from "./support/lattice.ts"

const columns = (chain: Volatility.Chain, options?: Volatility.Options): Volatility.Computed =>
  Result.getOrThrow(Volatility.columns(chain, options))

const greeks = ["deltaComputed", "gammaComputed", "thetaComputed", "vegaComputed", "rhoComputed"] as const

/** Calls and puts of three strikes around 100 on an expiration of SPXW, at the prices of Black's model. */
const modelled = (day: string, model: Pick<Black.Model, "forward" | "discount" | "volatility">) =>
  [95, 100, 105].flatMap((strike) =>
    (["call", "put"] as const).map((side) => {
      const symbol = Chains.symbol(`SPXW${day}`, side, strike)
      const years = Expiry.yearsTo(Expiry.instant(OptionSymbol.parseUnsafe(symbol)), Chains.noon)
      return { symbol, mid: Result.getOrThrow(Black.price(side, { ...model, strike, years })) }
    })
  )

/** How many rows have each reason; `null` counts those that have a volatility. */
const reasons = ({ table }: Volatility.Computed): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { reason } of table) counts[String(reason)] = (counts[String(reason)] ?? 0) + 1
  return counts
}

describe("Volatility.columns, of a chain of the sandbox", () => {
  const chain = Chains.ofMarket("SPX")
  const found = columns(chain, { at: Chains.noon, expires: "reply" })
  const { rate, dividendYield } = Chains.underlying("SPX")

  it("has a number or a reason in every row, and none of both", () => {
    assert.strictEqual(found.table.length, 22_718)
    const { table } = found
    const names = ["ivComputed", ...greeks] as const
    for (let row = 0; row < table.length; row++) {
      const isNull = table.isNull("reason", row)
      for (const name of names) {
        if (table.isNull(name, row) === isNull || Number.isFinite(table[name][row]) !== isNull) {
          assert.fail(`row ${row}: ${JSON.stringify(table.at(row))}`)
        }
      }
    }
    assert.hasAllKeys(reasons(found), ["null", "BelowIntrinsic"])
    assert.isAbove(reasons(found)["null"]!, 21_000)
  })

  it("finds the rates that the market was made with, by parity alone", () => {
    for (const { discount, discountFrom, forward, root, spot, spread, years } of found.assumptions) {
      assert.strictEqual(discountFrom, years < 1 / 12 ? "chain" : "parity")
      assert.approximately(-Math.log(discount) / years, rate, 1.5e-3, root)
      assert.isAtMost(Math.abs(forward! / (spot! * Math.exp((rate - dividendYield) * years)) - 1), 1e-4)
      assert.isAtMost(spread!, 0.1)
    }
  })

  it("is as near to the sandbox's own volatility and delta as its prices, which are rounded, let it be", () => {
    const exchange = columns(chain, { at: Chains.noon })
    const errors: Record<string, Array<readonly [iv: number, delta: number, ivOfExchange: number]>> = {}
    for (let row = 0; row < chain.length; row++) {
      if (!found.table.isNull("reason", row)) continue
      const deviation = chain.iv[row]! * Math.sqrt(Math.max(1, chain.dte[row]!) / 365)
      const far = Math.abs(Math.log(chain.strike[row]! / chain.underlyingPrice[row]!)) / deviation
      ;(errors[far < 0.5 ? "at" : far < 1.5 ? "near" : far < 3 ? "far" : "beyond"] ??= []).push([
        Math.abs(found.table.ivComputed[row]! - chain.iv[row]!),
        Math.abs(found.table.deltaComputed[row]! - chain.delta[row]!),
        exchange.table.isNull("reason", row) ? Math.abs(exchange.table.ivComputed[row]! - chain.iv[row]!) : 0
      ])
    }
    // The most that 99 % of rows may differ by, in volatility and in delta. Prices of a few cents say little.
    const limits = { at: [2e-4, 2e-4], near: [3e-3, 1e-3], far: [0.3, 3e-3], beyond: [Infinity, 3e-3] } as const
    for (const [where, rows] of Object.entries(errors)) {
      const [ofIv, ofDelta] = limits[where as keyof typeof limits]
      const told = ([0, 1, 2] as const).map((at) => {
        const sorted = rows.map((row) => row[at]).toSorted((a, b) => a - b)
        return [0.5, 0.99].map((share) => sorted[Math.floor(share * (sorted.length - 1))]!.toExponential(1)).join(" / ")
      })
      console.log(
        `${where}, ${rows.length} rows: iv ${told[0]}, delta ${told[1]}; iv by the exchange's calendar ${told[2]}`
      )
      assert.isAtMost(Draw.worst(rows.map(([iv]) => iv))[1], ofIv, `iv, ${where}`)
      assert.isAtMost(Draw.worst(rows.map(([, delta]) => delta))[1], ofDelta, `delta, ${where}`)
    }
  })

  it("has volatilities of bid and ask around that of the middle, if they are wanted", () => {
    const { ivAskComputed, ivBidComputed, ivComputed } = found.table
    for (let row = 0; row < chain.length; row += 7) {
      if (!found.table.isNull("ivBidComputed", row)) assert.isAtMost(ivBidComputed[row]!, ivComputed[row]! + 1e-12)
      if (!found.table.isNull("ivAskComputed", row) && !found.table.isNull("ivComputed", row)) {
        assert.isAtLeast(ivAskComputed[row]!, ivComputed[row]! - 1e-12)
      }
    }
    const part = ColumnTable.slice(chain, 10_000, 10_500)
    const { table } = columns(part, { at: Chains.noon, rate, quotes: false })
    assert.isTrue(table.ivBidComputed.every(Number.isNaN) && table.ivAskComputed.every(Number.isNaN))
    // Without the middle, bid and ask tell it.
    const bare = ColumnTable.select(part, ["optionSymbol", "bid", "ask", "underlyingPrice"])
    const row = table.ivComputed.findIndex((iv) => iv > 0)
    assert.approximately(columns(bare, { at: Chains.noon, rate }).table.ivComputed[row]!, table.ivComputed[row]!, 1e-9)
  })

  it("is the same in any order of rows", () => {
    const part = ColumnTable.filter(chain, (row) => chain.dte[row]! > 20 && chain.dte[row]! < 60)
    const backward = ColumnTable.pick(part, Array.from({ length: part.length }, (_, at) => part.length - 1 - at))
    const [one, other] = [part, backward].map((chain) => columns(chain, { at: Chains.noon }))
    const last = part.length - 1
    for (let row = 0; row <= last; row++) assert.deepEqual(one!.table.at(row), other!.table.at(last - row))
  })

  it("is not moved by dollars that are cents", () => {
    const part = ColumnTable.filter(chain, (row) => chain.dte[row] === 28)
    const rows = (scale: number): ReadonlyArray<Chains.Row> =>
      Array.from(part, ({ ask, bid, optionSymbol, strike, underlyingPrice }) => ({
        symbol: OptionSymbol.format({ ...OptionSymbol.parseUnsafe(optionSymbol), strike: strike * scale }),
        bid: bid! * scale,
        ask: ask! * scale,
        spot: underlyingPrice! * scale
      }))
    const [one, half] = [1, 0.5].map((scale) => columns(Chains.of(rows(scale))).table)
    for (let row = 0; row < part.length; row++) {
      assert.strictEqual(one!.isNull("reason", row), half!.isNull("reason", row))
      if (one!.isNull("reason", row)) assert.approximately(half!.ivComputed[row]! / one!.ivComputed[row]!, 1, 1e-7)
    }
  })

  it("says that options settled by the opening of this morning have expired", () => {
    const today = ColumnTable.filter(chain, (row) => chain.dte[row] === 0)
    const exchange = columns(today, { at: Chains.noon })
    const times = exchange.assumptions.map(({ root, years }) => [root, years > 0])
    assert.deepStrictEqual(times, [["SPX", false], ["SPXW", true]])
    const isMorning = (row: number) => exchange.table.at(row).reason === "Expired"
    for (let row = 0; row < today.length; row++) {
      assert.strictEqual(isMorning(row), today.at(row).optionSymbol.startsWith("SPX2"))
    }
  })
})

/** Prices of American options by a lattice, on an underlying at 100. */
const americanRows = (rootAndDay: string, rate: number, dividendYield: number, volatility: number) =>
  (["call", "put"] as const).flatMap((side) =>
    Array.from({ length: 17 }, (_, at): Chains.Row => {
      const strike = 80 + 2.5 * at
      const symbol = { ...OptionSymbol.parseUnsafe(`${rootAndDay}C00100000`), side, strike }
      const years = Expiry.yearsTo(Expiry.instant(symbol), Chains.noon)
      const terms = { spot: 100, strike, years, rate, dividendYield }
      const price = American.european(side === "call", terms, volatility) + Lattice.early(side, terms, volatility, 200)
      return { symbol: OptionSymbol.format(symbol), bid: price - 0.02, ask: price + 0.02, mid: price }
    })
  )

describe("Volatility.columns, of American options", () => {
  it("finds the volatility of a lattice's prices near the money within 0.4 points, with the rates or without", () => {
    const cases = [["AAPL270319", 0.04, 0.01, 0.3], ["OEX271217", 0.04, 0, 0.15], ["F271217", 0.04, 0.03, 0.3]] as const
    for (const [rootAndDay, rate, dividendYield, volatility] of cases) {
      const chain = Chains.of(americanRows(rootAndDay, rate, dividendYield, volatility))
      for (const options of [{ rate, dividendYield }, { rate }, {}]) {
        const { assumptions: [assumed], table } = columns(chain, options)
        assert.deepInclude(assumed, { exercise: "american", method: "Bjerksund–Stensland 1993" })
        assert.approximately(assumed!.forward! / (100 * Math.exp((rate - dividendYield) * assumed!.years)), 1, 3e-3)
        for (let row = 0; row < chain.length; row++) {
          const strike = chain.optionSymbol.thousandths[row]! / 1000
          if (Math.abs(strike - 100) > 7.5) continue
          assert.approximately(table.ivComputed[row]!, volatility, 0.004, `${rootAndDay} ${strike}`)
        }
      }
    }
  })

  it("would be wrong by several times as much if they were taken for European, and have greeks of their own", () => {
    const chain = Chains.of(americanRows("AAPL271217", 0.05, 0, 0.3))
    const rates = { rate: 0.05, dividendYield: 0 }
    const worst = (exercise: "american" | "european") => {
      const { table } = columns(chain, { ...rates, exercise })
      return Math.max(...Array.from(table.ivComputed, (iv) => Math.abs(iv - 0.3)))
    }
    assert.isAbove(worst("european"), 5 * worst("american"))
    const { assumptions: [assumed], table } = columns(chain, rates)
    const put = (spot: number) =>
      American.value(false, { ...rates, spot, strike: 110, years: assumed!.years }, table.ivComputed[29]!)
    assert.approximately(table.deltaComputed[29]!, (put(100.1) - put(99.9)) / 0.2, 1e-3)
  })
})

describe("reasons", () => {
  const of = (rows: ReadonlyArray<Chains.Row>, options?: Volatility.Options): ReadonlyArray<string | null> =>
    Array.from(columns(Chains.of(rows), options).table, ({ reason }) => reason)
  const rates = { rate: 0, dividendYield: 0 }
  const [call, put] = ["SPXW261218C00100000", "SPXW261218P00100000"]

  it("name what is missing or wrong, row by row", () => {
    const cases: ReadonlyArray<readonly [Chains.Row, reason: string | null]> = [
      [{ symbol: call, bid: 3, ask: 3.2 }, null],
      [{ symbol: call, bid: 3.2, ask: 3 }, "Crossed"],
      [{ symbol: call, bid: null, ask: 3, mid: null }, "NoPrice"],
      [{ symbol: call, bid: 0, ask: 0, mid: 0 }, "NoPrice"],
      [{ symbol: call, bid: -3, ask: -2, mid: -2.5 }, "NoPrice"],
      [{ symbol: "SPXW261218C00090000", bid: 9.9, ask: 10.1 }, "BelowIntrinsic"],
      [{ symbol: "SPXW261218C00090000", bid: 9, ask: 9.2 }, "BelowIntrinsic"],
      [{ symbol: call, bid: 100, ask: 101 }, "AboveBound"],
      [{ symbol: put, bid: 100, ask: 101 }, "AboveBound"],
      [{ symbol: "SPXW261119C00100000", bid: 1, ask: 2 }, "Expired"],
      [{ symbol: "SPX261120C00100000", bid: 1, ask: 2 }, "Expired"],
      [{ symbol: "SPXW1261218C00100000", bid: 1, ask: 2 }, "Adjusted"]
    ]
    assert.deepStrictEqual(of(cases.map(([row]) => row), rates), cases.map(([, reason]) => reason))
  })

  it("say that no forward is known where calls stand alone, and what is missing is not made up", () => {
    const rows = [{ symbol: call, bid: 3, ask: 3.2 }, { symbol: "SPXW261218C00110000", bid: 1, ask: 1.2 }]
    assert.deepStrictEqual(of(rows), ["NoForward", "NoForward"])
    assert.deepStrictEqual(of(rows, { rate: 0.04 }), ["NoForward", "NoForward"])
    assert.deepStrictEqual(of(rows, rates), [null, null])
    const [assumed] = columns(Chains.of(rows)).assumptions
    assert.deepInclude(assumed, { forward: undefined, forwardFrom: "nothing", discountFrom: "nothing", strikes: 0 })
  })

  it("are not numbers where calls cost more the higher their strike is: no discount is told by that", () => {
    const rows = Array.from({ length: 12 }, (_, at) => 80 + 4 * at).flatMap((strike) =>
      (["call", "put"] as const).map((side): Chains.Row => {
        const mid = side === "call" ? strike / 4 : (200 - strike) / 4
        return { symbol: Chains.symbol("SPXW270618", side, strike), bid: mid - 0.1, ask: mid + 0.1 }
      })
    )
    const { assumptions: [assumed], table } = columns(Chains.of(rows))
    assert.deepInclude(assumed, { discount: 1, discountFrom: "nothing" })
    for (const { thetaComputed, reason } of table) assert.strictEqual(thetaComputed === null, reason !== null)
    for (const name of ["thetaComputed", "rhoComputed"] as const) {
      assert.isTrue(table[name].every((value, row) => Number.isNaN(value) === table.isNull(name, row)))
    }
  })

  it("are the same for American options", () => {
    const american = { ...rates, exercise: "american", rate: 0.04 } as const
    assert.deepStrictEqual(
      of([
        { symbol: "AAPL261218P00110000", bid: 9.9, ask: 10.1 },
        { symbol: "AAPL261218P00110000", bid: 110, ask: 111 },
        { symbol: "AAPL261218P00110000", bid: 10.5, ask: 10.6 }
      ], american),
      ["BelowIntrinsic", "AboveBound", null]
    )
  })
})

describe("callers without types", () => {
  const chain = Chains.of([{ symbol: "SPXW261218C00100000", bid: 3, ask: 3.2 }])

  it("are told what a chain must have", () => {
    const { ask: _, mid: __, ...withoutPrices } = chain
    const { optionSymbol, optionSymbol: { series: [one] } } = chain
    const made = (code: number, series: object = one!) => {
      return { ...chain, optionSymbol: { ...optionSymbol, codes: [code], series: [series] } }
    }
    const others = [made(5), made(-1), made(0, { ...one, expiration: null }), made(0, { ...one, side: "C" })]
    const all = [null, undefined, 1, "chain", {}, { length: 1 }, { optionSymbol: {} }, withoutPrices, ...others]
    for (const given of all) {
      for (const make of [Volatility.columns, Volatility.surface]) {
        const failure = Result.getOrThrow(
          Result.flip(make(given as never) as Result.Result<unknown, { parameter: string; message: string }>)
        )
        assert.strictEqual(failure.parameter, "chain")
        assert.include(failure.message, "must have")
      }
    }
  })

  it("are told which option breaks its rule", () => {
    const broken = {
      at: [NaN, -1, "2026-11-20", null, 1e12],
      rate: [NaN, 4, "0.04", null],
      dividendYield: [Infinity, -2, {}],
      expires: ["morning", 1, null],
      exercise: ["bermudan", true, null],
      calendar: [null, "NYSE", {}]
    }
    for (const [name, values] of Object.entries(broken)) {
      for (const value of values) {
        if (name === "at" && value === null) continue
        const failure = Result.getOrThrow(Result.flip(Volatility.columns(chain, { [name]: value })))
        assert.strictEqual(failure.parameter, name)
      }
    }
    for (const options of [null, 1, "options"]) {
      assert.isTrue(Result.isFailure(Volatility.columns(chain, options as never)))
    }
  })

  it("are told that a chain without times needs one", () => {
    const timeless = ColumnTable.select(chain, ["optionSymbol", "bid", "ask"])
    const failure = Result.getOrThrow(Result.flip(Volatility.columns(timeless)))
    assert.strictEqual(failure.parameter, "at")
    const found = columns(timeless, { at: Chains.noon, rate: 0.04 })
    assert.deepStrictEqual(reasons(found), { NoForward: 1 })
  })

  it("get a table that is empty of an empty chain", () => {
    const empty = Result.getOrThrow(
      OptionChain.decode(`{"s":"ok","optionSymbol":[],"mid":[]}`, { columns: ["optionSymbol", "mid"] })
    )
    const { assumptions, table } = columns(empty, { at: Chains.noon })
    assert.deepStrictEqual([table.length, assumptions.length], [0, 0])
    assert.deepStrictEqual(Result.getOrThrow(Volatility.surface(empty, { at: Chains.noon })).slices, [])
  })

  it("do without a price of the underlying: greeks are then by the discounted forward", () => {
    const rows = modelled("261218", { forward: 101, discount: 0.997, volatility: 0.2 })
      .map((row) => ({ ...row, spot: 1e-300 }))
    const { assumptions: [assumed], table } = columns(
      ColumnTable.select(Chains.of(rows), ["optionSymbol", "mid", "updated", "underlyingPrice"])
    )
    assert.strictEqual(assumed!.spot, undefined)
    for (const iv of table.ivComputed) assert.approximately(iv, 0.2, 4e-3)
    for (const delta of table.deltaComputed) assert.isTrue(Math.abs(delta) < 1)
  })
})

describe("Volatility.surface", () => {
  const chain = ColumnTable.filter(Chains.ofMarket("SPX"), (row, { dte }) => dte[row]! > 5)
  const surface = Result.getOrThrow(Volatility.surface(chain, { at: Chains.noon, expires: "reply" }))

  it("has a slice for each root and expiration, in the order of time, with the market's skew: puts dearer than calls", () => {
    assert.isAbove(surface.slices.length, 40)
    for (const [index, { assumptions, atTheMoney, call25, put25, skew }] of surface.slices.entries()) {
      assert.isAtLeast(assumptions.expires, surface.slices[index - 1]?.assumptions.expires ?? 0)
      assert.isTrue(atTheMoney! > 0.1 && atTheMoney! < 0.3)
      assert.isTrue(put25! > atTheMoney! && atTheMoney! > call25!)
      assert.approximately(skew!, put25! - call25!, 1e-15)
    }
  })

  it("finds no sure gain in a market that was made without", () => assert.deepStrictEqual(surface.findings, []))

  it("finds the gain of a butterfly that was planted, with its strike and size", () => {
    const rows = [95, 100, 105].map((strike, at): Chains.Row => ({
      symbol: Chains.symbol("SPXW261218", "call", strike),
      bid: [6, 5.5, 1][at]!,
      ask: [6.2, 5.7, 1.2][at]!
    }))
    const { findings } = Result.getOrThrow(Volatility.surface(Chains.of(rows), { rate: 0, dividendYield: 0 }))
    const [{ gain, ...finding }] = findings as [Volatility.Arbitrage]
    assert.deepInclude(finding, { code: "Butterfly", side: "call", strike: 100 })
    assert.approximately(gain, 5.5 - (6.2 + 1.2) / 2, 1e-12)
    const unoffered = Chains.of(rows.map((row, at) => at === 0 ? { ...row, ask: 0 } : row))
    assert.deepStrictEqual(Result.getOrThrow(Volatility.surface(unoffered, { rate: 0, dividendYield: 0 })).findings, [])
  })

  it("finds total variance that falls with time", () => {
    const slice = (day: string, volatility: number) =>
      modelled(day, { forward: 100, discount: 1, volatility })
        .map(({ mid, symbol }): Chains.Row => ({ symbol, bid: mid - 0.01, ask: mid + 0.01, mid }))
    const found = (...later: ReadonlyArray<number>) => {
      const rows = [0.3, ...later].flatMap((volatility, at) => slice(["261218", "270115", "270219"][at]!, volatility))
      const { findings } = Result.getOrThrow(Volatility.surface(Chains.of(rows), { rate: 0, dividendYield: 0 }))
      return findings.map(({ assumptions, code, gain }) => [code, assumptions.expiration.month, gain > 0])
    }
    assert.deepStrictEqual(found(0.25), [])
    // The third has more than the second, and still less than the first.
    assert.deepStrictEqual(found(0.2, 0.16), [["Calendar", 1, true], ["Calendar", 2, true]])
  })
})
