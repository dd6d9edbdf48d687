/**
 * What the sandbox's options are on: indexes, ETFs and stocks under their real tickers, with prices and volatilities of the right order
 * and nothing else real. This is the data of the market; how quotes come of it stands in the other modules.
 *
 * @example
 * ```ts
 * import * as Underlying from "@effect-marketdata/sandbox/Underlying"
 *
 * const spx = Underlying.all.find(({ symbol }) => symbol === "SPX")
 * spx?.roots.map(({ root }) => root) // => ["SPX", "SPXW"]
 * ```
 *
 * @since 0.1.0
 */
import * as ExpirationCycle from "./ExpirationCycle.ts"
import * as QuoteTime from "./QuoteTime.ts"

/**
 * A part of a listing: a number of expirations of a cycle, the next ones after those of the rung before, with a number of strikes each, none
 * finer than `finest` dollars.
 *
 * @category models
 * @since 0.1.0
 */
export interface Rung {
  readonly cycle: ExpirationCycle.ExpirationCycle
  readonly expirations: number
  readonly strikes: number
  readonly finest: number
}

/**
 * The options that share a root. Each rung's cycle is part of the cycle of the rung before, and its expirations have no more strikes.
 * `lowered` is what an adjustment took off every strike, in dollars.
 *
 * @category models
 * @since 0.1.0
 */
export interface Root {
  readonly root: string
  readonly rungs: ReadonlyArray<Rung>
  readonly lowered: number
}

/**
 * An underlying and all that its quotes depend on.
 *
 * - `roots`: the roots of its option symbols, in alphabetical order
 * - `price`: the price around which it moves, in dollars; `path` names the random walk by which it does: who shares one moves alike
 * - `volatility`: the annual volatility around which at-the-money options are quoted, 0.16 for 16 %
 * - `skew`, `curvature`: the shape of the smile (see `Smile`)
 * - `rate`, `dividendYield`: annual and continuous
 * - `strikeSteps`: the exchange's grids in dollars, from fine to coarse
 * - `ticks`: in which cents options are quoted below 3 dollars, and from there on
 * - `width`: how wide its spreads are; 1 for those of SPX
 * - `interest`: contracts traded on a day in a strike at the money
 *
 * @category models
 * @since 0.1.0
 */
export interface Underlying {
  readonly symbol: string
  readonly kind: "equity" | "etf" | "index"
  readonly roots: ReadonlyArray<Root>
  readonly path: string
  readonly price: number
  readonly volatility: number
  readonly skew: number
  readonly curvature: number
  readonly rate: number
  readonly dividendYield: number
  readonly strikeSteps: ReadonlyArray<number>
  readonly ticks: { readonly below3: number; readonly from3: number }
  readonly width: number
  readonly interest: number
}

/**
 * Returns for how many seconds after the close of a session options on an underlying are still quoted.
 *
 * @category getters
 * @since 0.1.0
 */
export const overtime = ({ kind }: Pick<Underlying, "kind">): number => kind === "index" ? QuoteTime.indexOvertime : 0

const { daily, either, fridays, monthEnds, thirdFridays } = ExpirationCycle

type Written = readonly [cycle: Rung["cycle"], expirations: number, strikes: number, finest: number]

const ladder = (rungs: ReadonlyArray<Written>): Root["rungs"] =>
  rungs.map(([cycle, expirations, strikes, finest]) => ({ cycle, expirations, strikes, finest }))

const standard = (root: string, ...rungs: ReadonlyArray<Written>): Root => ({ root, rungs: ladder(rungs), lowered: 0 })

const monthly = thirdFridays()
const monthsAndEnds = either(monthly, monthEnds())
const quarterEnds = monthEnds([3, 6, 9, 12])
const quarterlies = thirdFridays([3, 6, 9, 12])
const decembers = thirdFridays([12])
const leaps = thirdFridays([1])
const quarterliesAndLeaps = thirdFridays([1, 3, 6, 9, 12])

const index = { kind: "index", skew: -0.7, curvature: 1, rate: 0.04, ticks: { below3: 5, from3: 10 } } as const

const etf = { kind: "etf", skew: -0.7, curvature: 1, rate: 0.04, ticks: { below3: 1, from3: 1 } } as const

const equity = { kind: "equity", skew: -0.4, curvature: 0.9, rate: 0.04, ticks: { below3: 1, from3: 5 } } as const

/** What an underlying has of its own, whatever its kind. */
type Own = Omit<Underlying, keyof typeof index | "roots" | "strikeSteps">

const listed = (
  kind: Pick<Underlying, keyof typeof index>,
  own: Own,
  strikeSteps: ReadonlyArray<number>,
  ...roots: ReadonlyArray<Root>
): Underlying => ({ ...kind, ...own, strikeSteps, roots })

/** A stock with weeklies, monthlies, quarterlies and LEAPS, under the root that its symbol is without dots. */
const stock = (own: Omit<Own, "path">): Underlying =>
  listed(
    equity,
    { ...own, path: own.symbol },
    [2.5, 5, 10],
    standard(
      own.symbol.replaceAll(".", ""),
      [fridays, 2, 64, 2.5],
      [fridays, 4, 54, 2.5],
      [monthly, 2, 48, 2.5],
      [monthly, 3, 42, 2.5],
      [quarterliesAndLeaps, 2, 36, 5],
      [quarterliesAndLeaps, 2, 30, 5],
      [leaps, 2, 24, 5]
    )
  )

const apple = stock({ symbol: "AAPL", price: 270, volatility: 0.27, dividendYield: 0.004, width: 0.5, interest: 6000 })

/** Contracts adjusted for a distribution of 36 cents, which lowered their strikes. */
const adjusted: Root = {
  root: "AAPL1",
  rungs: ladder([[quarterliesAndLeaps, 3, 10, 5], [leaps, 1, 8, 5]]),
  lowered: 0.36
}

/**
 * Every underlying of the market. The options on SPX are 22,718 at every moment: that is what their rungs add up to.
 *
 * @category constants
 * @since 0.1.0
 */
export const all: ReadonlyArray<Underlying> = [
  listed(
    index,
    { symbol: "SPX", path: "SPX", price: 6800, volatility: 0.16, dividendYield: 0.013, width: 1, interest: 2000 },
    [5, 10, 25, 50, 100, 200],
    standard(
      "SPX",
      [monthly, 3, 239, 5],
      [monthly, 4, 180, 10],
      [monthly, 5, 140, 25],
      [quarterlies, 4, 110, 25],
      [decembers, 2, 91, 50]
    ),
    standard(
      "SPXW",
      [daily, 5, 300, 5],
      [daily, 10, 200, 5],
      [daily, 15, 180, 5],
      [monthsAndEnds, 6, 170, 10],
      [monthsAndEnds, 6, 150, 10],
      [quarterEnds, 4, 120, 25]
    )
  ),
  listed(
    index,
    { symbol: "NDX", path: "NDX", price: 25_000, volatility: 0.21, dividendYield: 0.007, width: 4, interest: 60 },
    [10, 25, 50, 100, 500],
    standard("NDX", [monthly, 3, 120, 25], [monthly, 3, 100, 25], [quarterlies, 4, 80, 50], [decembers, 2, 60, 100]),
    standard("NDXP", [daily, 3, 150, 10], [daily, 7, 130, 10], [monthsAndEnds, 4, 110, 25], [quarterEnds, 2, 80, 50])
  ),
  listed(
    index,
    { symbol: "RUT", path: "RUT", price: 2400, volatility: 0.22, dividendYield: 0.013, width: 1.2, interest: 120 },
    [5, 10, 25, 50, 100],
    standard("RUT", [monthly, 3, 110, 5], [monthly, 3, 90, 10], [quarterlies, 4, 70, 10], [decembers, 2, 50, 25]),
    standard("RUTW", [daily, 3, 120, 5], [daily, 7, 100, 5], [monthsAndEnds, 4, 90, 10], [quarterEnds, 2, 70, 10])
  ),
  listed(
    etf,
    { symbol: "SPY", path: "SPX", price: 680, volatility: 0.16, dividendYield: 0.013, width: 0.15, interest: 15_000 },
    [1, 5, 10],
    standard(
      "SPY",
      [daily, 4, 150, 1],
      [daily, 8, 130, 1],
      [monthsAndEnds, 4, 120, 1],
      [monthsAndEnds, 6, 110, 1],
      [either(quarterEnds, quarterliesAndLeaps), 5, 100, 5],
      [leaps, 2, 80, 5]
    )
  ),
  listed(
    etf,
    { symbol: "QQQ", path: "NDX", price: 610, volatility: 0.21, dividendYield: 0.006, width: 0.2, interest: 9000 },
    [1, 5, 10],
    standard(
      "QQQ",
      [daily, 3, 140, 1],
      [daily, 7, 120, 1],
      [monthsAndEnds, 3, 110, 1],
      [monthsAndEnds, 5, 100, 1],
      [either(quarterEnds, quarterliesAndLeaps), 5, 90, 5],
      [leaps, 2, 70, 5]
    )
  ),
  listed(
    etf,
    { symbol: "IWM", path: "RUT", price: 240, volatility: 0.22, dividendYield: 0.012, width: 0.2, interest: 4000 },
    [1, 5, 10],
    standard(
      "IWM",
      [daily, 3, 100, 1],
      [daily, 7, 90, 1],
      [monthsAndEnds, 6, 80, 1],
      [either(quarterEnds, quarterliesAndLeaps), 4, 60, 5],
      [leaps, 2, 50, 5]
    )
  ),
  { ...apple, roots: [...apple.roots, adjusted] },
  stock({ symbol: "MSFT", price: 480, volatility: 0.24, dividendYield: 0.007, width: 0.6, interest: 3000 }),
  stock({ symbol: "NVDA", price: 180, volatility: 0.42, dividendYield: 0.0002, width: 0.4, interest: 12_000 }),
  stock({ symbol: "TSLA", price: 400, volatility: 0.52, dividendYield: 0, width: 0.6, interest: 12_000 }),
  stock({ symbol: "AMZN", price: 220, volatility: 0.32, dividendYield: 0, width: 0.5, interest: 4000 }),
  stock({ symbol: "BRK.B", price: 490, volatility: 0.18, dividendYield: 0, width: 1.5, interest: 400 }),
  listed(
    equity,
    { symbol: "F", path: "F", price: 13, volatility: 0.36, dividendYield: 0.045, width: 0.3, interest: 4000 },
    [0.5, 1, 2.5],
    standard(
      "F",
      [fridays, 2, 30, 0.5],
      [fridays, 4, 26, 0.5],
      [monthly, 2, 22, 0.5],
      [monthly, 2, 19, 0.5],
      [quarterliesAndLeaps, 2, 16, 1],
      [quarterliesAndLeaps, 2, 13, 1],
      [leaps, 2, 10, 1]
    )
  )
]
