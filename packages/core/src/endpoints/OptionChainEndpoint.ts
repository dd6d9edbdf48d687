/**
 * The option chain endpoint as data (contract 4.1): what it is called, where it lies, and what it takes. No decoder is imported
 * here, so that a planner which only prices questions carries none.
 *
 * @example
 * ```ts
 * import * as OptionChainEndpoint from "@effect-marketdata/core/endpoints/OptionChainEndpoint"
 *
 * OptionChainEndpoint.path("SPX") // => "/v1/options/chain/SPX/"
 * OptionChainEndpoint.columns.length // => 25
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as CalendarDate from "../CalendarDate.ts"
import type * as DataMode from "../DataMode.ts"
import type * as OptionChain from "../OptionChain.ts"
import type { Side } from "../OptionSymbol.ts"
import type { Assumptions } from "../Query.ts"
import { InvalidQuery } from "../Reason.ts"

/**
 * What can be asked of the chain endpoint. Everything is optional.
 *
 * - `mode`: which data; by the account's plan where it is left out (clause 8.2-default)
 * - `date`: the end-of-day chain of a past trading day, New York (clause 4.1-date); not with cached modes
 * - `expiration`: one expiration, or `"all"`
 * - `side`: calls or puts only
 * - `columns`: only these columns, which also types the result
 * - `assume`: what the caller knows about the reply beforehand; it bounds the price
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<Name extends OptionChain.Column, Mode extends DataMode.DataMode | undefined> {
  readonly mode?: Mode
  readonly date?: CalendarDate.Input | undefined
  readonly expiration?: CalendarDate.Input | "all" | undefined
  readonly side?: Side | undefined
  readonly columns?: ReadonlyArray<Name> | undefined
  readonly assume?: Assumptions | undefined
}

/**
 * The row of the endpoint: its name, and the rule its price follows.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = { name: "optionChain", kind: "chain" } as const

/**
 * The names of the 25 columns of a reply, in the order of the contract (clause 2.1-fields).
 *
 * @category constants
 * @since 0.1.0
 */
export const columns = [
  "optionSymbol",
  "underlying",
  "expiration",
  "side",
  "strike",
  "firstTraded",
  "dte",
  "ask",
  "askSize",
  "bid",
  "bidSize",
  "mid",
  "last",
  "volume",
  "openInterest",
  "underlyingPrice",
  "inTheMoney",
  "intrinsicValue",
  "extrinsicValue",
  "updated",
  "iv",
  "delta",
  "gamma",
  "theta",
  "vega"
] as const satisfies ReadonlyArray<OptionChain.Column>

/**
 * Returns the path of an underlying's chain; the symbol is already encoded (clause 4.1-path).
 *
 * @category getters
 * @since 0.1.0
 */
export const path = (segment: string): string => `/v1/options/chain/${segment}/`

/**
 * Returns the endpoint's own query parameters, in a fixed order; fails with `InvalidQuery`.
 *
 * @category getters
 * @since 0.1.0
 */
export const parameters = (
  options: Options<OptionChain.Column, DataMode.DataMode | undefined>
): Result.Result<ReadonlyArray<readonly [string, string]>, InvalidQuery> =>
  Result.gen(function*() {
    const parameters: Array<readonly [string, string]> = []
    if (options.date !== undefined) parameters.push(["date", yield* day("date", options.date)])
    if (options.expiration !== undefined) {
      const all = options.expiration === "all"
      parameters.push(["expiration", all ? "all" : yield* day("expiration", options.expiration)])
    }
    if (options.side !== undefined) {
      if (options.side !== "call" && options.side !== "put") {
        return yield* Result.fail(
          new InvalidQuery({ parameter: "side", value: String(options.side), rule: `write "call" or "put"` })
        )
      }
      parameters.push(["side", options.side])
    }
    return parameters
  })

const day = (parameter: string, input: CalendarDate.Input): Result.Result<string, InvalidQuery> =>
  Result.mapBoth(CalendarDate.fromInput(input), {
    onSuccess: CalendarDate.format,
    onFailure: (error) => new InvalidQuery({ parameter, value: error.input, rule: error.message })
  })
