/**
 * What replies showed of the sizes of option chains, and what that says of the next one: how many contracts it can have at most.
 *
 * A chain bounds every chain whose filters are the same or narrower. A reply about strikes, which costs 1 credit, bounds a chain by the strikes
 * of its expirations. New contracts are listed before a session opens, so a size holds until the next one does. A size of a past day holds for
 * ever.
 *
 * @example
 * ```ts
 * import * as ChainSize from "@effect-marketdata/core/ChainSize"
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const seenAt = NewYork.at({ year: 2026, month: 11, day: 20 }, 11, 0)
 * const spx = Result.getOrThrow(Query.optionChain("SPX", { expiration: "all" }))
 * const size = ChainSize.ofChain(spx, { contracts: 22_718, seenAt })
 *
 * const seen = { sizes: size === undefined ? [] : [size], now: seenAt + 3600 }
 * Credits.format(Credits.estimate(spx, { seen })) // => "1 to 22,718 credits"
 * Credits.estimate(spx, { seen }).assumptions
 * // => [{ name: "size of the chain", value: "22,718 contracts, seen 1 hour ago" }]
 * ```
 *
 * @see {@link Credits} for what an estimate assumes besides
 * @see `ChainSizes` of the client, which remembers them
 * @since 0.1.0
 */
import * as CalendarDate from "../time/CalendarDate.ts"
import type * as Estimate from "./estimate.ts"
import * as MaxSeen from "./maxSeen.ts"
import type * as Query from "../query/query.ts"
import * as SeenSize from "./seenSize.ts"

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
export type ChainSize = SeenSize.SeenSize

/**
 * Sizes that were seen, and the current time in epoch seconds.
 *
 * @category models
 * @since 0.1.0
 */
export type Seen = SeenSize.Seen

/**
 * What a chain tells of others: how many contracts a query returned, and when. Undefined if it tells nothing: where filters depend on prices,
 * the next one may have more, and one that was cut off by a limit is not all.
 *
 * @category constructors
 * @since 0.1.0
 */
export const ofChain: (
  query: Query.Query,
  reply: { readonly contracts: number; readonly seenAt: number }
) => ChainSize | undefined = SeenSize.ofChain

/**
 * What the reply to a query for strikes tells of chains.
 *
 * @example
 * ```ts
 * import * as ChainSize from "@effect-marketdata/core/ChainSize"
 * import * as Credits from "@effect-marketdata/core/Credits"
 * import * as NewYork from "@effect-marketdata/core/NewYork"
 * import * as OptionStrikes from "@effect-marketdata/core/OptionStrikes"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const query = Result.getOrThrow(Query.optionStrikes("F"))
 * const body = `{"s":"ok","updated":1795190400,"2026-12-18":[10,11,12],"2027-01-15":[10,11]}`
 * const { expirations } = Result.getOrThrow(OptionStrikes.decode(body))
 * const size = ChainSize.ofStrikes(query, { expirations, seenAt: 1795190400 })
 *
 * const seen = { sizes: size === undefined ? [] : [size], now: 1795190400 }
 * const chain = Result.getOrThrow(Query.optionChain("F", { expiration: "all" }))
 * Credits.bound(Credits.estimate(chain, { seen })) // => 10
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const ofStrikes: (
  query: Query.Query,
  reply: {
    readonly expirations: ReadonlyArray<{
      readonly expiration: CalendarDate.CalendarDate
      readonly strikes: ReadonlyArray<number>
    }>
    readonly seenAt: number
  }
) => ChainSize | undefined = SeenSize.ofStrikes

/**
 * Reads a size from untyped data, such as JSON from a database; undefined for anything else.
 *
 * @category decoding
 * @since 0.1.0
 */
export const read: (input: unknown) => ChainSize | undefined = SeenSize.read

/**
 * Returns the chain that a query is about, as a text: its underlying, and the past day if it names one. Sizes of the same chain may bound each
 * other's queries. Undefined for a query about neither a chain nor strikes.
 *
 * @category getters
 * @since 0.1.0
 */
export const chainOf: (query: Query.Query) => string | undefined = SeenSize.chainOf

/**
 * Returns what was asked for, as a text. Of two sizes of a chain with the same text, the later one says all that the earlier one did.
 *
 * @category getters
 * @since 0.1.0
 */
export const nameOf: (self: ChainSize) => string = SeenSize.nameOf

/**
 * Returns the size that an estimate goes by, such as `22,718 contracts, seen 1 hour ago`; undefined if its bound needs none.
 *
 * @category getters
 * @since 0.1.0
 */
export const assumedBy: (estimate: Estimate.Estimate) => string | undefined = MaxSeen.assumedBy
