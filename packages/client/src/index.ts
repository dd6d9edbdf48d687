/**
 * All modules of the client by name.
 *
 * @since 0.1.0
 */
export * as CacheFallback from "./CacheFallback.ts"
export * as CreditLedger from "./CreditLedger.ts"
export * as EgressGuard from "./EgressGuard.ts"
export * as HttpFailure from "./HttpFailure.ts"
export * as Incomplete from "./Incomplete.ts"
export * as MarketData from "./MarketData.ts"
export * as MarketDataConfig from "./MarketDataConfig.ts"
export * as MarketDataError from "./MarketDataError.ts"
export * as MarketDataStream from "./MarketDataStream.ts"
export * as Policies from "./Policies.ts"
export * as QuoteResolver from "./QuoteResolver.ts"
export * as Telemetry from "./Telemetry.ts"
