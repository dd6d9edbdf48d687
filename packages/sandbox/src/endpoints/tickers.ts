import type { ColumnSpec } from "@effect-marketdata/core/ColumnSpec"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import type * as Freshness from "@effect-marketdata/core/Freshness"
import * as Query from "@effect-marketdata/core/Query"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import type * as StockPrices from "@effect-marketdata/core/StockPrices"
import * as StockQuotes from "@effect-marketdata/core/StockQuotes"
import * as Result from "effect/Result"
import type { Market } from "../market/Market.ts"
import * as Parameters from "../request/parameters.ts"
import * as Refusals from "../request/refusals.ts"
import * as Found from "../view/found.ts"
import type { View } from "../view/view.ts"

/** The tickers of a query: the one in its path, or the list in `symbols`. */
export const read = (
  { list, parameters, segments }: Found.Asked
): Result.Result<ReadonlyArray<string>, Refusals.Refusal> => {
  if (!list) return Result.succeed([segments["symbol"]!])
  const symbols = Parameters.text(parameters, "symbols")
  return symbols === undefined
    ? Result.fail(Refusals.badRequest("Invalid symbols. Name tickers, separated by commas."))
    : Result.succeed(symbols.split(",").map((symbol) => symbol.trim()))
}

/**
 * Makes the reader of an endpoint that tells one row a ticker. `make` is its constructor, which is given the flags of the request; `rowsAt` are
 * the rows of the market.
 */
export const reader =
  <Spec extends ColumnSpec & { readonly symbol: typeof StockPrices.spec.symbol }, Flag extends string = never>(
    make: (
      symbols: readonly [string, ...ReadonlyArray<string>],
      flags: { readonly [Name in Flag]?: boolean | undefined }
    ) => Result.Result<Query.Query, InvalidQuery>,
    spec: Spec,
    rowsAt: (market: Market, symbols: ReadonlyArray<string>, at: number) => ColumnTable.ColumnTable<Spec>,
    flags: ReadonlyArray<Flag> = []
  ): Found.Reader =>
  (asked) =>
    Result.gen(function*() {
      const symbols = yield* read(asked)
      const given = yield* Parameters.several(asked.parameters, Parameters.flag, flags)
      const query = yield* Refusals.query(make(symbols as readonly [string, ...ReadonlyArray<string>], given))
      return {
        query,
        answer: (view) =>
          Result.map(
            rows(spec, query.tickers, view, "stocks", (symbols, at) => rowsAt(view.market, symbols, at)),
            (found) =>
              Found.table(
                found,
                Array.from({ length: found.length }, (_, row) => String(found.valueAt("symbol", row)))
              )
          )
      }
    })

/**
 * The rows of some tickers at the moments that may be seen of them. Those that the market does not know are missing; where it knows none
 * there is no such symbol, and where the cache has none there is nothing.
 */
export const rows = <Spec extends ColumnSpec>(
  spec: Spec,
  symbols: ReadonlyArray<string>,
  { at }: View,
  kind: Freshness.Kind,
  rowsAt: (symbols: ReadonlyArray<string>, at: number) => ColumnTable.ColumnTable<Spec>
): Result.Result<ColumnTable.ColumnTable<Spec>, Refusals.Refusal> => {
  // Only neighbours with the same moment are looked up together, so that the reply keeps the order of the query.
  const runs: Array<{ readonly moment: number; readonly symbols: Array<string> }> = []
  for (const symbol of symbols) {
    const moment = at(kind, symbol)
    if (moment === undefined) continue
    const last = runs.at(-1)
    if (last?.moment === moment) last.symbols.push(symbol)
    else runs.push({ moment, symbols: [symbol] })
  }
  if (runs.length === 0) return Result.fail(Refusals.noContent)
  const tables = runs.map(({ moment, symbols }) => rowsAt(symbols, moment))
  const [first] = tables
  const all = tables.length === 1 && first !== undefined
    ? first
    : ColumnTable.merge<Spec, keyof Spec & string>(spec, tables)
  // Of a list with unknown symbols the others may be merely not cached.
  const isKnownWhole = symbols.every((symbol) => at(kind, symbol) !== undefined)
  return Refusals.notEmpty(all, isKnownWhole ? Refusals.symbolNotFound : Refusals.noContent)
}

/** The quotes of stocks; the 52 weeks and the day's candle come only when they are asked for (contract 4.4). */
export const stockQuotes: Found.Reader = (asked) =>
  Result.gen(function*() {
    const { list, parameters } = asked
    const symbols = yield* read(asked)
    const asks = yield* Parameters.several(parameters, Parameters.flag, ["52week", "candle", "extended"])
    const { candle = false, extended } = asks
    const one = asks["52week"] === true && !list ? (["52week"] as const) : []
    const query = yield* Refusals.query<Query.Query>(
      list
        ? Query.stockQuotes(symbols, { extended, include: candle ? ["candle"] : [] })
        : Query.stockQuote(symbols[0]!, { extended, include: candle ? [...one, "candle"] : one })
    )
    return {
      query,
      answer: (view) =>
        Result.map(
          rows(StockQuotes.spec, query.tickers, view, "stocks", view.market.stockQuotes),
          (quotes) => Found.table(quotes, quotes.symbol.values)
        )
    }
  })
