/** `marketdata chain SYMBOL` and `marketdata quote SYMBOL…`: an option chain, quotes of options, or a saved reply that holds them. */
import { ColumnTable, DataMode, type OptionChain, OptionQuote, Query, QueryText } from "@effect-marketdata/core"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import { Effect } from "effect"
import * as Argument from "effect/cli/Argument"
import { memoize } from "effect/Function"
import { type Answered, asks } from "../call/command.ts"
import { shown } from "../call/input.ts"
import { modeOf, withSymbol } from "../call/mode.ts"
import { wrong } from "../failure/failure.ts"
import * as Document from "../output/document.ts"
import type { Size } from "../output/output.ts"
import * as Flags from "../text/flags.ts"
import * as Contracts from "../views/contracts.ts"
import * as Ladder from "../views/ladder.ts"

/** Columns of contracts that are looked at together. */
export const presets = {
  activity: ["optionSymbol", "underlying", "bid", "ask", "volume", "openInterest", "underlyingPrice", "updated"]
}

/** The filters of a chain, which the service applies, as flags. */
const filters = {
  expiration: Flags.text("expiration", "DAY")("One expiration as YYYY-MM-DD, or all"),
  dte: Flags.whole("dte", "DAYS")("The expiration that is closest to this many days from now"),
  from: Flags.text("from", "DAY")("Expirations from this day on, as YYYY-MM-DD"),
  to: Flags.text("to", "DAY")("Expirations up to this day, as YYYY-MM-DD"),
  month: Flags.whole("month", "1-12")("Expirations of this month"),
  year: Flags.whole("year", "YEAR")("Expirations of this year"),
  weekly: Flags.yesOrNo("weekly")("Only weekly expirations"),
  monthly: Flags.yesOrNo("monthly")("Only monthly expirations"),
  quarterly: Flags.yesOrNo("quarterly")("Only quarterly expirations"),
  side: Flags.oneOf("side", ["call", "put"])("Only calls, or only puts"),
  range: Flags.oneOf("range", ["itm", "otm", "all"])("Only contracts in the money, or only those out of it"),
  strike: Flags.text("strike", "PRICES")("Strikes: 150, 150,155, 150-160 or '>=150'"),
  delta: Flags.text("delta", "DELTAS")(
    "Absolute deltas, written as strikes are: 0.5, 0.2-0.8 or '<0.3'; both sides come back"
  ),
  strikeLimit: Flags.whole("strike-limit", "COUNT")(
    "The strikes closest to the money, at most this many on each side of it: a call and a put each, so up to 4 contracts for each COUNT; " +
      "of an index up to 8, settled in the morning and in the afternoon"
  ),
  minBid: Flags.finite("min-bid", "DOLLARS")("The lowest bid"),
  maxBid: Flags.finite("max-bid", "DOLLARS")("The highest bid"),
  minAsk: Flags.finite("min-ask", "DOLLARS")("The lowest ask"),
  maxAsk: Flags.finite("max-ask", "DOLLARS")("The highest ask"),
  maxBidAskSpread: Flags.finite("max-bid-ask-spread", "DOLLARS")("The widest spread between bid and ask"),
  maxBidAskSpreadPct: Flags.finite("max-bid-ask-spread-pct", "FRACTION")(
    "The widest spread as a fraction of the underlying's price: 0.005 is half a percent"
  ),
  minOpenInterest: Flags.whole("min-open-interest", "COUNT")("The least open interest, in contracts"),
  minVolume: Flags.whole("min-volume", "COUNT")("The least volume of the day, in contracts"),
  nonstandard: Flags.yesOrNo("nonstandard")("Adjusted contracts as well"),
  am: Flags.yesOrNo("am")("Contracts that are settled in the morning; of indexes only"),
  pm: Flags.yesOrNo("pm")("Contracts that are settled in the afternoon; of indexes only"),
  limit: Flags.whole("limit", "COUNT")(
    "The service returns at most this many contracts, so that live data cost at most as many credits. Which come first is not stated: they need " +
      "not be those around the money, as with --strike-limit"
  ),
  offset: Flags.whole("offset", "COUNT")("Leave out this many contracts at the beginning"),
  date: Flags.text("date", "DAY")("The end-of-day chain of a past trading day, as YYYY-MM-DD"),
  columns: Flags.columnsOf(
    presets,
    "activity stands for those of prices, volume and open interest, for which 80 columns of a terminal are wide enough; "
  )
}

export const flags = {
  symbol: Flags.symbol("The underlying, such as SPX").pipe(Argument.withDefault(undefined)),
  ...Flags.mode,
  filters,
  contracts: Flags.positive("contracts", "3000")(
    "How many contracts you expect. The price counts this many, and of live data the service is told to send no more. A cached chain comes whole"
  )
}

type Input = Flags.Given<typeof flags>

/** A saved reply instead of a query. */
const reply = Flags.text("reply", "FILE")(
  "Show a reply that was saved from the service, and ask nothing; - reads standard input"
)

/** The order of the rows of a table. */
const sort = Flags.text("sort", "COLUMN")(
  "List the contracts in the order of a column: volume, or volume:asc for the least first; json keeps the order of the reply"
)

const display = {
  sort,
  strikes: Flags.positive("strikes", "10")("How many strikes to show around the money; as many as fit by default"),
  expirations: Flags.positive("expirations", "3")(
    "How many expirations to show, the nearest first, of those that came back; 1 by default"
  ),
  computed: Flags.isOn("computed")(
    "Compute volatility and greeks from the prices, in the columns iv* and delta*: for past days the service has none"
  ),
  rate: Flags.fraction("rate")(
    "Of --computed: the interest of a year, 0.04 for 4 %; by default derived from the prices"
  ),
  dividendYield: Flags.fraction("dividend-yield")(
    "Of --computed and --rate: the dividends of a year as a part of the price"
  ),
  all: Flags.isOn("all")("Show all rows of all expirations, however many the terminal holds"),
  watch: Flags.watch,
  reply
}

type Display = Flags.Given<typeof display>

/** How a chain is shown; its columns are checked before anything is sent. */
const viewOf = Effect.fnUntraced(function*(display: Display | undefined, columns: ReadonlyArray<string>) {
  const given: Partial<Display> = display ?? {}
  const { all = false, computed = false, dividendYield, expirations, rate, sort, strikes } = given
  const order = yield* Contracts.orderOf(sort, columns)
  const unused = rate !== undefined && !computed
    ? "--rate says nothing without --computed, e.g. --computed --rate 0.04"
    : dividendYield !== undefined && rate === undefined
    ? "--dividend-yield says nothing without --rate, e.g. --computed --rate 0.04"
    : sort !== undefined && (strikes ?? expirations) !== undefined
    ? `${strikes === undefined ? "--expirations" : "--strikes"} says nothing with --sort, which lists all contracts`
    : undefined
  if (unused !== undefined) return yield* wrong("UnusedFlag", `${unused}. Nothing was sent.`)
  // Computed once for rows, lines and document.
  const rates = { rate, dividendYield }
  const compute = computed ? memoize((chain: Ladder.AnyChain) => Ladder.computed(chain, rates)) : undefined
  const of = (chain: Ladder.AnyChain): Pick<Ladder.Computed, "chain"> & Partial<Ladder.Computed> => {
    const sorted = Contracts.sorted(chain, order)
    return compute?.(sorted) ?? { chain: sorted }
  }
  return {
    rows: (chain: Ladder.AnyChain) => Document.ofTable(of(chain).chain),
    ordered: (chain: Ladder.AnyChain) => Contracts.sorted(chain, order),
    ...compute && { beside: compute },
    lines: (given: Ladder.AnyChain, size: Size, now: number) => {
      const { chain, note } = of(given)
      const lines = order === undefined
        ? Ladder.lines(chain, { ...size, now }, { all, strikes, expirations })
        : Ladder.listing(chain, { ...size, now }, { all })
      return note === undefined ? lines : [...lines, note]
    }
  }
})

/** Refuses what needs columns that do not come back: calls are paired with puts by their symbols. */
const checked = Effect.fnUntraced(function*(display: Display, columns: ReadonlyArray<string>) {
  const { computed, expirations, strikes } = display
  const isThere = (...names: ReadonlyArray<string>) => names.every((name) => columns.includes(name))
  for (const [flag, count] of [["--strikes", strikes], ["--expirations", expirations]] as const) {
    if (count === undefined || isThere("optionSymbol")) continue
    const rule = "needs the column optionSymbol, to pair calls with puts"
    const example = `--columns optionSymbol,${columns.join()} ${flag} ${count}`
    return yield* InvalidQuery.of(flag, count, { rule, example })
  }
  const hasInputs = isThere("optionSymbol", "updated", "mid") || isThere("optionSymbol", "updated", "bid", "ask")
  if (!computed || hasInputs) return
  const rule = "needs the option symbols, the prices and their time"
  const example = "--columns optionSymbol,bid,ask,mid,underlyingPrice,updated"
  return yield* InvalidQuery.of("--computed", columns, { rule, example })
})

/**
 * The limit of the query. If each contract costs a credit, it is at most `--contracts`, so that a wrong guess cannot exceed what was consented to. A cached
 * chain has one price, whatever its size, and the client holds live data that follow a miss to the ceiling.
 */
const limitOf = (mode: DataMode.DataMode | undefined, contracts: number | undefined, limit: number | undefined) =>
  DataMode.isCached(mode) || contracts === undefined ? limit : Math.min(limit ?? contracts, contracts)

/** Makes the query from the flags. A query that is only priced gets no limit from `--contracts`. */
export const queryOf = Effect.fnUntraced(function*({ contracts, filters, symbol, ...flags }: Input, isSent: boolean) {
  const mode = yield* modeOf(flags, filters.date !== undefined)
  const options = {
    ...filters,
    strike: yield* Effect.fromResult(QueryText.numbers("--strike", filters.strike, "150-160")),
    delta: yield* Effect.fromResult(QueryText.numbers("--delta", filters.delta, "0.2-0.8")),
    mode,
    ...(isSent ? { limit: limitOf(mode, contracts, filters.limit) } : {}),
    assume: { contracts }
  }
  // The constructor checks what types cannot: which filters exclude each other, and the names of columns.
  return yield* Effect.fromResult(Query.optionChain(symbol ?? "", options as OptionChain.Options))
})

const call = Effect.fnUntraced(function*(input: Input, display?: Display) {
  if (input.symbol === undefined) {
    const message = `no underlying is named, e.g. ${display ? "`marketdata chain SPX`" : "SPX"}. Nothing was sent.`
    return yield* wrong("NoSymbol", message, display && "a saved reply needs none: `marketdata chain --reply FILE`")
  }
  const query = yield* queryOf(input, display !== undefined)
  if (display !== undefined) yield* checked(display, query.returns)
  const view = yield* viewOf(display, query.returns)
  return { query, view, fallbackUpTo: input.fallbackUpTo, every: display?.watch }
})

export const chain = asks({
  examples: [
    ["SPX --expiration all --mode cached", "The whole chain, for one credit"],
    ["AAPL --dte 30 --strike-limit 10 --mode live", "Live data, which the filters bound"],
    ["AAPL --mode cached --format csv", "As CSV"]
  ],
  flags,
  display,
  call,
  savedReply: (query, display) =>
    shown(display.reply, { ...query, watch: display.watch }, (columns) => viewOf(display, columns))
})

type AnyQuotes = Omit<OptionQuote.OptionQuote, OptionQuote.Column>

/** How quotes are shown. */
const quotesOf = Effect.fnUntraced(function*(sort: string | undefined, columns: ReadonlyArray<string>) {
  const order = yield* Contracts.orderOf(sort, columns)
  const ordered = (quotes: AnyQuotes) => Contracts.sorted(quotes, order)
  const rows = (quotes: AnyQuotes) => Document.ofTable(ordered(quotes))
  const lines = (quotes: AnyQuotes, size: Size, now: number) => Contracts.lines(ordered(quotes), size, now)
  return { rows, ordered, lines }
})

/** The quotes of a list as one table. */
const join = (parts: ReadonlyArray<Answered<OptionQuote.OptionQuote>>) =>
  ColumnTable.merge(OptionQuote.spec, parts.map(({ answer }) => answer.data))

export const quote = asks({
  examples: [
    ["AAPL261218C00350000", "One contract"],
    ["AAPL261218C00350000 AAPL261218P00350000 --mode cached", "Several, from the cache"],
    ["AAPL261218C00350000 --format json", "As JSON"]
  ],
  flags: {
    symbols: Flags.argument("symbol")("Option symbols, such as AAPL261218C00350000; padded with blanks as well").pipe(
      Argument.atLeast(0)
    ),
    ...Flags.mode,
    past: {
      date: Flags.text("date", "DAY")("The quote of a past trading day, as YYYY-MM-DD"),
      from: Flags.text("from", "DAY")("A quote for each day from this one on, as YYYY-MM-DD"),
      to: Flags.text("to", "DAY")("And up to the day before this one"),
      limit: Flags.whole("limit", "COUNT")("At most this many rows of each symbol"),
      offset: Flags.whole("offset", "COUNT")("Leave out this many rows at the beginning"),
      columns: Flags.columns
    },
    credits: Flags.credits("credits")(
      "What you expect the quotes of past days to cost at most, for each symbol: the contract states no price for them"
    )
  },
  display: { sort, watch: Flags.watch, reply },
  call: Effect.fnUntraced(function*({ credits, past, symbols, ...modes }, display) {
    const mode = yield* modeOf(modes, [past.date, past.from, past.to].some((day) => day !== undefined))
    const columns = withSymbol(past.columns, symbols.length > 1, "optionSymbol")
    const options = { ...past, columns, mode, assume: { credits } }
    const [query, ...others] = yield* Effect.fromResult(QueryText.optionQuotes(symbols, options))
    if (query === undefined) {
      const rule = "must be an option symbol, or leave it out with --reply FILE"
      return yield* InvalidQuery.of("symbol", "", { rule, example: "marketdata quote AAPL261218C00350000" })
    }
    const view = yield* quotesOf(display?.sort, query.returns)
    return { query, others, join, view, fallbackUpTo: modes.fallbackUpTo, every: display?.watch }
  }),
  savedReply: (query, { reply, sort, watch }) => shown(reply, { ...query, watch }, (columns) => quotesOf(sort, columns))
})
