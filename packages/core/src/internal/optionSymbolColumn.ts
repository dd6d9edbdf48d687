import * as Result from "effect/Result"
import type * as CalendarDate from "../CalendarDate.ts"
import type { Codes, ColumnKind } from "../columns/ColumnKind.ts"
import * as OptionSymbol from "../OptionSymbol.ts"

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

/** The text of one symbol. */
export const textAt = (column: SymbolColumn, index: number): string =>
  column.series[column.codes[index]!]!.prefix + String(column.thousandths[index]!).padStart(8, "0")

/** The kind of the `optionSymbol` column. */
export const optionSymbolKind: ColumnKind<SymbolColumn, string> = {
  storage: {
    _tag: "Texts",
    digits: 8,
    problem: (text) => {
      const parsed = OptionSymbol.parse(text)
      return Result.isFailure(parsed) ? parsed.failure.reason.message : undefined
    }
  },
  expected: "an option symbol",
  at: textAt,
  parts: ({ codes, series, thousandths }) => ({
    lanes: [codes, thousandths],
    legend: series.map(({ prefix }) => prefix)
  }),
  of: ({ lanes: [codes, thousandths], legend }) => ({
    codes: codes as Codes,
    thousandths: thousandths as Int32Array<ArrayBuffer>,
    series: legend.map(seriesOf)
  })
}

/** Takes a prefix apart, which the decoder has found to be one. */
const seriesOf = (prefix: string): Series => {
  const { expiration, root, side } = OptionSymbol.parseUnsafe(`${prefix}00000000`)
  return { prefix, root, expiration, side }
}
