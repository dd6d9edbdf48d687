/** Bitmaps of nulls: one bit for each row, set if the row is null, the first row in the lowest bit of the first byte. */
export type Bitmap = Uint8Array<ArrayBuffer>

/** Creates a bitmap of zeros. */
export const make = (rows: number): Bitmap => new Uint8Array((rows + 7) >> 3)

/** Returns the bitmap of a column, if it has one of its own: a column may have the name of something that objects inherit. */
export const of = (bitmaps: Readonly<Record<string, Bitmap>>, name: string): Bitmap | undefined =>
  Object.hasOwn(bitmaps, name) ? bitmaps[name] : undefined

/** Returns whether a row's bit is set. */
export const has = (self: Bitmap | undefined, row: number): boolean =>
  self !== undefined && (self[row >> 3]! & (1 << (row & 7))) !== 0

/** Sets a row's bit. */
export const add = (self: Bitmap, row: number): void => {
  self[row >> 3]! |= 1 << (row & 7)
}

/** Returns the bits of some rows, in their order; `undefined` if none of them is set. */
export const take = (self: Bitmap, rows: ArrayLike<number>): Bitmap | undefined => {
  let taken: Bitmap | undefined
  for (let at = 0; at < rows.length; at++) {
    if (!has(self, rows[at]!)) continue
    taken ??= make(rows.length)
    add(taken, at)
  }
  return taken
}
