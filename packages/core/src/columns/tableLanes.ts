/** The lanes of columns as they are written into bytes: as they are in memory, or as integers that make the same numbers. */
import type { PackedVector } from "./ColumnKind.ts"
import * as Bitmap from "./bitmap.ts"

/** A lane in memory. */
export type Lane = PackedVector["lanes"][number]

/** The types of lanes in bytes, by the names that the head has for them. */
export const types = {
  f8: Float64Array,
  i1: Int8Array,
  i2: Int16Array,
  i4: Int32Array,
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array
} as const

/** The name of a type. */
export type TypeName = keyof typeof types

/** As what a lane is written. Its integers are divided by `scale`, which is 0 where the lane is as it is in memory. */
export interface Form {
  readonly type: TypeName
  readonly scale: number
}

/** What fits: whole numbers, cents, and the decimals that strikes and greeks have. */
export const scales: ReadonlyArray<number> = [1, 100, 1000, 10_000, 1_000_000]

const integers: ReadonlyArray<readonly [type: TypeName, limit: number]> = [["i1", 0x80], ["i2", 0x8000], [
  "i4",
  0x8000_0000
]]

/** The form of a lane: numbers as the smallest integers of which a division makes the very same numbers, where there are any. */
export const formOf = (lane: Lane): Form =>
  lane instanceof Float64Array
    ? formOfNumbers(lane)
    : {
      type: lane instanceof Int32Array
        ? "i4"
        : lane instanceof Uint8Array
        ? "u1"
        : lane instanceof Uint16Array
        ? "u2"
        : "u4",
      scale: 0
    }

const formOfNumbers = (numbers: Float64Array): Form => {
  for (const scale of scales) {
    const most = largest(numbers, scale)
    if (most === undefined) continue
    const type = integers.find(([, limit]) => most < limit)?.[0]
    if (type !== undefined) return { type, scale }
  }
  return { type: "f8", scale: 0 }
}

/** The largest of the integers, whatever its sign; undefined where a number is not one of them divided, as minus zero is not. */
const largest = (numbers: Float64Array, scale: number): number | undefined => {
  let most = 0
  for (let row = 0; row < numbers.length; row++) {
    const number = numbers[row]!
    // What is not a number is null, and has a bit that says so.
    if (number !== number) continue
    const integer = Math.round(number * scale)
    if (integer / scale !== number || integer === 0 && Object.is(number, -0)) return undefined
    if (integer > most) most = integer
    else if (-integer > most) most = -integer
  }
  return most
}

/** Writes a lane in its form, at a place in a buffer. */
export const write = (lane: Lane, { scale, type }: Form, buffer: ArrayBuffer, at: number): void => {
  const written = new types[type](buffer, at, lane.length)
  if (scale === 0) written.set(lane)
  else for (let row = 0; row < lane.length; row++) written[row] = Math.round(lane[row]! * scale)
}

/** Reads a lane that was written in a form. What is null is not a number, or the first code. */
export const read = ({ scale, type }: Form, bytes: ArrayBuffer, nulls: Bitmap.Bitmap | undefined): Lane => {
  const written = new types[type](bytes)
  // A form without a scale is that of a lane in memory: those of the other integers have one.
  const lane = scale === 0 ? written as Lane : divided(written, scale)
  if (nulls !== undefined) {
    const none = lane instanceof Float64Array ? NaN : 0
    for (let row = 0; row < lane.length; row++) if (Bitmap.has(nulls, row)) lane[row] = none
  }
  return lane
}

const divided = (integers: ArrayLike<number>, scale: number): Float64Array<ArrayBuffer> => {
  const numbers = new Float64Array(integers.length)
  for (let row = 0; row < numbers.length; row++) numbers[row] = integers[row]! / scale
  return numbers
}
