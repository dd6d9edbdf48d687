import * as Result from "effect/Result"
import type * as CalendarDate from "../time/CalendarDate.ts"
import { type Codes, type ColumnKind, type Dictionary, dictionaryOf } from "../columns/ColumnKind.ts"
import * as OptionSymbol from "../symbol/OptionSymbol.ts"

/** What all symbols of one root, expiration and side share. `prefix` is their text up to the strike. */
interface Series {
  readonly prefix: string
  readonly root: string
  readonly expiration: CalendarDate.CalendarDate
  readonly side: OptionSymbol.Side
}

/**
 * A column of option symbols, taken apart: row i is `series[codes[i]]` with a strike of `thousandths[i]`. A chain of thousands
 * of contracts has a few dozen series, so a symbol costs five or six bytes; its text is built when somebody asks for it.
 */
export interface SymbolColumn {
  readonly codes: Codes
  readonly thousandths: Int32Array<ArrayBuffer>
  readonly series: ReadonlyArray<Series>
}

const strikeDigits = 8

const isStrike = /^[0-9]{8}$/

/** The most series of a reply: the largest chain has a few hundred. */
const maxSeries = 16_384

/** The series that were read lately: a poller meets the same ones in each reply, and need not take their symbols apart again. */
const known = /* @__PURE__ */ new Map<string, Series>()

/** Several times as many as the largest chain has. */
const mostKnown = 4096

/** The text of one symbol. */
export const textAt = (column: SymbolColumn, index: number): string =>
  column.series[column.codes[index]!]!.prefix + String(column.thousandths[index]!).padStart(strikeDigits, "0")

/** The kind of the `optionSymbol` column. */
export const optionSymbolKind: ColumnKind<SymbolColumn, string> = {
  storage: {
    _tag: "Texts",
    digits: strikeDigits,
    most: maxSeries,
    problem: (text) => {
      const prefix = text.slice(0, -strikeDigits)
      if (known.has(prefix) && isStrike.test(text.slice(-strikeDigits))) return undefined
      const parsed = OptionSymbol.parse(text)
      if (Result.isFailure(parsed)) return parsed.failure.reason.rule
      remember(prefix, parsed.success)
      return undefined
    }
  },
  expected: "an option symbol",
  at: textAt,
  pack: ({ codes, series, thousandths }) => ({
    lanes: [codes, thousandths],
    legend: series.map(({ prefix }) => prefix)
  }),
  of: ({ lanes: [codes, thousandths], legend }) => ({
    codes: codes as Codes,
    thousandths: thousandths as Int32Array<ArrayBuffer>,
    series: legend.map(seriesOf)
  })
}

/** The kind of the `underlying` column: no reply has more of them than series. */
export const underlyings: ColumnKind<Dictionary, string> = /* @__PURE__ */ dictionaryOf(maxSeries)

/** The series that a prefix names, which the decoder has found to be one. */
const seriesOf = (prefix: string): Series =>
  known.get(prefix) ?? remember(prefix, OptionSymbol.parseUnsafe(prefix + "0".repeat(strikeDigits)))

const remember = (prefix: string, { expiration, root, side }: OptionSymbol.OptionSymbol): Series => {
  const series = { prefix, root, expiration, side }
  if (known.size === mostKnown) known.clear()
  known.set(prefix, series)
  return series
}
