/** One request: its permit and the guard's admission, how it is sent in time, and how its outcome is recorded. */
import * as Credits from "@effect-marketdata/core/Credits"
import type * as Ledger from "@effect-marketdata/core/Ledger"
import type * as Query from "@effect-marketdata/core/Query"
import * as Reason from "@effect-marketdata/core/Reason"
import type * as Reply from "@effect-marketdata/core/Reply"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type { Reservation } from "../account/CreditLedger.ts"
import type { Admission, Ending, Fence } from "../account/IpGuard.ts"
import * as Call from "../call/call.ts"
import * as Token from "../config/token.ts"
import type * as Policies from "../policy/Policies.ts"
import * as Transport from "../sending/transport.ts"
import * as Wire from "../sending/wire.ts"
import * as Observe from "../telemetry/observe.ts"

/**
 * Sends one request, and writes the outcome into the ledgers:
 *
 *     IP gate → permit → mark sent → send → read → interpret → record charge
 *
 * Only sending and reading can be interrupted: what became of a marked request is always recorded.
 */
export const attempt = <Data>(
  call: Call.Call,
  { query, request: asked }: Call.Batch<Data>,
  { isOnly, number }: { readonly number: number; readonly isOnly: boolean },
  reservation: Reservation
): Effect.Effect<Reply.Delivered<Data>, Reason.Reason> => {
  const { resources, terms } = call
  return Effect.flatMapEager(resources.token, (token) => {
    const signed = Token.sign(token, resources.options.tokenIn, asked)
    if (Result.isFailure(signed)) return Effect.fail(signed.failure)
    const request = signed.success
    const bound = Credits.bound(Call.estimate(call, query))
    const send = (restore: Restore): Effect.Effect<Passed<Reply.Delivered<Data>>> => {
      const watch = new Wire.Watch(request, resources.client, token)
      const before = Call.sentBefore(call, request)
      const entry = { call, query, request, token, watch, number, bound, before, reservation, isOnly }
      const sent = (where: Wire.Where) => restore(inTime(terms.attemptTimeout, watch, Transport.sending(entry, where)))
      return Observe.request(entry, sent, (exit, tell) => record(entry, exit, tell))
    }
    return gate(call, query, (restore, fence) =>
      Effect.matchCauseEffect(mark(reservation, bound, number, fence), {
        onFailure: (cause) => Effect.succeed(lost(cause)),
        onSuccess: () => send(restore)
      }))
  })
}

/** Lets an effect be interrupted. */
type Restore = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** A request that the guard admitted: its result, and what the guard is told of its end. */
interface Passed<A> {
  readonly exit: Exit.Exit<A, Reason.Reason>
  readonly ending: Ending
}

/**
 * Takes a permit for a request and asks the IP guard whether it may be sent. The guard is asked while the permit is held, at the last moment before
 * sending, so that a block also holds back requests that were waiting for permits. If the request has to wait for the guard, it gives the permit
 * back. `pass` is interruptible only in what it passes to `restore`.
 */
export const gate = <A>(
  call: Call.Call,
  query: Query.Query,
  pass: (restore: Restore, fence: Fence | undefined) => Effect.Effect<Passed<A>>
): Effect.Effect<A, Reason.Reason> => {
  const { resources: { ipGuard, permits }, terms } = call
  const once: Effect.Effect<Passed<A> | Held, Reason.GuardUnavailable> = permits.withPermit(
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(ipGuard.admit, (admission): Effect.Effect<Passed<A> | Held> =>
        admission._tag === "Held"
          ? Effect.succeed(admission)
          // What dies, such as a ledger or a tracer of the program, is not in flight for ever either.
          : Effect.onExit(pass(restore, admission.fence), (exit) =>
            admission.leave(Exit.isSuccess(exit) ? exit.value.ending : "lost")))
    )
  )
  const ask = (wasHeld: boolean): Effect.Effect<A, Reason.Reason> =>
    Effect.flatMap(once, (passed) => {
      if ("exit" in passed) return passed.exit
      // A guard may be asked many times until it admits a request; that counts as one hold.
      const told = wasHeld ? Effect.void : Observe.hold(query, terms.ipPolicy.whenHeld)
      return told.pipe(Effect.andThen(held(terms.ipPolicy, passed)), Effect.andThen(ask(true)))
    })
  return ask(false)
}

type Held = Extract<Admission, { readonly _tag: "Held" }>

/** Waits until the guard may admit the request, or fails, as the policy says. */
const held = ({ whenHeld }: Policies.IpPolicy, { over, until }: Held): Effect.Effect<void, Reason.IpBlocked> =>
  whenHeld === "wait" ? over : Effect.fail(new Reason.IpBlocked({ until }))

/** Marks a request as sent. If its admission expired while the ledger wrote the mark, it is not sent and is charged nothing. */
const mark = (reservation: Reservation, bound: number, number: number, fence: Fence | undefined) => {
  const marked = reservation.send(bound, number, fence)
  if (fence === undefined) return marked
  return Effect.andThen(marked, Effect.onError(fence.check, () => reservation.charge({ credits: 0 }, number)))
}

/**
 * Interrupts an attempt when its time is up: if it was sent, it may have been charged. The sending and its alarm are root fibers, because `Effect.raceFirst`
 * waits for the interruption of the alarm, which takes a fifth of the time of a small call. A change must keep:
 *
 * - `isBegun` is set before the sending starts, or when the client asks for a span: an interruption before that was charged nothing, one after it may have
 *   been charged
 * - Only the end of the sending resumes, also after the alarm: its connection is closed by then, and `watch` and `reading` no longer change
 * - No other fiber ends these two: an interruption of the caller ends the sending and waits for it, and the end of the sending ends the alarm
 * - The first to end decides: an alarm that was interrupted is not late, and a reply that arrives after the alarm is dropped
 */
const inTime = <Data>(milliseconds: number, watch: Wire.Watch, made: Transport.Sending<Data>) =>
  Effect.callback<Transport.Received<Data>, Transport.Lost>((resume) => {
    watch.isBegun = !Wire.asking.has(watch.client)
    const sending = Effect.runForkWith(made.context)(made.send)
    const sent = sending.pollUnsafe()
    if (sent !== undefined) return resume(sent)
    let isLate = false
    // It runs without the query's context: otherwise Effect would annotate each interruption of the timer with the stack frames there.
    const alarm = Effect.runFork(Context.get(made.context, Clock.Clock).sleep(Duration.millis(milliseconds)))
    alarm.addObserver((slept) => {
      if (Exit.isFailure(slept)) return
      isLate = true
      sending.interruptUnsafe()
    })
    sending.addObserver((sent) => {
      alarm.interruptUnsafe()
      if (!isLate) return resume(sent)
      const mayHaveBeenCharged = watch.isBegun
      resume(Transport.late(made, new Reason.TimedOut({ limit: "attempt", milliseconds, mayHaveBeenCharged })))
    })
    return Fiber.interrupt(sending)
  })

/** A request to be recorded. */
interface Entry extends Transport.Outgoing<unknown> {
  readonly reservation: Reservation
  readonly isOnly: boolean
}

/**
 * Records in the ledger what a request was charged, or may have been; then tells it, adds it to the trace, and returns the result. The head of a lost reply may
 * have told the charge.
 */
const record = <Data>(
  { bound, call, watch: { head, isBegun, repeats }, isOnly, number, query, request, reservation }: Entry,
  exit: Observe.Sent<Data>,
  tell: Observe.Tell
): Effect.Effect<Passed<Reply.Delivered<Data>>> => {
  const { figures: believed, ipPolicy: { heldBy } } = call.terms
  const conclude = (attempt: Observe.Attempt): Effect.Effect<Passed<Reply.Delivered<Data>>> => {
    const logged = tell(attempt)
    Call.record(call, { target: request.target, ...attempt })
    const passed = interpret(exit, attempt.reason, heldBy)
    return logged === undefined ? Effect.succeed(passed) : Effect.as(logged, passed)
  }
  // After the answer of an only request nothing else is sent.
  const isLast = isOnly && Exit.isSuccess(exit) && exit.value.outcome._tag === "Delivered"
  const settle = (told: Pick<Observe.Attempt, "status" | "charge" | "reason">, figures?: Ledger.Figures) => {
    const { charge } = told
    const recorded = charge === undefined
      ? Effect.as(reservation.markLost(number, figures), 0)
      : reservation.charge(charge, number, figures, isLast)
    const uncertain = charge?.uncertain ?? bound
    return Effect.flatMap(recorded, (elsewhere) => conclude({ ...told, uncertain, elsewhere, repeats }))
  }
  if (Exit.isSuccess(exit)) {
    const { figures, outcome } = exit.value
    const reason = outcome._tag === "Delivered" ? undefined : outcome.reason
    return settle({ status: outcome.status, charge: outcome.charge, reason }, figures)
  }
  const reason = Result.getOrElse(Cause.findError(exit.cause), () => cutOff(isBegun))
  if (!reason.mayHaveBeenCharged) {
    const attempt = { status: undefined, charge: undefined, uncertain: 0, elsewhere: 0, repeats, reason }
    return Effect.flatMap(reservation.charge({ credits: 0 }, number), () => conclude(attempt))
  }
  const charge = head?.reported === undefined ? undefined : Credits.charged(query, head, { figures: believed })
  // A figure that cannot be true is ignored.
  const known = charge?.credits === charge?.reported ? charge : undefined
  const said = known === undefined ? reason : withCharge(reason, known.credits)
  return settle({ status: undefined, charge: known, reason: said }, head?.rate)
}

/** The same failure, with what its reply was charged before it was lost. */
const withCharge = (reason: Transport.Lost, charged: number): Transport.Lost =>
  reason._tag === "TransportFailure"
    ? new Reason.TransportFailure({ ...reason, mayHaveBeenCharged: true, charged })
    : new Reason.TimedOut({ ...reason, mayHaveBeenCharged: true, charged })

/**
 * The reason of a request whose fiber was interrupted, or whose HTTP client died. If that happened while the ledger marked the request, nothing was sent.
 */
const cutOff = (isBegun: boolean) =>
  new Reason.TransportFailure({ detail: "the request was given up", mayHaveBeenCharged: isBegun })

/** A request without an answer, as the guard is told of it: it was lost, or was never sent. */
const lost = (cause: Cause.Cause<Reason.Reason>): Passed<never> => ({ exit: Exit.failCause(cause), ending: "lost" })

/** Turns the exit of a request into the result for the caller: it fails with the recorded reason, unless it was interrupted. */
const interpret = <Data>(
  exit: Observe.Sent<Data>,
  recorded: Reason.Reason | undefined,
  heldBy: Policies.IpPolicy["heldBy"]
): Passed<Reply.Delivered<Data>> => {
  if (Exit.isFailure(exit)) {
    const isTyped = Result.isSuccess(Cause.findError(exit.cause))
    return lost(isTyped && recorded !== undefined ? Cause.fail(recorded) : exit.cause)
  }
  const { outcome } = exit.value
  return outcome._tag === "Delivered"
    ? { exit: Exit.succeed(outcome), ending: "answered" }
    : { exit: Exit.fail(outcome.reason), ending: endingOf(outcome.reason, heldBy) }
}

const endingOf = (reason: Reason.Reason, heldBy: Policies.IpPolicy["heldBy"]): Ending =>
  reason._tag === "AddressBlocked" || reason._tag === "Forbidden" && heldBy === "any403" ? "blocked" : "answered"
