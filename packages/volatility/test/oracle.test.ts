import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { runs, seed } from "../../core/test/support/depth.ts"
import { make } from "../../core/test/support/random.ts"
import * as Normal from "../src/black/normalised.ts"
import { worst } from "./support/draw.ts"
import * as Exact from "./support/exact.ts"

interface Row {
  readonly kind: string
  /** The log-moneyness, at most 0. */
  readonly x: number
  /** The deviation: volatility times the root of time. */
  readonly s: number
  readonly price: number
}

const table: ReadonlyArray<Row> = readFileSync(join(import.meta.dirname, "oracle", "table.csv"), "utf8")
  .trim().split("\n").slice(1).map((line) => {
    const [kind = "", ...numbers] = line.split(",")
    const [x = NaN, s = NaN, price = NaN] = numbers.map(Number)
    return { kind, x, s, price }
  })

const unit = 2 ** -53

/**
 * How far the deviation moves, relative to itself, if each input moves by half of its last bit, and the result is rounded: nothing that computes with
 * doubles can promise less.
 */
const allowed = ({ price, s, x }: Row): number => {
  const [h, t] = [x / s, s / 2]
  const vega = Math.exp(-0.5 * (h * h + t * t)) / Math.sqrt(2 * Math.PI)
  const byMoneyness = 0.5 * price + vega * Normal.mills(t - h)
  return unit * (1 + (price + Math.abs(x) * byMoneyness) / (vega * s))
}

const solve = (price: number, size: number): number => Normal.solve(price, size, Math.exp(-0.5 * size))

/** Errors of price and deviation, relative, and of the deviation in units of what rounding allows. */
const judge = (rows: ReadonlyArray<Row>) => ({
  price: worst(rows.map(({ price, s, x }) => Math.abs(Normal.normalised(x / s, s / 2) / price - 1))),
  deviation: worst(rows.map(({ price, s, x }) => Math.abs(solve(price, -x) / s - 1))),
  units: worst(rows.map((row) => Math.abs(solve(row.price, -row.x) / row.s - 1) / allowed(row)))
})

/** The most that each kind may be wrong: prices, then deviations, worst and 99 %, relative. */
const limits = {
  market: { price: [1e-14, 4e-15], deviation: [7e-16, 5e-16] },
  wide: { price: [3e-13, 6e-14], deviation: [9e-16, 5e-16] },
  atTheMoney: { price: [5e-16, 3e-16], deviation: [9e-16, 5e-16] },
  deep: { price: [3e-13, 2e-13], deviation: [4e-16, 3e-16] },
  oneMinute: { price: [6e-15, 3e-15], deviation: [7e-16, 5e-16] },
  tenYears: { price: [8e-15, 4e-15], deviation: [7e-16, 5e-16] }
} as const

const show = (kind: string, found: ReturnType<typeof judge>): string =>
  `${kind}: ${
    Object.entries(found).map(([name, pair]) => `${name} ${pair.map((value) => value.toExponential(1)).join(" / ")}`)
      .join(", ")
  }`

describe("the table of 2,000 prices in 60 digits", () => {
  it("has every kind", () => {
    assert.lengthOf(table, 2000)
    assert.deepStrictEqual(new Set(table.map(({ kind }) => kind)), new Set(Object.keys(limits)))
  })

  for (const [kind, limit] of Object.entries(limits)) {
    it(`is met by prices and deviations: ${kind}`, () => {
      const found = judge(table.filter((row) => row.kind === kind))
      console.log(show(kind, found))
      for (const name of ["price", "deviation"] as const) {
        assert.isAtMost(found[name][0], limit[name][0], `${name}, worst`)
        assert.isAtMost(found[name][1], limit[name][1], `${name}, 99 %`)
      }
      assert.isAtMost(found.units[0], 4, "deviation, in units of what rounding allows")
    })
  }

  it("is what the oracle of whole numbers says", () => {
    for (const { price, s, x } of table.filter((_, index) => index % 40 === 0)) {
      assert.strictEqual(Exact.price(x, s), price)
    }
  })
})

describe("prices drawn anew, by the oracle of whole numbers", () => {
  it("are met, and their deviations", () => {
    const random = make(seed)
    const between = (from: number, to: number) => from + random.fraction() * (to - from)
    // Kinds as `make.py` draws them: deviations over six orders of size, moneyness from none to eight deviations.
    const rows = Array.from({ length: runs(100_000, 100) }, (): Row => {
      const s = 10 ** between(-4.5, 0.7)
      const x = random.chance(0.1) ? 0 : -Math.min(10, s * between(0, random.chance(0.1) ? 30 : 6))
      return { kind: "drawn", x, s, price: Exact.price(x, s) }
    }).filter(({ price }) => price > 1e-290)
    const found = judge(rows)
    console.log(show(`${rows.length} drawn`, found))
    assert.isAtMost(found.price[0], 3e-13)
    assert.isAtMost(found.price[1], 1e-13)
    assert.isAtMost(found.units[0], 4)
    assert.isAtMost(found.units[1], 2.5)
  })

  it("have deviations of their own wherever a double has room for the price", () => {
    const random = make(seed + 2)
    for (let run = runs(200_000, 2000); run > 0; run--) {
      const size = random.chance(0.1) ? 0 : 10 ** (14 * random.fraction() - 12)
      const [bound, power] = [Math.exp(-0.5 * size), 10 ** (-300 * random.fraction() ** 3)]
      const price = bound * (random.chance(0.5) ? power : random.chance(0.5) ? random.fraction() : 1 - power)
      if (!(price > 1e-300 && price < bound)) continue
      const s = solve(price, size)
      // Prices of both sides of it stand around the price: a few last bits of what moves it apart.
      const [below, above] = [s * (1 - 1e-12), s * (1 + 1e-12)].map((s) => Normal.normalised(-size / s, 0.5 * s))
      assert.isTrue(below! <= price * (1 + 1e-12) && price * (1 - 1e-12) <= above!, `${price} ${size}: ${s}`)
    }
  })

  it("stand on a ratio of tails that is right to the last bits", () => {
    const random = make(seed + 1)
    const errors = Array.from({ length: runs(10_000, 200) }, () => {
      const z = 40 * random.fraction() ** 3
      return Math.abs(Normal.mills(z) / Exact.millsOf(z) - 1)
    })
    assert.isAtMost(worst(errors)[0], 1e-15)
  })
})
