/**
 * Kinds of columns: how the elements of a JSON array become a compact vector, and how one element is read back.
 *
 * A kind is data. It names one of three storages that the decoder fills: numbers, choices among a few values, or texts that repeat. It
 * also says what the table shows of them. The decoder knows no kind by name: each table brings the kinds of its columns.
 *
 * @example
 * ```ts
 * import * as ColumnKind from "@effect-marketdata/core/ColumnKind"
 *
 * const sides = ColumnKind.choices(["call", "put"])
 * sides.expected // => "\"call\" or \"put\""
 * sides.at(new Uint8Array([0, 1]), 1) // => "put"
 * ```
 *
 * @since 0.1.0
 */

/**
 * Positions in a legend, in the narrowest of three types that holds them.
 *
 * @category models
 * @since 0.1.0
 */
export type Codes = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

/**
 * The parts of a vector: typed arrays with one element for each row, and the texts that their codes refer to. Every vector can be split
 * into these parts and rebuilt, so tables are cut, joined and sent to a worker without knowing their kinds.
 *
 * @category models
 * @since 0.1.0
 */
export interface PackedVector {
  readonly lanes: ReadonlyArray<Codes | Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>>
  readonly legend: ReadonlyArray<string>
}

/**
 * Numbers in one `Float64Array`. `repeats` says that neighbours are often equal, which makes them faster to read; `ofText` takes a
 * number from a text, for services that quote their numbers.
 *
 * @category models
 * @since 0.1.0
 */
export interface Numbers {
  readonly _tag: "Numbers"
  readonly repeats: boolean
  readonly ofText?: (text: string) => number | undefined
}

/**
 * A few known values: each element is the position of its value in the list, in one `Uint8Array`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Choices {
  readonly _tag: "Choices"
  readonly values: ReadonlyArray<string | boolean>
}

/**
 * Texts, many of which are equal or have equal beginnings. Each begins with a text of the legend, and a lane of codes says which. If
 * `digits` is 8, each ends in eight digits, which a second lane holds as a number. `most` is the largest legend: a reply with more
 * different texts is refused before it fills the memory. `problem` says why a text is refused.
 *
 * @category models
 * @since 0.1.0
 */
export interface Texts {
  readonly _tag: "Texts"
  readonly digits: 0 | 8
  readonly most: number
  readonly problem?: (text: string) => string | undefined
}

/**
 * A kind of column. `Vector` is the type that the table shows, `Element` the type of one element, and `expected` the words for an element
 * in an error.
 *
 * Its functions are methods, so that a column of any kind is a `ColumnKind<unknown, unknown>`. A table gives each kind its own vectors
 * only.
 *
 * @category models
 * @since 0.1.0
 */
export interface ColumnKind<out Vector = unknown, out Element = unknown> {
  readonly storage: Numbers | Choices | Texts
  readonly expected: string
  at(vector: Vector, index: number): Element
  pack(vector: Vector): PackedVector
  of(packed: PackedVector): Vector
}

/**
 * A vector of texts with few different ones: `codes[i]` is the position of row i's text in `values`, and 0 for null.
 *
 * @category models
 * @since 0.1.0
 */
export interface Dictionary {
  readonly codes: Codes
  readonly values: ReadonlyArray<string>
}

const numbers = (storage: Omit<Numbers, "_tag">): ColumnKind<Float64Array<ArrayBuffer>, number> => ({
  storage: { _tag: "Numbers", ...storage },
  expected: "a number",
  at: (vector, index) => vector[index]!,
  pack: (vector) => ({ lanes: [vector], legend: [] }),
  of: ({ lanes: [vector] }) => vector as Float64Array<ArrayBuffer>
})

/**
 * Finite numbers in a `Float64Array`; NaN for null.
 *
 * @category constructors
 * @since 0.1.0
 */
export const number: ColumnKind<Float64Array<ArrayBuffer>, number> = /* @__PURE__ */ numbers({ repeats: false })

/**
 * Finite numbers whose neighbours are often equal: like `number`, but faster to read in that case.
 *
 * @category constructors
 * @since 0.1.0
 */
export const repeatedNumber: ColumnKind<Float64Array<ArrayBuffer>, number> = /* @__PURE__ */ numbers({ repeats: true })

/**
 * Finite numbers that the service sometimes writes as texts. `ofText` reads such a text, and returns `undefined` for one that is not a
 * number.
 *
 * @category constructors
 * @since 0.1.0
 */
export const quotedNumber = (
  ofText: (text: string) => number | undefined
): ColumnKind<Float64Array<ArrayBuffer>, number> => numbers({ repeats: false, ofText })

/**
 * A few known values, in a `Uint8Array`: each element is the position of its value in the list; 0 for null.
 *
 * @category constructors
 * @since 0.1.0
 */
export const choices = <const Values extends ReadonlyArray<string | boolean>>(
  values: Values
): ColumnKind<Uint8Array<ArrayBuffer>, Values[number]> => ({
  storage: { _tag: "Choices", values },
  expected: values.map((value) => JSON.stringify(value)).join(" or "),
  at: (vector, index) => values[vector[index]!]!,
  pack: (vector) => ({ lanes: [vector], legend: [] }),
  of: ({ lanes: [vector] }) => vector as Uint8Array<ArrayBuffer>
})

/**
 * Booleans in a `Uint8Array`: 0 is false and 1 true; 0 for null.
 *
 * @category constructors
 * @since 0.1.0
 */
export const boolean: ColumnKind<Uint8Array<ArrayBuffer>, boolean> = /* @__PURE__ */ choices([false, true])

/**
 * Texts as a dictionary with at most `most` different ones.
 *
 * @category constructors
 * @since 0.1.0
 */
export const dictionaryOf = (most: number): ColumnKind<Dictionary, string> => ({
  storage: { _tag: "Texts", digits: 0, most },
  expected: "a string",
  at: ({ codes, values }, index) => values[codes[index]!]!,
  pack: ({ codes, values }) => ({ lanes: [codes], legend: values }),
  of: ({ lanes: [codes], legend }) => ({ codes: codes as Codes, values: legend })
})

/**
 * Texts as a dictionary with at most 131,072 different ones, several times the number of stocks.
 *
 * @category constructors
 * @since 0.1.0
 */
export const dictionary: ColumnKind<Dictionary, string> = /* @__PURE__ */ dictionaryOf(131_072)
