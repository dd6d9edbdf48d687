/** Candles for people: open, high, low, close; the closes as a sparkline; and a warning about the last candle while it still changes. */
import { CalendarDate, NewYork, TradingCalendar } from "@effect-marketdata/core"
import type { Query } from "@effect-marketdata/core/Query"
import { Option } from "effect"
import * as Document from "../output/document.ts"
import { type Line, means, textOf, wrap } from "../text/span.ts"
import * as Cells from "./cells.ts"
import * as Table from "./table.ts"

/** A table of candles, of which any column may be missing. */
export interface Candles extends Document.Table {
  readonly t?: Float64Array
  readonly c?: Float64Array
}

const columns: ReadonlyArray<Table.Column> = [
  Table.text("symbol", "symbol", Cells.symbol),
  Table.text("t", "New York", Cells.day),
  Table.number("o", "open", Cells.price),
  Table.number("h", "high", Cells.price),
  Table.number("l", "low", Cells.price),
  Table.number("c", "close", Cells.price),
  Table.number("v", "volume", Cells.quantity)
]

type Length = NonNullable<Query["resolution"]>

/** The view of candles of a length; of one day by default. */
export const view = (length: Length = { unit: "day", count: 1 }): Table.View<Candles> => ({
  rows: Document.ofTable,
  lines: (table, size, now) => [
    ...Table.lines(table, columns, size, now),
    ...[...course(table, size.columns), ...unfinished(table, length, now)].flatMap((line) => wrap(line, size.columns))
  ]
})

const blocks = "▁▂▃▄▅▆▇█"

/** The closes as a sparkline: a block for each candle, or for several where there is less room, which shows their last close. Nothing for several stocks. */
const course = ({ c, columnNames }: Candles, room: number): ReadonlyArray<Line> => {
  const closes = c?.filter(Number.isFinite) ?? []
  if (closes.length < 3 || columnNames.includes("symbol")) return []
  const [least, most] = [Math.min(...closes), Math.max(...closes)]
  const bounds = [least, most].map((value) => textOf(Cells.price(value, 0))).join(" to ")
  const width = Math.min(closes.length, Math.max(1, room - bounds.length - 9))
  const blockOf = (_: unknown, at: number) => {
    const close = closes[Math.ceil((at + 1) * closes.length / width) - 1]!
    return blocks[most === least ? 0 : Math.round((close - least) / (most - least) * (blocks.length - 1))]!
  }
  return [[means("aside", "closes "), Array.from({ length: width }, blockOf).join(""), means("aside", `  ${bounds}`)]]
}

/** The last calendar day, as an epoch day, of a candle of one or more days that begins on `date`. */
const lastDay = (date: CalendarDate.CalendarDate, { count, unit }: Length): number => {
  const [first, months] = [CalendarDate.toEpochDay(date), unit === "year" ? 12 * count : count]
  if (unit === "day") return first + count - 1
  if (unit === "week") return first - CalendarDate.dayOfWeek(date) + 7 * count
  const next = (unit === "year" ? 0 : date.month - 1) + months
  return CalendarDate.toEpochDay({ year: date.year + Math.floor(next / 12), month: next % 12 + 1, day: 1 }) - 1
}

/** When a candle is over; one of days ends with the session of its last trading day. */
const endOf = (begin: number, length: Length): number => {
  if (length.unit === "minute") return begin + length.count * 60
  const { NYSE, session, tradingDayOnOrBefore } = TradingCalendar
  const last = tradingDayOnOrBefore(NYSE, CalendarDate.fromEpochDay(lastDay(NewYork.dateOf(begin), length)))
  return Option.match(Option.flatMap(last, (day) => session(NYSE, day)), {
    onNone: () => begin,
    onSome: ({ close }) => close
  })
}

/** A warning about the last candle while it still changes. */
const unfinished = ({ t = new Float64Array(0) }: Candles, length: Length, now: number): ReadonlyArray<Line> => {
  const last = Math.max(...t.filter(Number.isFinite))
  const end = Number.isFinite(last) ? endOf(last, length) : now
  const name = textOf(Cells.day(last, now))
  return end <= now
    ? []
    : [{ text: `the candle of ${name} is not over: it changes until ${NewYork.format(end)}`, means: "warning" }]
}
