/** The rows of a chain by what they have in common. */
import { CalendarDate, type OptionChain } from "@effect-marketdata/core"

/** The calls and the puts of one root and expiration, strike by strike. */
export interface Series {
  readonly root: string
  readonly calls: ReadonlyArray<number>
  readonly puts: ReadonlyArray<number>
}

export const of = ({ length, optionSymbol: { codes, series } }: OptionChain.OptionChain): ReadonlyArray<Series> => {
  const found = new Map<string, Series & Record<"calls" | "puts", Array<number>>>()
  const rowsOf = series.map(({ expiration, root, side }) => {
    const key = `${root} ${CalendarDate.format(expiration)}`
    const both = found.get(key) ?? { root, calls: [], puts: [] }
    found.set(key, both)
    return side === "call" ? both.calls : both.puts
  })
  for (let row = 0; row < length; row++) rowsOf[codes[row]!]!.push(row)
  return [...found.values()]
}
