import * as Result from "effect/Result"
import type * as CalendarDate from "../CalendarDate.ts"
import type { ColumnKind } from "../columns/ColumnKind.ts"
import * as OptionSymbol from "../OptionSymbol.ts"
import * as Strike from "../Strike.ts"

/** What all symbols of one root, expiration and side share. `prefix` is their text up to the strike. */
interface Series {
  readonly prefix: string
  readonly root: string
  readonly expiration: CalendarDate.CalendarDate
  readonly side: OptionSymbol.Side
}

/**
 * A column of option symbols, taken apart: row i is `series[codes[i]]` with a strike of `thousandths[i]`. A chain of thousands
 * of contracts has a few dozen series, so a symbol costs eight bytes; its text is built when somebody asks for it.
 */
export interface SymbolColumn {
  readonly codes: Uint32Array<ArrayBuffer>
  readonly thousandths: Int32Array<ArrayBuffer>
  readonly series: ReadonlyArray<Series>
}

/** The text of one symbol. */
export const textAt = (column: SymbolColumn, index: number): string =>
  column.series[column.codes[index]!]!.prefix + String(column.thousandths[index]!).padStart(8, "0")

/** The kind of the `optionSymbol` column. */
export const optionSymbolKind: ColumnKind<SymbolColumn, string> = {
  builder: (length) => {
    const codes = new Uint32Array(length)
    const thousandths = new Int32Array(length)
    const series: Array<Series> = []
    const codeOf = new Map<string, number>()
    return {
      set: (index, element) => {
        if (typeof element !== "string") return { code: "WrongType", index, expected: "an option symbol" }
        const parsed = OptionSymbol.parse(element)
        if (Result.isFailure(parsed)) {
          return { code: "WrongValue", index, expected: `an option symbol (${parsed.failure.reason.message})` }
        }
        const { expiration, root, side, strike } = parsed.success
        const prefix = element.slice(0, -8)
        let code = codeOf.get(prefix)
        if (code === undefined) {
          code = series.length
          codeOf.set(prefix, code)
          series.push({ prefix, root, expiration, side })
        }
        codes[index] = code
        thousandths[index] = Strike.toThousandths(strike)
        return undefined
      },
      finish: () => ({ codes, thousandths, series })
    }
  },
  at: textAt
}
