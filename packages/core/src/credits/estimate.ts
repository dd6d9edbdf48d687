/** What is said of prices: what an estimate takes for granted, what it comes to, and what a reply was charged. */
import type * as Profile from "../account/Profile.ts"
import type { Finding } from "../columns/Finding.ts"
import type * as Query from "../query/query.ts"
import type { InvalidQuery } from "../reason/Reason.ts"

/**
 * Something an estimate or a charge takes for granted: stated by the caller, or chosen where the contract is silent.
 */
export interface Assumption {
  readonly name: string
  readonly value: string
}

/**
 * What a price may take for granted, beside what a query assumes.
 *
 * - `profile`: whose rules hold where the public service contradicts the contract
 * - `rounding`: how a part of a thousand is counted, `up` if left out; something is never counted as nothing
 * - `quoteData`: which of bid, ask, mid and last a symbol needs to have quote data, `any` if left out (clause 8.2-cost-quotes)
 * - `requests`: how many requests a list of symbols is cut into; by 500 if left out
 * - `refusal`: what a reply costs that is not a success, 0 if left out (clause 7.1-charge-not-stated)
 * - `figures`: which figures of the service are recorded, `possible` if left out
 */
export interface PriceOptions extends Query.Assumptions {
  readonly profile?: Profile.Profile | undefined
  readonly rounding?: Rounding | undefined
  readonly quoteData?: "any" | "all" | undefined
  readonly requests?: number | undefined
  readonly refusal?: number | undefined
  readonly figures?: Figures | undefined
}

/**
 * Which of the service's figures for a request are recorded; otherwise it is the computed charge.
 *
 * - `any`: each of them
 * - `possible`: those of up to 100 credits for each row of the reply. The contract has no price above 1 credit for a row, and prices may rise; more
 *   is not a price but a mistake
 * - `explained`: those to which the price of the query leads, by the contract or by the public service
 */
export type Figures = "any" | "possible" | "explained"

/**
 * How a part of a thousand is counted.
 */
export type Rounding = "up" | "down" | "nearest"

/**
 * The price is known to the credit.
 */
export interface Exact {
  readonly _tag: "Exact"
  readonly credits: number
  readonly clause: string
  readonly assumptions: ReadonlyArray<Assumption>
}

/**
 * The price lies between two bounds, both included. `max` is `Infinity` where nothing bounds it; `movedBy` says what decides.
 */
export interface Range {
  readonly _tag: "Range"
  readonly min: number
  readonly max: number
  readonly movedBy: string
  readonly clause: string
  readonly assumptions: ReadonlyArray<Assumption>
}

/**
 * The contract does not say what it costs; `what` names the price that is missing.
 */
export interface NotStated {
  readonly _tag: "NotStated"
  readonly what: string
  readonly clause: string
  readonly assumptions: ReadonlyArray<Assumption>
}

/**
 * There is no price because there is no such answer; `why` says so.
 */
export interface Unavailable {
  readonly _tag: "Unavailable"
  readonly why: string
  readonly clause: string
  readonly assumptions: ReadonlyArray<Assumption>
}

/**
 * There is no price because something that the price goes by is wrong, such as a count that is `NaN`. `reason` is the one for which the
 * constructor of the query refuses the same.
 */
export interface Refused {
  readonly _tag: "Refused"
  readonly reason: InvalidQuery
  readonly clause: string
  readonly assumptions: ReadonlyArray<Assumption>
}

/**
 * What a query will cost.
 */
export type Estimate = Exact | Range | NotStated | Unavailable | Refused

/**
 * What came back, as far as it decides the charge: the status, how much the reply held, and the figure that the service gave as consumed
 * (undefined where it gave none). Of the counts the query's price needs one.
 *
 * - `contracts`: contracts of a chain; `quoted`: those of them with quote data, all of them if left out
 * - `symbols`: symbols in the reply; of quotes those that have quote data, see `Credits.countQuoted`
 * - `unclear`: contracts or symbols besides of which the reply does not tell whether they have quote data, none if left out: a price was not
 *   asked for
 * - `candles`: candles in the reply
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
 * - `credits`: what it was charged for certain: the service's own figure where it gave one, else the `computed` one; both stay visible
 * - `uncertain`: what it may have been charged besides: the reply does not tell, and the service gave no figure
 * - `computed`: the price by the rule, the least of them where the reply does not tell. It is undefined where no price is stated, or what it
 *   goes by was not counted; `credits` is then the figure of a named assumption
 * - `finding`: `UnexplainedCharge`, where the price rule leads to another figure than the service gave, in the contract's reading and in the
 *   public service's. Whether such a figure is recorded all the same, `figures` says
 */
export interface Charge {
  readonly credits: number
  readonly uncertain: number
  readonly reported: number | undefined
  readonly computed: number | undefined
  readonly finding: Finding | undefined
  readonly clause: string
  readonly assumptions: ReadonlyArray<Assumption>
}
