/** Decides what to do about a call that a runner did not answer, although its caller still waits: the runner, or the connection to it, has ended. */
import { GatewayUnavailable } from "@effect-marketdata/core/Reason"
import * as Cause from "effect/Cause"
import type {
  AlreadyProcessingMessage,
  EntityNotAssignedToRunner,
  MailboxFull,
  PersistenceError
} from "effect/cluster/ClusterError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Socket from "effect/socket/Socket"
import * as Protocol from "../wire/Protocol.ts"

type Failure = typeof Protocol.Failed.Type
type Failed = Extract<Failure, { readonly _tag: "Failed" }>

/** The errors of a call to a gateway. */
export type Unanswered = Failure | AlreadyProcessingMessage | EntityNotAssignedToRunner | MailboxFull | PersistenceError

/**
 * What to do. `wasSent` says whether a request of the call may have been sent.
 *
 * - `Again`: send the call to the runner that has the account now, even if it may have been sent: because of its claim it is sent once, or fails with
 *   `AlreadySent`
 * - `Fail`: the client of the runner has failed
 * - `GiveUp`: the gateway cannot be asked
 * - `Die`: the call ended with a defect
 */
export type Next =
  | { readonly _tag: "Again"; readonly wasSent: boolean }
  | { readonly _tag: "Fail"; readonly failure: Failed; readonly wasSent: boolean }
  | { readonly _tag: "GiveUp"; readonly reason: GatewayUnavailable }
  | { readonly _tag: "Die"; readonly cause: Cause.Cause<never> }

/** A call: whether it may have been sent, and its age in milliseconds. */
export interface Known {
  readonly wasSent: boolean
  readonly age: number
}

const again = (wasSent: boolean): Next => ({ _tag: "Again", wasSent })

/** Makes the reason of a gateway that cannot be asked. */
export const unavailable = (
  cause: GatewayUnavailable["cause"],
  detail: string,
  wasSent: boolean
): GatewayUnavailable => new GatewayUnavailable({ cause, detail, wasSent })

/** The reason if the program of the caller is stopping. */
export const stopping = (wasSent: boolean): GatewayUnavailable =>
  unavailable("Unreachable", "this program is stopping", wasSent)

/** Decides what to do about a call that failed with this cause. */
export const next = (cause: Cause.Cause<Unanswered>, known: Known): Next => {
  const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (failure === undefined) {
    return Cause.hasInterruptsOnly(cause) || isBroken(cause)
      ? again(true)
      : { _tag: "Die", cause: cause as Cause.Cause<never> }
  }
  const giveUp = (why: GatewayUnavailable["cause"], detail: string, wasSent = isPerhapsSent(failure, known)): Next => ({
    _tag: "GiveUp",
    reason: unavailable(why, detail, wasSent)
  })
  switch (failure._tag) {
    case "Failed":
      return { _tag: "Fail", failure, wasSent: isPerhapsSent(failure, known) }
    case "Moved":
      return again(known.wasSent)
    // The runner has the call from before the connection was lost.
    case "AlreadyProcessingMessage":
      return again(true)
    case "Busy":
      return giveUp("Busy", `${failure.waiting} calls are waiting`)
    case "MailboxFull":
      return giveUp("Busy", "its mailbox is full")
    case "OtherVersion":
      return giveUp(
        "OtherVersion",
        `its protocol is version ${failure.version}, and that of this program is ${Protocol.version}`
      )
    case "Unreadable":
      return giveUp("OtherVersion", failure.detail)
    case "PersistenceError":
      return giveUp("Unreachable", failure._tag, true)
    // The cluster looks for a runner until the program stops. A runner that was lost before may have sent the call.
    case "EntityNotAssignedToRunner":
      return { _tag: "GiveUp", reason: stopping(true) }
  }
}

/** Whether a connection broke while something was written to it, which the cluster's transport reports as a defect. */
const isBroken = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && Socket.isSocketError(reason.defect))

/** Whether the call may have been sent by an earlier runner that was lost. */
const isPerhapsSent = (failure: Unanswered, { age, wasSent }: Known): boolean => {
  const tenure = "tenure" in failure ? failure.tenure : undefined
  return wasSent || tenure === undefined || tenure < age
}

/** Starts a stopwatch of the monotonic clock, in milliseconds. */
export const stopwatch: Effect.Effect<() => number> = Effect.clockWith((clock) =>
  Effect.sync(() => {
    const started = clock.monotonicTimeNanosUnsafe()
    return () => Number(clock.monotonicTimeNanosUnsafe() - started) / 1e6
  })
)
