import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Result from "effect/Result"
import { of, type Seam } from "../../../../core/test/support/seam.ts"

const American = of(() => import("../../../src/exercise/american.ts"))
const Assumptions = of(() => import("../../../src/chain/assumptions.ts"))
const Black = of(() => import("@effect-marketdata/volatility/Black"))
const Expiry = of(() => import("@effect-marketdata/volatility/Expiry"))
const Normal = of(() => import("../../../src/black/normalised.ts"))
const Volatility = of(() => import("@effect-marketdata/volatility/Volatility"))

/** The tests that should find them, as `client/retry` for one of the client's. */
export const tests = ["american", "Black", "Expiry", "oracle", "parity", "Volatility"].map((name) =>
  `volatility/${name}`
)

/** What would give a number that looks right. */
export const faults: ReadonlyArray<Seam> = [
  Black.greeks(
    "theta has the wrong sign",
    (greeks) => (...of) => Result.map(greeks(...of), ({ theta, ...greeks }) => ({ ...greeks, theta: -theta }))
  ),
  Black.greeks(
    "vega is that of a whole volatility, not of a point",
    (greeks) => (...of) => Result.map(greeks(...of), ({ vega, ...greeks }) => ({ ...greeks, vega: 100 * vega }))
  ),
  Expiry.instant(
    "options that are settled in the morning live until the afternoon",
    (instant) => (symbol, calendar) => instant({ ...symbol, root: "SPXW" }, calendar)
  ),
  Expiry.instant("half days are whole ones", (instant) => (symbol, calendar) => {
    const time = instant(symbol, calendar)
    return NewYork.format(time).includes(" 13:00:00") ? time + 3 * 3600 : time
  }),
  Assumptions.median(
    "wide quotes tell a forward as loudly as close ones",
    (median) => (values) => median(values, values.map(() => 1))
  ),
  // Of a few calls all pairs are near.
  Assumptions.pairsOf(
    "strikes far from the money tell the forward",
    (pairsOf) => (chain, { call, put }) => call.flatMap((row) => pairsOf(chain, { call: [row], put }))
  ),
  Assumptions.estimate("a discount is made of prices that have none", (estimate) => (pairs, given) => {
    const found = estimate(pairs, given)
    return { ...found, discount: Math.abs(found.discount) }
  }),
  Assumptions.groupsOf(
    "options that deliver something else have a volatility, and no reason",
    (groupsOf) => (...chain) =>
      groupsOf(...chain).map((group) => ({ ...group, reason: group.reason === "Adjusted" ? undefined : group.reason }))
  ),
  Assumptions.groupsOf("what early exercise is worth stays in the forward", (groupsOf) => (chain, at, options) => {
    const european = groupsOf(chain, at, { ...options, exercise: "european" })
    return groupsOf(chain, at, options).map(({ assumptions, ...group }, index) => {
      const { assumptions: { forward }, shared } = european[index]!
      return { ...group, shared, assumptions: { ...assumptions, forward } }
    })
  }),
  Normal.solve("a solve ends a step too early where volatility is high", (solve) => (...of) => {
    const found = solve(...of)
    return found > 0.5 ? found * (1 + 1e-13) : found
  }),
  American.value(
    "early exercise is worth nothing",
    (value) => (isCall, { dividendYield, rate, ...terms }, volatility) => {
      // Nothing is gained early where neither dividends nor interest are: the value is that of the forward, discounted.
      const spot = terms.spot * Math.exp((rate - dividendYield) * terms.years)
      const forward = value(isCall, { ...terms, spot, rate: 0, dividendYield: 0 }, volatility)
      return forward * Math.exp(-rate * terms.years)
    }
  ),
  American.mayExerciseEarly("puts wait for their last day", (may) => (isCall, terms) => isCall && may(isCall, terms)),
  Volatility.surface(
    "variance that rises is taken for a sure gain, and variance that falls is not",
    (surface) => (...chain) =>
      Result.map(surface(...chain), ({ findings, slices, ...surface }) => {
        const varianceOf = ({ assumptions: { years }, atTheMoney = NaN }: typeof slices[number]) =>
          atTheMoney * atTheMoney * years
        const rising = slices.slice(1).filter((slice, index) => varianceOf(slice) > varianceOf(slices[index]!))
        const calendars = rising.map(({ assumptions }) => ({ code: "Calendar", assumptions, gain: 1 }) as const)
        return { ...surface, slices, findings: [...findings.filter(({ code }) => code !== "Calendar"), ...calendars] }
      })
  )
]
