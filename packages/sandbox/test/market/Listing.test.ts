import { CalendarDate, NewYork } from "@effect-marketdata/core"
import { ExpirationCycle, Listing, Spot, Underlying } from "@effect-marketdata/sandbox"
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../../../core/test/support/depth.ts"
import * as Arbitrary from "./support/arbitrary.ts"

const of = (symbol: string): Underlying.Underlying => Underlying.all.find((underlying) => underlying.symbol === symbol)!

const tradingDay = Arbitrary.dayOf2026And2027.map(ExpirationCycle.daily.onOrAfter)

/** What is listed, as `root expiration thousandths`, with the moment of the first trade. */
const contracts = (listed: ReadonlyArray<Listing.Expiration>): ReadonlyMap<string, number> =>
  new Map(
    listed.flatMap(({ expiration, root, strikes }) =>
      strikes.map(({ firstTraded, thousandths }) => [`${root} ${expiration} ${thousandths}`, firstTraded] as const)
    )
  )

const symbols = fc.constantFrom("SPX", "SPY", "AAPL", "F")

it("takes nothing off before it expires, and says when it was first traded", () => {
  Arbitrary.holds(
    fc.property(Arbitrary.seed, symbols, tradingDay, (seed, symbol, from) => {
      const listing = Listing.make(seed, of(symbol))
      let before = contracts(listing(from))
      for (let step = 0, day = from; step < 15; step++) {
        const next = ExpirationCycle.daily.onOrAfter(day + 1)
        const opens = NewYork.at(CalendarDate.fromEpochDay(next), 9, 30)
        const after = contracts(listing(next))
        const lost = [...before].filter(([contract, firstTraded]) =>
          Number(contract.split(" ")[1]) > day && after.get(contract) !== firstTraded
        )
        const misdated = [...after].filter(([contract, firstTraded]) =>
          (firstTraded === opens) === before.has(contract)
        )
        assert.deepStrictEqual({ lost, misdated }, { lost: [], misdated: [] })
        before = after
        day = next
      }
    }),
    { numRuns: runs(6, 1) }
  )
})

it("has strikes on the exchange's grids, lowered where they were adjusted", () => {
  Arbitrary.holds(
    fc.property(Arbitrary.seed, Arbitrary.underlying, tradingDay, (seed, underlying, day) => {
      const lowered = new Map(underlying.roots.map((root) => [root.root, Math.round(root.lowered * 1000)]))
      for (const { root, strikes } of Listing.make(seed, underlying)(day)) {
        const all = strikes.map(({ thousandths }) => thousandths)
        const onGrid = (strike: number) =>
          underlying.strikeSteps.some((step) => (strike + lowered.get(root)!) % (step * 1000) === 0)
        assert.isTrue(all.every(onGrid))
        assert.isTrue(all.every((strike, at) => strike > (all[at - 1] ?? 0) && strike <= 99_999_999))
      }
    }),
    { numRuns: runs(40, 10) }
  )
})

it("has strikes on both sides of the price, denser near it", () => {
  const spx = of("SPX")
  Arbitrary.holds(
    fc.property(Arbitrary.seed, tradingDay, (seed, day) => {
      const price = Spot.close(seed, spx, ExpirationCycle.daily.before(day)) * 1000
      const front = Listing.make(seed, spx)(day).find(({ root }) => root === "SPXW")!
      const strikes = front.strikes.map(({ thousandths }) => thousandths)
      const near = strikes.filter((strike) => Math.abs(strike - price) <= 0.02 * price)
      assert.isAbove(near.length, 0.5 * 0.04 * price / 5000)
      assert.isBelow(strikes[0]!, 0.7 * price)
      assert.isAbove(strikes.at(-1)!, 1.3 * price)
      assert.isBelow(strikes.length, (strikes.at(-1)! - strikes[0]!) / 20_000)
    }),
    { numRuns: runs(20, 10) }
  )
})
