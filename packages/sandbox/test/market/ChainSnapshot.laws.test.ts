/** What nobody can earn by: the prices of many markets, held against the laws of option prices. */
import { assert, it } from "@effect/vitest"
import * as Quotes from "../../src/market/quotes.ts"
import * as Snapshot from "./support/snapshot.ts"

/** A rounding error of binary cents. */
const tiny = 1e-9

/** A failure in a loop over thousands of rows must not cost a message for each. */
const holds = (condition: boolean, { chain, seed }: Snapshot.Snapshot, row: number): void => {
  if (!condition) assert.fail(`seed ${seed}: ${JSON.stringify(chain.at(row))}`)
}

const side = ({ chain }: Snapshot.Snapshot, row: number): "call" | "put" => chain.side[row] === 0 ? "call" : "put"

const modelOf = ({ chain, time, underlying }: Snapshot.Snapshot, row: number) => ({
  spot: chain.underlyingPrice[row]!,
  strike: chain.strike[row]!,
  // In its last minute an option counts as if that had just begun.
  years: Math.max(60, chain.expiration[row]! - time.moment) / (365 * 86_400),
  rate: underlying.rate,
  dividendYield: underlying.dividendYield,
  volatility: chain.iv[row]!
})

/** Holds a law against the calls and against the puts of each series, strike by strike. */
const everySeries = (law: (snapshot: Snapshot.Snapshot, rows: ReadonlyArray<number>, isCall: boolean) => void) => {
  for (const snapshot of Snapshot.many()) {
    for (const { calls, puts } of Snapshot.seriesOf(snapshot.chain)) {
      law(snapshot, calls, true)
      law(snapshot, puts, false)
    }
  }
}

it("is worth, at the volatility it prints, something between bid and ask", () => {
  Snapshot.everyRow((snapshot, row) => {
    const { value } = Quotes.value(snapshot.underlying.kind, side(snapshot, row), modelOf(snapshot, row))
    const { ask, bid } = snapshot.chain
    holds(value >= bid[row]! - tiny && value <= ask[row]! + tiny, snapshot, row)
  })
})

it("has the greeks of the volatility it prints", () => {
  Snapshot.everyRow((snapshot, row) => {
    const { chain } = snapshot
    const expected = Quotes.value(snapshot.underlying.kind, side(snapshot, row), modelOf(snapshot, row))
    holds(Math.abs(chain.delta[row]! - expected.delta) <= 0.000_051, snapshot, row)
    holds(Math.abs(chain.gamma[row]! - expected.gamma) <= 0.000_000_51, snapshot, row)
    holds(Math.abs(chain.theta[row]! - expected.theta) <= 0.000_051, snapshot, row)
    holds(Math.abs(chain.vega[row]! - expected.vega) <= 0.000_051, snapshot, row)
    holds(side(snapshot, row) === "call" ? chain.delta[row]! >= 0 : chain.delta[row]! <= 0, snapshot, row)
  })
})

it("keeps put–call parity within the spreads: exactly for index options, as bounds for American ones", () => {
  for (const snapshot of Snapshot.many()) {
    const { chain, underlying } = snapshot
    for (const { calls, puts } of Snapshot.seriesOf(chain)) {
      for (const [at, call] of calls.entries()) {
        const put = puts[at]!
        const { dividendYield, rate, spot, strike, years } = modelOf(snapshot, call)
        const difference = chain.mid[call]! - chain.mid[put]!
        const spread = (chain.ask[call]! - chain.bid[call]! + chain.ask[put]! - chain.bid[put]!) / 2 + tiny
        const discounted = spot * Math.exp(-dividendYield * years)
        const paid = strike * Math.exp(-rate * years)
        const isIndex = underlying.kind === "index"
        holds(difference >= discounted - (isIndex ? paid : strike) - spread, snapshot, call)
        holds(difference <= (isIndex ? discounted : spot) - paid + spread, snapshot, call)
      }
    }
  }
})

it("has calls that get cheaper with the strike, and puts that get dearer, by no more than the strike", () => {
  everySeries((snapshot, rows, isCall) => {
    const { ask, bid, mid, strike } = snapshot.chain
    for (const [at, row] of rows.slice(1).entries()) {
      const below = rows[at]!
      for (const price of [ask, bid, mid]) {
        holds((price[row]! - price[below]!) * (isCall ? -1 : 1) >= -tiny, snapshot, row)
      }
      const [dear, cheap] = isCall ? [below, row] : [row, below]
      holds(bid[dear]! - ask[cheap]! <= strike[row]! - strike[below]! + tiny, snapshot, row)
    }
  })
})

it("is convex in the strike: no butterfly can be bought for less than nothing", () => {
  everySeries((snapshot, rows) => {
    const { ask, bid, strike } = snapshot.chain
    for (const [at, middle] of rows.slice(1, -1).entries()) {
      const [low, high] = [rows[at]!, rows[at + 2]!]
      const part = (strike[high]! - strike[middle]!) / (strike[high]! - strike[low]!)
      holds(bid[middle]! <= part * ask[low]! + (1 - part) * ask[high]! + tiny, snapshot, middle)
    }
  })
})

it("is worth the more the later it expires, within the spread, where it may be exercised at any time", () => {
  let compared = 0
  for (const snapshot of Snapshot.many()) {
    const { chain, underlying } = snapshot
    const [near, far] = Snapshot.seriesOf(chain)
    if (underlying.kind === "index" || near === undefined || far === undefined || near.root !== far.root) continue
    for (const name of ["calls", "puts"] as const) {
      const rowOf = new Map(far[name].map((row) => [chain.strike[row]!, row]))
      for (const row of near[name]) {
        const later = rowOf.get(chain.strike[row]!)
        if (later === undefined) continue
        compared++
        holds(chain.bid[row]! <= chain.ask[later]! + tiny, snapshot, row)
      }
    }
  }
  assert.isAbove(compared, 500)
})
