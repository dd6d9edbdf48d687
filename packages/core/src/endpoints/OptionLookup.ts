/**
 * The answer to a lookup: the OCC symbol of the contract that was described (contract 4.3).
 *
 * @example
 * ```ts
 * import * as OptionLookup from "@effect-marketdata/core/OptionLookup"
 * import * as Result from "effect/Result"
 *
 * const found = Result.getOrThrow(OptionLookup.decode(`{"s":"ok","optionSymbol":"AAPL230728C00200000"}`))
 * found.contract.strike // => 200
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { fail } from "../columns/DecodeError.ts"
import * as Document from "../columns/document.ts"
import { ofWhole } from "../columns/Finding.ts"
import * as Endpoint from "../query/Endpoint.ts"
import * as Parameter from "../query/parameter.ts"
import type { Query } from "../query/query.ts"
import * as Rules from "../query/rules.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as OptionSymbol from "../symbol/OptionSymbol.ts"
import { quote } from "../text/ForeignText.ts"
import * as Untyped from "../text/untyped.ts"
import type * as CalendarDate from "../time/CalendarDate.ts"
import * as Define from "./define.ts"
import * as Reading from "./reading.ts"

/**
 * The contract that was found: its symbol as text, and its parts.
 *
 * @category models
 * @since 0.1.0
 */
export interface OptionLookup {
  readonly optionSymbol: string
  readonly contract: OptionSymbol.OptionSymbol
}

/**
 * The endpoint as data: its path, its parameters, its columns and the rule of its price.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.value({
  name: "optionLookup",
  path: "/v1/options/lookup/{description}",
  stated: true,
  demo: "option",
  maxRows: 1
})

/**
 * A contract to look up, by its parts. `underlying` is a ticker, `expiration` a day, and `strike` an amount in dollars.
 *
 * @category models
 * @since 0.1.0
 */
export interface Description {
  readonly underlying: string
  readonly expiration: CalendarDate.Input
  readonly strike: number | string
  readonly side: OptionSymbol.Side
}

/**
 * Makes the query for the OCC symbol of a contract. The contract is given by its parts, or as a text that names underlying, expiration,
 * strike and side. `Query.optionLookup` is the same function.
 *
 * Fails with `InvalidQuery` for a part that breaks its rule, and for a text with other characters than letters, digits, blanks and
 * `/.,$^_-`.
 *
 * @example
 * ```ts
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * Result.map(Query.optionLookup({ underlying: "AAPL", expiration: "2026-11-20", strike: 150, side: "call" }), Query.target)
 * // => Result.succeed("/v1/options/lookup/AAPL%2011%2F20%2F2026%20150%20Call")
 * Result.map(Query.optionLookup("AAPL 11/20/2026 $150 call"), Query.target)
 * // => Result.succeed("/v1/options/lookup/AAPL%2011%2F20%2F2026%20%24150%20call")
 * ```
 *
 * @see {@link OptionSymbol} which makes and reads symbols without a request
 * @category constructors
 * @since 0.1.0
 */
export const query = <const Mode extends Endpoint.UncachedMode = undefined>(
  description: string | Description,
  options: Endpoint.General<Mode> = {}
): Define.Asked<OptionLookup, Mode>["result"] =>
  Result.flatMap(
    typeof description === "string" ? words(description) : describe(description),
    (text) =>
      Define.made(row, {}, options, {
        subject: text,
        segments: { description: text },
        // In a description the underlying usually comes first. If it does not, a query about the demo ticker is not recognised, and the token is sent.
        tickers: [text.split(" ")[0]!]
      })
  )

const words = (text: string): Result.Result<string, InvalidQuery> => {
  const trimmed = text.trim().replace(/ +/g, " ")
  return /^[A-Za-z0-9 /.,$^_-]{1,100}$/.test(trimmed) && !/(^|[ /])\.+($|[ /])/.test(trimmed)
    ? Result.succeed(trimmed)
    : Parameter.refuse("description", text, Rules.descriptionLetters)
}

const parts = {
  underlying: Parameter.ticker,
  expiration: Parameter.calendarDate,
  strike: Parameter.strike,
  side: Parameter.choice(["call", "put"])
} satisfies Parameter.ReadersOf<Description>

const describe = (description: unknown): Result.Result<string, InvalidQuery> =>
  Result.gen(function*() {
    // The parts of a symbol are a description too; their `root` adds nothing.
    const given = Untyped.fields(description, ["underlying", "expiration", "strike", "side"])
    if (given === undefined) return yield* Parameter.refuse("description", description, Rules.description)
    const { expiration, side, strike, underlying } = yield* Parameter.readOptions("description", given, parts)
    if (underlying === undefined || expiration === undefined || strike === undefined || side === undefined) {
      return yield* Parameter.refuse("description", description, Rules.description)
    }
    const { day, month, year } = expiration
    return `${underlying} ${month}/${day}/${year} ${strike} ${side === "call" ? "Call" : "Put"}`
  })

/**
 * Decodes the body of a reply, given as bytes or text. Fails with `DecodeError` for a body that is not such a reply.
 *
 * @example
 * ```ts
 * import * as OptionLookup from "@effect-marketdata/core/OptionLookup"
 * import * as Result from "effect/Result"
 *
 * OptionLookup.decode(`{"s":"ok","optionSymbol":"AAPL261218C00350000"}`).pipe(Result.isSuccess) // => true
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode: Document.Decode<OptionLookup> = (body) => Document.decode(decoder(), body)

/**
 * Creates a decoder for a reply that arrives in pieces. It gives the same results and errors as `decode`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder: Document.Decoder<OptionLookup> = (options) =>
  Document.decoder({ named: { optionSymbol: Document.text } }, options, ({ named: { optionSymbol } }) => {
    const parsed = OptionSymbol.parse(optionSymbol)
    return Result.isSuccess(parsed)
      ? Result.succeed({ optionSymbol, contract: parsed.success })
      : fail("WrongValue", "optionSymbol", `an option symbol (${parsed.failure.reason.rule})`, quote(optionSymbol))
  })

/**
 * A finding if the contract has another side or strike than the description, where that is written as `describe` does. The text is compared, and not the parts
 * that it was made of, because a stored query keeps only the text. The day may differ: symbols of monthly options before 2015 name a Saturday.
 */
const compared = ({ subject }: Query, { contract: { side, strike }, optionSymbol }: OptionLookup) => {
  const [, amount, right] = /^\S+ \S+ ([\d.]+) (Call|Put)$/.exec(subject) ?? []
  const isOther = right !== undefined && (Number(amount) !== strike || right.toLowerCase() !== side)
  return isOther ? [ofWhole("UnexpectedRow", subject, optionSymbol)] : []
}

/** @internal */
export const reading = /* @__PURE__ */ Reading.value(decoder, { compared })
