/**
 * Why a text is not an option symbol: one error with one tagged reason for each way to get it wrong (contract 2.3).
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 * import * as Result from "effect/Result"
 *
 * Result.match(OptionSymbol.parse("AAPL261120C150"), {
 *   onSuccess: OptionSymbol.format,
 *   onFailure: (error) => error.reason._tag
 * }) // => "StrikeNotPadded"
 * ```
 *
 * @since 0.1.0
 */
import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Problem from "../text/Problem.ts"

/** Where in the input the fault lies, counted in characters from 0, and what stands there. */
interface Place {
  readonly offset: number
  readonly text: string
}

const at = ({ offset, text }: Place): string => `${Problem.shown(text, 24)} at position ${offset}`

const example = "AAPL261218C00150000"

/** Makes the class of a reason of what its rule says. By itself it does not know the whole text. */
function reason<Fields = unknown>(): <Tag extends string>(
  tag: Tag,
  rule: (self: Place & Fields) => string
) => new (fields: Place & Fields) => Told<Tag> & Readonly<Fields>
function reason() {
  return (tag: string, rule: (self: Place) => string) =>
    class extends Data.TaggedError(tag)<Place> {
      get rule(): string {
        return rule(this)
      }
      override get message(): string {
        return Problem.format("the text", { rule: `is not an OCC option symbol; ${this.rule}`, example })
      }
    }
}

interface Told<out Tag> extends Cause.YieldableError, Place {
  readonly _tag: Tag
  /** What is wrong, without the text. */
  readonly rule: string
}

/**
 * The expiration is not six digits `YYMMDD`, or there is no such day (clause 2.3-bad-expiration). If its year has four digits, `expected`
 * is the same day in six.
 *
 * @category errors
 * @since 0.1.0
 */
export class ExpirationInvalid extends /* @__PURE__ */ reason<{ readonly expected?: string | undefined }>()(
  "ExpirationInvalid",
  (self) =>
    `its expiration ${at(self)} ` +
    (self.expected === undefined
      ? "is not a day YYMMDD of 2000 to 2099"
      : "has a year of four digits instead of two")
) {}

/**
 * `C` or `P` is missing after the expiration (clause 2.3-bad-side).
 *
 * @category errors
 * @since 0.1.0
 */
export class SideMissing extends /* @__PURE__ */ reason()("SideMissing", (self) =>
  self.text === ""
    ? `C (call) or P (put) is missing at position ${self.offset}`
    : `it has ${at(self)} where C (call) or P (put) must be`)
{}

/**
 * The side is neither `call` nor `put`. Types forbid it, but data from outside may have it.
 *
 * @category errors
 * @since 0.1.0
 */
export class SideInvalid extends /* @__PURE__ */ reason()(
  "SideInvalid",
  ({ text }) => `its side ${Problem.shown(text, 24)} is not "call" or "put"`
) {}

/**
 * The strike is not eight digits: it is longer, missing, or holds other characters (clause 2.3-bad-strike-length).
 *
 * @category errors
 * @since 0.1.0
 */
export class StrikeNotEightDigits extends /* @__PURE__ */ reason()(
  "StrikeNotEightDigits",
  (self) => `its strike ${at(self)} is not the strike times 1000 in eight digits`
) {}

/**
 * The strike has too few digits, or is padded with something other than zeros (clause 2.3-bad-strike-padding). It can be read in two
 * ways: `expected` is the same number padded, in thousandths of a dollar; `inDollars` is the encoding of that many dollars, if it has
 * eight digits.
 *
 * @category errors
 * @since 0.1.0
 */
export class StrikeNotPadded
  extends /* @__PURE__ */ reason<{ readonly expected: string; readonly inDollars: string | undefined }>()(
    "StrikeNotPadded",
    (self) => {
      const readings = new Set([self.inDollars ?? self.expected, self.expected])
      return `its strike ${at(self)} is not padded to eight digits: ` +
        Array.from(readings, (digits) => `${digits} is ${Number(digits) / 1000} dollars`).join(", ")
    }
  )
{}

/**
 * The strike has a decimal point or a sign (clause 2.3-bad-strike-decimal). `expected` is its right encoding, if it has one.
 *
 * @category errors
 * @since 0.1.0
 */
export class StrikeDecimal extends /* @__PURE__ */ reason<{ readonly expected: string | undefined }>()(
  "StrikeDecimal",
  (self) => `its strike ${at(self)} has a decimal point or a sign; it must be the strike times 1000 in eight digits`
) {}

/**
 * The text has the form that was used before 2010: root, month letter, strike letter (clause 2.3-legacy). A plain ticker can look the
 * same, and the message says so.
 *
 * @category errors
 * @since 0.1.0
 */
export class LegacySymbol
  extends /* @__PURE__ */ reason()("LegacySymbol", () => "it has the form retired in 2010, or is a ticker")
{}

/** What is wrong with a root. */
const ofRoot = {
  Empty: "is missing",
  TooLong: "has more than six characters",
  NoLetter: "has no letter",
  EndsIn20: "ends in 20, the beginning of a year of four digits",
  LowerCase: "has a lower-case letter",
  Blank: "has a space; parseOsi reads the padded form",
  BlankInside: "has a space before its end",
  OtherCharacter: "has a character that is not a capital letter or digit (BRK.B has the root BRKB)",
  NotText: "is not a string",
  NotPadded: "is not padded to six characters; parse reads the form without spaces"
}

/**
 * The root is not one to six capital letters and digits, has no letter, or ends in `20`, so that with the expiration it reads as a year
 * of four digits. `problem` says which.
 *
 * @category errors
 * @since 0.1.0
 */
export class RootInvalid extends /* @__PURE__ */ reason<{ readonly problem: keyof typeof ofRoot }>()(
  "RootInvalid",
  (self) => `its root ${self.problem === "Empty" ? "" : `${at(self)} `}${ofRoot[self.problem]}`
) {}

/**
 * The input is not a string but `null`, a number or an object. Types forbid it, but data from outside may have it.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotText extends /* @__PURE__ */ reason()("NotText", () => "it is not a string") {}

/**
 * Every reason why a text is not an option symbol.
 *
 * @category errors
 * @since 0.1.0
 */
export type OptionSymbolReason =
  | NotText
  | ExpirationInvalid
  | SideMissing
  | SideInvalid
  | StrikeNotEightDigits
  | StrikeNotPadded
  | StrikeDecimal
  | LegacySymbol
  | RootInvalid

/**
 * The text that is not an option symbol, and the reason.
 *
 * @category errors
 * @since 0.1.0
 */
export class OptionSymbolError extends Data.TaggedError("OptionSymbolError")<{
  readonly input: string
  readonly reason: OptionSymbolReason
}> {
  /** What is wrong, without the input. */
  get rule(): string {
    const rule = isTicker(this)
      ? "it looks like a ticker"
      : isLowerCase(this) && this.reason._tag === "SideMissing"
      ? "it must be written in capital letters"
      : this.reason.rule
    return `is not an OCC option symbol; ${rule}`
  }
  /** The symbol as it was probably meant, or else any. */
  get example(): string {
    if (isLowerCase(this)) return this.input.toUpperCase()
    const { offset, text } = this.reason
    const expected = "inDollars" in this.reason
      ? this.reason.inDollars ?? this.reason.expected
      : "expected" in this.reason
      ? this.reason.expected
      : undefined
    const meant = this.input.slice(0, offset) + expected + this.input.slice(offset + text.length)
    return expected !== undefined && isSymbol.test(meant) ? meant : example
  }
  override get message(): string {
    return Problem.format(Problem.shown(this.input), this)
  }
}

/** Nothing stands behind the root. Five letters may as well be an option symbol of the form retired in 2010. */
const isTicker = ({ input, reason }: OptionSymbolError): boolean =>
  (reason._tag === "LegacySymbol" || reason._tag === "ExpirationInvalid" && reason.text === "") &&
  /^\^?[A-Z]{1,4}$/.test(input)

/** Nothing is wrong but the case of its letters. */
const isLowerCase = ({ input, reason }: OptionSymbolError): boolean =>
  (reason._tag === "SideMissing" && /^[cp]$/.test(reason.text) ||
    reason._tag === "RootInvalid" && reason.problem === "LowerCase") &&
  isSymbol.test(input.toUpperCase())

const isSymbol = /^[A-Z][A-Z0-9]{0,5}\d{6}[CP]\d{8}$/
