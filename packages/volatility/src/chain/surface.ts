/** The surface of a chain: volatility at the money, skew, and prices that allow arbitrage. */
import type { Assumptions, Group, Priced } from "./assumptions.ts"

/**
 * The volatilities of one root and expiration, annual fractions.
 *
 * - `atTheMoney`: where the strike is the forward
 * - `put25`, `call25`: where the delta is −0.25 and 0.25, by options out of the money; `skew` is the first less the second
 * - undefined where no two strikes stand around such a point
 */
export interface Slice extends Readonly<Record<"atTheMoney" | "put25" | "call25" | "skew", number | undefined>> {
  readonly assumptions: Assumptions
}

/**
 * A sure gain that prices allow.
 *
 * - `Butterfly`: the option in the middle can be sold at its bid for more than the two around it cost at their asks: `gain` dollars a share, before costs
 * - `Calendar`: total variance at the money is less than that of the expiration before, in the same root: `gain` is by how much, as variance
 *
 * `strike` is the one in the middle; undefined for `Calendar`.
 */
export interface Arbitrage {
  readonly code: "Butterfly" | "Calendar"
  readonly assumptions: Assumptions
  readonly side?: "call" | "put"
  readonly strike?: number
  readonly gain: number
}

/** A surface: its slices in the order of time, and all sure gains that were found. */
export interface Surface {
  readonly at: number
  readonly slices: ReadonlyArray<Slice>
  readonly findings: ReadonlyArray<Arbitrage>
}

/** Computes the surface of groups whose volatilities are known. */
export const make = (
  chain: Priced,
  groups: ReadonlyArray<Group>,
  { deltaComputed, ivComputed }: Readonly<Record<"deltaComputed" | "ivComputed", Float64Array>>,
  at: number
): Surface => {
  const { ask, bid, mid, optionSymbol: { thousandths } } = chain
  // An option is bought at its ask and sold at its bid, or at the only price that is known.
  const [cost, gained] = [ask ?? mid, bid ?? mid]
  const strikeOf = (row: number) => thousandths[row]! / 1000
  const slices = groups.map(({ assumptions, assumptions: { forward = NaN }, rows }): Slice => {
    const points = (rows: ReadonlyArray<number>, valueOf: (row: number) => number) =>
      rows.filter((row) => ivComputed[row]! > 0).map((row) => [valueOf(row), ivComputed[row]!] as const)
    const puts = rows.put.filter((row) => strikeOf(row) < forward)
    const calls = rows.call.filter((row) => strikeOf(row) >= forward)
    const put25 = between(points(puts, (row) => deltaComputed[row]!), -0.25)
    const call25 = between(points(calls, (row) => deltaComputed[row]!), 0.25)
    const skew = put25 === undefined || call25 === undefined ? undefined : put25 - call25
    return { assumptions, atTheMoney: between(points([...puts, ...calls], strikeOf), forward), put25, call25, skew }
  }).toSorted((a, b) => a.assumptions.expires - b.assumptions.expires)
  const butterflies = groups.flatMap(({ assumptions, rows }) =>
    (["call", "put"] as const).flatMap((side) => {
      const sorted = rows[side]
      return sorted.slice(1, -1).flatMap((middle, at): ReadonlyArray<Arbitrage> => {
        const [low, high] = [sorted[at]!, sorted[at + 2]!]
        const share = (strikeOf(high) - strikeOf(middle)) / (strikeOf(high) - strikeOf(low))
        const gain = gained[middle]! - share * cost[low]! - (1 - share) * cost[high]!
        // An ask of 0 is not an offer. Prices are whole cents, so a smaller gain is a rounding error.
        return cost[low]! > 0 && cost[high]! > 0 && gain > 1e-9
          ? [{ code: "Butterfly", assumptions, side, strike: strikeOf(middle), gain }]
          : []
      })
    })
  )
  return { at, slices, findings: [...butterflies, ...calendars(slices)] }
}

const calendars = (slices: ReadonlyArray<Slice>): ReadonlyArray<Arbitrage> => {
  const before = new Map<string, number>()
  return slices.flatMap(({ assumptions, atTheMoney = NaN }): ReadonlyArray<Arbitrage> => {
    const most = before.get(assumptions.root) ?? 0
    const variance = atTheMoney * atTheMoney * assumptions.years
    if (variance > most) before.set(assumptions.root, variance)
    return variance < most ? [{ code: "Calendar", assumptions, gain: most - variance }] : []
  })
}

/** The value at a point, on the line between the two points around it. */
const between = (points: ReadonlyArray<readonly [at: number, value: number]>, at: number): number | undefined => {
  const right = points.findIndex(([x], index) => index > 0 && (x - at) * (points[index - 1]![0] - at) <= 0)
  const [left, other] = [points[right - 1], points[right]]
  if (left === undefined || other === undefined) return undefined
  return left[0] === at ? left[1] : left[1] + (other[1] - left[1]) * (at - left[0]) / (other[0] - left[0])
}
