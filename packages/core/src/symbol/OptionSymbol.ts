/**
 * Option symbols in OCC form: `<ROOT><YYMMDD><C|P><STRIKE>`, such as `AAPL261120C00150000` (contract 2.3).
 *
 * The root may differ from the underlying: `SPXW` options are on SPX, `AAPL1` are adjusted options on AAPL, `BRKB` are on BRK.B. A root
 * has at least one letter and does not end in `20`: `AAPL20261120C00150000` is the root `AAPL` with a year of four digits, and not the
 * root `AAPL20`.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 *
 * const symbol = OptionSymbol.parseUnsafe("SPXW261120P06500500")
 * symbol.strike // => 6500.5
 * OptionSymbol.format({ ...symbol, side: "call" }) // => "SPXW261120C06500500"
 * OptionSymbol.formatOsi(symbol) // => "SPXW  261120P06500500"
 * ```
 *
 * @see {@link OptionSymbolError} for why a text is refused
 * @see {@link Expiration} for the time of expiration
 * @see {@link Strike} for strikes without rounding
 * @since 0.1.0
 */
import * as Eq from "effect/Equivalence"
import * as Ord from "effect/Order"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as Json from "../text/json.ts"
import * as Problem from "../text/Problem.ts"
import * as Untyped from "../text/untyped.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as Reasons from "./OptionSymbolError.ts"
import * as Strike from "./Strike.ts"

/**
 * The right that an option gives: to buy (call) or to sell (put).
 *
 * @category models
 * @since 0.1.0
 */
export type Side = "call" | "put"

/**
 * The parts of a symbol: plain data, compared by value. `strike` is in dollars, and always a whole number of thousandths of a dollar.
 *
 * @category models
 * @since 0.1.0
 */
export interface OptionSymbol {
  readonly root: string
  readonly expiration: CalendarDate.CalendarDate
  readonly side: Side
  readonly strike: number
}

/** Whether the first `length` characters are a root that `rootProblem` accepts: one to six capital letters and digits. It allocates nothing. */
const isRoot = (input: string, length: number): boolean => {
  if (length > 6) return false
  let letters = 0
  for (let at = 0; at < length; at++) {
    const code = input.charCodeAt(at)
    if (code >= 65 && code <= 90) letters++
    else if (!(code >= 48 && code <= 57)) return false
  }
  // What ends in 20 is a shorter root and the beginning of a year of four digits: AAPL 20261218.
  return letters > 0 && !input.startsWith("20", length - 2)
}

/** Reads decimal digits as a number; NaN where any character is not a digit. */
const readDigits = (input: string, from: number, to: number): number => {
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = input.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return NaN
    value = value * 10 + digit
  }
  return value
}

/** Reads a well-formed symbol; `undefined` for any other text. Symbols are split from the right: the last 15 characters are fixed. */
const read = (input: string): OptionSymbol | undefined => {
  const rootLength = input.length - 15
  if (!isRoot(input, rootLength)) return undefined
  const date = readDigits(input, rootLength, rootLength + 6)
  const flag = input.charCodeAt(rootLength + 6)
  const thousandths = readDigits(input, rootLength + 7, rootLength + 15)
  const year = 2000 + Math.floor(date / 10_000)
  const month = Math.floor(date / 100) % 100
  const day = date % 100
  if (!CalendarDate.isValid(year, month, day) || (flag !== 67 && flag !== 80) || !(thousandths >= 0)) return undefined
  return {
    root: input.slice(0, rootLength),
    expiration: { year, month, day },
    side: flag === 67 ? "call" : "put",
    strike: Strike.fromThousandths(thousandths)
  }
}

/**
 * Parses a symbol without spaces (clause 2.3-format). Two-digit years are 2000 to 2099; weekends and holidays are accepted. Fails with
 * `OptionSymbolError`, whose reason names the broken rule, its position and the text there.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 * import * as Result from "effect/Result"
 *
 * Result.map(OptionSymbol.parse("AAPL261218C00350500"), ({ strike }) => strike) // => Result.succeed(350.5)
 * Result.isFailure(OptionSymbol.parse("AAPL 350 call")) // => true
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const parse = (input: string): Result.Result<OptionSymbol, Reasons.OptionSymbolError> => {
  if (typeof input !== "string") return fail(input, new Reasons.NotText({ offset: 0, text: Untyped.shown(input) }))
  const symbol = read(input)
  return symbol === undefined ? fail(input, Reasons.diagnose(input)) : Result.succeed(symbol)
}

const fail = (input: unknown, reason: Reasons.OptionSymbolReason) =>
  Result.fail(new Reasons.OptionSymbolError({ input: Untyped.shown(input), reason }))

/**
 * Parses a symbol without spaces; throws `OptionSymbolError` where `parse` fails.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 *
 * OptionSymbol.parseUnsafe("AAPL261218C00350500").root // => "AAPL"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const parseUnsafe = (input: string): OptionSymbol => Result.getOrThrow(parse(input))

/**
 * Parses the padded form of 21 characters, in which spaces fill the root to six characters. Fails with `OptionSymbolError`.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 * import * as Result from "effect/Result"
 *
 * Result.map(OptionSymbol.parseOsi("AAPL  261218C00350500"), OptionSymbol.format) // => Result.succeed("AAPL261218C00350500")
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const parseOsi = (input: string): Result.Result<OptionSymbol, Reasons.OptionSymbolError> => {
  if (typeof input !== "string") return fail(input, new Reasons.NotText({ offset: 0, text: Untyped.shown(input) }))
  if (input.length !== 21) {
    return fail(input, new Reasons.RootInvalid({ offset: 0, text: input.slice(0, 6), problem: "NotPadded" }))
  }
  const symbol = read(input.slice(0, 6).replace(/ +$/, "") + input.slice(6))
  return symbol === undefined ? fail(input, Reasons.diagnosePadded(input)) : Result.succeed(symbol)
}

/**
 * Parses the padded form of 21 characters; throws `OptionSymbolError` where `parseOsi` fails.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 *
 * OptionSymbol.parseOsiUnsafe("F     261218P00012500").strike // => 12.5
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const parseOsiUnsafe = (input: string): OptionSymbol => Result.getOrThrow(parseOsi(input))

/**
 * Creates a symbol from its parts. The expiration may be a text such as `2026-11-20`; the strike is a number of dollars or a decimal
 * text.
 *
 * Fails with `OptionSymbolError` for an invalid root or side, and for an expiration outside 2000 to 2099; with `CalendarDateError` for a
 * text that is not a day; and with `StrikeError` for a strike that eight digits cannot hold (clauses 2.3-strike-fraction and
 * 2.3-strike-range).
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 * import * as Result from "effect/Result"
 *
 * Result.map(OptionSymbol.make({ root: "AAPL", expiration: "2026-11-20", side: "call", strike: 150 }), OptionSymbol.format)
 * // => Result.succeed("AAPL261120C00150000")
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (parts: {
  readonly root: string
  readonly expiration: CalendarDate.Input
  readonly side: Side
  readonly strike: number | string
}): Result.Result<OptionSymbol, Reasons.OptionSymbolError | CalendarDate.CalendarDateError | Strike.StrikeError> =>
  Result.gen(function*() {
    const given = partsOf(parts)
    const { root, side } = given
    if (typeof root !== "string") {
      return yield* fail(root, new Reasons.RootInvalid({ offset: 0, text: Untyped.shown(root), problem: "NotText" }))
    }
    const badRoot = Reasons.rootProblem(root)
    if (badRoot !== undefined) return yield* fail(root, badRoot)
    const expiration = yield* CalendarDate.fromInput(given.expiration as CalendarDate.Input)
    if (expiration.year < 2000 || expiration.year > 2099) {
      const text = CalendarDate.format(expiration)
      return yield* fail(text, new Reasons.ExpirationInvalid({ offset: 0, text }))
    }
    if (side !== "call" && side !== "put") {
      const text = Untyped.shown(side).slice(0, 64)
      return yield* fail(text, new Reasons.SideInvalid({ offset: 0, text }))
    }
    const strike = yield* Strike.parse(given.strike as number | string)
    return { root, expiration, side, strike }
  })

/**
 * Creates a symbol from its parts; throws where `make` fails.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 *
 * const call = OptionSymbol.makeUnsafe({ root: "AAPL", expiration: "2026-12-18", side: "call", strike: 350 })
 * OptionSymbol.format(call) // => "AAPL261218C00350000"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeUnsafe = (parts: Parameters<typeof make>[0]): OptionSymbol => Result.getOrThrow(make(parts))

const partsOf = (input: unknown): { readonly [Name in keyof OptionSymbol]?: unknown } =>
  Untyped.fields(input, ["root", "expiration", "side", "strike"]) ?? {}

/** Whether parts, of callers without types too, are those of a symbol. Checked in place, because whole chains are printed. */
const isSound = ({ expiration, root, side, strike }: Partial<OptionSymbol>): boolean => {
  const { day = 0, month = 0, year = 0 } = expiration ?? {}
  const thousandths = typeof strike === "number" ? Strike.toThousandths(strike) : NaN
  return typeof root === "string" && isRoot(root, root.length) &&
    CalendarDate.isValid(year, month, day) && year >= 2000 && year <= 2099 && (side === "call" || side === "put") &&
    thousandths >= 0 && thousandths < 1e8 && Strike.fromThousandths(thousandths) === strike
}

/** What stands behind the root. Parts that no symbol can hold are written as they are, so that they name no other contract: 2126 for that year, and not 26. */
const fixedPart = ({ expiration: { day, month, year }, side, strike }: OptionSymbol): string => {
  const date = year >= 2000 && year <= 2099 ? (year - 2000) * 10_000 + month * 100 + day : `${year}-${month}-${day}`
  const isExact = Strike.fromThousandths(Strike.toThousandths(strike)) === strike
  const letter = side === "call" ? "C" : side === "put" ? "P" : side
  return String(date).padStart(6, "0") + letter + (isExact ? Strike.toDigits(strike) : strike)
}

const print = (self: OptionSymbol, rootWidth: number): string => {
  if (isSound(self ?? {})) return self.root.padEnd(rootWidth) + fixedPart(self)
  const text = Result.getOrElse(Result.try(() => self.root + fixedPart(self)), () => Untyped.shown(self))
  throw new Reasons.OptionSymbolError({ input: text, reason: Reasons.diagnose(text) })
}

/**
 * Prints a symbol without spaces; the inverse of `parse`. Throws `OptionSymbolError` for parts that `make` refuses, such as a root in lower case.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 *
 * const call = OptionSymbol.parseUnsafe("AAPL261218C00350000")
 * OptionSymbol.format({ ...call, strike: 352.5 }) // => "AAPL261218C00352500"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (self: OptionSymbol): string => print(self, 0)

/**
 * Prints the padded form of 21 characters; the inverse of `parseOsi`. Throws as `format` does.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 *
 * OptionSymbol.formatOsi(OptionSymbol.parseUnsafe("AAPL261218C00350000")) // => "AAPL  261218C00350000"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const formatOsi = (self: OptionSymbol): string => print(self, 6)

/**
 * Returns whether a value has the parts of a valid option symbol, so that `format` can print it.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 *
 * OptionSymbol.isOptionSymbol(OptionSymbol.parseUnsafe("AAPL261218C00350000")) // => true
 * OptionSymbol.isOptionSymbol("AAPL261218C00350000") // => false
 * ```
 *
 * @category guards
 * @since 0.1.0
 */
export const isOptionSymbol = (input: unknown): input is OptionSymbol => {
  const parts = partsOf(input)
  return CalendarDate.isCalendarDate(parts.expiration) && isSound(parts as Partial<OptionSymbol>)
}

const known = /* @__PURE__ */ Problem.guard("option symbol", "what OptionSymbol.parse reads", { root: "" })

/**
 * Orders symbols by root, expiration, side (calls first) and strike: the order in which chains are listed.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 *
 * const symbols = ["AAPL261218P00340000", "AAPL261120C00350000"].map(OptionSymbol.parseUnsafe)
 * symbols.toSorted(OptionSymbol.Order).map(OptionSymbol.format) // => [ "AAPL261120C00350000", "AAPL261218P00340000" ]
 * ```
 *
 * @category instances
 * @since 0.1.0
 */
export const Order: Ord.Order<OptionSymbol> = /* @__PURE__ */ Ord.mapInput(
  /* @__PURE__ */ Ord.Struct({
    root: Ord.String,
    expiration: CalendarDate.Order,
    side: Ord.String,
    strike: Ord.Number
  }),
  known
)

/**
 * Compares symbols part by part.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 *
 * const call = OptionSymbol.parseUnsafe("AAPL261218C00350000")
 * OptionSymbol.Equivalence(call, { ...call }) // => true
 * ```
 *
 * @category instances
 * @since 0.1.0
 */
export const Equivalence: Eq.Equivalence<OptionSymbol> = /* @__PURE__ */ Eq.make((a, b) =>
  known(a).root === known(b).root && a.side === b.side && a.strike === b.strike &&
  CalendarDate.Equivalence(a.expiration, b.expiration)
)

/**
 * Schema between a symbol without spaces as text and its parts. Property tests draw any day, side and strike that a symbol can hold, and
 * roots with up to two digits after their last letter.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 * import * as Schema from "effect/Schema"
 *
 * const Position = Schema.Struct({ symbol: OptionSymbol.FromString, size: Schema.Int })
 * Schema.decodeSync(Position)({ symbol: "AAPL261218C00350000", size: 2 }).symbol.strike // => 350
 * ```
 *
 * @category schemas
 * @since 0.1.0
 */
export const FromString: Schema.Codec<OptionSymbol, string> = /* @__PURE__ */ Json.ofText({
  identifier: "OptionSymbol",
  is: isOptionSymbol,
  parse,
  format,
  legal:
    /^(?:[A-Z0-9]{0,5}[A-Z]|[A-Z0-9]{0,4}[A-Z]\d|[A-Z0-9]{0,3}[A-Z](?:[013-9]\d|2[1-9]))(?:\d\d(?:(?:0[1-9]|1[0-2])(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])(?:29|30)|(?:0[13578]|1[02])31)|(?:[02468][048]|[13579][26])0229)[CP]\d{8}$/
})
