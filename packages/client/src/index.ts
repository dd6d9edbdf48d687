/**
 * All modules of the client by name.
 *
 * @module @effect-marketdata/client
 * @since 0.1.0
 */
export * as CacheFallback from "./policy/CacheFallback.ts"
export * as ChainSizes from "./policy/ChainSizes.ts"
export * as Claim from "./policy/Claim.ts"
export * as CreditLedger from "./account/CreditLedger.ts"
export * as HttpFailure from "./error/HttpFailure.ts"
export * as Incomplete from "./error/Incomplete.ts"
export * as IpGuard from "./account/IpGuard.ts"
export * as LedgerStore from "./account/LedgerStore.ts"
export * as MarketData from "./client/MarketData.ts"
export * as MarketDataConfig from "./config/MarketDataConfig.ts"
export * as MarketDataError from "./error/MarketDataError.ts"
export * as MarketDataStream from "./client/MarketDataStream.ts"
export * as Policies from "./policy/Policies.ts"
export * as QuoteResolver from "./endpoints/QuoteResolver.ts"
export * as ReplyCache from "./cache/ReplyCache.ts"
export * as RetryBudget from "./policy/RetryBudget.ts"
export * as RetryPolicy from "./policy/RetryPolicy.ts"
export * as Telemetry from "./telemetry/Telemetry.ts"
