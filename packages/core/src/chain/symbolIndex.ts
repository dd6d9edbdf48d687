import type { SymbolColumn } from "./optionSymbolColumn.ts"

/** Finds rows by series and strike: a table of open addresses, half full at most, of row numbers plus one. */
interface SymbolIndex {
  readonly codeOf: ReadonlyMap<string, number>
  readonly slots: Int32Array
}

/** An index lives as long as its column. */
const indices = /* @__PURE__ */ new WeakMap<SymbolColumn, SymbolIndex>()

const slotOf = (code: number, thousandths: number, mask: number): number => {
  const mixed = Math.imul(code + 1, 0x9e3779b1) ^ Math.imul(thousandths, 0x85ebca77)
  return (mixed ^ (mixed >>> 15)) & mask
}

const build = ({ codes, series, thousandths }: SymbolColumn): SymbolIndex => {
  const mask = 2 ** Math.ceil(Math.log2(2 * codes.length + 2)) - 1
  const slots = new Int32Array(mask + 1)
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!
    const strike = thousandths[row]!
    let slot = slotOf(code, strike, mask)
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const other = slots[slot]! - 1
      if (codes[other] === code && thousandths[other] === strike) break
    }
    if (slots[slot] === 0) slots[slot] = row + 1
  }
  return { codeOf: new Map(series.map(({ prefix }, code) => [prefix, code])), slots }
}

/** The first row of a symbol, or -1. */
export const find = (column: SymbolColumn, symbol: string): number => {
  let index = indices.get(column)
  if (index === undefined) indices.set(column, index = build(column))
  const code = index.codeOf.get(symbol.slice(0, -8))
  const digits = symbol.slice(-8)
  if (code === undefined || !/^\d{8}$/.test(digits)) return -1
  const strike = Number(digits)
  const mask = index.slots.length - 1
  for (let slot = slotOf(code, strike, mask); index.slots[slot] !== 0; slot = (slot + 1) & mask) {
    const row = index.slots[slot]! - 1
    if (column.codes[row] === code && column.thousandths[row] === strike) return row
  }
  return -1
}
