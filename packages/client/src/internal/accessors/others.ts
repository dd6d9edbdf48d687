import type * as AccountStatus from "@effect-marketdata/core/AccountStatus"
import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import type * as FundCandles from "@effect-marketdata/core/FundCandles"
import type * as FundCandlesEndpoint from "@effect-marketdata/core/FundCandlesEndpoint"
import type * as MarketStatus from "@effect-marketdata/core/MarketStatus"
import type * as MarketStatusEndpoint from "@effect-marketdata/core/MarketStatusEndpoint"
import * as Query from "@effect-marketdata/core/Query"
import type * as RequestHeaders from "@effect-marketdata/core/RequestHeaders"
import type * as ServiceStatus from "@effect-marketdata/core/ServiceStatus"
import * as Result from "effect/Result"
import { named } from "../named.ts"
import { ask, type Asked } from "../service.ts"

/**
 * Asks for the candles of a fund.
 *
 * @category questions
 * @since 0.1.0
 */
export const fundCandles = <
  const Name extends FundCandles.Column = FundCandles.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  resolution: FundCandlesEndpoint.Resolution,
  symbol: string,
  options?: FundCandlesEndpoint.Options<Name, Mode>
): Asked<FundCandles.FundCandles<Name>, Mode> =>
  ask(named("fundCandles", symbol, resolution), Query.fundCandles(resolution, symbol, options))

/**
 * Asks on which days the market is open.
 *
 * @category questions
 * @since 0.1.0
 */
export const marketStatus = <
  const Name extends MarketStatus.Column = MarketStatus.Column,
  const Mode extends Endpoint.UncachedMode = undefined
>(
  options?: MarketStatusEndpoint.Options<Name, Mode>
): Asked<MarketStatus.MarketStatus<Name>, Mode> => ask("marketStatus", Query.marketStatus(options))

/**
 * Asks what the service knows of the account, at no cost.
 *
 * @category questions
 * @since 0.1.0
 */
export const account: Asked<AccountStatus.AccountStatus, undefined> = /* @__PURE__ */ ask(
  "account",
  /* @__PURE__ */ Result.succeed(Query.account)
)

/**
 * Asks how the parts of the service are, at no cost.
 *
 * @category questions
 * @since 0.1.0
 */
export const serviceStatus: Asked<ServiceStatus.ServiceStatus, undefined> = /* @__PURE__ */ ask(
  "serviceStatus",
  /* @__PURE__ */ Result.succeed(Query.serviceStatus)
)

/**
 * Asks which headers reach the service, at no cost.
 *
 * @category questions
 * @since 0.1.0
 */
export const requestHeaders: Asked<RequestHeaders.RequestHeaders, undefined> = /* @__PURE__ */ ask(
  "requestHeaders",
  /* @__PURE__ */ Result.succeed(Query.requestHeaders)
)
