/**
 * All modules of this package by name.
 *
 * @module @effect-marketdata/volatility
 * @since 0.1.0
 */
export * as Black from "./black/Black.ts"
export * as Expiry from "./expiration/Expiry.ts"
export * as ImpliedVolatility from "./black/ImpliedVolatility.ts"
export * as InvalidInput from "./reason/InvalidInput.ts"
export * as NoVolatility from "./reason/NoVolatility.ts"
export * as Volatility from "./chain/Volatility.ts"
