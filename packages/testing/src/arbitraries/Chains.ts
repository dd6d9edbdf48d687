/**
 * Option chains, for fast-check: whole replies that hold to the contract in every row, and replies that deviate from it in one way each
 * (contract 2.1).
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Chains from "@effect-marketdata/testing/Chains"
 * import * as Result from "effect/Result"
 * import * as fc from "fast-check"
 *
 * const [rows] = fc.sample(Chains.chain, { seed: 1, numRuns: 1 })
 * const decoded = OptionChain.decode(Chains.body(rows!), { strict: true })
 * Result.map(decoded, ({ length }) => length === rows!.length) // => Result.succeed(true)
 * ```
 *
 * @since 0.1.0
 */
import { CalendarDate, type Finding, NewYork, OptionChain, OptionSymbol, Problem } from "@effect-marketdata/core"
import * as Records from "effect/Record"
import * as fc from "fast-check"
import * as Options from "./chainOptions.ts"
import * as Days from "./Days.ts"

/**
 * The rows of a chain, null where the reply holds null.
 *
 * @category models
 * @since 0.1.0
 */
export type Rows = ReadonlyArray<OptionChain.Row>

/**
 * The names of the columns, in the order of the contract's table.
 *
 * @category constants
 * @since 0.1.0
 */
export const names: ReadonlyArray<OptionChain.Column> = Object.keys(OptionChain.spec) as Array<OptionChain.Column>

/**
 * A reply as the list of its fields, each with its value as JSON: what the network brings, before anybody has made an object of it. Fields
 * may come twice, and values may be nonsense.
 *
 * @category models
 * @since 0.1.0
 */
export type Fields = ReadonlyArray<readonly [name: string, json: string]>

/**
 * Returns the fields of a reply with these rows: `s`, and one array a column.
 *
 * @category encoding
 * @since 0.1.0
 */
export const fields = (rows: Rows): Fields => [
  ["s", `"ok"`],
  ...names.map((name) => [name, JSON.stringify(rows.map((row) => row[name]))] as const)
]

/**
 * Writes fields as one JSON object, in their order.
 *
 * @category encoding
 * @since 0.1.0
 */
export const write = (fields: Fields): string =>
  `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`

/**
 * Writes the reply with these rows, by `JSON.stringify` and nothing of the library under test.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Chains from "@effect-marketdata/testing/Chains"
 * import * as Result from "effect/Result"
 * import * as FastCheck from "fast-check"
 *
 * const [rows] = FastCheck.sample(Chains.chainOf(3, 3), { seed: 1, numRuns: 1 })
 * Result.map(OptionChain.decode(Chains.body(rows!)), ({ length }) => length) // => Result.succeed(3)
 * ```
 *
 * @category encoding
 * @since 0.1.0
 */
export const body = (rows: Rows): string => write(fields(rows))

/** The one underlying here whose options expire at 16:15. */
const index = "SPX"

/** Underlyings, and the roots of their options. Those of indexes expire at another time of the day. */
const listed: ReadonlyArray<readonly [underlying: string, roots: ReadonlyArray<string>]> = [
  ["AAPL", ["AAPL", "AAPL1"]],
  [index, ["SPX", "SPXW"]],
  ["BRK.B", ["BRKB"]],
  ["X", ["X"]]
]

/** What all contracts of a chain share: the underlying, and when the quotes were taken, within a session or after it. */
const market = fc.record({
  listing: fc.constantFrom(...listed),
  // Expirations lie up to three years ahead, and symbols know no year after 2099.
  day: Days.tradingDay.filter(({ year }) => year < 2096),
  secondOfDay: fc.integer({ min: 9.5 * 3600, max: 20 * 3600 }),
  price: fc.integer({ min: 1, max: 1_000_000 })
})

/** Stands for a strike that equals the price of the underlying, and so is not in the money. */
const atTheMoney = 0

const greek = fc.nat({ max: 10_000 })

/** What one contract has of its own. Prices are in cents, strikes in thousandths of a dollar, greeks and volatility in ten-thousandths. */
const contract = fc.record({
  root: fc.nat({ max: 1 }),
  daysAhead: fc.oneof(fc.nat({ max: 7 }), fc.nat({ max: 1095 })),
  daysListed: fc.integer({ min: 1, max: 1000 }),
  side: fc.constantFrom("call", "put"),
  strike: fc.oneof(
    fc.integer({ min: 1, max: 20_000 }).map((halves) => halves * 500),
    fc.integer({ min: 1, max: 99_999_999 }),
    fc.constant(atTheMoney)
  ),
  bid: fc.nat({ max: 100_000 }),
  spread: fc.nat({ max: 500 }),
  last: fc.option(fc.nat({ max: 100_000 })),
  sizes: fc.tuple(fc.nat({ max: 999 }), fc.nat({ max: 999 })),
  trading: fc.tuple(fc.nat({ max: 99_999 }), fc.nat({ max: 999_999 })),
  greeks: fc.tuple(fc.integer({ min: 1, max: 50_000 }), greek, greek, greek, greek)
})

/** JSON knows no minus zero. */
const negated = (count: number): number => count === 0 ? 0 : -count

type Market = Options.Drawn<typeof market>
type Contract = Options.Drawn<typeof contract>

const rowOf = (market: Market, contract: Contract): OptionChain.Row => {
  const { day, listing: [underlying, roots], price, secondOfDay } = market
  const { bid, daysAhead, daysListed, greeks, last, side, sizes: [askSize, bidSize], spread, trading } = contract
  const [iv, delta, gamma, theta, vega] = greeks
  const [volume, openInterest] = trading
  const strike = contract.strike === atTheMoney ? price * 10 : contract.strike
  const root = roots[contract.root % roots.length]!
  const expiration = CalendarDate.addDays(day, daysAhead)
  const intrinsic = Math.max(0, side === "call" ? price * 10 - strike : strike - price * 10)
  const twiceMid = 2 * bid + spread
  return {
    optionSymbol: OptionSymbol.format({ root, expiration, side, strike: strike / 1000 }),
    underlying,
    expiration: NewYork.at(expiration, 16, underlying === index ? 15 : 0),
    side,
    strike: strike / 1000,
    firstTraded: NewYork.at(CalendarDate.addDays(day, -daysListed), 9, 30),
    dte: daysAhead,
    ask: (bid + spread) / 100,
    askSize,
    bid: bid / 100,
    bidSize,
    mid: twiceMid / 200,
    last: last === null ? null : last / 100,
    volume,
    openInterest,
    underlyingPrice: price / 100,
    inTheMoney: intrinsic > 0,
    intrinsicValue: intrinsic / 1000,
    extrinsicValue: Math.abs(twiceMid * 5 - intrinsic) / 1000,
    updated: NewYork.toEpochSeconds(day, secondOfDay),
    iv: iv / 10_000,
    delta: (side === "call" ? delta : negated(delta)) / 10_000,
    gamma: gamma / 10_000,
    theta: negated(theta) / 10_000,
    vega: vega / 10_000
  }
}

/**
 * Chains that hold to the contract in every row: decoding them strictly gives these rows, and finds nothing.
 *
 * - From `least` to `most` rows, fewer where symbols happen to be equal: all are distinct, all of one underlying, three of which have several roots or another name than
 *   their root.
 * - The quotes are of one moment, between 09:30 and 20:00 New York time on a trading day of the years 2000 to 2095.
 * - Expirations lie 0 to 1095 days ahead, at 16:00 New York time or, on an index, at 16:15; `dte` is that number of days.
 * - Bid and ask are whole cents with ask at least bid; `mid` is the midpoint, not rounded; `last` is whole cents or null.
 * - Moneyness, intrinsic and extrinsic value follow from side, strike, price and mid, exactly.
 * - Greeks have the signs of a bought option, and four decimal places; volatility is above 0.
 *
 * A chain shrinks to fewer rows, and each to one bought for nothing at a small strike. Throws `ValueError` for what is not a number of rows.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const chainOf = (least: number, most: number): fc.Arbitrary<Rows> => {
  // Without a number of rows, most chains would fill the memory.
  Problem.expect(Number.isSafeInteger(least) && least >= 0, "least", least, "a number of rows", "1")
  Problem.expect(Number.isSafeInteger(most) && most >= least, "most", most, "a number of rows from least on", "12")
  const contracts = fc.array(contract, { minLength: least, maxLength: most, size: "max" })
  return fc.tuple(market, contracts).map(([market, contracts]) => {
    const rows = contracts.map((contract) => rowOf(market, contract))
    return [...new Map(rows.map((row) => [row.optionSymbol, row])).values()]
  })
}

/**
 * Chains of up to twelve rows, none included: see `chainOf`.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const chain: fc.Arbitrary<Rows> = chainOf(0, 12)

/**
 * A reply that deviates from the contract in one way and can be read all the same: the findings are one, of this code in this column
 * (undefined where it is about the whole reply), in `count` rows.
 *
 * @category models
 * @since 0.1.0
 */
export interface Deviant {
  readonly code: Finding.Code
  readonly column: string | undefined
  readonly count: number
  readonly body: string
}

/** Columns in which null is a finding, and a column may be missing: all but `last` and those that identify a contract. */
const quantities = names.filter((name) => OptionChain.spec[name].null === "finding")

const change = (rows: Rows, at: number, changed: (row: OptionChain.Row) => Partial<OptionChain.Row>): Rows =>
  rows.map((row, index) => index === at ? { ...row, ...changed(row) } : row)

/** What a deviation is besides its code: its column, and the fields of its reply. Each is in one row. */
type Deviation = readonly [column: string | undefined, fields: Fields]

/** A chain in which one row was changed, so that it deviates in one column. */
const deviantRow = <A>(
  column: OptionChain.Column,
  by: fc.Arbitrary<A>,
  changed: (row: OptionChain.Row, by: A) => Partial<OptionChain.Row>
): fc.Arbitrary<Deviation> =>
  fc.tuple(chainOf(1, 6), fc.nat({ max: 5 }), by)
    .map(([rows, at, by]) => [column, fields(change(rows, at % rows.length, (row) => changed(row, by)))])

const numberOf = (value: number | null): number => value ?? 0

/** A number away from 0, up or down, with two decimal places. */
const apart = (min: number, max: number): fc.Arbitrary<number> =>
  fc.tuple(fc.integer({ min: min * 100, max: max * 100 }), fc.constantFrom(1, -1)).map(([cents, sign]) =>
    sign * cents / 100
  )

/** Without a column or with nulls in another, a chain deviates in that alone. */
const withoutNames = ["underlyingPrice", "updated", "iv", "volume", "mid", "dte", "inTheMoney", "firstTraded"] as const

/** Findings about what was asked for, and about charges: no body of a chain shows them alone. */
type OfAnswer = "CachedAnsweredFresh" | "DamagedReply" | "LengthMismatch" | "MissingRow" | "UnexpectedRow"
type OfCharge = "Overrun" | "SizeReached" | "SpentElsewhere" | "UnexplainedCharge"

/** The deviations by code, which is added to each at the end. */
const deviations: Readonly<Record<Exclude<Finding.Code, OfAnswer | OfCharge>, fc.Arbitrary<Deviation>>> = {
  MissingStatus: chainOf(0, 6).map((rows) => [undefined, fields(rows).slice(1)]),
  UnknownField: fc.tuple(
    chainOf(0, 6),
    fc.constantFrom("rho", "extra", "S", "Strike", "__proto__", "constructor", ""),
    fc.json({ maxDepth: 2 }),
    fc.nat({ max: 26 })
  ).map(([rows, column, json, at]) => [column, fields(rows).toSpliced(at, 0, [column, json])]),
  MissingColumn: fc.tuple(chainOf(1, 6), fc.constantFrom("last" as const, ...withoutNames))
    .map(([rows, column]) => [column, fields(rows).filter(([name]) => name !== column)]),
  NullNotAllowed: fc.constantFrom(...quantities).chain((column) =>
    deviantRow(column, fc.constant(null), () => ({ [column]: null }))
  ),
  StrikeMismatch: deviantRow("strike", apart(1, 50), ({ strike }, by) => ({ strike: strike + by })),
  SideMismatch: deviantRow("side", fc.constant(0), ({ side }) => ({ side: side === "call" ? "put" : "call" })),
  ExpirationMismatch: deviantRow("expiration", fc.integer({ min: 1, max: 30 }), ({ dte, expiration }, days) => {
    const day = CalendarDate.addDays(NewYork.dateOf(expiration), days)
    return { expiration: NewYork.toEpochSeconds(day, NewYork.secondOfDay(expiration)), dte: numberOf(dte) + days }
  }),
  ExpirationTime: deviantRow(
    "expiration",
    fc.oneof(fc.integer({ min: 1, max: 27_000 }), fc.integer({ min: -36_000, max: -1 })),
    ({ expiration }, seconds) => ({ expiration: expiration + seconds })
  ),
  MidMismatch: deviantRow("mid", apart(0.5, 50), ({ intrinsicValue, mid }, by) => ({
    mid: numberOf(mid) + by,
    extrinsicValue: Math.abs(numberOf(mid) + by - numberOf(intrinsicValue))
  })),
  DteMismatch: deviantRow("dte", fc.integer({ min: 1, max: 30 }), ({ dte }, days) => ({ dte: numberOf(dte) + days })),
  MoneynessMismatch: fc.oneof(
    deviantRow("inTheMoney", fc.constant(0), ({ inTheMoney }) => ({ inTheMoney: !inTheMoney })),
    deviantRow("intrinsicValue", apart(0.5, 50), ({ intrinsicValue }, by) => ({
      intrinsicValue: numberOf(intrinsicValue) + by
    })),
    // The sign of an extrinsic value is ignored: only a larger one is certainly wrong.
    deviantRow("extrinsicValue", fc.integer({ min: 1, max: 50 }), ({ extrinsicValue }, by) => ({
      extrinsicValue: numberOf(extrinsicValue) + by
    }))
  )
}

/**
 * Replies with one deviation each, by the code of the finding that it is. The default policy keeps their data; the strict one refuses them.
 *
 * - `MissingStatus`: no field `s`
 * - `UnknownField`: a field that the contract does not list, with any JSON (clause 2.1-closed)
 * - `MissingColumn`: a column is absent that does not identify a contract
 * - `NullNotAllowed`: null in one row of such a column, `last` aside (clause 2.1-only-last-null)
 * - `StrikeMismatch`, `SideMismatch`: the column contradicts the symbol
 * - `ExpirationMismatch`: another day than the symbol's; `dte` goes with it
 * - `ExpirationTime`: the symbol's day at another time
 * - `MidMismatch`: half a dollar or more from the midpoint; `extrinsicValue` goes with it
 * - `DteMismatch`: some days more or fewer
 * - `MoneynessMismatch`: `inTheMoney` turned round, or `intrinsicValue` or `extrinsicValue` wrong by half a dollar or more
 *
 * Codes are missing that are not about the body of a chain: those of statuses, of the service's figures and of its status page, see `Replies`; that of kept replies; and those
 * of rows that were not asked for, where the deviation lies in the query.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const deviant: Readonly<Record<keyof typeof deviations, fc.Arbitrary<Deviant>>> = Records.map(
  deviations,
  (deviation, code) => deviation.map(([column, fields]) => ({ code, column, count: 1, body: write(fields) }))
)
