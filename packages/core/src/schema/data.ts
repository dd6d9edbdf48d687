import * as Schema from "effect/Schema"
import type { ColumnSpec } from "../columns/ColumnSpec.ts"
import * as FundCandles from "../endpoints/FundCandles.ts"
import type { EndpointName } from "../endpoints/list.ts"
import * as MarketStatus from "../endpoints/MarketStatus.ts"
import * as OptionChain from "../endpoints/OptionChain.ts"
import * as OptionQuote from "../endpoints/OptionQuote.ts"
import * as ServiceStatus from "../endpoints/ServiceStatus.ts"
import * as StockBulkCandles from "../endpoints/StockBulkCandles.ts"
import * as StockCandles from "../endpoints/StockCandles.ts"
import * as StockEarnings from "../endpoints/StockEarnings.ts"
import * as StockNews from "../endpoints/StockNews.ts"
import * as StockPrices from "../endpoints/StockPrices.ts"
import * as StockQuotes from "../endpoints/StockQuotes.ts"
import type { Query } from "../query/query.ts"
import type * as Answers from "../reply/Answer.ts"
import { Answer } from "./answer.ts"
import { Table } from "./table.ts"
import * as Values from "./values.ts"

type DataSchema = (query: Query) => Schema.Codec<unknown, Schema.Json>

const table = (spec: ColumnSpec): DataSchema => ({ returns }) => Table(spec, returns)

/** What each endpoint answers with; the compiler asks for all of them. */
const schemas: { readonly [Name in EndpointName]: DataSchema } = {
  optionChain: /* @__PURE__ */ table(OptionChain.spec),
  optionQuote: /* @__PURE__ */ table(OptionQuote.spec),
  optionLookup: () => Values.OptionLookup,
  optionExpirations: () => Values.OptionExpirations,
  optionStrikes: () => Values.OptionStrikes,
  stockQuotes: /* @__PURE__ */ table(StockQuotes.spec),
  stockPrices: /* @__PURE__ */ table(StockPrices.spec),
  stockCandles: /* @__PURE__ */ table(StockCandles.spec),
  stockBulkCandles: /* @__PURE__ */ table(StockBulkCandles.spec),
  stockEarnings: /* @__PURE__ */ table(StockEarnings.spec),
  stockNews: /* @__PURE__ */ table(StockNews.spec),
  marketStatus: /* @__PURE__ */ table(MarketStatus.spec),
  fundCandles: /* @__PURE__ */ table(FundCandles.spec),
  account: () => Values.AccountStatus,
  serviceStatus: /* @__PURE__ */ table(ServiceStatus.spec),
  requestHeaders: () => Values.RequestHeaders
}

/**
 * Returns the schema of the data that answer a query: a table of its columns, a value, or a text in CSV.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DataOf = <Data>({ endpoint, ...query }: Query<Data>): Schema.Codec<Data, Schema.Json> => {
  const schema: Schema.Codec<unknown, Schema.Json> = query.format === "csv"
    ? Schema.String
    : schemas[endpoint.name as EndpointName]({ endpoint, ...query })
  // The endpoint's constructor typed the query with what that endpoint answers.
  return schema as Schema.Codec<Data, Schema.Json>
}

/**
 * Returns the schema of the whole answer to a query.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AnswerTo = <Data>(query: Query<Data>): Schema.Codec<Answers.Answer<Data>, Schema.Json> =>
  Answer(DataOf(query))
