/**
 * Why a text is no option symbol: one error with one tagged reason for each way to get it wrong (contract 2.3).
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
import * as Data from "effect/Data"
import { quote } from "../text/ForeignText.ts"

/** Where in the input the fault lies, counted in characters from 0, and what stands there. */
interface Place {
  readonly offset: number
  readonly text: string
}

const at = ({ offset, text }: Place): string => `${quote(text)} at position ${offset}`

/**
 * The expiration is not six digits `YYMMDD`, or no such day exists (clause 2.3-bad-expiration). `expected` is the same day in six digits
 * where its year has four.
 *
 * @category errors
 * @since 0.1.0
 */
export class ExpirationInvalid
  extends Data.TaggedError("ExpirationInvalid")<Place & { readonly expected?: string | undefined }>
{
  override get message(): string {
    return `expiration ${at(this)} ` + (this.expected === undefined
      ? "is no day: write six digits YYMMDD that name a day of 2000 to 2099"
      : `has a year of four digits, and must have two: write ${this.expected}`)
  }
}

/**
 * `C` or `P` is missing behind the expiration (clause 2.3-bad-side).
 *
 * @category errors
 * @since 0.1.0
 */
export class SideMissing extends Data.TaggedError("SideMissing")<Place> {
  override get message(): string {
    return `${at(this)} is no side: write C for a call or P for a put behind the expiration`
  }
}

/**
 * The part that is to be the side is neither `call` nor `put`. Types rule it out; data from elsewhere have no types.
 *
 * @category errors
 * @since 0.1.0
 */
export class SideInvalid extends Data.TaggedError("SideInvalid")<Place> {
  override get message(): string {
    return `${quote(this.text)} is no side: write "call" or "put"`
  }
}

/**
 * The strike is not eight digits: it is longer, missing, or holds other characters (clause 2.3-bad-strike-length).
 *
 * @category errors
 * @since 0.1.0
 */
export class StrikeNotEightDigits extends Data.TaggedError("StrikeNotEightDigits")<Place> {
  override get message(): string {
    return `strike ${at(this)} is not eight digits: write the strike times 1000, padded with zeros to eight digits`
  }
}

/**
 * The strike has too few digits, or is padded with something other than zeros (clause 2.3-bad-strike-padding). There are two readings of it:
 * `expected` is the same number padded, thousandths of a dollar; `inDollars` is the strike of that many dollars, where it has eight digits.
 *
 * @category errors
 * @since 0.1.0
 */
export class StrikeNotPadded extends Data.TaggedError("StrikeNotPadded")<
  Place & { readonly expected: string; readonly inDollars: string | undefined }
> {
  override get message(): string {
    const dollars = (digits: string) => `${digits} for a strike of ${Number(digits) / 1000} dollars`
    const readings = this.inDollars === undefined || this.inDollars === this.expected
      ? this.expected
      : `${dollars(this.inDollars)}, or ${dollars(this.expected)}`
    return `strike ${at(this)} is not padded with zeros to eight digits: write ${readings}`
  }
}

/**
 * The strike has a decimal point or a sign (clause 2.3-bad-strike-decimal). `expected` is its right encoding, where it has one.
 *
 * @category errors
 * @since 0.1.0
 */
export class StrikeDecimal
  extends Data.TaggedError("StrikeDecimal")<Place & { readonly expected: string | undefined }>
{
  override get message(): string {
    return `strike ${at(this)} has a decimal point or a sign: ${
      this.expected === undefined ? "write the strike times 1000 as eight digits" : `write ${this.expected}`
    }`
  }
}

/**
 * The text has the form in use before 2010: root, month letter, strike letter (clause 2.3-legacy). A bare ticker can look the
 * same, and the message says so.
 *
 * @category errors
 * @since 0.1.0
 */
export class LegacySymbol extends Data.TaggedError("LegacySymbol")<Place> {
  override get message(): string {
    return `${at(this)} is an option symbol of the form retired in 2010, or a bare ticker: ` +
      "write root, YYMMDD, C or P, and the strike times 1000 as eight digits"
  }
}

/**
 * The root is not one to six capital letters and digits, has no letter, or ends in `20`, which the expiration would continue to a year of
 * four digits. `problem` says how.
 *
 * @category errors
 * @since 0.1.0
 */
export class RootInvalid extends Data.TaggedError("RootInvalid")<
  Place & {
    readonly problem:
      | "Empty"
      | "TooLong"
      | "NoLetter"
      | "EndsIn20"
      | "LowerCase"
      | "Blank"
      | "BlankInside"
      | "OtherCharacter"
      | "NotPadded"
      | "NotText"
  }
> {
  override get message(): string {
    const rule = {
      Empty: "is empty: write one to six capital letters or digits",
      TooLong: "is longer than six characters",
      NoLetter: "has no letter: write the letters of the underlying, such as AAPL",
      EndsIn20:
        "ends in 20, which begins a year of four digits: end the root before it, and write the year with two digits",
      LowerCase: "has a lower-case letter: write capital letters",
      Blank: "has a blank: only the padded form of 21 characters has blanks, and `parseOsi` reads it",
      BlankInside: "has a blank before its end: blanks fill it up behind the last character",
      OtherCharacter: "has a character that is no capital letter and no digit (the root of BRK.B is BRKB)",
      NotText: `is not a text: write a text, such as "AAPL"`,
      NotPadded:
        "is not padded with blanks to six characters: the padded form has 21 characters, and `parse` reads the other"
    }[this.problem]
    return `root ${at(this)} ${rule}`
  }
}

/**
 * There is no text at all, but `null`, a number or an object. Types rule it out; data from elsewhere have no types.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotText extends Data.TaggedError("NotText")<Place> {
  override get message(): string {
    return `${quote(this.text)} is not a text: write a text, such as "AAPL261120C00150000"`
  }
}

/**
 * Every reason for which a text is refused as an option symbol.
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
 * Says which text is no option symbol and why.
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
    return `is no option symbol: ${this.reason.message}`
  }
  override get message(): string {
    return `${quote(this.input)} ${this.rule}`
  }
}
