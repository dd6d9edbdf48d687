/**
 * What is kept of the Market Data options API in a database: SQLite, which Node contains, or PostgreSQL.
 *
 * @module @effect-marketdata/sql
 * @since 0.1.0
 */
export * as DatabaseError from "./database/DatabaseError.ts"
export * as SqlChainSizes from "./sizes/SqlChainSizes.ts"
export * as SqlIpGuard from "./address/SqlIpGuard.ts"
export * as SqlLedger from "./ledger/SqlLedger.ts"
export * as SqlReplyCache from "./replies/SqlReplyCache.ts"
export * as SqlRetryBudget from "./retries/SqlRetryBudget.ts"
export * as Sqlite from "./database/Sqlite.ts"
export * as Tables from "./database/Tables.ts"
