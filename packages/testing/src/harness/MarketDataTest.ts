/**
 * The client over the simulated service, in one layer: it replaces the network in a test of an application.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 * import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
 * import * as MarketDataTest from "@effect-marketdata/testing/MarketDataTest"
 * import * as Effect from "effect/Effect"
 *
 * const billed = Effect.gen(function*() {
 *   yield* MarketData.optionChain("SPX", { mode: DataMode.cached() })
 *   return yield* (yield* Sandbox.Sandbox).billed
 * }).pipe(Effect.provide(MarketDataTest.layer({ seed: 1 })))
 *
 * await Effect.runPromise(billed) // => 1
 * ```
 *
 * @since 0.1.0
 */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as MarketData from "@effect-marketdata/client/MarketData"
import type * as MarketDataConfig from "@effect-marketdata/client/MarketDataConfig"
import { type Account, Problem, type Profile } from "@effect-marketdata/core"
import * as Accounts from "@effect-marketdata/sandbox/Accounts"
import * as Faults from "@effect-marketdata/sandbox/Faults"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxClock from "@effect-marketdata/sandbox/SandboxClock"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as TestClock from "effect/testing/TestClock"

/**
 * The time at which tests begin by default, in epoch seconds: noon in New York on Friday, 20 November 2026, while the market is open.
 *
 * @category constants
 * @since 0.1.0
 */
export const noon = 1795194000

/**
 * The options of a test.
 *
 * - `seed`: decides the prices of the market, and random faults; 1 by default
 * - `plan`: the plan of the account that asks; paid by default
 * - `profile`: whether the service follows the contract, the default, or the public service
 * - `at`: the time at the start, in epoch seconds; `noon` by default. A `TestClock` is set to it, and the test moves it; any other clock runs on from it
 * - `allowance`: the budget of the client in credits; without one its credits are only counted
 * - `faults`: what goes wrong, in order; nothing by default
 * - `client`, `sandbox`: all other options of the two
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly seed?: number | undefined
  readonly plan?: Account.Plan | undefined
  readonly profile?: Profile.Profile | undefined
  readonly at?: number | undefined
  readonly allowance?: number | undefined
  readonly faults?: ReadonlyArray<Faults.Fault> | undefined
  readonly client?: MarketDataConfig.MarketDataConfig | undefined
  readonly sandbox?: Omit<Sandbox.Options, "seed" | "profile"> | undefined
}

/**
 * The services that the layer provides: the client and its ledger, the sandbox with its bills and its faults, and the `HttpClient` between them.
 *
 * @category models
 * @since 0.1.0
 */
export type Services =
  | MarketData.MarketData
  | CreditLedger.CreditLedger
  | Sandbox.Sandbox
  | Faults.Faults
  | HttpClient.HttpClient

/**
 * The client over a sandbox in this process. It does not include consent to pay for live data after a cached miss: a test provides a
 * `CacheFallback`, as the application does. Throws `ValueError` for a plan that no account of the sandbox has.
 *
 * @example
 * ```ts
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as MarketDataTest from "@effect-marketdata/testing/MarketDataTest"
 * import * as Effect from "effect/Effect"
 *
 * const prices = MarketData.stockPrices(["AAPL"]).pipe(Effect.map(({ credits }) => credits.charged))
 * await Effect.runPromise(Effect.provide(prices, MarketDataTest.layer({ seed: 1, allowance: 100 }))) // => 1
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options = {}): Layer.Layer<Services> => {
  const { allowance, at = noon, client, faults, plan = "paid", profile, sandbox, seed } = options
  const isPlan = Accounts.publicDefaults.some(({ token }) => token === `sandbox-${plan}`)
  Problem.expect(isPlan || !!(sandbox?.accounts ?? client?.token), "plan", plan, "free, trial or paid", "paid")
  return MarketData.layer({ baseUrl: "https://sandbox.test", token: Redacted.make(`sandbox-${plan}`), ...client }).pipe(
    Layer.provideMerge(
      allowance === undefined ? Layer.fresh(CreditLedger.layerUnlimited) : CreditLedger.layerMemory({ allowance })
    ),
    Layer.provideMerge(Sandbox.layerHttpClient),
    Layer.provideMerge(Faults.layer({ seed, faults })),
    Layer.provideMerge(Sandbox.layer({ ...sandbox, seed, profile })),
    Layer.provideMerge(clock(at))
  )
}

const clock = (at: number): Layer.Layer<never> =>
  Layer.unwrap(
    Effect.map(Clock.Clock, (clock): Layer.Layer<never> =>
      isTestClock(clock) ? Layer.effectDiscard(clock.setTime(at * 1000)) : Layer.orDie(SandboxClock.layer({ at })))
  )

const isTestClock = (clock: Clock.Clock): clock is TestClock.TestClock => "setTime" in clock
