/**
 * The table of a chain: calls on the left, puts on the right, as many strikes around the money as fit the terminal; and the expected move, by the prices of
 * the straddle at the money. Volatility and greeks that are computed from prices are columns after those of the reply.
 */
import { CalendarDate, ForeignText, Freshness, NewYork, OptionChain } from "@effect-marketdata/core"
import { Ladder } from "@effect-marketdata/pictures"
import { Volatility } from "@effect-marketdata/volatility"
import { Result } from "effect"
import type { Size } from "../output/output.ts"
import { cut, cutText, type Line, means, type Span, textOf } from "../text/span.ts"
import * as Words from "../text/words.ts"
import * as Cells from "./cells.ts"
import * as Contracts from "./contracts.ts"
import * as Table from "./table.ts"

/**
 * A chain of which any column may be missing, as in a saved reply. It may have computed columns.
 */
export type AnyChain =
  & Omit<OptionChain.OptionChain, OptionChain.Column>
  & Partial<OptionChain.OptionChain>
  & Partial<Readonly<Record<ComputedName, Float64Array>>>

/** The computed columns that are shown. */
type ComputedName = "deltaComputed" | "ivComputed"

/** The size of the terminal, and the time in epoch seconds from which ages are computed. */
type Room = Size & { readonly now: number }

/** How much of a chain to show; what is left out depends on the room. */
export interface Options {
  readonly all: boolean
  readonly strikes: number | undefined
  readonly expirations: number | undefined
}

/** The lines of a terminal that are not rows: what was asked, the title, the heads, the report. */
const besides = 14

/**
 * Prints a chain. Needs option symbols to line calls up with puts; without them each row is listed with the columns it has.
 */
export const lines = (chain: AnyChain, room: Room, options: Options): ReadonlyArray<Line> => {
  const { length, optionSymbol } = chain
  if (optionSymbol === undefined || length === 0) return [summary(chain, room), ...listing(chain, room, options)]
  const ladders = Result.getOrThrow(Ladder.make({ ...chain, optionSymbol }))
  const days = [...new Set(ladders.map(({ day }) => day))]
  const most = options.all ? days.length : options.expirations ?? 1
  // The first ladder of a day is that of the root with the most strikes; others are such as those of adjusted contracts.
  const shown = options.all ? ladders : days.slice(0, most).map((day) => ladders.find((ladder) => ladder.day === day)!)
  const titles = shown.map((ladder) => title(chain, ladder, room))
  const each = Math.floor((room.rows - besides) / shown.length) - 1 - Math.max(...titles.map(({ length }) => length))
  const strikes = options.strikes ?? (options.all ? Infinity : Math.max(3, Math.min(24, each)))
  const price = Ladder.underlyingPrice(chain)
  const nears = shown.map((ladder) => Ladder.nearTheMoney(ladder.rungs, price, strikes))
  const columns = columnsOf(chain, nears.flat(), room)
  const roots = ladders.filter(({ day }) => days.indexOf(day) < most).length - shown.length
  return [
    summary(chain, room),
    ...shown.flatMap((ladder, index) => [
      ...(index === 0 ? [] : [""]),
      ...titles[index]!,
      ...head(columns),
      ...body(nears[index]!, columns, price),
      ...Table.left(ladder.rungs.length - nears[index]!.length, "strike", "--all")
    ]),
    ...Table.left(roots, "root", "--all"),
    ...Table.left(days.length - most, "expiration", "--all")
  ]
}

/** Prints a row for each contract, in the order that the chain has. */
export const listing = (chain: AnyChain, room: Room, { all }: Pick<Options, "all">): ReadonlyArray<Line> =>
  Contracts.lines(chain, room, room.now, { most: all ? Infinity : Math.max(3, room.rows - besides), rest: "--all" })

type Name = Exclude<OptionChain.Column, "optionSymbol" | "underlying" | "side" | "inTheMoney"> | ComputedName

/** The fields of a side by importance: as many as the terminal is wide and the chain has. */
const fieldsByImportance: ReadonlyArray<Name> = [
  ...["bid", "ask", "deltaComputed", "ivComputed", "delta", "iv", "last", "openInterest"] as const,
  ...["volume", "mid", "theta", "gamma", "vega", "bidSize", "askSize"] as const
]

/** The columns of a ladder: the fields of each side, from the strike to the edge, and the width of the strikes. */
type Columns = ReturnType<typeof columnsOf>

const columnsOf = (chain: AnyChain, rungs: ReadonlyArray<Ladder.Rung>, room: Room) => {
  const strikeWidth = rungs.reduce((most, { strike }) => Math.max(most, priceText(strike).length), "strike".length)
  const gap = room.columns < 60 ? " " : "  "
  let left = room.columns - strikeWidth
  const fields = fieldsByImportance.flatMap((name) => {
    const vector = chain[name]
    const { cell, head } = Contracts.columnOf(name)
    if (vector === undefined) return []
    const textAt = (index: number | undefined) => textOf(cell(index === undefined ? undefined : vector[index], 0))
    const widthAt = ({ call, put }: Ladder.Rung) => Math.max(textAt(call).length, textAt(put).length)
    const width = rungs.reduce((most, rung) => Math.max(most, widthAt(rung)), head.length)
    left -= 2 * (width + gap.length)
    return [{ name, head, textAt, width: left >= 0 ? width : 0 }]
  })
  const end = fields.findIndex(({ width }) => width === 0)
  return { fields: end < 0 ? fields : fields.slice(0, end), strikeWidth, gap }
}

const priceText = (price: number): string => textOf(Cells.price(price, 0))

/** The fields of a side as they stand on a line: bid before ask on both, and the less important ones further from the strike. */
const ofSide = ({ fields }: Columns, side: "call" | "put") => {
  if (side === "put") return fields
  const pair = fields.filter(({ name }) => name === "bid" || name === "ask")
  return [...fields.filter(({ name }) => name !== "bid" && name !== "ask").toReversed(), ...pair]
}

const head = (columns: Columns): ReadonlyArray<Line> => {
  const { gap, strikeWidth } = columns
  const names = (side: "call" | "put") => ofSide(columns, side).map(({ head, width }) => head.padStart(width)).join(gap)
  const [calls, puts] = [names("call"), names("put")]
  const over = (title: string, width: number) => title.padStart((width + title.length) >> 1).padEnd(width)
  const middle = " ".repeat(strikeWidth + 2 * gap.length)
  return columns.fields.length === 0 ? [{ text: "strike".padStart(strikeWidth), means: "heading" }] : [
    [means("call", over("calls", calls.length)), middle, means("put", over("puts", puts.length).trimEnd())],
    { text: [calls, "strike".padStart(strikeWidth), puts].join(gap), means: "heading" }
  ]
}

/** The rungs, and a line at the price of the underlying. */
const body = (rungs: ReadonlyArray<Ladder.Rung>, columns: Columns, price: number | undefined): ReadonlyArray<Line> => {
  const nearest = price === undefined ? undefined : Ladder.nearestTo(rungs, price)
  return rungs.flatMap((rung, index) => {
    const before = rungs[index - 1]
    const crossed = price !== undefined && before !== undefined && before.strike < price && price <= rung.strike
    return [...crossed ? [moneyLine(columns, price)] : [], rungLine(rung, columns, price ?? NaN, rung === nearest)]
  })
}

const rungLine = (rung: Ladder.Rung, columns: Columns, price: number, isNearest: boolean): Line => {
  const { gap, strikeWidth } = columns
  const side = (side: "call" | "put", inTheMoney: boolean): Span => {
    const text = ofSide(columns, side).map(({ textAt, width }) => textAt(rung[side]).padStart(width)).join(gap)
    return inTheMoney && text !== "" ? means(side, text) : text
  }
  const strike = means(isNearest ? "here" : "heading", priceText(rung.strike).padStart(strikeWidth))
  const [call, put] = [side("call", rung.strike < price), side("put", rung.strike > price)]
  return columns.fields.length === 0 ? strike : [call, gap, strike, gap, put]
}

/** A line at the price of the underlying, which shows without colours what is in the money. */
const moneyLine = ({ fields, gap, strikeWidth }: Columns, price: number): Line => {
  const side = fields.reduce((width, field) => width + field.width + gap.length, 0)
  const text = priceText(price)
  const [before, after] = [side + strikeWidth - text.length - 1, side - 1]
  return { text: `${"-".repeat(Math.max(0, before))} ${text} ${"-".repeat(Math.max(0, after))}`.trim(), means: "aside" }
}

const summary = (chain: AnyChain, { columns }: Room): Line => {
  const { expiration, length, optionSymbol, underlying } = chain
  const days = optionSymbol?.series.map(({ expiration }) => CalendarDate.toEpochDay(expiration)) ?? expiration
  const name = length === 0 ? undefined : underlying?.values[underlying.codes[0]!]
  const of = name === undefined ? "" : `${ForeignText.ascii(name).slice(0, 20)}: `
  const expirations = days === undefined ? "" : `, ${Words.count(new Set(days).size, "expiration")}`
  return cutText(`${of}${Words.count(length, "contract")}${expirations}`, columns)
}

/** What a ladder is about, on as many lines as it takes; a price that may be old stands with its age. */
const title = (chain: AnyChain, ladder: Ladder.Ladder, { columns, now }: Room): ReadonlyArray<Line> => {
  const { expiration, root } = ladder
  const price = Ladder.underlyingPrice(chain)
  const updated = OptionChain.updatedSpan(chain)
  const days = CalendarDate.daysBetween(NewYork.dateOf(now), expiration)
  const when = days < 0
    ? `expired ${Words.count(-days, "day")} ago`
    : `${Cells.weekdayOf(expiration)}, ${days === 0 ? "expires today" : `${Words.count(days, "day")} to go`}`
  const about = [means("heading", `${root} ${CalendarDate.format(expiration)}, ${when}`)]
  if (price !== undefined) {
    const isNew = updated !== undefined &&
      Freshness.classify({ kind: "options", updated: updated.newest, now }) === "realTime"
    const since = updated === undefined ? ", of an unknown time" : `, ${Words.ago(now - updated.newest)}`
    about.push(means(isNew ? "good" : "warning", `underlying at ${priceText(price)}${since}`))
    // No expected move for options that had expired when the quotes were taken.
    const isOpen = updated !== undefined && ladder.day >= CalendarDate.toEpochDay(NewYork.dateOf(updated.newest))
    const straddle = isOpen ? Ladder.straddle(chain, ladder, price, updated.newest) : undefined
    if (straddle !== undefined) about.push(expectedMove(straddle, price))
  }
  return flow(about, columns)
}

const expectedMove = ({ price, strike }: Ladder.Straddle, underlying: number): Span => {
  const move = textOf(Cells.volatility(price / underlying, 0))
  return `computed: straddle ${priceText(strike)} at ${priceText(price)}, expected move ±${move}`
}

/** Texts beside each other, as many as a line has room for. */
const flow = ([first = "", ...others]: ReadonlyArray<Span>, columns: number): ReadonlyArray<Line> => {
  const lines: Array<Array<Span>> = [[first]]
  for (const span of others) {
    const width = lines.at(-1)!.reduce((sum, span) => sum + textOf(span).length, 0)
    if (width + 2 + textOf(span).length <= columns) lines.at(-1)!.push("  ", span)
    else lines.push([span])
  }
  return lines.map((line) => cut(line, columns))
}

/** A chain with computed columns, and a note on how they were computed. */
export interface Computed extends Table.Beside {
  readonly chain: AnyChain
  readonly note: Line
}

/** What the columns mean in a file. */
const meanings: Readonly<Record<keyof Volatility.Spec, string>> = {
  ivComputed: "Implied volatility of a year by the mid price, as a fraction. Computed, not the service's.",
  ivBidComputed: "The same by the bid, as a fraction.",
  ivAskComputed: "The same by the ask, as a fraction.",
  deltaComputed: "What the price changes for each dollar that the underlying rises. Computed, not the service's.",
  gammaComputed: "What delta changes for each dollar that the underlying rises. Computed, not the service's.",
  thetaComputed:
    "What the price changes for each calendar day that passes, in dollars a share. Computed, not the service's.",
  vegaComputed: "What the price changes for a point of volatility, in dollars a share. Computed, not the service's.",
  rhoComputed: "What the price changes for a point of the rate, in dollars a share. Computed, not the service's.",
  reason: "Why nothing was computed."
}

/** Adds the computed columns. A reply without times or prices stays as it is, and the note says why. */
export const computed = (chain: AnyChain, rates: Pick<Volatility.Options, "rate" | "dividendYield"> = {}): Computed => {
  const { length, optionSymbol } = chain
  if (optionSymbol === undefined) return nothing(chain, "the option symbols are missing")
  // An empty chain has no time, and needs none.
  const at = OptionChain.updatedSpan(chain)?.newest ?? (length === 0 ? 0 : undefined)
  return Result.match(Volatility.columns({ ...chain, optionSymbol }, { ...rates, at }), {
    onFailure: ({ message }) => nothing(chain, message),
    onSuccess: ({ assumptions, at, table }) => {
      const methods = [...new Set(assumptions.map(({ method }) => method))].join(", ")
      const by = methods === "" ? "" : ` (${methods})`
      const columnNames = [...chain.columnNames, ...table.columnNames] as never
      const valueAt: AnyChain["valueAt"] = (name, index) =>
        name in Volatility.spec ? table.valueAt(name as never, index) : chain.valueAt(name, index)
      return {
        chain: { ...table, ...chain, columnNames, valueAt },
        table,
        meanings,
        document: { computed: { at, assumptions, ...table.toJSON() } },
        note: means("aside", `* computed here from mid prices${by}, not told by the service`)
      }
    }
  })
}

const nothing = (chain: AnyChain, why: string): Computed => ({
  chain,
  note: means("aside", `nothing was computed: ${why}`),
  document: { computed: { why } }
})
