/**
 * Claims: a call that runs again after its process died must not be paid twice. A call with a claim has a key, which stays the same however
 * often it runs, and the name of this run. The ledger records both with the first request that it marks as sent. From then on it refuses
 * another run of the same key: that run fails with `AlreadySent`, because the earlier request may have been charged.
 *
 * All requests of one run share its claim: batches, retries and the fallback to live data. Nothing is claimed by a query that sends nothing,
 * such as one that a kept reply answers.
 *
 * @example
 * ```ts
 * import * as Claim from "@effect-marketdata/client/Claim"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Effect from "effect/Effect"
 * import { randomUUID } from "node:crypto"
 *
 * // The key is that of a job, the run that of this process.
 * export const once = MarketData.optionChain("SPX", { date: "2026-11-19", assume: { contracts: 25_000 } }).pipe(
 *   Effect.provideService(Claim.Current, { key: "backfill SPX 2026-11-19", run: randomUUID() })
 * )
 * ```
 *
 * @see {@link CreditLedger} for the ledger that holds the claims: those in memory end with it
 * @see `SqlLedger.claimed` of the package `sql` for what became of a claim
 * @since 0.1.0
 */
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Result from "effect/Result"
import { reference } from "./Policies.ts"

/**
 * A claim: the `key` of a call, which is the same each time it runs, and the name of this `run`. Both are strings of 1 to 200 characters.
 *
 * @category models
 * @since 0.1.0
 */
export interface Claim {
  readonly key: string
  readonly run: string
}

/**
 * The claim of the calls that it is provided to; none by default.
 *
 * @example
 * ```ts
 * import * as Claim from "@effect-marketdata/client/Claim"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Effect from "effect/Effect"
 *
 * export const once = MarketData.stockPrices(["AAPL"]).pipe(
 *   Effect.provideService(Claim.Current, { key: "prices of 2026-11-20", run: "first start" })
 * )
 * ```
 *
 * @category references
 * @since 0.1.0
 */
export const Current = /* @__PURE__ */ reference<Claim | undefined>("Claim/Current", () => undefined)

/** The rule of a key and of a run. A database would cut off or refuse what is longer, and PostgreSQL takes no NUL. */
const isName = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= 200 && !value.includes("\0")

/**
 * Checks a claim, as callers without types may give it.
 *
 * @example
 * ```ts
 * import * as Claim from "@effect-marketdata/client/Claim"
 * import * as Result from "effect/Result"
 *
 * Result.isFailure(Claim.check({ key: "", run: "first start" })) // => true
 * ```
 *
 * @category guards
 * @since 0.1.0
 */
export const check = (claim: Claim | undefined): Result.Result<Claim | undefined, InvalidQuery> => {
  if (claim === undefined) return Result.succeed(undefined)
  const { key, run } = (claim ?? {}) as Partial<Claim>
  const rule = "must be a string of 1 to 200 characters"
  if (!isName(key)) return Result.fail(InvalidQuery.of("claim key", key, { rule, example: "\"SPX 2026-11-20\"" }))
  if (!isName(run)) return Result.fail(InvalidQuery.of("claim run", run, { rule, example: "a UUID of the process" }))
  return Result.succeed(claim)
}
