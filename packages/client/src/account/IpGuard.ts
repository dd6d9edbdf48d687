/**
 * Keeps a client from being blocked because of its address, and from sending requests in vain while it is blocked: the service's rule of
 * one address at a time (contract 5.6) as a service. The rules are those of core's `IpRule`; this module shares their state between many
 * fibers.
 *
 * After a 403 that blocks an address, nothing is sent until the block is over. Then one request goes first, and the others follow when it
 * is answered. `Policies.IpRule` says whether calls meanwhile wait or fail with `IpBlocked`.
 *
 * @example
 * ```ts
 * import * as IpGuard from "@effect-marketdata/client/IpGuard"
 * import * as Effect from "effect/Effect"
 *
 * const program = Effect.gen(function*() {
 *   const guard = yield* IpGuard.IpGuard
 *   const first = yield* guard.admit
 *   if (first._tag === "Send") yield* first.leave("blocked")
 *   return (yield* guard.admit)._tag
 * }).pipe(Effect.provide(IpGuard.layerMemory()))
 *
 * Effect.runSync(program) // => "Held"
 * ```
 *
 * @see {@link IpRule} of core for the rules
 * @see {@link Policies} for waiting instead of failing
 * @since 0.1.0
 */
import * as IpRule from "@effect-marketdata/core/IpRule"
import type { GuardUnavailable } from "@effect-marketdata/core/Reason"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { steadyMillis } from "../config/steadyMillis.ts"

/**
 * The end of an admitted request: it was answered, whatever the answer; it was lost or never sent; or its address was blocked.
 *
 * @category models
 * @since 0.1.0
 */
export type Ending = "answered" | "lost" | "blocked"

/**
 * Keeps a request from being sent after its admission has expired: between admission and sending lies the ledger's transaction, and the program
 * may be paused.
 *
 * - `check`: fails if the program may no longer send; called at the last moment before a request is sent
 * - `within`: the same check in a database, for a ledger in the same database, inside the transaction that marks the request as sent: it returns
 *   why the request may not be sent, or undefined. Called with another database, it returns undefined instead of an effect
 *
 * @category models
 * @since 0.1.0
 */
export interface Fence {
  readonly check: Effect.Effect<void, GuardUnavailable>
  readonly within: (database: unknown) => Effect.Effect<GuardUnavailable | undefined, GuardUnavailable> | undefined
}

/**
 * Whether a request may be sent now. `Send` counts it as in flight until it calls `leave`; it has a `fence` if other programs may send once the
 * lease of this one is over. `Held` means: ask again when `over` completes.
 * `until` is the time that must pass, in epoch seconds, or undefined if replies have to arrive first.
 *
 * @category models
 * @since 0.1.0
 */
export type Admission =
  | {
    readonly _tag: "Send"
    readonly leave: (ending: Ending) => Effect.Effect<void>
    readonly fence?: Fence | undefined
  }
  | { readonly _tag: "Held"; readonly until: number | undefined; readonly over: Effect.Effect<void> }

/**
 * The guard. `admit` asks to send one request, and does not wait for others. A guard in memory never fails. A guard in a database
 * fails with `GuardUnavailable` if the database cannot be used.
 *
 * @category services
 * @since 0.1.0
 */
export class IpGuard extends Context.Service<IpGuard, {
  readonly admit: Effect.Effect<Admission, GuardUnavailable>
}>()("@effect-marketdata/client/IpGuard") {}

/**
 * The options of a guard. `address` is an effect that returns the address that requests come from, for machines whose address changes.
 * Without it the address is assumed to stay the same.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly address?: Effect.Effect<string> | undefined
}

/**
 * Makes a guard whose state is in memory.
 *
 * @example
 * ```ts
 * import * as IpGuard from "@effect-marketdata/client/IpGuard"
 * import * as Effect from "effect/Effect"
 *
 * export const guard = IpGuard.makeMemory({ address: Effect.succeed("office") })
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMemory = (options?: Options): Effect.Effect<IpGuard["Service"]> =>
  Effect.sync(() => {
    // A system's clock that was set back by an hour would keep calls waiting for an hour.
    const withMillis = steadyMillis()
    let traffic = IpRule.noTraffic
    /** Whether the service has blocked an address, and no later request was answered yet. */
    let suspect = false
    /** Completes when the next request leaves; undefined while nobody waits for that. */
    let left: Deferred.Deferred<void> | undefined
    const untilOneLeft = (): Admission => {
      left ??= Deferred.makeUnsafe()
      return { _tag: "Held", until: undefined, over: Deferred.await(left) }
    }

    const leave = (address: string, isTrial: boolean) => (ending: Ending): Effect.Effect<void> =>
      withMillis((millis) => {
        const now = millis / 1000
        const settled = IpRule.settle(traffic, now, ending !== "lost")
        traffic = ending === "blocked" ? IpRule.blocked(settled, address, now) : settled
        // Only the answer to a request that was sent after the block shows that it is over.
        suspect = ending === "blocked" || suspect && !(isTrial && ending === "answered")
        const waiting = left
        left = undefined
        return waiting === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(waiting, undefined))
      })

    const judge = (address: string, millis: number): Admission => {
      if (suspect && traffic.inFlight > 0) return untilOneLeft()
      // The service counts in whole seconds: within the second in which a block ends it may still hold.
      const permission = IpRule.admit(traffic, address, Math.floor(millis / 1000))
      if (permission._tag === "WaitForReplies") return untilOneLeft()
      if (permission._tag === "WaitUntilPast") {
        // The second of that time must be over, too.
        const over = Effect.sleep(Math.max(1, (Math.floor(permission.time) + 1) * 1000 - millis))
        return { _tag: "Held", until: permission.time, over }
      }
      traffic = permission.traffic
      return { _tag: "Send", leave: leave(address, suspect) }
    }

    const admit = (address: string) => withMillis((millis) => Effect.succeed(judge(address, millis)))
    // The guard is asked uninterruptibly, but waiting for the address may be interrupted: nothing is admitted yet.
    const present = Effect.isEffect(options?.address) ? Effect.interruptible(options.address) : undefined
    return { admit: present === undefined ? admit("here") : Effect.flatMap(present, admit) }
  })

/**
 * A guard in memory.
 *
 * @example
 * ```ts
 * import * as IpGuard from "@effect-marketdata/client/IpGuard"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * // Clients of one program that stand behind one address share the guard.
 * const guard = IpGuard.layerMemory({ address: Effect.succeed("office") })
 * export const client = MarketData.layerConfig.pipe(Layer.provide(guard))
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory = (options?: Options): Layer.Layer<IpGuard> => Layer.effect(IpGuard, makeMemory(options))
