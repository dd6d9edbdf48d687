import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { forAll, trials } from "../../core/test/support/depth.ts"
import { make } from "../../core/test/support/random.ts"
import { estimate, type Pair } from "../src/chain/assumptions.ts"
import * as Volatility from "../src/chain/Volatility.ts"
import * as Chains from "./support/chains.ts"
import * as Draw from "./support/draw.ts"

const drawn = fc.record({
  forward: Draw.power(0, 4),
  discount: Draw.number(0.8, 1.01),
  count: fc.integer({ min: 8, max: 60 }),
  seed: fc.integer()
})

/** Strikes around a forward, with what call and put differ by, wrong by a share of their width. */
const pairsOf = (
  { count, discount, forward, seed }: typeof drawn extends fc.Arbitrary<infer A> ? A : never,
  wrong: number
) => {
  const random = make(seed)
  return Array.from({ length: count }, (_, at): Pair => {
    const strike = forward * (0.8 + 0.4 * (at + random.fraction()) / count)
    const width = forward * (0.0005 + 0.001 * random.fraction())
    return { strike, difference: discount * (forward - strike) + wrong * width * (random.fraction() - 0.5), width }
  })
}

it("finds forward and discount exactly where all strikes agree", () => {
  forAll(trials(71), drawn, (drawn) => {
    const found = estimate(pairsOf(drawn, 0))
    assert.approximately(found.forward / drawn.forward, 1, 1e-12)
    assert.approximately(found.discount / drawn.discount, 1, 1e-11)
    assert.isAtMost(found.spread / drawn.forward, 1e-12)
  })
})

it("is moved by noise less than by the width of a quote", () => {
  forAll(trials(72), drawn, (drawn) => {
    const found = estimate(pairsOf(drawn, 1))
    assert.isAtMost(Math.abs(found.forward / drawn.forward - 1), 0.0015)
    assert.isAtMost(Math.abs(found.discount / drawn.discount - 1), 0.02)
  })
})

it("is not moved by a wrong quote, or by one in five", () => {
  forAll(trials(73), drawn, Draw.number(-0.5, 0.5), (drawn, wrong) => {
    const pairs = pairsOf(drawn, 0).map((pair, at) =>
      at % 5 === 2 ? { ...pair, difference: pair.difference + wrong * drawn.forward } : pair
    )
    const found = estimate(pairs)
    assert.approximately(found.forward / drawn.forward, 1, 1e-9)
    assert.approximately(found.discount / drawn.discount, 1, 1e-9)
  })
})

it("believes close quotes before wide ones, though these are more", () => {
  const pairs = Array.from({ length: 21 }, (_, at): Pair => {
    const isClose = at % 3 === 0
    return { strike: 90 + at, difference: 100 - (90 + at) + (isClose ? 0 : 1), width: isClose ? 0.05 : 2 }
  })
  assert.approximately(estimate(pairs, 1).forward, 100, 1e-12)
})

it("takes a discount that is given, and one strike then", () => {
  const found = estimate([{ strike: 100, difference: 1.96, width: 0.1 }], 0.98)
  assert.deepStrictEqual(found, { forward: 102, discount: 0.98, spread: 0, strikes: 1 })
})

it("asks the forty strikes nearest to the money", () => {
  const chain = Chains.of(
    Array.from({ length: 100 }, (_, at) => {
      const quoted = (side: "call" | "put", price: number): Chains.Row => {
        return { symbol: Chains.symbol("SPXW270115", side, 51 + at), bid: price - half, ask: price + half }
      }
      // At the money quotes are crossed, and far from it prices are stale.
      const half = at > 46 && at < 52 ? -0.05 : 0.05
      const difference = (at < 30 || at > 70 ? 1.2 : 1) * (100 - 51 - at) + (half < 0 ? 1 : 0)
      return [quoted("call", 100 + difference), quoted("put", 100)]
    }).flat()
  )
  const [assumed] = Result.getOrThrow(Volatility.columns(chain)).assumptions
  assert.strictEqual(assumed!.strikes, 40)
  assert.approximately(assumed!.forward!, 100, 1e-9)
  assert.approximately(assumed!.discount, 1, 1e-9)
})
