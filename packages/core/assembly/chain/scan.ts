import { CODES, LANES, ROWS, SERIES, SERIES_BYTES } from "./layout"

// The lanes, in their order.
const LANE: usize = ROWS << 3
const THOUSANDTHS: usize = LANES
const STRIKE: usize = LANES + LANE
const SIDE: usize = LANES + 2 * LANE
const EXPIRATION: usize = LANES + 3 * LANE
const UPDATED: usize = LANES + 4 * LANE
const DTE: usize = LANES + 5 * LANE
const BID: usize = LANES + 6 * LANE
const ASK: usize = LANES + 7 * LANE
const MID: usize = LANES + 8 * LANE
const UNDERLYING_PRICE: usize = LANES + 9 * LANE
const IN_THE_MONEY: usize = LANES + 10 * LANE
const INTRINSIC_VALUE: usize = LANES + 11 * LANE
const EXTRINSIC_VALUE: usize = LANES + 12 * LANE

/**
 * Returns the first row, from `row` on and before `rows`, that could deviate: a row whose columns do not agree, or that was not quoted on the day that
 * begins and ends at these instants. Two rows are compared at once, without a branch; NaN agrees with everything.
 */
export function scan(row: usize, rows: usize, begins: f64, ends: f64, day: f64, halfACent: f64, aCent: f64): usize {
  const BEGINS = f64x2.splat(begins)
  const ENDS = f64x2.splat(ends)
  const DAY = f64x2.splat(day)
  const HALF_A_CENT = f64x2.splat(halfACent)
  const A_CENT = f64x2.splat(aCent)
  const THOUSAND = f64x2.splat(1000)
  const HALF = f64x2.splat(0.5)
  const ONE = f64x2.splat(1)
  const ZERO = f64x2.splat(0)
  for (; row < rows; row += 2) {
    const at = row << 3
    const first = SERIES + <usize>load<u32>(CODES + (row << 2)) * SERIES_BYTES
    const second = SERIES + <usize>load<u32>(CODES + (row << 2), 4) * SERIES_BYTES
    // Of two series: when they expire, on which day, whether they are puts, and 1 for calls and -1 for puts.
    const firstExpires = v128.load(first)
    const secondExpires = v128.load(second)
    const firstSide = v128.load(first, 16)
    const secondSide = v128.load(second, 16)
    const instants = v128.shuffle<f64>(firstExpires, secondExpires, 0, 2)
    const days = v128.shuffle<f64>(firstExpires, secondExpires, 1, 3)
    const puts = v128.shuffle<f64>(firstSide, secondSide, 0, 2)
    const signs = v128.shuffle<f64>(firstSide, secondSide, 1, 3)

    const strikes = v128.div<f64>(v128.load(at, THOUSANDTHS), THOUSAND)
    const quoted = v128.load(at, UPDATED)
    const mids = v128.load(at, MID)
    const above = v128.mul<f64>(v128.sub<f64>(v128.load(at, UNDERLYING_PRICE), strikes), signs)
    const intrinsic = v128.max<f64>(above, ZERO)
    // 1 in the money and 0 out of it; NaN where nobody knows.
    const moneyness = v128.add<f64>(v128.and(v128.gt<f64>(above, ZERO), ONE), v128.mul<f64>(above, ZERO))

    const exact = v128.or(
      v128.or(
        unlike(v128.sub<f64>(v128.load(at, STRIKE), strikes), ZERO),
        unlike(v128.sub<f64>(v128.load(at, SIDE), puts), ZERO)
      ),
      v128.or(
        unlike(v128.sub<f64>(v128.load(at, EXPIRATION), instants), ZERO),
        v128.or(
          unlike(v128.sub<f64>(v128.load(at, DTE), v128.sub<f64>(days, DAY)), ZERO),
          unlike(v128.sub<f64>(v128.load(at, IN_THE_MONEY), moneyness), ZERO)
        )
      )
    )
    const midpoints = v128.mul<f64>(v128.add<f64>(v128.load(at, BID), v128.load(at, ASK)), HALF)
    const extrinsic = v128.abs<f64>(v128.sub<f64>(mids, intrinsic))
    const rounded = v128.or(
      unlike(v128.sub<f64>(mids, midpoints), HALF_A_CENT),
      v128.or(
        unlike(v128.sub<f64>(v128.load(at, INTRINSIC_VALUE), intrinsic), A_CENT),
        unlike(v128.sub<f64>(v128.abs<f64>(v128.load(at, EXTRINSIC_VALUE)), extrinsic), A_CENT)
      )
    )
    const sameDay = v128.and(v128.ge<f64>(quoted, BEGINS), v128.lt<f64>(quoted, ENDS))
    const suspects = i64x2.bitmask(v128.or(v128.or(exact, rounded), v128.not(sameDay)))
    if (suspects != 0) return row + ctz(suspects)
  }
  return rows
}

/** Tells where a difference is larger than it may be. */
@inline function unlike(difference: v128, tolerance: v128): v128 {
  return v128.gt<f64>(v128.abs<f64>(difference), tolerance)
}
