/**
 * One place through which all machines of an account ask: the account may be used from one address at a time and has one allowance, so one
 * machine sends, and the others ask it.
 *
 * On each machine that may send, `layerEntity` answers with the client that is there. On each machine that asks, `layer` is a client, the
 * same service as `MarketData.layerConfig`: an application changes its layer, and nothing else. Both stand on `effect/cluster`, which decides
 * which machine has the account and moves it when that machine stops.
 *
 * What the caller says goes with the call: consent to pay (`CacheFallback`), the policies, the deadline of its retries. Data come back as
 * columns, errors as the client's own. A caller that is interrupted, or whose machine stops, ends its request. No token is ever sent.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Gateway from "@effect-marketdata/cluster/Gateway"
 * import * as MarketDataTest from "@effect-marketdata/testing/MarketDataTest"
 * import * as TestRunner from "effect/cluster/TestRunner"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * // One process with all of it: the caller, the runner, and a simulated service.
 * const runner = Gateway.layerEntity().pipe(Layer.provide(MarketDataTest.layer()))
 * const caller = Gateway.layer({ account: "main" })
 * const layer = caller.pipe(Layer.provideMerge(runner), Layer.provide(TestRunner.layer))
 *
 * const chain = MarketData.optionChain("AAPL", { mode: "cached", columns: ["strike"] })
 * const { credits } = await Effect.runPromise(chain.pipe(Effect.provide(layer)))
 * credits.charged // => 1
 * ```
 *
 * @since 0.1.0
 */
import type { MarketData } from "@effect-marketdata/client/MarketData"
import type { Sharding } from "effect/cluster/Sharding"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Protocol from "../wire/Protocol.ts"
import * as Calling from "./calling.ts"
import { named } from "./options.ts"
import * as Serving from "./serving.ts"

/**
 * Whose gateway to ask.
 *
 * - `account`: a name for the account; all who use the same name ask in the same place
 * - `caller`: who asks. Callers take turns, however many calls each of them has. The host and the number of the process by default
 * - `patience`: how long a call waits for an answer, whatever becomes of runners meanwhile; 5 minutes by default
 * - `baseUrl`: the address of the service that runners ask, where it is not the public one: replies that are kept are those of one service
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends Calling.CallingOptions {}

/**
 * A client that asks the gateway of an account. A query fails for the same reasons as with a client of its own, and also with
 * `GatewayUnavailable`: if too many calls wait, if no runner answers, or if the runner is of another version.
 *
 * The policies at the call, or else those under this layer, are obeyed where it is sent, and so is a claim. A `RetryPolicy` of numbers is, too; of one that is a function only the deadline is.
 * `CacheFallback` is asked before the call is sent, with the price of the whole query.
 *
 * With a `ReplyCache` that runners share, such as `SqlReplyCache`, a kept reply answers here, by the same rules as in a client of one's own: it passes no
 * runner, and needs none.
 *
 * @example
 * ```ts
 * import * as Gateway from "@effect-marketdata/cluster/Gateway"
 *
 * export const client = Gateway.layer({ account: "main" })
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options): Layer.Layer<MarketData, never, Sharding> => Calling.layer(options)

/**
 * Which account is served, how many of its calls run at once, how many may wait, and what callers may spend.
 *
 * - `account`: the name of the account whose token and ledger the client has; calls about others are refused, and those from other programs before anything
 *   is made for them. Any name by default
 * - `maxInFlight`: 50 by default, as many requests as the public service answers at once
 * - `maxWaiting`: 1000 by default. Of more, a call of the caller that has the most waiting is refused with `GatewayUnavailable`
 * - `budgets`: ledgers of callers by their names, besides that of the account: what `SqlLedger.make` opens with a `budget` of the caller's name is shared
 *   by all runners. A call that may cost more than is left of its caller's fails with `CreditBudgetExceeded`. A caller that is not named here may spend
 *   what the account may; with a `secret` (`Runner.Options`) no caller can use another name than its own
 *
 * @category models
 * @since 0.1.0
 */
export interface EntityOptions extends Serving.ServingOptions {}

/**
 * Answers the calls of all machines with the client of this one, for each account that is with this runner. The client must be one that asks
 * the service itself; with it stay the token, the ledger and the budget.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerEntity = (options?: EntityOptions): Layer.Layer<never, never, MarketData | Sharding> =>
  Serving.layer(options)

/**
 * What the gateway of an account is doing.
 *
 * - `runner`: the host and port of the runner that has the account, and `since` when, in epoch seconds
 * - `running`, `waiting`: how many calls; `callers` says whose
 *
 * @category models
 * @since 0.1.0
 */
export interface Status extends Readonly<typeof Protocol.Status.Type> {}

/**
 * Asks the gateway of an account what it is doing.
 *
 * @example
 * ```ts
 * import * as Gateway from "@effect-marketdata/cluster/Gateway"
 * import * as Effect from "effect/Effect"
 *
 * export const waiting = Effect.map(Gateway.status("main"), ({ callers }) => callers.length)
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const status = (account: string): Effect.Effect<Status, never, Sharding> =>
  Effect.orDie(Effect.gen(function*() {
    const gateway = yield* Protocol.Gateway.client
    return yield* gateway(yield* Effect.fromResult(named("account", account))).Status()
  }))
