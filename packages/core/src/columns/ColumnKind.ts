/**
 * Kinds of column: how the elements of a JSON array become a compact vector, and how one element is read back.
 * The decoder knows no kind by name; a resource brings the kinds of its columns along.
 *
 * @example
 * ```ts
 * import * as ColumnKind from "@effect-marketdata/core/columns/ColumnKind"
 *
 * const sides = ColumnKind.literals(["call", "put"])
 * const column = sides.builder(2)
 * column.set(0, "put") // => undefined
 * column.set(1, "straddle")?.expected // => "\"call\" or \"put\""
 * sides.at(column.finish(), 0) // => "put"
 * ```
 *
 * @since 0.1.0
 */

/**
 * Refuses one element: what the column would take.
 *
 * @category models
 * @since 0.1.0
 */
export interface Refusal {
  readonly code: "WrongType" | "WrongValue"
  readonly index: number
  readonly expected: string
}

/**
 * Collects the elements of one column, in order. `set` answers `undefined`, or why it refuses the element; a null never
 * reaches it. `finish` returns the vector.
 *
 * @category models
 * @since 0.1.0
 */
export interface Builder<out Vector> {
  readonly set: (index: number, element: unknown) => Refusal | undefined
  readonly finish: () => Vector
}

/**
 * A kind of column: `Vector` is what the table exposes, `Element` what a row shows.
 *
 * `at` is a method, so that a column of any kind is a `ColumnKind<unknown, unknown>`: a table hands each kind its own vectors only.
 *
 * @category models
 * @since 0.1.0
 */
export interface ColumnKind<out Vector = unknown, out Element = unknown> {
  readonly builder: (length: number) => Builder<Vector>
  at(vector: Vector, index: number): Element
}

/**
 * A vector of texts of which few are distinct: `codes[i]` is the position of row i's text in `values`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Dictionary {
  readonly codes: Uint32Array<ArrayBuffer>
  readonly values: ReadonlyArray<string>
}

const wrongType = (index: number, expected: string): Refusal => ({ code: "WrongType", index, expected })

/**
 * Finite numbers in a `Float64Array`; NaN where null.
 *
 * @category kinds
 * @since 0.1.0
 */
export const number: ColumnKind<Float64Array<ArrayBuffer>, number> = {
  builder: (length) => {
    const vector = new Float64Array(length).fill(NaN)
    return {
      set: (index, element) => {
        if (typeof element !== "number") return wrongType(index, "a number")
        if (!Number.isFinite(element)) return { code: "WrongValue", index, expected: "a finite number" }
        vector[index] = element
        return undefined
      },
      finish: () => vector
    }
  },
  at: (vector, index) => vector[index]!
}

/**
 * Booleans in a `Uint8Array` as 0 and 1; 0 where null.
 *
 * @category kinds
 * @since 0.1.0
 */
export const boolean: ColumnKind<Uint8Array<ArrayBuffer>, boolean> = {
  builder: (length) => {
    const vector = new Uint8Array(length)
    return {
      set: (index, element) => {
        if (typeof element !== "boolean") return wrongType(index, "true or false")
        vector[index] = element ? 1 : 0
        return undefined
      },
      finish: () => vector
    }
  },
  at: (vector, index) => vector[index] === 1
}

/**
 * A few fixed texts in a `Uint8Array`, each as its position in the list.
 *
 * @category kinds
 * @since 0.1.0
 */
export const literals = <const Texts extends ReadonlyArray<string>>(
  texts: Texts
): ColumnKind<Uint8Array<ArrayBuffer>, Texts[number]> => {
  const expected = texts.map((text) => JSON.stringify(text)).join(" or ")
  return {
    builder: (length) => {
      const vector = new Uint8Array(length)
      return {
        set: (index, element) => {
          if (typeof element !== "string") return wrongType(index, expected)
          const code = texts.indexOf(element)
          if (code < 0) return { code: "WrongValue", index, expected }
          vector[index] = code
          return undefined
        },
        finish: () => vector
      }
    },
    at: (vector, index) => texts[vector[index]!]!
  }
}

/**
 * Texts as a dictionary; the empty text where null.
 *
 * @category kinds
 * @since 0.1.0
 */
export const dictionary: ColumnKind<Dictionary, string> = {
  builder: (length) => {
    const codes = new Uint32Array(length)
    const codeOf = new Map<string, number>([["", 0]])
    return {
      set: (index, element) => {
        if (typeof element !== "string") return wrongType(index, "a string")
        const code = codeOf.get(element) ?? codeOf.size
        codeOf.set(element, code)
        codes[index] = code
        return undefined
      },
      finish: () => ({ codes, values: [...codeOf.keys()] })
    }
  },
  at: (vector, index) => vector.values[vector.codes[index]!]!
}
