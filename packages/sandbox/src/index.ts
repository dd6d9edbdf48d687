/**
 * All modules of the sandbox by name.
 *
 * @module @effect-marketdata/sandbox
 * @since 0.1.0
 */
export * as Accounts from "./account/Accounts.ts"
export * as AdminApi from "./server/AdminApi.ts"
export * as Billing from "./account/Billing.ts"
export * as BlackScholes from "./market/BlackScholes.ts"
export * as Cache from "./view/Cache.ts"
export * as Candles from "./market/Candles.ts"
export * as ChainSnapshot from "./market/ChainSnapshot.ts"
export * as ConnectionReset from "./wire/ConnectionReset.ts"
export * as ExpirationCycle from "./market/ExpirationCycle.ts"
export * as Faults from "./fault/Faults.ts"
export * as Listing from "./market/Listing.ts"
export * as Market from "./market/Market.ts"
export * as QuoteTime from "./market/QuoteTime.ts"
export * as Resolution from "./market/Resolution.ts"
export * as Routes from "./request/Routes.ts"
export * as Sandbox from "./service/Sandbox.ts"
export * as SandboxClock from "./view/SandboxClock.ts"
export * as SandboxReply from "./wire/SandboxReply.ts"
export * as SandboxServer from "./server/SandboxServer.ts"
export * as Spot from "./market/Spot.ts"
export * as Stock from "./market/Stock.ts"
export * as StockSnapshot from "./market/StockSnapshot.ts"
export * as Trading from "./market/Trading.ts"
export * as TradingHours from "./market/TradingHours.ts"
export * as Underlying from "./market/Underlying.ts"
