import * as Expiration from "../symbol/Expiration.ts"
import { grouped } from "../text/amount.ts"
import { type Filter, strikeRanges } from "./chainFilters.ts"
import * as Maximum from "./maximum.ts"

/** The strikes of each expiration and side. */
export const strikes = (filter: Filter): Maximum.Maximum => Maximum.least(byStrike(filter), byLimit(filter))

/** Strikes are whole cents, however near they lie to each other after a split. */
const byStrike = (filter: Filter): Maximum.Maximum => {
  const named = (count: number, why: string) =>
    Maximum.make(count, { name: "strikes of each expiration", value: `${grouped(count)}${why}` })
  const ranges = strikeRanges(filter("strike")) ?? []
  const [first] = ranges
  if (first === undefined) return Maximum.none
  return ranges.every(({ from, to }) => from === to)
    ? named(new Set(ranges.map(({ from }) => from)).size, "")
    : named(Math.floor((first.to - first.from) / 10) + 1, ", a cent apart")
}

/**
 * The service's sentences about `strikeLimit` leave room: in the widest reading it counts on either side of the money. With a `range` it
 * counts calls and puts by themselves, and a strike at the money is on both sides of it.
 */
const byLimit = (filter: Filter): Maximum.Maximum => {
  const limit = Number(filter("strikeLimit") ?? NaN)
  if (!(Number.isInteger(limit) && limit > 0)) return Maximum.none
  const range = filter("range")
  const count = range === "itm" ? limit : range === "otm" ? limit + 1 : 2 * limit
  return Maximum.make(count, {
    name: "strikes of each expiration",
    value: range === "itm" || range === "otm"
      ? `at most ${grouped(count)} for each side`
      : `at most ${grouped(count)}, ${grouped(limit)} on either side of the money`
  })
}

/** The contracts that share an expiration and a strike. */
export const atEachStrike = (underlying: string, filter: Filter): Maximum.Maximum => {
  const side = filter("side")
  const isIndex = Expiration.indexUnderlyings.has(underlying.toUpperCase().replace(/^[^A-Z]+/, ""))
  // Where one settlement is asked for and the other is not, or one is left out, the other does not come.
  const settlements = isIndex && filter("am") === filter("pm") ? 2 : 1
  const sides = side === undefined ? ["a call", "a put"] : [`a ${side}`]
  const each = settlements === 2 ? "settled in the morning and in the afternoon" : undefined
  return Maximum.make(
    sides.length * settlements,
    {
      name: "contracts of each strike",
      value: [sides.join(" and "), ...(each === undefined ? [] : [each])].join(", ")
    },
    { name: "adjusted contracts", value: "none unless nonstandard is true" }
  )
}
