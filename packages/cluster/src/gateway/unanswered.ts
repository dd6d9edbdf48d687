/** What becomes of a call that a runner did not answer. Its caller is still there: what ended is the runner, or the way to it. */
import { GatewayUnavailable } from "@effect-marketdata/core/Reason"
import * as Cause from "effect/Cause"
import type {
  AlreadyProcessingMessage,
  EntityNotAssignedToRunner,
  MailboxFull,
  PersistenceError
} from "effect/cluster/ClusterError"
import * as Option from "effect/Option"
import * as Socket from "effect/socket/Socket"
import * as Effect from "effect/Effect"
import * as Protocol from "../wire/Protocol.ts"

type Failure = typeof Protocol.Failed.Type
type Failed = Extract<Failure, { readonly _tag: "Failed" }>

/** Why the cluster brings no answer. */
export type Unanswered = Failure | AlreadyProcessingMessage | EntityNotAssignedToRunner | MailboxFull | PersistenceError

/**
 * What is to be done. `wasSent` says that a request of the call may have been sent.
 *
 * - `Again`: bring it to the runner that has the account now. One that was perhaps sent is brought again too: its claim is in the ledger, and it is sent
 *   once or fails with `AlreadySent`
 * - `Fail`: the client of the runner failed
 * - `GiveUp`: the gateway cannot be asked
 * - `Die`: this is a defect
 */
export type Next =
  | { readonly _tag: "Again"; readonly wasSent: boolean }
  | { readonly _tag: "Fail"; readonly failure: Failed; readonly wasSent: boolean }
  | { readonly _tag: "GiveUp"; readonly reason: GatewayUnavailable }
  | { readonly _tag: "Die"; readonly cause: Cause.Cause<never> }

/** What is known of a call: whether it may have been sent, and for how many milliseconds it has been waited for. */
export interface Known {
  readonly wasSent: boolean
  readonly age: number
}

const again = (wasSent: boolean): Next => ({ _tag: "Again", wasSent })

/** Why a gateway cannot be asked. */
export const unavailable = (
  cause: GatewayUnavailable["cause"],
  detail: string,
  wasSent: boolean
): GatewayUnavailable => new GatewayUnavailable({ cause, detail, wasSent })

/** Why it cannot be asked any more where the program ends. */
export const stopping = (wasSent: boolean): GatewayUnavailable =>
  unavailable("Unreachable", "this program is stopping", wasSent)

/** Says what is to be done about a call that was brought to a runner. */
export const next = (cause: Cause.Cause<Unanswered>, known: Known): Next => {
  const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (failure === undefined) {
    return Cause.hasInterruptsOnly(cause) || isBroken(cause)
      ? again(true)
      : { _tag: "Die", cause: cause as Cause.Cause<never> }
  }
  const giveUp = (
    cause: GatewayUnavailable["cause"],
    detail: string,
    wasSent = isPerhapsSent(failure, known)
  ): Next => ({
    _tag: "GiveUp",
    reason: unavailable(cause, detail, wasSent)
  })
  switch (failure._tag) {
    case "Failed":
      return { _tag: "Fail", failure, wasSent: isPerhapsSent(failure, known) }
    case "Moved":
      return again(known.wasSent)
    // A runner that lost sight of this program has the call, or has answered it in vain.
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
    // The cluster looks for the runner until the program stops. Before that it may have lost one that had the call.
    case "EntityNotAssignedToRunner":
      return { _tag: "GiveUp", reason: stopping(true) }
  }
}

/** Whether a connection broke just when something was written to it, which the cluster's transport takes for a defect. */
const isBroken = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && Socket.isSocketError(reason.defect))

/** Whether the cluster may have brought the call to another runner before, which sent it and was lost. */
const isPerhapsSent = (failure: Unanswered, { age, wasSent }: Known): boolean => {
  const tenure = "tenure" in failure ? failure.tenure : undefined
  return wasSent || tenure === undefined || tenure < age
}

/** Says how many milliseconds have gone since it was started, also where a clock is set meanwhile. */
export const stopwatch: Effect.Effect<() => number> = Effect.clockWith((clock) =>
  Effect.sync(() => {
    const started = clock.monotonicTimeNanosUnsafe()
    return () => Number(clock.monotonicTimeNanosUnsafe() - started) / 1e6
  })
)
