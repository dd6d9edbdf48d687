/**
 * Tables as JSON lines: an object for each row, with all columns. Times are ISO 8601 with the offset of New York, or seconds since 1970. What JSON has no
 * numbers for, `NaN` and the infinities, is null.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as JsonLines from "@effect-marketdata/export/JsonLines"
 * import * as Result from "effect/Result"
 *
 * const body = `{"s":"ok","strike":[150,155],"last":[null,0.1]}`
 * const table = Result.getOrThrow(OptionChain.decode(body, { columns: ["strike", "last"] }))
 * new TextDecoder().decode(Result.getOrThrow(JsonLines.encode(table)))
 * // => "{\"strike\":150,\"last\":null}\n{\"strike\":155,\"last\":0.1}\n"
 * ```
 *
 * @see {@link Export} for files and streams
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import type * as Columns from "../columns/Columns.ts"
import type { ExportError } from "../reason/ExportError.ts"
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
 * How JSON lines are written.
 *
 * - `times`: `iso` as ISO 8601 with the offset of New York, by default, or `epoch` in seconds since 1970
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends Cells.Options {}

/** Half of a pair has no place in UTF-8, as in other formats: readers refuse a file with one, written as an escape too. */
const quote = (text: string): string => JSON.stringify(text.replace(/\p{Cs}/gu, "\ufffd"))

const style = { quote, print: JSON.stringify, missing: "null", around: "\"" }

const writing = (options: Options) =>
  Cells.writing(options, style, (columns) => ({
    head: "",
    before: columns.map(({ name }, at) => `${at === 0 ? "{" : ","}${JSON.stringify(name)}:`),
    end: "}\n"
  }))

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
