/**
 * How many shares are traded, and when: most after the open and before the close, few outside the session. What has been traded by a moment
 * only grows, so that the volume of any candle is a difference, and candles add up.
 */
import * as SeededNoise from "./seededNoise.ts"
import type { Stock } from "./Stock.ts"
import type { Stretch } from "./TradingHours.ts"

/** The busiest days see five times the shares of the quietest. */
const unevenness = 1.6

/**
 * Returns how many shares have been traded in a stretch of a day up to a moment, which is a whole minute after its beginning.
 */
export const traded = (
  seed: number,
  { shares, symbol }: Pick<Stock, "symbol" | "shares">,
  day: number,
  { begins, busyness, ends }: Stretch
): (moment: number) => number => {
  const today = SeededNoise.mix(SeededNoise.mix(seed, SeededNoise.ofText(symbol)), day)
  const ofStretch = SeededNoise.mix(today, SeededNoise.ofText("volume") + begins)
  const total = shares * busyness * Math.exp(unevenness * (SeededNoise.unit(today) - 0.5))
  const minutes = (ends - begins) / 60
  return (moment) => {
    const minute = (moment - begins) / 60
    if (minute <= 0) return 0
    if (minute >= minutes) return Math.floor(total)
    // Each minute's boundary is moved by less than half a minute, so that minutes differ and none is negative.
    const moved = minute + 0.9 * (SeededNoise.unit(SeededNoise.mix(ofStretch, minute)) - 0.5)
    return Math.floor(total * sharesBy(moved / minutes))
  }
}

/** The part of a stretch's shares that is traded in the first part of it: three times as fast at its ends as in the middle. */
const sharesBy = (part: number): number => 0.6 * part + 1.6 * ((part - 0.5) ** 3 + 0.125)
