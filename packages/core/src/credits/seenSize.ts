import * as CalendarDate from "../time/CalendarDate.ts"
import type * as Query from "../query/query.ts"
import * as Untyped from "../text/untyped.ts"
import { chooses } from "./chainFilters.ts"

/** What a reply showed of the size of a chain. */
export type SeenSize = SeenChain | SeenStrikes

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
export interface SeenStrikes extends Asked {
  readonly _tag: "Strikes"
  readonly strikes: Readonly<Record<string, number>>
}

/** Sizes that were seen, and the time now. */
export interface Seen {
  readonly sizes: ReadonlyArray<SeenSize>
  readonly now: number
}

/** The filters that let the same contracts through whatever their prices are. */
const lasting = ["date", ...chooses, "side", "strike", "nonstandard", "am", "pm"]

/** How many rows the public service returns at most where no limit is given. */
const page = 10_000

export const ofChain = (
  query: Query.Query,
  { contracts, seenAt }: { readonly contracts: number; readonly seenAt: number }
): SeenSize | undefined => {
  if (query.endpoint.kind !== "chain") return undefined
  const { limit, offset, range, ...filters } = Object.fromEntries(query.parameters)
  const isWhole = offset === undefined && (limit === undefined ? contracts !== page : contracts < Number(limit))
  const isLasting = (range ?? "all") === "all" && Object.keys(filters).every((name) => lasting.includes(name))
  return isWhole && isLasting
    ? read({ _tag: "Chain", underlying: underlyingOf(query), filters, contracts, seenAt })
    : undefined
}

export const ofStrikes = (
  query: Query.Query,
  { expirations, seenAt }: {
    readonly expirations: ReadonlyArray<{
      readonly expiration: CalendarDate.CalendarDate
      readonly strikes: ReadonlyArray<number>
    }>
    readonly seenAt: number
  }
): SeenSize | undefined => {
  if (query.endpoint.name !== "optionStrikes" || expirations.length === 0) return undefined
  const strikes = Object.fromEntries(
    expirations.map(({ expiration, strikes }) => [CalendarDate.format(expiration), strikes.length])
  )
  const { expiration = "all", ...filters } = Object.fromEntries(query.parameters)
  return read({
    _tag: "Strikes",
    underlying: underlyingOf(query),
    filters: { ...filters, expiration },
    strikes,
    seenAt
  })
}

const underlyingOf = ({ tickers: [underlying = ""] }: Query.Query): string => underlying.toUpperCase()

/** Reads a size of which no type may know anything. */
export const read = (input: unknown): SeenSize | undefined => {
  const fields = Untyped.fields(input, ["_tag", "underlying", "filters", "contracts", "strikes", "seenAt"])
  if (fields === undefined) return undefined
  const { _tag, contracts, seenAt, underlying } = fields
  const filters = recordOf(fields.filters, (value) => typeof value === "string")
  if (typeof underlying !== "string" || filters === undefined || !isTime(seenAt)) return undefined
  const asked = { underlying, filters: filters as Readonly<Record<string, string>>, seenAt }
  if (_tag === "Chain") return isCount(contracts) ? { _tag, ...asked, contracts } : undefined
  const strikes = recordOf(fields.strikes, isCount)
  return _tag === "Strikes" && strikes !== undefined
    ? { _tag, ...asked, strikes: strikes as Readonly<Record<string, number>> }
    : undefined
}

const isTime = (input: unknown): input is number => typeof input === "number" && Number.isFinite(input)

const isCount = (input: unknown): input is number => Number.isSafeInteger(input) && Number(input) >= 0

const recordOf = (input: unknown, isValue: (value: unknown) => boolean): object | undefined => {
  const entries = Untyped.entries(input)
  return entries !== undefined && [...entries.values()].every(isValue) ? Object.fromEntries(entries) : undefined
}

export const chainOf = (query: Query.Query): string | undefined => {
  if (query.endpoint.kind !== "chain" && query.endpoint.name !== "optionStrikes") return undefined
  const date = query.parameters.find(([name]) => name === "date")?.[1]
  return date === undefined ? underlyingOf(query) : `${underlyingOf(query)} ${date}`
}

export const nameOf = ({ _tag, filters }: SeenSize): string =>
  [_tag, ...Object.entries(filters).map(([name, value]) => `${name}=${value}`).toSorted()].join(" ")
