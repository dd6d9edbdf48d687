/**
 * The sizes of option chains that were seen, and the most contracts that they allow the next chain to have.
 *
 * A chain bounds every chain whose filters are the same or narrower. A reply about strikes, which costs 1 credit, bounds a chain by the strikes
 * of its expirations. New contracts are listed before a session opens, so a size holds until the next one does. A size of a past day holds for
 * ever. A price that is bounded by a size is for one contract more: if that one comes back, the chain has grown; if not, the chain is whole.
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
 * Credits.format(Credits.estimate(spx, { seen })) // => "1 to 22,719 credits"
 * Credits.estimate(spx, { seen }).assumptions[0]
 * // => { name: "size of the chain", value: "22,718 contracts, seen 1 hour ago" }
 * ```
 *
 * @see {@link Credits} for what an estimate assumes besides
 * @see `ChainSizes` of the client, which remembers them
 * @since 0.1.0
 */
import { withOptions } from "../query/made.ts"
import * as Query from "../query/query.ts"
import * as Problem from "../text/Problem.ts"
import * as Untyped from "../text/untyped.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as NewYork from "../time/NewYork.ts"
import { chooses } from "./bounds.ts"
import { bounds, type ChainSize, type Estimate, known as knownEstimate, sizeOfChain } from "./tariff.ts"

/**
 * What a reply showed of the size of a chain, and sizes with the current time.
 *
 * @since 0.1.0
 */
export type { ChainSize, Seen } from "./tariff.ts"

/** The filters that let the same contracts through whatever their prices are. */
const lasting = ["date", ...chooses, "side", "strike", "nonstandard", "am", "pm"]

/** How many rows the public service returns at most where no limit is given. */
const page = 10_000

const knownSeen = /* @__PURE__ */ Problem.guard("chain that was seen", "{ contracts: 300, seenAt }", { contracts: 0 })

const knownStrikes = /* @__PURE__ */ Problem.guard("reply about strikes", "{ expirations: [], seenAt }", {
  expirations: []
})

const knownExpiration = /* @__PURE__ */ Problem.guard("expiration", "{ expiration, strikes: [100] }", { strikes: [] })

/**
 * Returns the size of a chain: how many contracts a query returned, and when. Undefined if it bounds no other chain: with filters that depend on
 * prices the next chain may have more, and a chain that a limit cut off is not the whole one.
 *
 * @example
 * ```ts
 * import * as ChainSize from "@effect-marketdata/core/ChainSize"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(Query.optionChain("SPX", { expiration: "all" }))
 * ChainSize.ofChain(chain, { contracts: 22_718, seenAt: 1795194000 })?._tag // => "Chain"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const ofChain = (
  query: Query.Query,
  seen: { readonly contracts: number; readonly seenAt: number }
): ChainSize | undefined => {
  const { contracts, seenAt } = knownSeen(seen)
  if (Query.known(query).endpoint.kind !== "chain") return undefined
  const { limit, offset, range, ...filters } = Object.fromEntries(Query.parameters(query))
  // What is more than a limit was not cut off by it.
  const isWhole = offset === undefined && contracts !== Number(limit ?? page)
  const isLasting = (range ?? "all") === "all" && Object.keys(filters).every((name) => lasting.includes(name))
  return isWhole && isLasting
    ? read({ _tag: "Chain", underlying: underlyingOf(query), filters, contracts, seenAt })
    : undefined
}

/**
 * Returns the size of chains from a reply about strikes; undefined if it bounds none.
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
 * Credits.bound(Credits.estimate(chain, { seen })) // => 11
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const ofStrikes = (
  query: Query.Query,
  seen: {
    readonly expirations: ReadonlyArray<{
      readonly expiration: CalendarDate.CalendarDate
      readonly strikes: ReadonlyArray<number>
    }>
    readonly seenAt: number
  }
): ChainSize | undefined => {
  const { expirations, seenAt } = knownStrikes(seen)
  if (Query.known(query).endpoint.name !== "optionStrikes" || expirations.length === 0) return undefined
  const strikes = Object.fromEntries(
    expirations.map((one) => [CalendarDate.format(knownExpiration(one).expiration), one.strikes.length])
  )
  const { expiration = "all", ...filters } = Object.fromEntries(Query.parameters(query))
  const asked = { underlying: underlyingOf(query), filters: { ...filters, expiration } }
  return read({ _tag: "Strikes", ...asked, strikes, seenAt })
}

const underlyingOf = ({ tickers: [underlying = ""] }: Query.Query): string => underlying.toUpperCase()

/**
 * Reads a size from untyped data, such as JSON from a database; undefined for anything else.
 *
 * @example
 * ```ts
 * import * as ChainSize from "@effect-marketdata/core/ChainSize"
 *
 * // What a file or a database gives back is checked.
 * ChainSize.read({ contracts: "many" }) // => undefined
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const read = (input: unknown): ChainSize | undefined => {
  const fields = Untyped.fields(input, ["_tag", "underlying", "filters", "contracts", "strikes", "seenAt"])
  if (fields === undefined) return undefined
  const { _tag, contracts, seenAt, underlying } = fields
  const filters = recordOf(fields.filters, (value) => typeof value === "string")
  if (typeof underlying !== "string" || filters === undefined || !NewYork.isTime(seenAt)) return undefined
  const asked = { underlying, filters, seenAt }
  if (_tag === "Chain") return isCount(contracts) ? { _tag, ...asked, contracts } : undefined
  const strikes = recordOf(fields.strikes, isCount)
  return _tag === "Strikes" && strikes !== undefined ? { _tag, ...asked, strikes } : undefined
}

const isCount = (input: unknown): input is number => Number.isSafeInteger(input) && Number(input) >= 0

const recordOf = <A>(input: unknown, isValue: (value: unknown) => value is A) => {
  const entries = Untyped.entries(input)
  if (entries === undefined || ![...entries.values()].every(isValue)) return undefined
  return Object.fromEntries(entries) as Readonly<Record<string, A>>
}

/**
 * Returns the chain that a query is about, as a text: its underlying, and the past day if it names one. Sizes of the same chain may bound each
 * other's queries. Undefined for a query about neither a chain nor strikes.
 *
 * @example
 * ```ts
 * import * as ChainSize from "@effect-marketdata/core/ChainSize"
 * import * as Query from "@effect-marketdata/core/Query"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(Query.optionChain("SPX", { expiration: "all" }))
 * typeof ChainSize.chainOf(chain) // => "string"
 * ChainSize.chainOf(Result.getOrThrow(Query.stockPrices(["AAPL"]))) // => undefined
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const chainOf = (query: Query.Query): string | undefined => {
  if (Query.known(query).endpoint.kind !== "chain" && query.endpoint.name !== "optionStrikes") return undefined
  const date = Query.dateOf(query)
  return date === undefined ? underlyingOf(query) : `${underlyingOf(query)} ${date}`
}

const known = /* @__PURE__ */ Problem.guard("size of a chain", "what ChainSize.read returns", { _tag: "", filters: {} })

/**
 * Returns what was asked for, as a text. Of two sizes of a chain with the same text, the later one replaces the earlier one.
 *
 * @category getters
 * @since 0.1.0
 */
export const nameOf = (self: ChainSize): string =>
  [known(self)._tag, ...Object.entries(self.filters).map(([name, value]) => `${name}=${value}`).toSorted()].join(" ")

/**
 * Returns the size that bounds an estimate, such as `22,718 contracts, seen 1 hour ago`; undefined if its bound needs none.
 *
 * @category getters
 * @since 0.1.0
 */
export const assumedBy = (self: Estimate): string | undefined =>
  knownEstimate(self).assumptions.find(({ name }) => name === sizeOfChain)?.value

/** The greatest limit that the service takes. */
const greatest = 50_000

/**
 * Returns the same query with a `limit` of as many contracts as its price is for, if that price is bounded by a size: a chain that has grown is cut
 * off there, and costs no more. Of a chain whose size the caller assumed, at most as many come as cost the `ceiling` that was consented to, in credits.
 * If the price needs no size, the query is returned unchanged.
 *
 * @category combinators
 * @since 0.1.0
 */
export const limited = <Data, Mode extends Query.Query["mode"]>(
  query: Query.Query<Data, Mode>,
  price: Estimate,
  ceiling = Infinity
): Query.Query<Data, Mode> => {
  const { assume, endpoint, historical, options } = Query.known(query)
  const isSeen = assumedBy(price) !== undefined
  if (!endpoint.parameters.includes("limit") || !isSeen && assume.contracts === undefined) return query
  const most = Math.floor((isSeen ? bounds(price).max : ceiling) * (historical ? 1000 : 1))
  const isLess = most >= 1 && most < Number(options["limit"] ?? Infinity)
  return isLess ? withOptions(query, { limit: Math.min(greatest, most) }) : query
}
