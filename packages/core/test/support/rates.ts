/** How often a second: the conversions that programs around a chain do by the million. */
import { NewYork, OptionSymbol } from "@effect-marketdata/core"

/** How many times a second some work is done, given milliseconds to do it in. */
const rate = (work: (at: number) => unknown, milliseconds: number): number => {
  const start = performance.now()
  let times = 0
  let kept: unknown
  for (; performance.now() - start < milliseconds; times += batch) for (let at = 0; at < batch; at++) kept = work(at)
  if (kept === undefined) throw new Error("nothing was done")
  return times / (performance.now() - start) * 1000
}

const batch = 1000

/** Measures each, the first fifth of the time only to warm up. */
export const rates = (symbols: ReadonlyArray<string>, milliseconds: number) => {
  const parsed = symbols.map(OptionSymbol.parseUnsafe)
  // Scattered over 1970 to 2099, so that no conversion can rest upon the one before.
  const instants = Float64Array.from({ length: batch }, (_, at) => at * 2_654_435_761 % 4_102_444_800)
  const styles = { dateStyle: "short", timeStyle: "medium", hourCycle: "h23" } as const
  const clock = new Intl.DateTimeFormat("en-US", { ...styles, timeZone: "America/New_York" })
  const works: Readonly<Record<string, (at: number) => unknown>> = {
    "option-symbol-parse": (at) => OptionSymbol.parse(symbols[at % symbols.length]!),
    "option-symbol-format": (at) => OptionSymbol.format(parsed[at % parsed.length]!),
    "new-york-offset": (at) => NewYork.offsetSeconds(instants[at]!),
    "new-york-day": (at) => NewYork.epochDayOf(instants[at]!),
    "new-york-wall-clock": (at) => NewYork.fromEpochSeconds(instants[at]!),
    "new-york-wall-clock-by-intl": (at) => clock.format(instants[at]! * 1000)
  }
  return Object.fromEntries(
    Object.entries(works).map(([name, work]) => {
      rate(work, milliseconds / 5)
      return [name, rate(work, milliseconds * 4 / 5)]
    })
  )
}
