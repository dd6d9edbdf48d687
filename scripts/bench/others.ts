/** Other ways to make something of a parsed chain that a program can use. None checks more than the types of the elements. */
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import { tableFromArrays } from "apache-arrow"
import * as Schema from "effect/Schema"
import { z } from "zod"

const names = Object.keys(OptionChain.spec) as ReadonlyArray<OptionChain.Column>

/** The arrays of a reply. */
export type Columns = Readonly<Record<OptionChain.Column, ReadonlyArray<unknown>>>

/** What the elements of a column are, by whatever stands for it in a library. */
const kindOf = <A>(name: string, kinds: Readonly<Record<"side" | "text" | "flag" | "last" | "number", A>>): A =>
  name === "side" || name === "last"
    ? kinds[name]
    : name === "optionSymbol" || name === "underlying"
    ? kinds.text
    : kinds[name === "inTheMoney" ? "flag" : "number"]

const fields = <A>(make: (name: OptionChain.Column) => A): Record<string, A> =>
  Object.fromEntries(names.map((name) => [name, make(name)]))

const schemaOf = (name: string) =>
  kindOf<Schema.Codec<unknown>>(name, {
    side: Schema.Literals(["call", "put"]),
    text: Schema.String,
    flag: Schema.Boolean,
    last: Schema.NullOr(Schema.Finite),
    number: Schema.Finite
  })

/** A schema of Effect for the arrays; made when it is asked for, so that the compiler of schemas can be switched on before. */
export const schemaColumns = () =>
  Schema.decodeUnknownSync(
    Schema.Struct({ s: Schema.Literal("ok"), ...fields((name) => Schema.Array(schemaOf(name))) })
  )

/** The same for rows. */
export const schemaRows = () => Schema.decodeUnknownSync(Schema.Array(Schema.Struct(fields(schemaOf))))

const zodOf = (name: string) =>
  kindOf<z.ZodType>(name, {
    side: z.enum(["call", "put"]),
    text: z.string(),
    flag: z.boolean(),
    last: z.number().nullable(),
    number: z.number()
  })

/** Zod for the arrays; fields that it does not know pass through. */
export const zodColumns = z.looseObject({ s: z.literal("ok"), ...fields((name) => z.array(zodOf(name))) })

/** The same for rows. */
export const zodRows = z.array(z.object(fields(zodOf)))

/** A row as somebody who cares about speed would write it: one literal, so that all rows have one shape. */
// oxlint-disable-next-line typescript/no-implied-eval -- the code is made of the names of columns alone
const rowAt = new Function("c", "at", `return { ${names.map((name) => `${name}: c.${name}[at]`).join()} }`) as (
  columns: Columns,
  at: number
) => unknown

/** The rows of a chain. */
export const toRows = (columns: Columns): ReadonlyArray<unknown> => {
  const rows = []
  for (let at = 0; at < columns.optionSymbol.length; at++) rows.push(rowAt(columns, at))
  return rows
}

/** Numbers and booleans are given to Arrow in typed arrays, which it takes as they are: plain ones it reads element by element. */
export const toArrow = (columns: Columns) =>
  tableFromArrays(fields((name) => {
    const elements = columns[name]
    if (name === "inTheMoney") return Uint8Array.from(elements, (element) => element === true ? 1 : 0)
    if (typeof elements[0] === "string") return elements
    return Float64Array.from(elements, (element) => typeof element === "number" ? element : NaN)
  }))
