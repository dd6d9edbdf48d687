/**
 * Why a reply could not be read as columns: where it broke, what was expected there, and what was received.
 *
 * @example
 * ```ts
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const ragged = `{"s":"ok","optionSymbol":["AAPL261120C00150000"],"bid":[1,2]}`
 * Result.match(OptionChain.decode(ragged, { columns: ["optionSymbol", "bid"] }), {
 *   onSuccess: () => "",
 *   onFailure: (error) => error.message
 * }) // => "cannot read the reply (LengthMismatch in column bid at row 1, byte 58): expected 1 element, as in optionSymbol, received 2"
 * ```
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as ForeignText from "../text/ForeignText.ts"

/**
 * Why a reply cannot be read.
 *
 * The bytes are not text, or the text is not JSON (or CSV, if that was asked for):
 * - `InvalidUtf8`, `InvalidEscape`, `ControlCharacter`: in a string
 * - `InvalidNumber`, `UnexpectedToken`: anywhere else
 * - `UnexpectedEnd`, `TrailingData`: the reply ends too early, or goes on after its end
 *
 * The JSON is too large:
 * - `TokenTooLong`, `TooDeep`, `TooManyFields`, `TooManyRows`, `TooManyTexts`: more than any reply of the service needs; the last counts
 *   the different texts of one column
 * - `NumberOutOfRange`: a number that no double can hold
 *
 * The JSON is not a table of this endpoint:
 * - `NotAnObject`, `NotAnArray`: the body is not an object, or a column is not an array
 * - `NotOk`: the status `s` is present and not `ok`
 * - `DuplicateKey`: a field occurs twice
 * - `LengthMismatch`: a column is longer or shorter than the others
 * - `MissingColumn`: a column that identifies the rows is absent
 * - `WrongType`, `WrongValue`: an element has another type, or a value that the column cannot hold
 * - `NullNotAllowed`: null in a column that identifies the rows; under `strict`, null in any column but `last`
 * - `UnknownField`: a field that is not in the contract, under `strict`
 * - `Deviation`: any other finding, under `strict`
 *
 * @category models
 * @since 0.1.0
 */
export type Code =
  | "InvalidUtf8"
  | "InvalidEscape"
  | "ControlCharacter"
  | "InvalidNumber"
  | "UnexpectedToken"
  | "UnexpectedEnd"
  | "TrailingData"
  | "TokenTooLong"
  | "TooDeep"
  | "TooManyFields"
  | "TooManyRows"
  | "TooManyTexts"
  | "NumberOutOfRange"
  | "NotAnObject"
  | "NotAnArray"
  | "NotOk"
  | "DuplicateKey"
  | "LengthMismatch"
  | "MissingColumn"
  | "WrongType"
  | "WrongValue"
  | "NullNotAllowed"
  | "UnknownField"
  | "Deviation"

/**
 * A reply that cannot be read. `column`, `index` and `offset` say where, if that is known: `index` counts rows from 0, `offset` counts
 * bytes of the reply from 0. They do not depend on how the reply was cut into pieces.
 *
 * @category errors
 * @since 0.1.0
 */
export class DecodeError extends Data.TaggedError("DecodeError")<{
  readonly code: Code
  readonly column: string | undefined
  readonly index: number | undefined
  readonly offset: number | undefined
  readonly expected: string
  readonly received: string
}> {
  override get message(): string {
    const column = this.column === undefined ? "" : ` in column ${ForeignText.line(this.column, 80)}`
    const row = this.index === undefined ? "" : ` at row ${this.index}`
    const offset = this.offset === undefined ? "" : `, byte ${this.offset}`
    const place = `${this.code}${column}${row}${offset}`
    return `cannot read the reply (${place}): expected ${ForeignText.line(this.expected)}, received ${
      ForeignText.line(this.received)
    }`
  }
}

/**
 * The bytes of a body. What an untyped caller has instead is refused: what `response.json()` or `arrayBuffer()` gives would count as an empty body.
 *
 * @internal
 */
export const bytesOf = (body: Uint8Array | string): Result.Result<Uint8Array, DecodeError> => {
  if (typeof body === "string") return Result.succeed(new TextEncoder().encode(body))
  return ArrayBuffer.isView(body) ? Result.succeed(body) : notGiven("a Uint8Array or a text", body)
}

/**
 * Refuses what an untyped caller gives in place of what is expected.
 *
 * @internal
 */
export const notGiven = (expected: string, given: unknown) =>
  fail("NotAnObject", undefined, expected, Object.prototype.toString.call(given))

/**
 * Fails with what is wrong, and where.
 *
 * @internal
 */
export const fail = (
  code: Code,
  column: string | undefined,
  expected: string,
  received: string,
  index?: number,
  offset?: number
): Result.Result<never, DecodeError> =>
  Result.fail(new DecodeError({ code, column, index, offset, expected, received }))
