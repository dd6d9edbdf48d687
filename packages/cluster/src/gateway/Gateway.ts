/**
 * The gateway of an account, for many machines: an account may be used from one address at a time and has one allowance, so one machine sends,
 * and the others ask it.
 *
 * On each machine that may send, `layerEntity` answers with the client of that machine. On each machine that asks, `layer` is a client, the
 * same service as `MarketData.layerConfig`: an application changes only its layer. Both use `effect/cluster`, which decides
 * which machine has the account and moves it when that machine stops.
 *
 * A call carries the caller's consent to pay (`CacheFallback`), policies and retry deadline. Data come back as
 * columns, errors as the client's own. If a caller is interrupted, or its machine stops, its request ends. The token is never sent to callers.
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
 * - `account`: a name for the account; all callers that use the same name share its gateway
 * - `caller`: the name of the caller; by default the host and the process id. Callers take turns, however many calls each of them has
 * - `patience`: how long a call waits for an answer, also while runners change; 5 minutes by default
 * - `baseUrl`: the address of the service that runners ask, if it is not the public one; kept replies belong to one service
 *
 * @category models
 * @since 0.1.0
 */
export interface Options extends Calling.CallingOptions {}

/**
 * A client that asks the gateway of an account. A query fails for the same reasons as with a client of its own, and also with
 * `GatewayUnavailable`: if too many calls are waiting, if no runner answers, or if the runner has another version of the protocol.
 *
 * The policies at the call, or else those provided to this layer, apply on the runner, and so does a claim. So does a `RetryPolicy` of numbers; of
 * one with a function only the deadline applies. `CacheFallback` is asked before the call is sent, with the price of the whole query.
 *
 * With a `ReplyCache` that runners share, such as `SqlReplyCache`, a kept reply answers here, by the same rules as in a local client, without a
 * runner.
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
 * - `account`: the name of the account whose token and ledger the client has; calls about other accounts are refused. Any name by default
 * - `maxInFlight`: 50 by default, as many requests as the public service answers at once
 * - `maxWaiting`: 1000 by default. If there are more, the caller with the most waiting calls loses one, which fails with `GatewayUnavailable`
 * - `budgets`: ledgers of callers by their names, in addition to that of the account. A ledger that `SqlLedger.make` opens with a `budget` is shared
 *   by all runners. A call that may cost more than its caller has left fails with `CreditBudgetExceeded`. A caller that is not listed may spend
 *   what the account may; with a `secret` (`Runner.Options`) a caller can only use its own name
 *
 * @category models
 * @since 0.1.0
 */
export interface EntityOptions extends Serving.ServingOptions {}

/**
 * Answers the calls of all machines with the client of this machine, for each account that this runner has. The client must be one that asks
 * the service itself; the token, the ledger and the budget stay with it.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerEntity = (options?: EntityOptions): Layer.Layer<never, never, MarketData | Sharding> =>
  Serving.layer(options)

/**
 * The status of the gateway of an account.
 *
 * - `runner`: the host and port of the runner that has the account, and `since` when, in epoch seconds
 * - `running`, `waiting`: how many calls; `callers` says whose
 *
 * @category models
 * @since 0.1.0
 */
export interface Status extends Readonly<typeof Protocol.Status.Type> {}

/**
 * Returns the status of the gateway of an account.
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
