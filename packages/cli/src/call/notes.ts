/**
 * Notes on an answer that keeps the contract but may not be what a person expects: rows that may be missing, that came unasked, or are older than was asked
 * for. Each note says what is the case and what to type.
 */
import type { Answer, Finding, OptionChain } from "@effect-marketdata/core"
import { CalendarDate, ChainSize, Credits, DataMode, Expiration, Freshness } from "@effect-marketdata/core"
import { MaxAge, Query, TradingCalendar } from "@effect-marketdata/core"
import { Option, Predicate, Result } from "effect"
import { flagOf } from "../failure/names.ts"
import * as Words from "../text/words.ts"

/** An answer to a query, the number of its rows, and when it was asked, in epoch seconds. */
export interface Asked {
  readonly query: Query.Query
  readonly answer: Answer.Answer<unknown>
  readonly rows: number
  readonly now: number
}

/** The notes on an answer, the most costly first. */
export const notes = (asked: Asked): ReadonlyArray<string> =>
  [overrun, limited, sizeReached, adjusted, expired, delayed, older, kept].flatMap((note) => note(asked) ?? [])

/** A note on an answer, where there is something to say. */
type Note = (asked: Asked) => string | undefined

const counted = ({ query }: Asked, count: number): string =>
  Words.count(count, query.kind === "chain" ? "contract" : "row")

/** As many rows as `--limit` allows: there may be more. */
const limited: Note = (asked) => {
  const limit = Number(asked.query.options["limit"] ?? NaN)
  const offset = Number(asked.query.options["offset"] ?? 0)
  // A chain sends the expected count as its limit: see `limitOf` there.
  const flag = asked.query.assume.contracts === limit ? "--contracts" : "--limit"
  const next = `There may be more: --offset ${offset + limit}`
  return asked.rows >= limit ? `${counted(asked, asked.rows)} came back, as many as ${flag} allows. ${next}` : undefined
}

/** The chain is larger than what was known of it or assumed, and live data came up to what may be paid. */
const sizeReached: Note = (asked) => {
  if (asked.answer.findings.every(({ code }) => code !== "SizeReached")) return undefined
  const seen = ChainSize.assumedBy(asked.answer.credits.estimate)
  const [known, flag] = seen === undefined
    ? ["as many as --fallback-up-to pays for", "--fallback-up-to"]
    : [`more than was known of (${seen})`, "--contracts"]
  return `${counted(asked, asked.rows)} came back, ${known}. There may be still more: ${flag} NUMBER asks for them`
}

/** A charge above the estimate. */
const overrun: Note = ({ answer: { credits: { charged, estimate } } }) => {
  const over = charged - Credits.bound(estimate)
  return over > 0 ? `${Credits.formatAmount(over)} more than the estimate: more came back than expected` : undefined
}

/** Findings that a note replaces. */
export const told: ReadonlyArray<Finding.Code> = ["Overrun", "SizeReached"]

type Symbols = OptionChain.OptionChain["optionSymbol"]

/** The option symbols of the rows, where they were asked for. */
const symbolsOf = ({ answer: { data } }: Asked): Symbols | undefined =>
  Predicate.hasProperty(data, "optionSymbol") && Predicate.hasProperty(data.optionSymbol, "series") &&
    Predicate.hasProperty(data.optionSymbol, "codes")
    ? data.optionSymbol as unknown as Symbols
    : undefined

type Series = Symbols["series"][number]

/** The series that meet a condition, and how many rows they have. */
const ofSeries = (asked: Asked, meets: (series: Series) => boolean) => {
  const symbols = symbolsOf(asked)
  const met = symbols?.series.map(meets) ?? []
  let count = 0
  for (let row = 0; row < asked.rows; row++) if (met[symbols?.codes[row] ?? -1]) count++
  return { count, series: symbols?.series.filter((_, index) => met[index]) ?? [] }
}

const list = (texts: ReadonlyArray<string>): string => [...new Set(texts)].toSorted().join(", ")

const isCached = ({ answer: { provenance } }: Asked): boolean => provenance.sentMode === "cached"

/** Contracts with an adjusted root (it ends with a digit, and they deliver something else), if the query did not ask for them. */
const adjusted: Note = (asked) => {
  if (asked.query.kind !== "chain" || asked.query.options["nonstandard"] === true) return undefined
  const { count, series } = ofSeries(asked, ({ root }) => /\d$/.test(root))
  if (count === 0) return undefined
  const have = `${counted(asked, count)} of ${Words.number(asked.rows)} have the adjusted root`
  const charged = isCached(asked) ? "" : " and were charged like the others"
  const roots = list(series.map(({ root }) => root))
  return `${have} ${roots}: they came back without being asked for${charged}. To leave them out: --no-nonstandard`
}

/** Expired contracts, unless a past day was asked for. */
const expired: Note = (asked) => {
  if (asked.query.historical) return undefined
  const { count, series } = ofSeries(asked, (symbol) => Expiration.instant(symbol) <= asked.now)
  const days = list(series.map(({ expiration }) => CalendarDate.format(expiration)))
  if (count === 0) return undefined
  const are = `${counted(asked, count)} of ${Words.number(asked.rows)} expired on ${days}`
  if (asked.query.kind !== "chain") return are
  return `${are}. Choose a later day with --expiration DAY: \`marketdata expirations ${asked.query.subject}\` lists them`
}

/** Live data that are as old as delayed ones while the market is open. */
const delayed: Note = ({ answer: { provenance }, now, query }) => {
  const newest = provenance.updated?.newest
  if (provenance.sentMode !== "live" || query.historical || newest === undefined) return undefined
  const session = TradingCalendar.sessionOf(TradingCalendar.NYSE, now)
  const isOpen = Option.exists(session, ({ close, open }) => now >= open && now < close)
  if (!isOpen || Freshness.staleness(newest, now) < Freshness.delay) return undefined
  const found = `the newest quote is ${Words.age(now - newest)} old and the market is open`
  return `live data were asked for, but ${found}. The account may have delayed data only: see \`marketdata account\``
}

/** Quotes older than `--max-age`, which limits the age of the cache's entry, not of its quotes (clause 8.3-age). */
const older: Note = ({ answer: { provenance }, now, query }) => {
  const newest = provenance.updated?.newest
  const { maxAge } = query
  if (!DataMode.isCached(query.mode) || maxAge === undefined || newest === undefined) return undefined
  if (provenance.sentMode !== "cached" || MaxAge.accepts(maxAge, newest, now)) return undefined
  const found = `the newest quote is ${Words.age(now - newest)} old, and --max-age is ${MaxAge.format(maxAge)}`
  const why = "that is the age of the entry in the service's cache, not of its quotes"
  return `${found}: ${why}. For the newest quotes: --mode live`
}

/** An answer from the cache on this machine, unless its data never change. */
const kept: Note = ({ answer: { provenance: { age = 0, source } }, query }) =>
  source === "local" && !query.historical
    ? `this was kept on this machine ${Words.ago(age)}, and cost nothing. To ask the service: --no-cache`
    : undefined

/** Options that leave nothing out of a reply. */
const isFilter = (name: string): boolean =>
  !["nonstandard", "extended", "adjustsplits", "adjustdividends"].includes(name)

/** Says of a day that it is not a trading day, on which nothing can expire. */
const closed = ([name, text]: readonly [name: string, value: string]): ReadonlyArray<string> => {
  if (name !== "expiration" && name !== "date") return []
  const day = CalendarDate.parse(text)
  if (Result.isFailure(day) || TradingCalendar.isTradingDay(TradingCalendar.NYSE, day.success)) return []
  const before = TradingCalendar.previousTradingDay(TradingCalendar.NYSE, day.success)
  const instead = before._tag === "Some" ? `: the one before it is ${CalendarDate.format(before.value)}` : ""
  return [`${text} is not a trading day${instead}`]
}

/** What to check if a query had no data; undefined if no option of it could be the cause. */
export const nothing = (query: Query.Query): string | undefined => {
  const { kind, subject } = query
  const given = Query.parameters(query).filter(([name]) => isFilter(name))
  const flags = given.map(([name, value]) => `${flagOf(name)} ${value}`).join(" ")
  const said = [
    ...given.flatMap(closed),
    ...flags === "" ? [] : [`these left nothing, or the symbol is wrong: ${flags}`],
    ...kind === "chain"
      ? [`see what there is with \`marketdata expirations ${subject}\` and \`marketdata strikes ${subject}\``]
      : []
  ]
  return said.length === 0 ? undefined : said.join("; ")
}
