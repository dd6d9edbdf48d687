/** What a chain looks like: points, gaps and labels as plain data, of which nothing is drawn yet. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Volatility from "@effect-marketdata/volatility/Volatility"
import * as Result from "effect/Result"
import * as Words from "../text/words.ts"
import * as Ladder from "../views/ladder.ts"
import { type Chart, charting, type Point, type Series } from "./charting.ts"
import { position, type Quote, type Rung } from "./position.ts"

/** Options that expire on one day under one root. */
export interface Expiration {
  readonly name: string
  readonly forward: number | null
  /** The strikes around the money. */
  readonly rungs: ReadonlyArray<Rung>
  readonly charts: ReadonlyArray<Chart>
  /** The prices of the underlying between which a payoff is shown. */
  readonly span: readonly [number, number]
}

/** A chain as it looks. */
export interface View {
  readonly spot: number | null
  readonly figures: ReadonlyArray<readonly [name: string, value: number | null, unit: "percent" | "ratio" | "dollars"]>
  readonly expirations: ReadonlyArray<Expiration>
  /** The charts of all expirations together. */
  readonly charts: ReadonlyArray<Chart>
  readonly notes: ReadonlyArray<string>
}

/** How many days from now the expirations are that are shown, where there are more. */
const days = [0, 7, 14, 30, 60, 91, 182, 365]

/** How many strikes a ladder has, and a chart at most; and how many deviations of the price it reaches to each side. */
const [rungsShown, strikesShown, deviations] = [40, 400, 3]

const { straddle } = position(charting())

/** A sentence where it holds. */
const when = (holds: boolean, sentence: string): ReadonlyArray<string> => holds ? [sentence] : []

const there = (value: number | undefined): number | null => value !== undefined && Number.isFinite(value) ? value : null

/** What was computed has no more digits than mean something. */
const rounded = (value: number | undefined): number | null => {
  const known = there(value)
  return known === null ? null : Number(known.toFixed(6))
}

/** What is computed of a chain, or why nothing is. */
const computedOf = (chain: Ladder.AnyChain, at: number) => {
  const { optionSymbol } = chain
  if (optionSymbol === undefined) return undefined
  return Result.getOrElse(Volatility.columns({ ...chain, optionSymbol }, { at }), ({ message }) => message)
}

type Computed = Volatility.Computed | undefined

/** Everything that is shown of the options of a ladder. */
const laddersIn = (chain: Ladder.AnyChain, newest: number, computed: Computed) =>
  Ladder.laddersOf(chain).filter(({ root }) => !/\d$/.test(root)).map((ladder) => {
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
        return [[rung.strike, ivAt(row), Ladder.markOf(chain, row, newest) === "" ? 0 : 1, low, high]]
      })
    const [puts, calls] = [smileOf("put"), smileOf("call")]
    const known = (point: Point | undefined) => point?.[1] === null ? undefined : point
    const [below, above] = [known(puts.at(-1)), known(calls[0])]
    const atTheMoney = below === undefined || above === undefined || forward === null
      ? (above ?? below)?.[1] ?? null
      : below[1]! + (above[1]! - below[1]!) * (forward - below[0]) / (above[0] - below[0])
    const sum = (column: Float64Array | undefined, side: "call" | "put"): number =>
      ladder.rungs.reduce((sum, rung) => sum + (column?.[rung[side] ?? -1] || 0), 0)
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

const quoteOf = (chain: Ladder.AnyChain, newest: number, { ivAt }: Whole, row: number | undefined): Quote | null =>
  row === undefined ? null : {
    bid: there(chain.bid?.[row]),
    ask: there(chain.ask?.[row]),
    iv: ivAt(row),
    interest: there(chain.openInterest?.[row]),
    volume: there(chain.volume?.[row]),
    mark: Ladder.markOf(chain, row, newest)
  }

const strikes = { label: "strike", unit: "strike" } as const

/** One expiration: its ladder, its smile, open interest and volume by strike. */
const expirationOf = (chain: Ladder.AnyChain, newest: number, spot: number | null, ladder: Whole): Expiration => {
  const { calls, forward, isService, name, puts, rungs } = ladder
  const reach = Math.exp(deviations * Math.max(0.01, (ladder.atTheMoney ?? 0.2) * Math.sqrt(ladder.years)))
  const middle = forward ?? rungs[rungs.length >> 1]?.strike ?? 0
  const isNear = (strike: number) => strike >= middle / reach && strike <= middle * reach
  const within = Ladder.nearTheMoney(rungs, middle, strikesShown).filter(({ strike }) => isNear(strike))
  const near = within.length < 3 ? Ladder.nearTheMoney(rungs, middle, rungsShown) : within
  const span = [near[0]?.strike ?? 0, near.at(-1)?.strike ?? 0] as const
  const shown = ([x]: Point) => x >= span[0] && x <= span[1]
  const rules = spot === null ? [] : [[spot, `underlying ${Words.number(spot, 2, 2)}`] as const]
  const left = rungs.length - near.length
  const further = when(
    left > 0,
    `${Words.count(left, "strike")} further from the money ${left === 1 ? "is" : "are"} not drawn.`
  )
  const rows = near.flatMap(({ call, put, strike }) =>
    ([["call", call], ["put", put]] as const).flatMap(([side, row]) =>
      row === undefined ? [] : [{ what: `${Words.number(strike)} ${side}`, mark: Ladder.markOf(chain, row, newest) }]
    )
  )
  const marked = (mark: Ladder.Mark) => rows.filter((row) => row.mark === mark)
  const crossed = marked("crossed").map(({ what }) => what)
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
          `Out of the money, at the forward ${forward === null ? "unknown" : Words.number(forward, 2, 2)}. ${
            isService
              ? "The middle is the service's; bid and ask are computed"
              : "Computed, because the service tells none"
          }.`,
          ...when(
            crossed.length > 0,
            `The bid is above the ask of ${crossed.slice(0, 5).join(", ")}${
              crossed.length > 5 ? ` and ${crossed.length - 5} more` : ""
            }.`
          ),
          ...when(unwanted > 0, `Dimmed: ${Words.count(unwanted, "quote")} without a bid.`),
          ...when(stale > 0, `Dimmed: ${Words.count(stale, "quote")} older than the newest by more than 15 minutes.`),
          ...further
        ]
      },
      bars("interest", "Open interest", chain.openInterest),
      bars("volume", "Volume of the day", chain.volume)
    ]
  }
}

const divided = ([puts, calls]: readonly [number, number]): number | null => calls > 0 ? puts / calls : null

/** Those nearest to a number of days each, or all where there are no more. */
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

/** Makes of a chain what is looked at; `now` is in epoch seconds. */
export const viewOf = (chain: Ladder.AnyChain, now: number): View => {
  const at = OptionChain.updatedSpan(chain)?.newest ?? now
  const computed = computedOf(chain, at)
  const ladders = computed === undefined
    ? []
    : laddersIn(chain, at, typeof computed === "string" ? undefined : computed)
  const spot = there(Ladder.underlyingPrice(chain))
  const today = CalendarDate.toEpochDay(NewYork.dateOf(at))
  const shown = chosen(ladders, today)
  const expirations = shown.map((ladder) => expirationOf(chain, at, spot, ladder))
  const line = (name: string, tone: "one" | "two", of: (ladder: Whole) => number | null): Series => ({
    name,
    tone,
    mark: "line",
    // Of several roots of a day the one with the most strikes.
    points: [
      ...new Map(
        ladders.toReversed().map((ladder): [number, Point] => [ladder.day, [ladder.day - today, of(ladder), 0]])
      ).values()
    ]
      .toReversed()
  })
  const all = (of: (ladder: Whole) => readonly [number, number]): number | null =>
    divided(
      ladders.reduce<readonly [number, number]>(([puts, calls], one) => [puts + of(one)[0], calls + of(one)[1]], [0, 0])
    )
  const until = { label: "days to expiration", unit: "days" } as const
  const isOurs = ladders.length > 0 && ladders.every(({ isService }) => !isService)
  const adjusted = chain.optionSymbol?.series.some(({ root }) => /\d$/.test(root)) === true
  const [first] = expirations
  const legs = first === undefined ? [] : straddle(first.rungs, first.forward)
  return {
    spot,
    figures: [
      ["volatility at the money", shown[0]?.atTheMoney ?? null, "percent"],
      ["straddle, at the asks", legs.length === 0 ? null : legs.reduce((sum, { price }) => sum + price, 0), "dollars"],
      ["put/call, open interest", all(({ interest }) => interest), "ratio"],
      ["put/call, volume", all(({ volume }) => volume), "ratio"]
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
        `${shown.length} of ${ladders.length} expirations are drawn one by one: --from, --to and --expiration choose others.`
      ),
      ...when(isOurs, "The service tells no volatility for these quotes; what is shown is computed from prices."),
      ...(typeof computed === "string" ? [`Nothing was computed: ${computed}`] : []),
      ...when(adjusted, "Adjusted options are left out: what they deliver is something else.")
    ]
  }
}

/** A chart by its name, of the first expiration where it is of one; one without values where nothing expires. */
export const chartOf = ({ charts, expirations: [first], notes }: View, name: string): Chart =>
  [...first?.charts ?? [], ...charts].find(({ id }) => id === name) ?? { ...charts[0]!, title: name, series: [], notes }
