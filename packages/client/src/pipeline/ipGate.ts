import type * as Query from "@effect-marketdata/core/Query"
import type * as Reason from "@effect-marketdata/core/Reason"
import { type GuardUnavailable, IpBlocked } from "@effect-marketdata/core/Reason"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type { Admission, Departure, Fence } from "../account/IpGuard.ts"
import type { IpPolicy } from "../policy/Policies.ts"
import type { Asking } from "../asking/asking.ts"
import * as Observe from "../telemetry/observe.ts"

/** A request that was let through: its result, and how it leaves the gate. */
export interface Passed<A> {
  readonly exit: Exit.Exit<A, Reason.Reason>
  readonly departure: Departure
}

/**
 * Lets a request through the IP gate and takes a permit for it. The gate is asked under the permit, at the last moment before sending,
 * so that a block also holds back what was queueing for permits; it is waited for without one. `pass` cannot be interrupted but in what it
 * gives to `restore`.
 */
export const gate = <A>(
  asking: Asking,
  query: Query.Query,
  pass: (
    restore: <B, E>(effect: Effect.Effect<B, E>) => Effect.Effect<B, E>,
    fence: Fence | undefined
  ) => Effect.Effect<Passed<A>>
): Effect.Effect<A, Reason.Reason> => {
  const { resources: { ipGuard, permits }, terms } = asking
  const once: Effect.Effect<Passed<A> | Held, GuardUnavailable> = permits.withPermit(
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(ipGuard.admit, (admission): Effect.Effect<Passed<A> | Held> =>
        admission._tag === "Held"
          ? Effect.succeed(admission)
          : Effect.tap(pass(restore, admission.fence), ({ departure }) => admission.leave(departure)))
    )
  )
  const knock: Effect.Effect<A, Reason.Reason> = Effect.flatMap(
    once,
    (passed) => "exit" in passed ? passed.exit : Effect.andThen(held(query, terms.ipPolicy, passed), knock)
  )
  return knock
}

type Held = Extract<Admission, { readonly _tag: "Held" }>

const held = (
  query: Query.Query,
  { whenHeld }: IpPolicy,
  { over, until }: Held
): Effect.Effect<void, IpBlocked> =>
  Effect.andThen(
    Observe.hold(query, whenHeld),
    whenHeld === "wait" ? over : Effect.fail(new IpBlocked({ until }))
  )
