import type * as Query from "@effect-marketdata/core/Query"
import * as Reason from "@effect-marketdata/core/Reason"
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
  const once: Effect.Effect<Passed<A> | Held, Reason.GuardUnavailable> = permits.withPermit(
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(ipGuard.admit, (admission): Effect.Effect<Passed<A> | Held> =>
        admission._tag === "Held"
          ? Effect.succeed(admission)
          : Effect.tap(pass(restore, admission.fence), ({ departure }) => admission.leave(departure)))
    )
  )
  const ask = (wasHeld: boolean): Effect.Effect<A, Reason.Reason> =>
    Effect.flatMap(once, (passed) => {
      if ("exit" in passed) return passed.exit
      // A guard may be asked often until it lets a request through: that is one hold.
      const told = wasHeld ? Effect.void : Observe.hold(query, terms.ipPolicy.whenHeld)
      return Effect.andThen(Effect.andThen(told, held(terms.ipPolicy, passed)), ask(true))
    })
  return ask(false)
}

type Held = Extract<Admission, { readonly _tag: "Held" }>

const held = ({ whenHeld }: IpPolicy, { over, until }: Held): Effect.Effect<void, Reason.IpBlocked> =>
  whenHeld === "wait" ? over : Effect.fail(new Reason.IpBlocked({ until }))
