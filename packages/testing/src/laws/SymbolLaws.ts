/**
 * Laws of option symbols and strikes, for any codec of them (contract 2.3).
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as SymbolLaws from "@effect-marketdata/testing/SymbolLaws"
 * import * as Result from "effect/Result"
 *
 * // A codec that pads nothing: its strikes are not eight digits.
 * const format = (symbol: OptionSymbol.OptionSymbol) => OptionSymbol.format(symbol).replace(/([CP])0+/, "$1")
 * const laws = SymbolLaws.of({ parse: OptionSymbol.parse, format })
 * const broken = laws.filter((law) => Result.isFailure(Law.attempt(law, { seed: 1 })))
 * broken[0]?.name // => "a symbol that is printed is read as itself"
 * ```
 *
 * @since 0.1.0
 */
import { OptionSymbol, type OptionSymbolError, Strike } from "@effect-marketdata/core"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import * as OptionSymbols from "../arbitraries/OptionSymbols.ts"
import * as Strikes from "../arbitraries/Strikes.ts"
import * as Law from "../harness/Law.ts"

/**
 * What reads and prints option symbols.
 *
 * @category models
 * @since 0.1.0
 */
export interface Codec {
  readonly parse: (text: string) => Result.Result<OptionSymbol.OptionSymbol, unknown>
  readonly format: (symbol: OptionSymbol.OptionSymbol) => string
}

const clauses = ["2.3-format"]

/**
 * The laws of a codec of option symbols.
 *
 * @example
 * ```ts
 * import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as SymbolLaws from "@effect-marketdata/testing/SymbolLaws"
 *
 * const codec = { parse: OptionSymbol.parse, format: OptionSymbol.format }
 * for (const law of SymbolLaws.of(codec)) Law.check(law, { runs: 10 })
 * ```
 *
 * @category laws
 * @since 0.1.0
 */
export const of = ({ format, parse }: Codec): ReadonlyArray<Law.Law> => [
  readAsItself("a symbol", { format, parse }),
  Law.equation({
    name: "a symbol that is read is printed as it was written",
    clauses,
    arbitrary: OptionSymbols.text,
    expected: (text) => text,
    received: (text) => Result.getOrUndefined(Result.map(parse(text), format))
  }),
  Law.equation({
    name: "a symbol has one way to be written",
    clauses,
    arbitrary: OptionSymbols.anyText,
    expected: (text) => text,
    received: (text) => Result.getOrElse(Result.map(parse(text), format), () => text)
  }),
  ...Object.entries(OptionSymbols.malformed).map(([reason, arbitrary]) =>
    Law.make({
      name: `a malformed symbol is refused: ${reason}`,
      clauses: clausesOf[reason] ?? [],
      arbitrary,
      holds: (text) => Result.isFailure(parse(text))
    })
  )
]

const readAsItself = (what: string, { format, parse }: Codec) =>
  Law.equation({
    name: `${what} that is printed is read as itself`,
    clauses,
    arbitrary: OptionSymbols.optionSymbol,
    expected: (symbol) => symbol,
    received: (symbol) => Result.getOrUndefined(parse(format(symbol)))
  })

const clausesOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  ExpirationInvalid: ["2.3-bad-expiration"],
  SideMissing: ["2.3-bad-side"],
  StrikeNotEightDigits: ["2.3-bad-strike-length"],
  StrikeNotPadded: ["2.3-bad-strike-padding"],
  StrikeDecimal: ["2.3-bad-strike-decimal"],
  LegacySymbol: ["2.3-legacy"],
  RootInvalid: ["2.3-precedence"]
}

/**
 * The law of what says why a text is not a symbol: it names the one rule that is broken, by the tag of core's reason. `diagnose` answers
 * `undefined` for a text that it takes for a symbol.
 *
 * @category laws
 * @since 0.1.0
 */
export const reasons = (
  diagnose: (text: string) => OptionSymbolError.OptionSymbolReason["_tag"] | undefined
): ReadonlyArray<Law.Law> =>
  Object.entries(OptionSymbols.malformed).map(([reason, arbitrary]) =>
    Law.equation<string, string | undefined>({
      name: `a malformed symbol is refused for its reason: ${reason}`,
      clauses: [...clausesOf[reason] ?? [], "2.3-precedence"],
      arbitrary,
      expected: () => reason,
      received: diagnose
    })
  )

/**
 * The laws of a codec of symbols in the padded form of 21 characters.
 *
 * @category laws
 * @since 0.1.0
 */
export const padded = ({ format, parse }: Codec): ReadonlyArray<Law.Law> => [
  readAsItself("a padded symbol", { format, parse }),
  Law.make({
    name: "a padded symbol has 21 characters",
    clauses,
    arbitrary: OptionSymbols.optionSymbol,
    holds: (symbol) => format(symbol).length === 21
  })
]

/**
 * What reads strikes and prints them as the eight digits of a symbol.
 *
 * @category models
 * @since 0.1.0
 */
export interface StrikeCodec {
  readonly parse: (input: string | number) => Result.Result<number, unknown>
  readonly toDigits: (strike: number) => string
}

/**
 * The laws of strikes: a decimal text becomes its digits exactly, and what eight digits cannot carry is refused.
 *
 * @example
 * ```ts
 * import * as Strike from "@effect-marketdata/core/Strike"
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as SymbolLaws from "@effect-marketdata/testing/SymbolLaws"
 *
 * const codec = { parse: Strike.parse, toDigits: Strike.toDigits }
 * for (const law of SymbolLaws.strikes(codec)) Law.check(law, { runs: 10 })
 * ```
 *
 * @category laws
 * @since 0.1.0
 */
export const strikes = ({ parse, toDigits }: StrikeCodec): ReadonlyArray<Law.Law> => [
  Law.equation({
    name: "a strike is encoded to the thousandth",
    clauses: ["2.3-strike-integer", "2.3-strike-tenth", "2.3-strike-fraction", "2.3-strike-range"],
    arbitrary: Strikes.written,
    expected: ({ thousandths }) => String(thousandths).padStart(8, "0"),
    received: ({ text }) => Result.getOrUndefined(Result.map(parse(text), toDigits))
  }),
  Law.equation({
    name: "a number is the strike that it prints as",
    clauses: ["2.3-strike-fraction"],
    arbitrary: Strikes.thousandths,
    expected: (thousandths) => String(thousandths).padStart(8, "0"),
    received: (thousandths) => Result.getOrUndefined(Result.map(parse(thousandths / 1000), toDigits))
  }),
  Law.make({
    name: "what is not a strike is refused",
    clauses: ["2.3-strike-fraction", "2.3-strike-range"],
    arbitrary: fc.oneof(...Object.values(Strikes.refused)),
    holds: (input) => Result.isFailure(parse(input))
  })
]

/**
 * The laws of core's option symbols and strikes.
 *
 * @category laws
 * @since 0.1.0
 */
export const all: ReadonlyArray<Law.Law> = [
  ...of(OptionSymbol),
  ...reasons((text) => {
    const parsed = OptionSymbol.parse(text)
    return Result.isFailure(parsed) ? parsed.failure.reason._tag : undefined
  }),
  ...padded({ parse: OptionSymbol.parseOsi, format: OptionSymbol.formatOsi }),
  ...strikes(Strike)
]
