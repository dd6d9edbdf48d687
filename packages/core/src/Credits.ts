/**
 * What a question costs: an estimate before it is asked, and the charge afterwards. A cost is never a guess: an estimate is exact,
 * a range, not stated or unavailable, and names the clause it follows and whatever it assumes (contract 4.1, 8.2).
 *
 * @example
 * ```ts
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const spx = Result.getOrThrow(Query.optionChain("SPX", { expiration: "all" }))
 * Credits.format(Credits.estimate(spx)) // => "at least 1 credit, no upper bound"
 * Credits.format(Credits.estimate(spx, { contracts: 22_718 })) // => "exactly 22,718 credits"
 * ```
 *
 * @since 0.1.0
 */
import * as DataMode from "./DataMode.ts"
import * as Query from "./Query.ts"

/**
 * Something an estimate or a charge takes for granted: stated by the caller, or chosen where the contract is silent.
 *
 * @category models
 * @since 0.1.0
 */
export interface Assumption {
  readonly name: string
  readonly value: string
}

/**
 * The price is known to the credit.
 *
 * @category models
 * @since 0.1.0
 */
export interface Exact {
  readonly _tag: "Exact"
  readonly credits: number
  readonly clause: string
  readonly assumptions: ReadonlyArray<Assumption>
}

/**
 * The price lies between two bounds, both included. `max` is `Infinity` where nothing bounds it; `movedBy` says what decides.
 *
 * @category models
 * @since 0.1.0
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
 * What a question will cost.
 *
 * @category models
 * @since 0.1.0
 */
export type Estimate = Exact | Range

/** How a part of a thousand is counted is not stated: up, and at least 1 for a reply that is not empty (4.1-cost-historical). */
const roundedUp: Assumption = { name: "rounding of a part of 1000", value: "up" }

/**
 * Prices historical data: 1 credit for each 1000 option symbols, a part counting as a whole (clause 4.1-cost-historical).
 *
 * @category pricing
 * @since 0.1.0
 */
export const perThousand = (contracts: number): number => Math.ceil(contracts / 1000)

/**
 * Estimates what a question will cost if it is answered with data, before it is asked.
 *
 * Live and delayed chains cost 1 credit for each contract returned, cached ones at most 1 for the whole reply (a miss is free), past
 * days 1 for each 1000 contracts (clauses 4.1-cost-live, 4.1-cost-delayed, 4.1-cost-cached, 4.1-cost-historical). How many contracts
 * come back is not known beforehand: `assume.contracts` states it. What the question itself assumes is overridden by `assume`.
 *
 * @category pricing
 * @since 0.1.0
 */
export const estimate = (query: Query.Query, assume: Query.Assumptions = {}): Estimate => {
  const { contracts, historical } = { ...query.assume, ...assume }
  const assumptions: Array<Assumption> = contracts === undefined
    ? []
    : [{ name: "contracts", value: grouped(contracts) }]
  const mode = query.mode
  if (mode !== undefined && mode._tag === "Cached") {
    const movedBy = "whether anything cached is young enough"
    return { _tag: "Range", min: 0, max: 1, movedBy, clause: "4.1-cost-cached", assumptions: [] }
  }
  if (mode !== undefined && mode._tag === "CachedOrLive") {
    const live = estimate(Query.withMode(query, DataMode.live), assume)
    const max = bound(live)
    return max <= 1
      ? { _tag: "Exact", credits: 1, clause: "8.3-fallback", assumptions: live.assumptions }
      : {
        _tag: "Range",
        min: 1,
        max,
        movedBy: "whether anything cached is young enough, and how many contracts come back live",
        clause: "8.3-fallback",
        assumptions: live.assumptions
      }
  }
  if (Query.dateOf(query) !== undefined) {
    return counted(contracts, perThousand, "4.1-cost-historical", [...assumptions, roundedUp])
  }
  if (historical === true) {
    const movedBy = "historical data served without a date has no stated price"
    const max = contracts ?? Infinity
    const min = Math.max(1, perThousand(contracts ?? 1))
    return {
      _tag: "Range",
      min,
      max: Math.max(min, max),
      movedBy,
      clause: "4.1-cost-historical",
      assumptions: [
        ...assumptions,
        roundedUp,
        { name: "data type", value: "historical" }
      ]
    }
  }
  return counted(contracts, (n) => n, mode?._tag === "Delayed" ? "4.1-cost-delayed" : "4.1-cost-live", assumptions)
}

const counted = (
  contracts: number | undefined,
  price: (contracts: number) => number,
  clause: string,
  assumptions: ReadonlyArray<Assumption>
): Estimate =>
  contracts === undefined
    ? { _tag: "Range", min: 1, max: Infinity, movedBy: "how many contracts come back", clause, assumptions }
    : { _tag: "Exact", credits: price(contracts), clause, assumptions }

/**
 * Returns the most that an estimate allows for, in credits; `Infinity` where there is no upper bound.
 *
 * @category getters
 * @since 0.1.0
 */
export const bound = (self: Estimate): number => self._tag === "Exact" ? self.credits : self.max

/**
 * What came back, as far as it decides the charge: the status, the contracts in the reply, and the figure that the service gave as
 * consumed (undefined where it gave none).
 *
 * @category models
 * @since 0.1.0
 */
export interface Outcome {
  readonly status: number
  readonly contracts: number
  readonly reported: number | undefined
}

/**
 * What a request cost. `credits` is the service's own figure where it gave one, else the `computed` one; both stay visible.
 *
 * @category models
 * @since 0.1.0
 */
export interface Charge {
  readonly credits: number
  readonly reported: number | undefined
  readonly computed: number
  readonly clause: string
  readonly assumptions: ReadonlyArray<Assumption>
}

/**
 * Says what a request cost, from what came back. The price follows the mode that was asked for: a 203 to a live request is billed
 * live (clause 7.2-203-price). 204 is free (clause 7.1-204); that any other status but 200 and 203 is free is a named assumption
 * (clause 7.1-charge-not-stated). A figure reported by the service wins.
 *
 * @category pricing
 * @since 0.1.0
 */
export const charged = (query: Query.Query, outcome: Outcome): Charge => {
  const price = computed(query, outcome)
  return { credits: outcome.reported ?? price.computed, reported: outcome.reported, ...price }
}

const computed = (
  query: Query.Query,
  { contracts, status }: Outcome
): Pick<Charge, "computed" | "clause" | "assumptions"> => {
  if (status === 204) return { computed: 0, clause: "7.1-204", assumptions: [] }
  if (status !== 200 && status !== 203) {
    return {
      computed: 0,
      clause: "7.1-charge-not-stated",
      assumptions: [{ name: `charge for status ${status}`, value: "0" }]
    }
  }
  if (query.mode !== undefined && DataMode.parameter(query.mode) === "cached") {
    return { computed: 1, clause: "4.1-cost-cached", assumptions: [] }
  }
  if (Query.dateOf(query) !== undefined) {
    return { computed: perThousand(contracts), clause: "4.1-cost-historical", assumptions: [roundedUp] }
  }
  return {
    computed: contracts,
    clause: query.mode?._tag === "Delayed" ? "4.1-cost-delayed" : "4.1-cost-live",
    assumptions: []
  }
}

/**
 * Prints a number of credits with its unit.
 *
 * @category formatting
 * @since 0.1.0
 */
export const formatAmount = (credits: number): string => `${grouped(credits)} credit${credits === 1 ? "" : "s"}`

/**
 * Prints an estimate in a few words.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (self: Estimate): string => {
  if (self._tag === "Exact") return `exactly ${formatAmount(self.credits)}`
  return self.max === Infinity
    ? `at least ${formatAmount(self.min)}, no upper bound`
    : `${grouped(self.min)} to ${formatAmount(self.max)}`
}

const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",")
