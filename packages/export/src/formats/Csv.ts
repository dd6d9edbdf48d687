/**
 * Tables as CSV (RFC 4180), with a header. Times are ISO 8601 with the offset of New York, or seconds since 1970. A null is an empty cell, and an
 * empty text is `""`. In a table of one column a null is `""` too, because many readers skip empty lines. Numbers read
 * back to the same bits. A text that a spreadsheet would run, because it begins with `=`, `+`, `-` or `@`, gets an apostrophe before it.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Csv from "@effect-marketdata/export/Csv"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","strike":[150,155],"last":[null,0.1],"updated":[1795208400,1795208400]}`
 * const table = Result.getOrThrow(OptionChain.decode(body, { columns: ["strike", "last", "updated"] }))
 * new TextDecoder().decode(Result.getOrThrow(Csv.encode(table)))
 * // => "strike,last,updated\r\n150,,2026-11-20T16:00:00-05:00\r\n155,0.1,2026-11-20T16:00:00-05:00\r\n"
 * ```
 *
 * @see {@link Export} for files and streams
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import type * as Columns from "../columns/Columns.ts"
import { type ExportError, invalid } from "../reason/ExportError.ts"
import * as Cells from "./cells.ts"
import * as Encoder from "./encoder.ts"

/**
 * What writes tables in this format one after the other, and the bytes that it makes.
 *
 * `push` takes a table, and returns what can be written of it and of those before; `end` returns the rest. The bytes may lie over the memory of the table:
 * write them before the table is released.
 *
 * @category models
 * @since 0.1.0
 */
export type { Bytes, Encoder } from "./encoder.ts"

/**
 * How CSV is written.
 *
 * - `times`: `iso` as ISO 8601 with the offset of New York, by default, or `epoch` in seconds since 1970
 * - `lineEnd`: what ends each line, `\r\n` by default
 * - `cell`: writes a text, or the name of a column, as a cell; by default with the quotation marks of RFC 4180 and the apostrophe
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends Cells.Options {
  readonly lineEnd?: "\r\n" | "\n" | undefined
  readonly cell?: ((text: string) => string) | undefined
}

/** What a spreadsheet takes for the beginning of a formula, wide forms included. */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/

/**
 * A text as a cell. One that begins with an apostrophe is quoted, too: readers that guess the quotation mark would take that for it, and lose rows. So is
 * an empty one: it would be read as null.
 */
const quote = (text: string): string => {
  const harmless = formula.test(text) ? `'${text}` : text
  return /^'|^$|[",\r\n]/.test(harmless) ? `"${harmless.replaceAll("\"", "\"\"")}"` : harmless
}

const writing =
  ({ cell = quote, lineEnd = "\r\n", ...options }: Options) =>
  (columns: ReadonlyArray<Columns.Column>): Encoder.Writing => {
    if (lineEnd !== "\r\n" && lineEnd !== "\n") {
      throw invalid("lineEnd", lineEnd, { rule: "must be \\r\\n or \\n", example: `"\\n"` })
    }
    if (typeof cell !== "function") {
      throw invalid("cell", cell, { rule: "must be a function", example: "JSON.stringify" })
    }
    const missing = columns.length === 1 ? "\"\"" : ""
    return Cells.writing(options, { quote: cell, print: String, missing, around: "" }, () => ({
      head: `${columns.map(({ name }) => cell(name)).join(",")}${lineEnd}`,
      before: columns.map((_, at) => at === 0 ? "" : ","),
      end: lineEnd
    }))(columns)
  }

/**
 * Makes an encoder, which writes tables one after the other.
 *
 * @category encoding
 * @since 0.1.0
 */
export const encoder = (options: Options = {}): Encoder.Encoder => Encoder.make(options, writing)

/**
 * Encodes a table. Fails with `ExportError` for a time that is not a whole second of the years 1 to 9999.
 *
 * @category encoding
 * @since 0.1.0
 */
export const encode = (table: Columns.Table, options: Options = {}): Result.Result<Encoder.Bytes, ExportError> =>
  Encoder.whole(encoder(options), table)
