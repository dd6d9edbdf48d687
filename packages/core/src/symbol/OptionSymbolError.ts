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
import * as Result from "effect/Result"
import * as Problem from "../text/Problem.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as Strike from "./Strike.ts"

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

// Which of the reasons it is: the text is cut into fields, and each is looked at.

/** No symbol is longer, however badly written; what lies beyond is not looked at. */
const longest = 64

/**
 * Says why a text is not an option symbol. Only called once the fast reader has refused it, so it may take its time to find
 * out what was meant. Where several rules are broken the order is that of clause 2.3-precedence, and the root comes last.
 *
 * @internal
 */
export const diagnose = (input: string): OptionSymbolReason => {
  const text = input.slice(0, longest)
  if (/^\.?[A-Z]{1,3} ?[A-X][A-Z]$/.test(text)) return new LegacySymbol({ offset: 0, text })
  const fields = splitFields(text)
  return expirationProblem(fields) ?? sideProblem(fields) ?? strikeProblem(fields) ?? rootProblem(fields.root)!
}

/**
 * Says why a text of 21 characters is not a padded option symbol: there the fields have their places, and nothing is to be guessed.
 *
 * @internal
 */
export const diagnosePadded = (input: string): OptionSymbolReason => {
  // Six characters that end in 20 are a shorter root and the beginning of a year of four digits.
  const end = input.slice(4, 6) === "20" ? 4 : 6
  const fields = {
    root: input.slice(0, end),
    expiration: input.slice(end, 12),
    side: input[12]!,
    strike: input.slice(13)
  }
  const root = rootProblem(fields.root.trimEnd())
  return expirationProblem(fields) ?? sideProblem(fields) ?? strikeProblem(fields) ??
    (root?.problem === "Blank" ? new RootInvalid({ ...root, problem: "BlankInside" }) : root!)
}

/**
 * Says what is wrong with a root, if anything.
 *
 * @internal
 */
export const rootProblem = (root: string): RootInvalid | undefined => {
  const wrong = /[^A-Z0-9]/.exec(root)
  if (wrong !== null) {
    const problem = /[a-z]/.test(wrong[0]) ? "LowerCase" : /\s/.test(wrong[0]) ? "Blank" : "OtherCharacter"
    return new RootInvalid({ offset: wrong.index, text: wrong[0], problem })
  }
  const problem = root === ""
    ? "Empty"
    : root.length > 6
    ? "TooLong"
    : !/[A-Z]/.test(root)
    ? "NoLetter"
    : root.endsWith("20")
    ? "EndsIn20"
    : undefined
  return problem && new RootInvalid({ offset: 0, text: root.slice(0, longest), problem })
}

interface Fields {
  readonly root: string
  readonly expiration: string
  readonly side: string
  readonly strike: string
}

/** Where the four fields of a text may be, the surest form first. The last one takes any text. */
const forms: ReadonlyArray<RegExp> = [
  // Six digits and a flag: the expiration is where it belongs. Eight digits that begin with 20 are one with a year of four digits.
  /^(.*?)(20\d{6}|\d{6})([CP])(.*)$/s,
  // A flag and something like a strike behind it, but no six digits in front.
  /^(?=.*\d)([A-Z]*)(.*?)([CP])([\d.,+\-$ ]*)$/,
  // Fourteen digits in a row at the end: a flag was left out between them.
  /^(.*?)(20\d{6}|\d{6})()(\d{8})$/s,
  // Six digits with anything else behind them: the first character stands where the flag belongs.
  /^(.*?)(20\d{6}(?!\d)|\d{6})(\D?)(.*)$/s,
  /^([A-Z]*)(.*)()()$/s
]

/** Cuts a text where its author most likely saw the four fields. The fields always join to the text again. */
const splitFields = (input: string): Fields => {
  const found = forms.map((form) => form.exec(input)).find((match) => match !== null)
  const [, root = "", expiration = "", side = "", strike = ""] = found ?? []
  return { root, expiration, side, strike }
}

const expirationProblem = ({ expiration, root }: Fields): ExpirationInvalid | undefined => {
  if (isDay(expiration)) return undefined
  const fourDigitYear = /^20(\d\d)-?(\d\d)-?(\d\d)$/.exec(expiration)?.slice(1).join("")
  return new ExpirationInvalid({
    offset: root.length,
    text: expiration,
    expected: fourDigitYear !== undefined && isDay(fourDigitYear) ? fourDigitYear : undefined
  })
}

/** Returns whether a text is six digits YYMMDD that name a day. */
const isDay = (text: string): boolean => {
  const [year, month, day] = [0, 2, 4].map((at) => Number(text.slice(at, at + 2)))
  return /^\d{6}$/.test(text) && CalendarDate.isValid(2000 + year!, month!, day!)
}

const sideProblem = ({ expiration, root, side }: Fields): SideMissing | undefined =>
  side === "C" || side === "P"
    ? undefined
    : new SideMissing({ offset: root.length + expiration.length, text: side })

const strikeProblem = ({ expiration, root, side, strike }: Fields) => {
  if (/^\d{8}$/.test(strike)) return undefined
  const offset = root.length + expiration.length + side.length
  if (/^[+-]?\d*[.,]?\d*$/.test(strike) && /[.,+-]/.test(strike)) {
    const dollars = Strike.parse(strike.replace(",", ".").replace(/^[+-]/, "").replace(/^\./, "0."))
    return new StrikeDecimal({
      offset,
      text: strike,
      expected: /\d/.test(strike) ? Result.getOrUndefined(Result.map(dollars, Strike.toDigits)) : undefined
    })
  }
  const padded = /^([^1-9.+-]*)(\d+)$/s.exec(strike)
  if (padded !== null && strike.length <= 8) {
    return new StrikeNotPadded({
      offset,
      text: strike,
      expected: padded[2]!.padStart(8, "0"),
      inDollars: Result.getOrUndefined(Result.map(Strike.parse(padded[2]!), Strike.toDigits))
    })
  }
  return new StrikeNotEightDigits({ offset, text: strike })
}
