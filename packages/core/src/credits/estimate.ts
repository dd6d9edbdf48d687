/** Estimates and charges as data, and their assumptions. */
import type * as Profile from "../account/Profile.ts"
import type { Finding } from "../columns/Finding.ts"
import type * as Query from "../query/query.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as Json from "../text/json.ts"
import * as Problem from "../text/Problem.ts"

/**
 * An assumption of an estimate or a charge: stated by the caller, or chosen where the contract says nothing.
 *
 * @category models
 * @since 0.1.0
 */
export interface Assumption {
  readonly name: string
  readonly value: string
}

/** What every estimate and every charge states: the clause that it follows, and its assumptions. */
export interface Terms {
  readonly clause: string
  readonly assumptions: ReadonlyArray<Assumption>
}

/**
 * The options of a price, besides the assumptions of a query.
 *
 * - `profile`: whose rules hold where the public service contradicts the contract
 * - `rounding`: how a part of 1000 is counted, `up` by default; anything above 0 costs at least 1
 * - `quoteData`: which of bid, ask, mid and last a symbol must have to count as having quote data, `any` by default (clause
 *   8.2-cost-quotes)
 * - `requests`: how many requests a list of symbols is cut into; by default as few as at most 500 symbols and 4094 bytes
 *   each allow (clause 8.1-batches)
 * - `refusal`: what a reply costs that is not a success, 0 by default (clause 7.1-charge-not-stated)
 * - `figures`: which figures of the service are recorded, `possible` by default
 * - `seen`: sizes of chains that were seen, see `ChainSize`. They bound a chain where its filters do not bound it lower
 *
 * @category models
 * @since 0.1.0
 */
export interface PriceOptions extends Query.Assumptions {
  readonly profile?: Profile.Profile | undefined
  readonly rounding?: Rounding | undefined
  readonly quoteData?: "any" | "all" | undefined
  readonly requests?: number | undefined
  readonly refusal?: number | undefined
  readonly figures?: RecordedFigures | undefined
  readonly seen?: Seen | undefined
}

/**
 * Which of the service's figures for a request are recorded; for the others the computed charge is recorded.
 *
 * - `any`: all of them
 * - `possible`: those of up to 100 credits for each row of the reply. The contract has no price above 1 credit for a row, and prices may
 *   rise, but a figure above 100 is a mistake
 * - `explained`: those that follow from the price of the query, by the contract or by the public service
 *
 * @category models
 * @since 0.1.0
 */
export type RecordedFigures = "any" | "possible" | "explained"

/**
 * How a part of a thousand is counted.
 *
 * @category models
 * @since 0.1.0
 */
export type Rounding = "up" | "down" | "nearest"

/**
 * The price is known to the credit.
 *
 * @category models
 * @since 0.1.0
 */
export interface Exact extends Terms {
  readonly _tag: "Exact"
  readonly credits: number
}

/**
 * The price lies between two bounds, both included. `max` is `Infinity` if there is no upper bound; `movedBy` says what decides the
 * price.
 *
 * @category models
 * @since 0.1.0
 */
export interface Range extends Terms {
  readonly _tag: "Range"
  readonly min: number
  readonly max: number
  readonly movedBy: string
}

/**
 * The contract states no price; `what` names the missing price.
 *
 * @category models
 * @since 0.1.0
 */
export interface NotStated extends Terms {
  readonly _tag: "NotStated"
  readonly what: string
}

/**
 * There is no such answer, and so no price; `why` gives the reason.
 *
 * @category models
 * @since 0.1.0
 */
export interface Unavailable extends Terms {
  readonly _tag: "Unavailable"
  readonly why: string
}

/**
 * There is no price because an assumption is invalid, such as a count that is `NaN`. `reason` is the `InvalidQuery` with which the
 * constructor of the query would refuse it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Refused extends Terms {
  readonly _tag: "Refused"
  readonly reason: InvalidQuery
}

/**
 * What a query will cost.
 *
 * @category models
 * @since 0.1.0
 */
export type Estimate = Exact | Range | NotStated | Unavailable | Refused

/**
 * The part of a reply that decides the charge: its status, its contents, and the figure that the service reported as consumed (undefined
 * without one). Of the counts, only the one that the price depends on is needed.
 *
 * - `contracts`: the contracts of a chain; `quoted`: those with quote data, all if left out
 * - `symbols`: the symbols in the reply; for quotes, those with quote data, see `Credits.countWithQuotes`
 * - `unclear`: further contracts or symbols of which the reply does not tell whether they have quote data, because not all prices were
 *   asked for; 0 if left out
 * - `candles`: the candles in the reply
 *
 * @category models
 * @since 0.1.0
 */
export interface Outcome {
  readonly status: number
  readonly contracts?: number | undefined
  readonly quoted?: number | undefined
  readonly symbols?: number | undefined
  readonly unclear?: number | undefined
  readonly candles?: number | undefined
  readonly reported?: number | undefined
}

/**
 * What a request cost, in credits.
 *
 * - `credits`: what it was certainly charged: the figure of the service if there is one, otherwise `computed`. Both stay visible
 * - `uncertain`: what it may have been charged in addition, if the reply does not tell and the service gave no figure
 * - `computed`: the price by the rule, the lowest one if the reply does not tell. It is undefined if no price is stated, or if its units
 *   were not counted; `credits` is then the figure of a named assumption
 * - `finding`: `UnexplainedCharge` if the service's figure follows from no price, neither the contract's nor the public service's.
 *   `figures` says whether it is recorded
 *
 * @category models
 * @since 0.1.0
 */
export interface Charge extends Terms {
  readonly credits: number
  readonly uncertain: number
  readonly reported: number | undefined
  readonly computed: number | undefined
  readonly finding: Finding | undefined
}

/** Makes an estimate between two bounds. `JSON.stringify` prints an infinite upper bound as `"Infinity"`, not as null. */
export const range = (fields: Omit<Range, "_tag">): Range => {
  const made: Range = { _tag: "Range", ...fields }
  // Any other is printed as it is.
  return fields.max === Infinity ? Json.withJson(made, toJSON) : made
}

function toJSON(this: Range) {
  return { ...this, max: "Infinity" }
}

/**
 * Returns the lowest and the highest cost that an estimate allows, in credits. If there is no price, it is from 0 to `Infinity`.
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const quotes = Result.getOrThrow(Query.stockQuotes(["AAPL", "MSFT"], { mode: DataMode.live }))
 * Credits.bounds(Credits.estimate(quotes)) // => { min: 0, max: 2 }
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const bounds = (self: Estimate): { readonly min: number; readonly max: number } => {
  switch (self?._tag) {
    case "Exact":
      return { min: self.credits, max: self.credits }
    case "Range":
      return { min: self.min, max: self.max }
    default:
      return known(self) && { min: 0, max: Infinity }
  }
}

/** Returns an estimate unchanged; throws for any other value, such as the `Result` of a query. */
export const known = /* @__PURE__ */ Problem.guard("estimate", "Credits.estimate(query)", { _tag: "", assumptions: [] })

/** The name of the size that bounds an estimate. */
export const sizeOfChain = "size of the chain"

/**
 * What a reply showed of the size of a chain. It is plain data, and can be stored as JSON.
 *
 * - `underlying`: in capital letters
 * - `filters`: what was asked for, by the names of the parameters
 * - `contracts`: of a chain, how many it had
 * - `strikes`: of a reply about strikes, how many each expiration has
 * - `seenAt`: when it was so, in epoch seconds
 *
 * @category models
 * @since 0.1.0
 */
export type ChainSize = SeenChain | SeenStrikes

interface Asked {
  readonly underlying: string
  readonly filters: Readonly<Record<string, string>>
  readonly seenAt: number
}

/** How many contracts a chain had. */
interface SeenChain extends Asked {
  readonly _tag: "Chain"
  readonly contracts: number
}

/** How many strikes each expiration has. */
interface SeenStrikes extends Asked {
  readonly _tag: "Strikes"
  readonly strikes: Readonly<Record<string, number>>
}

/**
 * Sizes that were seen, and the current time in epoch seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface Seen {
  readonly sizes: ReadonlyArray<ChainSize>
  readonly now: number
}
