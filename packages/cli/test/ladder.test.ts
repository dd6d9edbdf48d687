import { NewYork, OptionChain } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import { Record, Result } from "effect"
import * as fc from "fast-check"
import { runs } from "../../core/test/support/depth.ts"
import * as Span from "../src/text/span.ts"
import * as Ladder from "../src/views/ladder.ts"

const noon = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)

interface Contract {
  readonly symbol: string
  readonly strike: number
  readonly bid?: number | null
  readonly ask?: number | null
  readonly price?: number
  /** For how many seconds longer than the others it has had no quote. */
  readonly lag?: number
}

/** What all contracts have in common. */
const same = { underlying: "AAPL", last: null, volume: 1, openInterest: 12_345, iv: 0.25, delta: -0.00001 }

/** A chain of these contracts. */
const chainOf = (contracts: ReadonlyArray<Contract>, updated = noon - 38): Ladder.AnyChain => {
  const column = (value: (contract: Contract) => unknown) => contracts.map(value)
  const body = JSON.stringify({
    s: "ok",
    optionSymbol: column(({ symbol }) => symbol),
    strike: column(({ strike }) => strike),
    bid: column(({ bid = 1 }) => bid),
    ask: column(({ ask, bid = 1 }) => ask ?? bid),
    underlyingPrice: column(({ price = 150.5 }) => price),
    updated: column(({ lag = 0 }) => updated - lag),
    ...Record.map(same, (value) => column(() => value))
  })
  return Result.getOrThrow(OptionChain.decode(body, { columns: "present" }))
}

const symbolOf = (day: string, side: "C" | "P", strike: number, root = "AAPL"): string =>
  `${root}${day}${side}${String(Math.round(strike * 1000)).padStart(8, "0")}`

/** Calls and puts at strikes from 100 dollars on, five dollars apart. */
const bothSides = (count: number, day = "261218", root = "AAPL"): ReadonlyArray<Contract> =>
  Array.from({ length: count }, (_, index) => 100 + 5 * index).flatMap((strike) =>
    (["C", "P"] as const).map((side) => ({ symbol: symbolOf(day, side, strike, root), strike }))
  )

const plain = { all: false, strikes: undefined, expirations: undefined }

const room = { columns: 100, rows: 40, now: noon }

const textOf = (lines: ReadonlyArray<Span.Line>): string => Span.format(lines, false)

it("is never wider than the terminal, from 40 columns to 300, whatever the prices are", () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 40, max: 300 }),
      fc.integer({ min: 5, max: 80 }),
      fc.array(
        fc.record({
          strike: fc.integer({ min: 0, max: 99_999_999 }).map((thousandths) => thousandths / 1000),
          side: fc.constantFrom("C" as const, "P" as const),
          day: fc.constantFrom("261120", "261218", "280121", "200117"),
          bid: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null)),
          price: fc.double({ min: -1e300, max: 1e300, noNaN: true, noDefaultInfinity: true })
        }),
        { minLength: 1, maxLength: 30 }
      ),
      fc.boolean(),
      (columns, rows, contracts, all) => {
        const chain = chainOf(contracts.map(({ day, side, ...contract }) => ({
          symbol: symbolOf(day, side, contract.strike),
          ...contract
        })))
        for (const line of Ladder.lines(chain, { columns, rows, now: noon }, { ...plain, all })) {
          assert.isAtMost(Span.widthOf(textOf([line])), columns, textOf([line]))
        }
        for (const line of Ladder.listing(chain, { columns, rows, now: noon }, { all })) {
          assert.isAtMost(Span.widthOf(textOf([line])), columns, textOf([line]))
        }
      }
    ),
    { numRuns: runs(150, 20), seed: 18 }
  ))

it("has calls on the left, puts on the right, and a line at the price of the underlying", () => {
  const lines = textOf(Ladder.lines(chainOf(bothSides(20)), { ...room, columns: 60 }, { ...plain, strikes: 4 }))
    .split("\n")
  assert.deepEqual(lines, [
    "AAPL: 40 contracts, 1 expiration",
    "AAPL 2026-12-18, Fri, 28 days to go",
    "underlying at 150.50, 38 s ago",
    "computed: straddle 150.00 at 2.00, expected move ±1.3%",
    "         calls                              puts",
    "   iv  delta   bid   ask  strike   bid   ask  delta     iv",
    "25.0%  0.000  1.00  1.00  145.00  1.00  1.00  0.000  25.0%",
    "25.0%  0.000  1.00  1.00  150.00  1.00  1.00  0.000  25.0%",
    "------------------------- 150.50 -------------------------",
    "25.0%  0.000  1.00  1.00  155.00  1.00  1.00  0.000  25.0%",
    "25.0%  0.000  1.00  1.00  160.00  1.00  1.00  0.000  25.0%",
    "16 more strikes: --all"
  ])
})

it("colours calls below the price and puts above it, and marks the strike that is nearest", () => {
  const lines = Ladder.lines(chainOf(bothSides(20)), room, { ...plain, strikes: 4 })
  const meanings = (strike: string) =>
    Span.spansOf(lines.slice(3).find((line) => textOf([line]).includes(` ${strike} `))!).flatMap((span) =>
      typeof span === "string" ? [] : [span.means]
    )
  assert.deepEqual(meanings("145.00"), ["call", "heading"])
  assert.deepEqual(meanings("150.00"), ["call", "here"])
  assert.deepEqual(meanings("155.00"), ["heading", "put"])
})

it("fits the terminal's height, and shows as many strikes as are asked for, or all", () => {
  const chain = chainOf(bothSides(100))
  const height = (rows: number, options: Partial<Ladder.Options> = {}) =>
    Ladder.lines(chain, { ...room, rows }, { ...plain, ...options }).length
  for (const rows of [18, 24, 30, 38]) assert.isAtMost(height(rows), rows - 6)
  assert.isAbove(height(38), height(24))
  assert.strictEqual(height(24, { strikes: 50 }) - height(24, { strikes: 10 }), 40)
  assert.isAtLeast(height(24, { all: true }), 100)
  assert.notInclude(textOf(Ladder.lines(chain, room, { ...plain, all: true })), "--all")
})

it("shows several expirations one after the other, the nearest first, and says how many are left", () => {
  const chain = chainOf([...bothSides(5, "270115"), ...bothSides(5, "261127"), ...bothSides(5, "261218")])
  const titles = (options: Partial<Ladder.Options>) =>
    textOf(Ladder.lines(chain, room, { ...plain, ...options })).match(
      /2026-11-27|2026-12-18|2027-01-15|\d more expirations?/g
    )
  assert.deepEqual(titles({}), ["2026-11-27", "2 more expirations"])
  assert.deepEqual(titles({ expirations: 2 }), ["2026-11-27", "2026-12-18", "1 more expiration"])
  assert.deepEqual(titles({ expirations: 9 }), ["2026-11-27", "2026-12-18", "2027-01-15"])
  assert.deepEqual(titles({ all: true }), ["2026-11-27", "2026-12-18", "2027-01-15"])
})

it("shows of several roots the one with the most strikes, and says that there are others", () => {
  const chain = chainOf([...bothSides(2, "261218", "AAPL1"), ...bothSides(5, "261218", "AAPL")])
  const text = textOf(Ladder.lines(chain, room, plain))
  assert.include(text, "\nAAPL 2026-12-18")
  assert.include(text, "1 more root: --all")
  assert.include(textOf(Ladder.lines(chain, room, { ...plain, all: true })), "\nAAPL1 2026-12-18")
})

it("says how old the price is, and warns where it is not real-time", () => {
  const titleOf = (updated: number) =>
    Span.spansOf(Ladder.lines(chainOf(bothSides(3), updated), room, plain)[1]!).at(-1)
  assert.deepEqual(titleOf(noon - 38), { text: "underlying at 150.50, 38 s ago", means: "good" })
  assert.deepEqual(titleOf(noon - 3600), { text: "underlying at 150.50, 60 min ago", means: "warning" })
  assert.deepEqual(titleOf(noon + 600), { text: "underlying at 150.50, 10 min in the future", means: "good" })
})

it("says of an expiration that is over how long ago it was", () =>
  assert.include(textOf(Ladder.lines(chainOf(bothSides(2, "261118")), room, plain)), "expired 2 days ago"))

it("computes the straddle at the money and the move that it prices, by the middle of quotes that can be gone by", () => {
  const [call, put, further] = [
    symbolOf("261218", "C", 150),
    symbolOf("261218", "P", 150),
    symbolOf("261218", "C", 155)
  ]
  const [one, other] = [{ symbol: call, strike: 150, bid: 4, ask: 5 }, { symbol: put, strike: 150, bid: 3, ask: 4 }]
  const last: Contract = { symbol: further, strike: 155 }
  const headOf = (contracts: ReadonlyArray<Contract>, columns = 140, updated?: number) =>
    textOf(Ladder.lines(chainOf(contracts, updated), { ...room, columns }, plain).slice(1, 3))
  const computed = "computed: straddle 150.00 at 8.00, expected move ±5.3%"
  assert.include(headOf([one, other, last]), `38 s ago  ${computed}\n`)
  assert.include(headOf([one, other, last], 100), `38 s ago\n${computed}`)
  for (
    const [why, contracts] of Object.entries({
      "no put": [one, last],
      "no bid": [{ ...one, bid: 0 }, other, last],
      "no ask": [{ ...one, bid: null }, other, last],
      "crossed": [one, { ...other, bid: 5 }, last],
      "stale": [one, { ...other, lag: 901 }, last],
      "far from the money": [one, other, last].map((contract) => ({ ...contract, price: 145.9 })),
      "adjusted": [one, other].map((contract) => ({ ...contract, symbol: contract.symbol.replace("AAPL", "AAPL1") }))
    })
  ) assert.notInclude(headOf(contracts), "straddle", why)
  assert.include(headOf([one, { ...other, lag: 900 }, last]), computed)
  assert.include(headOf([one, other].map((contract) => ({ ...contract, price: 146 }))), "straddle 150.00")
  const past = NewYork.at({ year: 2026, month: 12, day: 21 }, 10, 0)
  assert.notInclude(headOf([one, other, last], 140, past), "straddle")
})
