/**
 * A budget of retries in a database: all programs of an account take from the same one, so that the load on a service in trouble does not grow with
 * their number. The rules are those of core's `Retry`, as in memory. While the database cannot be used, nothing is retried.
 *
 * @example
 * ```ts
 * import * as RetryBudget from "@effect-marketdata/client/RetryBudget"
 * import * as SqlRetryBudget from "@effect-marketdata/sql/SqlRetryBudget"
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const take = Effect.flatMap(RetryBudget.RetryBudget, (budget) => budget.take)
 * const budget = SqlRetryBudget.layer({ account: "main", tokens: 1, perSecond: 0 })
 * const database = Sqlite.layer({ filename: ":memory:" })
 *
 * await Effect.runPromise(Effect.all([take, take]).pipe(Effect.provide(Layer.provide(budget, database)))) // => [true, false]
 * ```
 *
 * @see `RetryBudget` of the client for what a budget does
 * @see {@link SqlLedger} for the ledger in the same database
 * @since 0.1.0
 */
import * as RetryBudget from "@effect-marketdata/client/RetryBudget"
import * as Retry from "@effect-marketdata/core/Retry"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import { type DatabaseError, fromSql, quietly } from "../database/DatabaseError.ts"
import { migrated } from "../database/migrations.ts"
import * as Checked from "../database/options.ts"
import * as SharedRow from "../database/sharedRow.ts"

/**
 * Which budget: that of an account. The retries taken are shared; `tokens`, how many retries there are at once, and `perSecond`, how many are added
 * each second, are set by each program, and default to `Retry.defaultAllowance`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends Partial<Retry.Allowance> {
  readonly account: string
}

/** What is written: the retries that are left, as of a time in milliseconds. */
const Left = Schema.fromJsonString(Schema.toCodecJson(Schema.Struct({ tokens: Schema.Number, now: Schema.Number })))
const encode = Schema.encodeSync(Left)
const decode = Schema.decodeEffect(Left)

/**
 * Opens the budget of an account. It is full if no retry was taken yet.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function*(
  options: Options
): Effect.fn.Return<RetryBudget.RetryBudget["Service"], DatabaseError, SqlClient.SqlClient> {
  const { account: named, perSecond, tokens } = (options ?? {}) as Partial<Options>
  const account = yield* Checked.named("account", named)
  const allowance: Retry.Allowance = {
    tokens: tokens ?? Retry.defaultAllowance.tokens,
    perSecond: perSecond ?? Retry.defaultAllowance.perSecond
  }
  const sql = yield* migrated
  const place = { account, kind: "retries" } as const
  yield* Effect.mapError(SharedRow.insert(sql, place, encode(Retry.makeBudget(allowance))), fromSql)
  const take = SharedRow.change(sql, place, ({ now, text }) =>
    Effect.map(decode(text), (left) => {
      // No more is left than this program would leave.
      const most = Math.min(left.tokens, Retry.makeBudget(allowance).tokens)
      const { budget, taken } = Retry.take({ allowance, tokens: most, now: left.now }, now * 1000)
      return { value: taken, text: encode(budget) }
    }))
  return { take: quietly(Effect.uninterruptible(take), false, `the retries of "${account}"`) }
})

/**
 * A budget in the database of the program.
 *
 * @example
 * ```ts
 * import * as Sqlite from "@effect-marketdata/sql/Sqlite"
 * import * as SqlRetryBudget from "@effect-marketdata/sql/SqlRetryBudget"
 * import * as Layer from "effect/Layer"
 *
 * export const retries = SqlRetryBudget.layer({ account: "main", tokens: 50, perSecond: 2 }).pipe(
 *   Layer.provide(Sqlite.layer({ filename: "credits.db" }))
 * )
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options): Layer.Layer<RetryBudget.RetryBudget, DatabaseError, SqlClient.SqlClient> =>
  Layer.effect(RetryBudget.RetryBudget, make(options))
