import * as Result from "effect/Result"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as Reasons from "./OptionSymbolError.ts"
import * as Strike from "./Strike.ts"

/** No symbol is longer, however badly written; what lies beyond is not looked at. */
const longest = 64

/**
 * Says why a text is not an option symbol. Only called once the fast reader has refused it, so it may take its time to find
 * out what was meant. Where several rules are broken the order is that of clause 2.3-precedence, and the root comes last.
 */
export const diagnose = (input: string): Reasons.OptionSymbolReason => {
  const text = input.slice(0, longest)
  if (/^\.?[A-Z]{1,3} ?[A-X][A-Z]$/.test(text)) return new Reasons.LegacySymbol({ offset: 0, text })
  const fields = splitFields(text)
  return expirationProblem(fields) ?? sideProblem(fields) ?? strikeProblem(fields) ?? rootProblem(fields.root)!
}

/** Says why a text of 21 characters is not a padded option symbol: there the fields have their places, and nothing is to be guessed. */
export const diagnosePadded = (input: string): Reasons.OptionSymbolReason => {
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
    (root?.problem === "Blank" ? new Reasons.RootInvalid({ ...root, problem: "BlankInside" }) : root!)
}

/** Says what is wrong with a root, if anything. */
export const rootProblem = (root: string): Reasons.RootInvalid | undefined => {
  const wrong = /[^A-Z0-9]/.exec(root)
  if (wrong !== null) {
    const problem = /[a-z]/.test(wrong[0]) ? "LowerCase" : /\s/.test(wrong[0]) ? "Blank" : "OtherCharacter"
    return new Reasons.RootInvalid({ offset: wrong.index, text: wrong[0], problem })
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
  return problem && new Reasons.RootInvalid({ offset: 0, text: root.slice(0, longest), problem })
}

interface Fields {
  readonly root: string
  readonly expiration: string
  readonly side: string
  readonly strike: string
}

/** Cuts a text where its author most likely saw the four fields. The fields always join to the text again. */
const splitFields = (input: string): Fields => {
  const cut = (match: RegExpExecArray): Fields => ({
    root: match[1]!,
    expiration: match[2]!,
    side: match[3]!,
    strike: match[4]!
  })
  // Six digits and a flag: the expiration is where it belongs. Eight digits that begin with 20 are one with a year of four digits.
  const flagged = /^(.*?)(20\d{6}|\d{6})([CP])(.*)$/s.exec(input)
  if (flagged !== null) return cut(flagged)
  // A flag and something like a strike behind it, but no six digits in front.
  const undated = /^([A-Z]*)(.*?)([CP])([\d.,+\-$ ]*)$/.exec(input)
  if (undated !== null && /\d/.test(undated[2]! + undated[4]!)) return cut(undated)
  // Fourteen digits in a row at the end: a flag was left out between them.
  const unflagged = /^(.*?)(20\d{6}|\d{6})()(\d{8})$/s.exec(input)
  if (unflagged !== null) return cut(unflagged)
  // Six digits with anything else behind them: the first character stands where the flag belongs.
  const misflagged = /^(.*?)(20\d{6}(?!\d)|\d{6})(\D?)(.*)$/s.exec(input)
  if (misflagged !== null) return cut(misflagged)
  const root = /^[A-Z]*/.exec(input)![0]
  return { root, expiration: input.slice(root.length), side: "", strike: "" }
}

const expirationProblem = ({ expiration, root }: Fields): Reasons.ExpirationInvalid | undefined => {
  if (isDay(expiration)) return undefined
  const fourDigitYear = /^20(\d\d)-?(\d\d)-?(\d\d)$/.exec(expiration)?.slice(1).join("")
  return new Reasons.ExpirationInvalid({
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

const sideProblem = ({ expiration, root, side }: Fields): Reasons.SideMissing | undefined =>
  side === "C" || side === "P"
    ? undefined
    : new Reasons.SideMissing({ offset: root.length + expiration.length, text: side })

const strikeProblem = ({ expiration, root, side, strike }: Fields) => {
  if (/^\d{8}$/.test(strike)) return undefined
  const offset = root.length + expiration.length + side.length
  if (/^[+-]?\d*[.,]?\d*$/.test(strike) && /[.,+-]/.test(strike)) {
    const dollars = Strike.parse(strike.replace(",", ".").replace(/^[+-]/, "").replace(/^\./, "0."))
    return new Reasons.StrikeDecimal({
      offset,
      text: strike,
      expected: /\d/.test(strike) ? Result.getOrUndefined(Result.map(dollars, Strike.toDigits)) : undefined
    })
  }
  const padded = /^([^1-9.+-]*)(\d+)$/s.exec(strike)
  if (padded !== null && strike.length <= 8) {
    return new Reasons.StrikeNotPadded({
      offset,
      text: strike,
      expected: padded[2]!.padStart(8, "0"),
      inDollars: Result.getOrUndefined(Result.map(Strike.parse(padded[2]!), Strike.toDigits))
    })
  }
  return new Reasons.StrikeNotEightDigits({ offset, text: strike })
}
