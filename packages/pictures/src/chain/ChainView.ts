/**
 * What a chain looks like, as plain data: the strikes around the money, the smile of each expiration, open interest and volume by strike, the volatility at
 * the money and puts for each call by expiration.
 *
 * The middle of a smile is the service's volatility, or computed where the service has none of an expiration; bid and ask are always computed, by
 * `Volatility`. Adjusted options are left out.
 *
 * @example
 * ```ts
 * import type * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as ChainView from "@effect-marketdata/pictures/ChainView"
 * import * as Result from "effect/Result"
 *
 * // The volatility at the money of the nearest expiration, as a fraction.
 * export const atTheMoney = (chain: OptionChain.OptionChain) =>
 *   Result.map(ChainView.make(chain, { rate: 0.04 }), ({ figures }) => figures[0]?.[1])
 * ```
 *
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import type { InvalidInput } from "@effect-marketdata/volatility/InvalidInput"
import * as Volatility from "@effect-marketdata/volatility/Volatility"
import * as Result from "effect/Result"
import type { Chart, Point, Series } from "../chart/Chart.ts"
import { charting } from "../chart/charting.ts"
import * as Checked from "../chart/checked.ts"
import * as Ladder from "./Ladder.ts"
import { position, type Quote, type Rung } from "./position.ts"

/**
 * A chain as far as it is read: symbols, and what else is drawn. Prices or volatilities that are missing leave gaps.
 *
 * @category models
 * @since 0.1.0
 */
export type Chain = Volatility.Chain & Partial<Pick<OptionChain.OptionChain, "iv" | "openInterest" | "volume">>

/**
 * The options. All may be left out.
 *
 * - those of `Volatility`, by which what the service does not tell is computed; `at` is when the quotes were taken, in epoch seconds
 * - `choosing`: how a reader chooses other expirations, for the note that says how many are not drawn
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends Omit<Volatility.Options, "quotes"> {
  readonly choosing?: string | undefined
}

/**
 * What is shown of one option: prices in dollars a share, the volatility of a year as a fraction, null for what is not known. A mark says what is wrong with
 * its quote.
 *
 * @since 0.1.0
 */
export type { Quote } from "./position.ts"

/**
 * A call and a put of one strike, null where there is none.
 *
 * @since 0.1.0
 */
export type { Rung } from "./position.ts"

/**
 * Options that expire on one day under one root.
 *
 * - `name`: the day and the root, such as `2026-12-18 SPXW`
 * - `forward`: by parity, in dollars; that of the underlying where parity cannot tell it
 * - `rungs`: at most 40 strikes around the money
 * - `charts`: `smile`, `interest` and `volume`
 * - `span`: the prices of the underlying between which a payoff is shown
 *
 * @category models
 * @since 0.1.0
 */
export interface Expiration {
  readonly name: string
  readonly forward: number | null
  readonly rungs: ReadonlyArray<Rung>
  readonly charts: ReadonlyArray<Chart>
  readonly span: readonly [number, number]
}

/**
 * A chain as it looks.
 *
 * - `spot`: the price of the underlying in dollars
 * - `figures`: volatility at the money, the straddle, puts for each call, each with its unit
 * - `expirations`: the eight nearest to today, a week, two, a month, and so on to a year
 * - `charts`: those of all expirations together, `term` and `ratio`
 *
 * @category models
 * @since 0.1.0
 */
export interface View {
  readonly spot: number | null
  readonly figures: ReadonlyArray<readonly [name: string, value: number | null, unit: "percent" | "ratio" | "dollars"]>
  readonly expirations: ReadonlyArray<Expiration>
  readonly charts: ReadonlyArray<Chart>
  readonly notes: ReadonlyArray<string>
}

/** The days to expiration of the expirations that are shown, if there are more. */
const days = [0, 7, 14, 30, 60, 91, 182, 365]

/** How many strikes a ladder has, and a chart at most; and how many deviations of the price it reaches to each side. */
const [rungsShown, strikesShown, deviations] = [40, 400, 3]

const tools = charting()
const { format } = tools
const { straddle } = position(tools)

/** A sentence where it holds. */
const when = (holds: boolean, sentence: string): ReadonlyArray<string> => holds ? [sentence] : []

/** A value that can be drawn; others, such as an open interest of 1e16, become null. */
const there = (value: number | undefined): number | null => (Checked.isNumber(value) ? value : null)

/** Rounds a computed value: more digits mean nothing. */
const rounded = (value: number | undefined): number | null => {
  const known = there(value)
  return known === null ? null : Number(known.toFixed(6))
}

/** A number of things. */
const counted = (count: number, noun: string): string => `${format(count, "count")} ${noun}${count === 1 ? "" : "s"}`

type Computed = Volatility.Computed | undefined

/** Everything that is shown of the options of a ladder. */
const laddersIn = (chain: Chain, newest: number, all: ReadonlyArray<Ladder.Ladder>, computed: Computed) =>
  all.filter(({ root }) => !Ladder.isAdjusted(root)).map((ladder) => {
    const assumed = computed?.assumptions.find(({ expiration, root }) =>
      root === ladder.root && CalendarDate.toEpochDay(expiration) === ladder.day
    )
    const forward = there(assumed?.forward) ?? there(Ladder.underlyingPrice(chain))
    const rows = ladder.rungs.flatMap(({ call, put }) => [call, put]).filter((row) => row !== undefined)
    const isService = rows.some((row) => (chain.iv?.[row] ?? NaN) > 0)
    const ivAt = (row: number) => isService ? there(chain.iv?.[row]) : rounded(computed?.table.ivComputed[row])
    /** The volatility of the middle by options out of the money. */
    const smileOf = (side: "call" | "put"): ReadonlyArray<Point> =>
      ladder.rungs.flatMap((rung): ReadonlyArray<Point> => {
        const row = rung[side]
        if (row === undefined || forward === null || (side === "call") !== (rung.strike >= forward)) return []
        const [low, high] = [rounded(computed?.table.ivBidComputed[row]), rounded(computed?.table.ivAskComputed[row])]
        return [[rung.strike, ivAt(row), Ladder.mark(chain, row, newest) === "" ? 0 : 1, low, high]]
      })
    const [puts, calls] = [smileOf("put"), smileOf("call")]
    const known = (point: Point | undefined) => point?.[1] === null ? undefined : point
    const [below, above] = [known(puts.at(-1)), known(calls[0])]
    const atTheMoney = below === undefined || above === undefined || forward === null
      ? (above ?? below)?.[1] ?? null
      : below[1]! + (above[1]! - below[1]!) * (forward - below[0]) / (above[0] - below[0])
    const sum = (column: Float64Array | undefined, side: "call" | "put"): number =>
      ladder.rungs.reduce((sum, rung) => sum + (there(column?.[rung[side] ?? -1]) ?? 0), 0)
    const ratio = (column: Float64Array | undefined) => [sum(column, "put"), sum(column, "call")] as const
    return {
      ...ladder,
      forward,
      years: assumed?.years ?? 0,
      atTheMoney,
      puts,
      calls,
      ivAt,
      isService,
      name: `${CalendarDate.format(ladder.expiration)} ${ladder.root}`,
      interest: ratio(chain.openInterest),
      volume: ratio(chain.volume)
    }
  })

type Whole = ReturnType<typeof laddersIn>[number]

const quoteOf = (chain: Chain, newest: number, { ivAt }: Whole, row: number | undefined): Quote | null =>
  row === undefined ? null : {
    bid: there(chain.bid?.[row]),
    ask: there(chain.ask?.[row]),
    iv: ivAt(row),
    interest: there(chain.openInterest?.[row]),
    volume: there(chain.volume?.[row]),
    mark: Ladder.mark(chain, row, newest)
  }

const strikes = { label: "strike", unit: "strike" } as const

/** One expiration: its ladder, its smile, open interest and volume by strike. */
const expirationOf = (chain: Chain, newest: number, spot: number | null, ladder: Whole): Expiration => {
  const { calls, forward, isService, name, puts, rungs } = ladder
  const reach = Math.exp(deviations * Math.max(0.01, (ladder.atTheMoney ?? 0.2) * Math.sqrt(ladder.years)))
  const middle = forward ?? rungs[rungs.length >> 1]?.strike ?? 0
  const isNear = (strike: number) => strike >= middle / reach && strike <= middle * reach
  const within = Ladder.nearTheMoney(rungs, middle, strikesShown).filter(({ strike }) => isNear(strike))
  const near = within.length < 3 ? Ladder.nearTheMoney(rungs, middle, rungsShown) : within
  const span = [near[0]?.strike ?? 0, near.at(-1)?.strike ?? 0] as const
  const shown = ([x]: Point) => x >= span[0] && x <= span[1]
  const rules = spot === null ? [] : [[spot, `underlying ${format(spot, "dollars")}`] as const]
  const left = rungs.length - near.length
  const leftOut = `${counted(left, "strike")} further from the money ${left === 1 ? "is" : "are"} not drawn.`
  const further = when(left > 0, leftOut)
  const rows = near.flatMap(({ call, put, strike }) =>
    ([["call", call], ["put", put]] as const).flatMap(([side, row]) =>
      row === undefined ? [] : [{ side, strike, mark: Ladder.mark(chain, row, newest) }]
    )
  )
  const marked = (mark: Ladder.Mark) => rows.filter((row) => row.mark === mark)
  const crossed = marked("crossed")
  const named = crossed.slice(0, 5).map(({ side, strike }) => `${format(strike, "strike")} ${side}`)
  const more = crossed.length > 5 ? ` and ${crossed.length - 5} more` : ""
  const from = isService
    ? "The middle is the service's; bid and ask are computed"
    : "Computed, because the service tells none"
  const [stale, unwanted] = [marked("stale").length, marked("no bid").length]
  const side = (column: Float64Array | undefined, side: "call" | "put"): Series => ({
    name: `${side}s`,
    tone: side,
    mark: "bar",
    down: side === "put",
    points: near.flatMap(({ strike, [side]: row }): ReadonlyArray<Point> =>
      row === undefined ? [] : [[strike, there(column?.[row]), 0]]
    )
  })
  const bars = (id: string, title: string, column: Float64Array | undefined): Chart => ({
    id,
    title: `${title}, ${name}`,
    x: strikes,
    y: { label: "calls up, puts down", unit: "count" },
    series: [side(column, "call"), side(column, "put")],
    rules,
    notes: further
  })
  return {
    name,
    forward,
    span,
    rungs: Ladder.nearTheMoney(rungs, middle, rungsShown).map(({ call, put, strike }) => ({
      strike,
      call: quoteOf(chain, newest, ladder, call),
      put: quoteOf(chain, newest, ladder, put)
    })),
    charts: [
      {
        id: "smile",
        title: `Smile, ${name}`,
        x: strikes,
        y: { label: "volatility of a year", unit: "percent" },
        series: [
          { name: "puts", tone: "put", mark: "band", points: puts.filter(shown) },
          { name: "calls", tone: "call", mark: "band", points: calls.filter(shown) }
        ],
        rules,
        notes: [
          `Out of the money, at the forward ${forward === null ? "unknown" : format(forward, "dollars")}. ${from}.`,
          ...when(crossed.length > 0, `The bid is above the ask of ${named.join(", ")}${more}.`),
          ...when(unwanted > 0, `Dimmed: ${counted(unwanted, "quote")} without a bid.`),
          ...when(stale > 0, `Dimmed: ${counted(stale, "quote")} older than the newest by more than 15 minutes.`),
          ...further
        ]
      },
      bars("interest", "Open interest", chain.openInterest),
      bars("volume", "Volume of the day", chain.volume)
    ]
  }
}

const divided = ([puts, calls]: readonly [number, number]): number | null => calls > 0 ? there(puts / calls) : null

/** The ladders nearest to each of `days`, or all if there are no more than that. */
const chosen = (ladders: ReadonlyArray<Whole>, today: number): ReadonlyArray<Whole> =>
  ladders.length <= days.length ? ladders : [
    ...new Set(
      days.map((count) =>
        ladders.reduce((best, one) =>
          Math.abs(one.day - today - count) < Math.abs(best.day - today - count) ? one : best
        )
      )
    )
  ]

/**
 * Makes of a chain what is looked at. Fails with `InvalidInput` for a chain without symbols, for one that tells no time where `at` is left out, and for an
 * option that breaks its rule. Where prices are missing nothing is computed, and a note says so.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (chain: Chain, options: Options = {}): Result.Result<View, InvalidInput> =>
  Result.getOrElse(Result.try(() => made(chain, { ...options })), () => Result.fail(Ladder.noChain(chain)))

/** Throws for a chain whose columns are something else than numbers. */
const made = (chain: Chain, options: Options): Result.Result<View, InvalidInput> =>
  Result.gen(function*() {
    const all = yield* Ladder.make(chain)
    const { choosing } = options
    if (choosing !== undefined && !Checked.isText(choosing)) {
      return yield* Checked.refuse("choosing", choosing, { rule: "must be a string", example: "other dates above" })
    }
    const newest = options.at ?? OptionChain.updatedSpan(chain)?.newest ?? NaN
    const at = yield* Checked.ranged("at", newest, 0, 1e11, "1795208400")
    const computed = Volatility.columns(chain, { ...options, at })
    if (Result.isFailure(computed) && computed.failure.parameter !== "chain") {
      return yield* Result.fail(computed.failure)
    }
    return viewOf(chain, at, all, computed, choosing)
  })

const viewOf = (
  chain: Chain,
  at: number,
  all: ReadonlyArray<Ladder.Ladder>,
  computed: Result.Result<Volatility.Computed, InvalidInput>,
  choosing: string | undefined
): View => {
  const ladders = laddersIn(chain, at, all, Result.getOrUndefined(computed))
  const spot = there(Ladder.underlyingPrice(chain))
  const today = CalendarDate.toEpochDay(NewYork.dateOf(at))
  const shown = chosen(ladders, today)
  const expirations = shown.map((ladder) => expirationOf(chain, at, spot, ladder))
  const line = (name: string, tone: "one" | "two", of: (ladder: Whole) => number | null): Series => ({
    name,
    tone,
    mark: "line",
    // Of several roots that expire on a day, the one with the most strikes.
    points: [
      ...new Map(
        ladders.toReversed().map((ladder): [number, Point] => [ladder.day, [ladder.day - today, of(ladder), 0]])
      ).values()
    ]
      .toReversed()
  })
  const ofAll = (of: (ladder: Whole) => readonly [number, number]): number | null =>
    divided(
      ladders.reduce<readonly [number, number]>(([puts, calls], one) => [puts + of(one)[0], calls + of(one)[1]], [0, 0])
    )
  const until = { label: "days to expiration", unit: "days" } as const
  const how = choosing === undefined ? "" : `: ${choosing}`
  const isOurs = ladders.length > 0 && ladders.every(({ isService }) => !isService)
  const adjusted = chain.optionSymbol.series.some(({ root }) => Ladder.isAdjusted(root))
  const [first] = expirations
  const legs = first === undefined ? [] : straddle(first.rungs, first.forward)
  return {
    spot,
    figures: [
      ["volatility at the money", shown[0]?.atTheMoney ?? null, "percent"],
      ["straddle, at the asks", there(legs.reduce((sum, { price }) => sum + price, 0) || undefined), "dollars"],
      ["put/call, open interest", ofAll(({ interest }) => interest), "ratio"],
      ["put/call, volume", ofAll(({ volume }) => volume), "ratio"]
    ],
    expirations,
    charts: [{
      id: "term",
      title: "Volatility at the money, by expiration",
      x: until,
      y: { label: "volatility of a year", unit: "percent" },
      series: [line("at the money", "one", ({ atTheMoney }) => atTheMoney)],
      rules: [],
      notes: [
        isOurs
          ? "Computed at the forward, because the service tells none."
          : "On the line between the two strikes around the forward."
      ]
    }, {
      id: "ratio",
      title: "Puts for each call, by expiration",
      x: until,
      y: { label: "puts for each call", unit: "ratio" },
      series: [
        line("open interest", "one", ({ interest }) => divided(interest)),
        line("volume", "two", ({ volume }) => divided(volume))
      ],
      rules: [],
      notes: ["All strikes of an expiration; where no call is open or traded there is no ratio."]
    }],
    notes: [
      ...when(ladders.length === 0, "The reply has no options that could be drawn."),
      ...when(
        ladders.length > shown.length,
        `${shown.length} of ${ladders.length} expirations are drawn one by one${how}.`
      ),
      ...when(isOurs, "The service tells no volatility for these quotes; what is shown is computed from prices."),
      ...(Result.isFailure(computed) ? [`Nothing was computed: ${computed.failure.message}`] : []),
      ...when(adjusted, "Adjusted options are left out: what they deliver is something else.")
    ]
  }
}

const isQuote = (quote: Quote | null): boolean =>
  quote === null ||
  [quote.bid, quote.ask, quote.iv, quote.interest, quote.volume].every(Checked.isValue) &&
    ["", "no bid", "stale", "crossed"].includes(quote.mark)

const isExpiration = ({ charts, forward, name, rungs, span }: Expiration): boolean =>
  Checked.isText(name) && Checked.isValue(forward) && charts.every(Checked.isChart) && span.every(Checked.isNumber) &&
  rungs.every(({ call, put, strike }) => Checked.isNumber(strike) && isQuote(call) && isQuote(put))

/**
 * Takes a view, from callers without types too.
 *
 * @internal
 */
export const checked = (view: View): Result.Result<View, InvalidInput> =>
  Checked.checked(
    "view",
    view,
    ({ charts, expirations, figures, notes, spot }) =>
      Checked.isValue(spot) && expirations.every(isExpiration) && charts.every(Checked.isChart) &&
      notes.every(Checked.isText) &&
      figures.every(([name, value, unit]) => Checked.isText(name) && Checked.isValue(value) && Checked.isUnit(unit)),
    { rule: "must be what a chain looks like", example: "ChainView.make(chain)" }
  )

/**
 * The names of the charts.
 *
 * @category constants
 * @since 0.1.0
 */
export const charts = ["smile", "interest", "volume", "term", "ratio"] as const

/**
 * Returns a chart by its name, of the first expiration where it is of one; one without values where nothing expires. Fails with `InvalidInput` for what is
 * no view, and for another name.
 *
 * @category getters
 * @since 0.1.0
 */
export const chart = (view: View, name: typeof charts[number]): Result.Result<Chart, InvalidInput> =>
  Result.gen(function*() {
    const { charts: ofAll, expirations: [first], notes } = yield* checked(view)
    if (!charts.includes(name)) {
      return yield* Checked.refuse("name", name, { rule: `must be one of ${charts.join(", ")}`, example: "smile" })
    }
    return [...first?.charts ?? [], ...ofAll].find(({ id }) => id === name) ??
      { ...ofAll[0]!, title: name, series: [], notes }
  })
