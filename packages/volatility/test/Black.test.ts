import * as BlackScholes from "@effect-marketdata/sandbox/BlackScholes"
import { Black, ImpliedVolatility } from "@effect-marketdata/volatility"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { forAll, trials } from "../../core/test/support/depth.ts"
import { refuse } from "../../core/test/support/untyped.ts"
import * as Draw from "./support/draw.ts"

const price = (side: "call" | "put", model: Black.Model): number => Result.getOrThrow(Black.price(side, model))

/** What a price can be wrong by, for its rounding alone: a few last bits of the largest number in it. */
const rounding = ({ discount, forward, strike }: Black.Model): number => 4 * 2 ** -53 * discount * (forward + strike)

/** The greek by a difference of prices, and the step that rounding and curvature allow together. */
const slope = (valueAt: (x: number) => number, x: number, step: number): number =>
  (valueAt(x * (1 + step)) - valueAt(x * (1 - step))) / (2 * step * x)

describe("Black", () => {
  it("values a call at the money for a year as J. Hull's book does (example 15.6: 4.76 and 0.81)", () => {
    const model = { forward: 42 * Math.exp(0.05), strike: 40, years: 0.5, discount: Math.exp(-0.05), volatility: 0.2 }
    assert.approximately(price("call", model), 4.7594, 1e-4)
    assert.approximately(price("put", model), 0.8086, 1e-4)
  })

  it("keeps parity between calls and puts", () => {
    forAll(trials(38), Draw.model, (model) => {
      const difference = price("call", model) - price("put", model)
      const parity = model.discount * (model.forward - model.strike)
      assert.isAtMost(Math.abs(difference - parity), rounding(model))
    })
  })

  it("rises with volatility, and stays between intrinsic value and bound", () => {
    forAll(trials(39), Draw.side, Draw.model, Draw.number(1.0001, 2), (side, model, factor) => {
      const { discount, forward, strike, volatility } = model
      const [low, high] = [price(side, model), price(side, { ...model, volatility: volatility * factor })]
      assert.isAtMost(low, high)
      assert.isAtLeast(low, discount * Math.max(0, side === "call" ? forward - strike : strike - forward) * (1 - 1e-15))
      assert.isAtMost(high, discount * (side === "call" ? forward : strike) * (1 + 1e-15))
    })
  })

  it("is the same in dollars and in cents", () => {
    forAll(trials(40), Draw.side, Draw.model, Draw.power(-3, 3), (side, model, scale) => {
      const scaled = price(side, { ...model, forward: model.forward * scale, strike: model.strike * scale })
      assert.approximately(scaled / scale, price(side, model), 10 * rounding(model))
    })
  })

  it("has greeks that are the differences of prices", () => {
    const errors: Record<string, Array<number>> = {}
    forAll(trials(41), Draw.side, Draw.model, Draw.number(-0.05, 0.1), (side, drawn, dividendYield) => {
      // Within three deviations, where a difference still has digits.
      fc.pre(Math.abs(Math.log(drawn.strike / drawn.forward)) < 3 * drawn.volatility * Math.sqrt(drawn.years))
      const rate = -Math.log(drawn.discount) / drawn.years
      fc.pre(Math.abs(rate) < 1)
      const spot = drawn.forward * Math.exp((dividendYield - rate) * drawn.years)
      const model = { ...drawn, spot }
      const at = (moved: Partial<{ spot: number; rate: number; years: number; volatility: number }>): number => {
        const of = { spot, rate, years: model.years, volatility: model.volatility, ...moved }
        return price(side, {
          forward: of.spot * Math.exp((of.rate - dividendYield) * of.years),
          discount: Math.exp(-of.rate * of.years),
          strike: model.strike,
          years: of.years,
          volatility: of.volatility
        })
      }
      const found = Result.getOrThrow(Black.greeks(side, model))
      const step = 1e-3 * model.volatility * Math.sqrt(model.years)
      const grown = Math.exp((rate - dividendYield) * model.years)
      const deltaAt = (spot: number): number =>
        Result.getOrThrow(Black.greeks(side, { ...model, spot, forward: spot * grown })).delta
      const expected = {
        delta: slope((spot) => at({ spot }), spot, step),
        gamma: slope((spot) => deltaAt(spot), spot, step),
        theta: -slope((years) => at({ years }), model.years, 1e-5) / 365,
        vega: slope((volatility) => at({ volatility }), model.volatility, 1e-5) / 100,
        rho: (at({ rate: rate + 1e-6 }) - at({ rate: rate - 1e-6 })) / 2e-6 / 100
      }
      const rho = model.strike * model.years / 100
      const size = { delta: 1, gamma: found.gamma, theta: spot / 365, vega: found.vega, rho }
      for (const name of ["delta", "gamma", "theta", "vega", "rho"] as const) {
        ;(errors[name] ??= []).push(Math.abs(found[name] - expected[name]) / size[name])
      }
    })
    for (const [name, all] of Object.entries(errors)) {
      const [most, usual] = Draw.worst(all)
      console.log(`${name}: worst ${most.toExponential(1)}, 99 % ${usual.toExponential(1)}`)
      assert.isAtMost(most, 1e-4, name)
      assert.isAtMost(usual, 1e-5, name)
    }
  })

  it("agrees with the sandbox's model of Black, Scholes and Merton, greeks in the same units", () => {
    forAll(
      trials(42),
      Draw.side,
      Draw.model,
      Draw.number(-0.05, 0.1),
      (side, { forward, strike, volatility, years }, rate) => {
        const dividendYield = 0.013
        const rest = { strike, volatility, years }
        const terms = { spot: forward, rate, dividendYield, ...rest }
        const theirs = BlackScholes.evaluate(side, terms)
        const grown = forward * Math.exp((rate - dividendYield) * rest.years)
        const model = { ...rest, forward: grown, discount: Math.exp(-rate * rest.years) }
        const near = (found: number, expected: number, size: number) =>
          assert.isAtMost(Math.abs(found - expected), 1e-9 * Math.abs(size))
        near(price(side, model), theirs.value, forward + rest.strike)
        const ours = Result.getOrThrow(Black.greeks(side, { ...model, spot: forward }))
        near(ours.delta, theirs.delta, 1)
        near(ours.gamma, theirs.gamma, theirs.gamma + 1e-9)
        near(ours.theta, theirs.theta, forward + rest.strike)
        near(ours.vega, theirs.vega, theirs.vega + 1e-9)
      }
    )
  })
})

describe("ImpliedVolatility", () => {
  it("gives back the volatility of a price, as far as the price knows it", () => {
    const errors: Array<number> = []
    forAll(trials(43), Draw.side, Draw.model, (side, model) => {
      const value = price(side, model)
      const { vega } = Result.getOrThrow(Black.greeks(side, { ...model, spot: model.forward }))
      // In units of the volatility that the rounding of the price, the forward and the strike hides.
      const hidden = rounding(model) / 4 / (100 * vega) + model.volatility * 2 ** -53
      fc.pre(hidden < 1e-3 * model.volatility)
      errors.push(Math.abs(Result.getOrThrow(ImpliedVolatility.solve(side, model, value)) - model.volatility) / hidden)
    })
    const [most, usual] = Draw.worst(errors)
    console.log(`in units of what is hidden: worst ${most.toFixed(1)}, 99 % ${usual.toFixed(1)}`)
    assert.isAtMost(most, 2)
    assert.isAtMost(usual, 1)
  })

  it("gives a volatility whose price is the price", () => {
    forAll(trials(44), Draw.side, Draw.model, Draw.number(0.0001, 0.9999), (side, model, share) => {
      const { discount, forward, strike } = model
      const [low, high] = [
        discount * Math.max(0, side === "call" ? forward - strike : strike - forward),
        discount * (side === "call" ? forward : strike)
      ]
      const value = low + share * (high - low)
      fc.pre(value > low && value < high)
      const found = ImpliedVolatility.solve(side, model, value)
      // What lies between bound and intrinsic value always has one.
      const volatility = Result.getOrThrow(found)
      assert.isAtMost(Math.abs(price(side, { ...model, volatility }) - value), 2 * rounding(model))
    })
  })

  it("says why there is none, with the bound", () => {
    const terms = { forward: 100, strike: 90, years: 0.5, discount: 0.98 }
    const why = (side: "call" | "put", price: number) => {
      const { _tag, ...failure } = Result.getOrThrow(Result.flip(ImpliedVolatility.solve(side, terms, price)))
      return _tag === "NoVolatility" && "bound" in failure ? [failure.reason, failure.bound] : [_tag]
    }
    assert.deepStrictEqual(why("call", 9.799), ["BelowIntrinsic", 0.98 * 10])
    assert.deepStrictEqual(why("call", 5), ["BelowIntrinsic", 0.98 * 10])
    assert.deepStrictEqual(why("call", 98.1), ["AboveBound", 98])
    assert.deepStrictEqual(why("put", 88.3), ["AboveBound", 0.98 * 90])
    assert.deepStrictEqual(why("put", 0), ["NoPrice", 0])
    assert.deepStrictEqual(why("put", -1), ["NoPrice", 0])
    for (const side of ["call", "put"] as const) {
      for (const price of [0, 98.1]) {
        const { message } = Result.getOrThrow(Result.flip(ImpliedVolatility.solve(side, terms, price)))
        assert.match(message, /^The price \S+ has no volatility: it .*\.$/)
      }
    }
  })

  it("finds the least and the largest volatility, and none twice", () => {
    const at = (price: number, terms: Partial<Black.Terms> = {}) =>
      Result.getOrThrow(
        ImpliedVolatility.solve("call", { forward: 100, strike: 100, years: 1, discount: 1, ...terms }, price)
      )
    assert.isAtMost(at(1e-12), 1e-13)
    assert.isAbove(at(100 * (1 - 1e-15)), 15)
    assert.isAbove(at(1e-300, { strike: 200 }), 0.018)
  })
})

const terms = { forward: 100, strike: 90, years: 0.5, discount: 0.98, volatility: 0.2, spot: 100 }

const numbers = [NaN, Infinity, -Infinity, -1, 0, 1e300, 5e-324]
const hostile: ReadonlyArray<unknown> = [...numbers, "1", null, undefined, {}, [], 1n, Symbol("1")]

describe("callers without types", () => {
  it("are told which number breaks which rule, and what keeps it", () => {
    for (const name of Object.keys(terms)) {
      for (const value of hostile) {
        const broken = { ...terms, [name]: value } as never
        const failure = Result.getOrThrow(Result.flip(Black.greeks("call", broken)))
        assert.deepInclude(failure, { _tag: "InvalidInput", parameter: name })
        assert.match(failure.message, /must be a number from \S+ to \S+, e\.g\. \S+\.$/)
        if (name !== "spot") assert.isTrue(Result.isFailure(Black.price("call", broken)))
        if (name !== "spot" && name !== "volatility") {
          assert.isTrue(Result.isFailure(ImpliedVolatility.solve("call", broken, 12)))
        }
      }
    }
  })

  it("get no number for a side, a price or terms that are none", () => {
    for (const side of ["C", "", null, undefined, 1, Symbol("call")]) {
      const failure = Result.getOrThrow(Result.flip(Black.price(side as never, terms)))
      assert.strictEqual(failure.parameter, "side")
      assert.include(failure.message, "must be one of call, put, e.g. call.")
    }
    for (const value of [NaN, Infinity, -Infinity, "12", null, undefined, {}]) {
      const failure = Result.getOrThrow(Result.flip(ImpliedVolatility.solve("call", terms, value as never)))
      assert.deepInclude(failure, { _tag: "InvalidInput", parameter: "price" })
    }
    const throwing = new Proxy({}, { get: refuse })
    for (const value of [null, undefined, 1, "terms", throwing]) {
      assert.isTrue(Result.isFailure(Black.price("call", value as never)))
      assert.isTrue(Result.isFailure(Black.greeks("put", value as never)))
      assert.isTrue(Result.isFailure(ImpliedVolatility.solve("call", value as never, 1)))
    }
  })

  it("never get NaN, whatever numbers they give", () => {
    forAll(
      trials(45),
      Draw.side,
      fc.record({
        forward: fc.double(),
        strike: fc.double(),
        years: fc.double(),
        discount: fc.double(),
        volatility: fc.double()
      }),
      fc.double(),
      (side, model, value) => {
        for (const found of [Black.price(side, model), ImpliedVolatility.solve(side, model, value)]) {
          if (Result.isSuccess(found)) assert.isTrue(Number.isFinite(found.success) && found.success >= 0)
        }
      }
    )
  })

  it("never get NaN for extremes of the ranges", () => {
    const ends = {
      forward: [1e-9, 1e15],
      strike: [1e-9, 1e15],
      years: [1e-9, 1000],
      discount: [1e-6, 10],
      volatility: [1e-9, 1e7]
    }
    forAll(
      trials(46),
      Draw.side,
      fc.record(Object.fromEntries(Object.entries(ends).map(([name, pair]) => [name, fc.constantFrom(...pair)]))),
      (side, drawn) => {
        const model = { ...drawn, spot: drawn["forward"] } as unknown as Black.Model & { readonly spot: number }
        assert.isTrue(Number.isFinite(Result.getOrThrow(Black.price(side, model))))
        const greeks = Result.getOrThrow(Black.greeks(side, model))
        for (const [name, value] of Object.entries(greeks)) assert.isTrue(Number.isFinite(value), name)
        const found = ImpliedVolatility.solve(side, model, Result.getOrThrow(Black.price(side, model)))
        if (Result.isSuccess(found)) assert.isTrue(Number.isFinite(found.success) && found.success > 0)
      }
    )
  })
})
