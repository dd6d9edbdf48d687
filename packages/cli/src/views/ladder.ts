/** The table of a chain: calls on the left, puts on the right, strikes near the money, as many as fit the terminal. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import type { Size } from "../output/output.ts"
import type { Line } from "../text/span.ts"

/**
 * A chain of which any column may be missing: what a saved reply holds, and what a whole chain is too.
 */
export type AnyChain = Omit<OptionChain.OptionChain, OptionChain.Column> & Partial<OptionChain.OptionChain>

/**
 * Prints a chain. Needs option symbols to line calls up with puts; without them each row is listed with the columns it has.
 */
export const lines = (chain: AnyChain, size: Size): ReadonlyArray<Line> => {
  const summary = summarise(chain)
  if (chain.optionSymbol === undefined || chain.length === 0) return [summary, ...listing(chain, size)]
  const rungs = ladderOf(chain)
  const first = rungs[0]!
  const near = nearTheMoney(rungs, underlyingPrice(chain), Math.max(3, Math.min(24, size.rows - 14)))
  const fields = fieldsFor(chain, size.columns)
  return [
    summary,
    title(chain, first),
    "",
    ...ladderHead(fields),
    ...near.map((rung) => ladderLine(chain, fields, rung))
  ]
}

/** Calls and puts of one root, expiration and strike: positions in the chain. */
interface Rung {
  readonly root: string
  readonly expiration: CalendarDate.CalendarDate
  readonly strike: number
  call: number | undefined
  put: number | undefined
}

/** The strikes of the nearest expiration, ascending; of several roots that expire then, the one with the most strikes. */
const ladderOf = (chain: AnyChain): ReadonlyArray<Rung> => {
  const symbols = chain.optionSymbol!
  const days = symbols.series.map((series) => CalendarDate.toEpochDay(series.expiration))
  // Not Math.min(...days): a reply may have more series than a call may have arguments.
  const nearest = days.reduce((earliest, day) => Math.min(earliest, day), Infinity)
  const rungs = new Map<string, Rung>()
  const counts = new Map<string, number>()
  for (let index = 0; index < chain.length; index++) {
    const { expiration, root, side } = symbols.series[symbols.codes[index]!]!
    if (days[symbols.codes[index]!] !== nearest) continue
    const thousandths = symbols.thousandths[index]!
    const key = `${root} ${thousandths}`
    const rung = rungs.get(key) ??
      { root, expiration, strike: thousandths / 1000, call: undefined, put: undefined }
    rung[side] = index
    rungs.set(key, rung)
    counts.set(root, (counts.get(root) ?? 0) + 1)
  }
  const [root] = [...counts].toSorted((a, b) => b[1] - a[1])[0]!
  return [...rungs.values()].filter((rung) => rung.root === root).toSorted((a, b) => a.strike - b.strike)
}

const underlyingPrice = (chain: AnyChain): number | undefined =>
  chain.underlyingPrice?.find((price) => !Number.isNaN(price))

/** A given number of strikes around the price of the underlying, or around the middle where no price is known. */
const nearTheMoney = (rungs: ReadonlyArray<Rung>, price: number | undefined, count: number): ReadonlyArray<Rung> => {
  const at = price === undefined ? -1 : rungs.findIndex((rung) => rung.strike >= price)
  const middle = at >= 0 ? at : price === undefined ? rungs.length >> 1 : rungs.length
  const start = Math.max(0, Math.min(rungs.length - count, middle - (count >> 1)))
  return rungs.slice(start, start + count)
}

interface Field {
  readonly name: "bid" | "ask" | "last" | "iv" | "delta" | "volume" | "openInterest"
  readonly head: string
  readonly width: number
  readonly decimals: number
}

/** The fields of a side by importance: as many as the terminal is wide and the chain has. */
const fieldsByImportance: ReadonlyArray<Field> = [
  { name: "bid", head: "bid", width: 9, decimals: 2 },
  { name: "ask", head: "ask", width: 9, decimals: 2 },
  { name: "delta", head: "delta", width: 7, decimals: 3 },
  { name: "iv", head: "iv", width: 7, decimals: 3 },
  { name: "last", head: "last", width: 9, decimals: 2 },
  { name: "openInterest", head: "open int", width: 9, decimals: 0 },
  { name: "volume", head: "volume", width: 8, decimals: 0 }
]

const strikeWidth = 11

const fieldsFor = (chain: AnyChain, columns: number): ReadonlyArray<Field> => {
  let left = columns - strikeWidth
  return fieldsByImportance.filter((field) => {
    if (chain[field.name] === undefined || left < 2 * field.width) return false
    left -= 2 * field.width
    return true
  })
}

const ladderHead = (fields: ReadonlyArray<Field>): ReadonlyArray<Line> => {
  const names = fields.map((field) => field.head.padStart(field.width)).join("")
  const over = (title: string) => title.padStart((names.length + title.length) >> 1).padEnd(names.length)
  return [
    `${over("calls")}${" ".repeat(strikeWidth)}${over("puts").trimEnd()}`,
    `${names}${"strike".padStart(strikeWidth)}${names}`
  ]
}

const ladderLine = (chain: AnyChain, fields: ReadonlyArray<Field>, rung: Rung): string => {
  const side = (index: number | undefined) => fields.map((field) => cell(chain, field, index)).join("")
  return side(rung.call) + rung.strike.toFixed(2).padStart(strikeWidth) + side(rung.put)
}

const cell = (chain: AnyChain, field: Field, index: number | undefined): string => {
  const vector = chain[field.name]
  const value = index === undefined || vector === undefined || chain.isNull(field.name, index)
    ? undefined
    : vector[index]
  return (value === undefined ? "-" : value.toFixed(field.decimals)).padStart(field.width)
}

const grouped = (value: number): string => value.toLocaleString("en-US")

const summarise = (chain: AnyChain): string => {
  const symbols = chain.optionSymbol
  const expirations = symbols === undefined
    ? chain.expiration === undefined ? 0 : new Set(chain.expiration).size
    : new Set(symbols.series.map((series) => CalendarDate.toEpochDay(series.expiration))).size
  const underlying = chain.underlying === undefined || chain.length === 0
    ? ""
    : `${ForeignText.line(chain.underlying.values[chain.underlying.codes[0]!]!, 40)}: `
  return `${underlying}${counted(chain.length, "contract")}, ${counted(expirations, "expiration")}`
}

const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`

const title = (chain: AnyChain, { expiration, root }: Rung): string => {
  const price = underlyingPrice(chain)
  const updated = OptionChain.updatedSpan(chain)
  const days = updated === undefined
    ? ""
    : `, ${counted(CalendarDate.daysBetween(NewYork.dateOf(updated.newest), expiration), "day")} to go`
  return `nearest: ${root} ${CalendarDate.format(expiration)}${days}` +
    (price === undefined ? "" : `, underlying at ${price.toFixed(2)}`)
}

/** Rows without option symbols: the columns there are, as many as fit. */
const listing = (chain: AnyChain, size: Size): ReadonlyArray<string> => {
  const names = chain.columnNames.slice(0, Math.max(1, Math.floor(size.columns / (listedWidth + 1))))
  const lines = [names.map((name) => name.padStart(listedWidth)).join(" ")]
  for (let index = 0; index < Math.min(chain.length, Math.max(3, size.rows - 14)); index++) {
    lines.push(names.map((name) => listed(chain.valueAt(name, index)).padStart(listedWidth)).join(" "))
  }
  return lines
}

const listedWidth = 15

/** A value in a cell: a text from outside in printable ASCII and no wider than the cell, so that it cannot move what stands beside it. */
const listed = (value: string | number | boolean | null): string => {
  if (typeof value !== "string") return String(value ?? "-")
  const text = ForeignText.ascii(value)
  return text.length <= listedWidth ? text : `${text.slice(0, listedWidth - 1)}…`
}
