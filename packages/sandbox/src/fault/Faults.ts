/**
 * What goes wrong on purpose: a script of faults, as data, that strike requests in turn or at random. The same seed brings the same
 * faults. They strike between the service and the carrier of its replies, so that the server and the client in this process suffer alike.
 *
 * @example
 * ```ts
 * import * as Faults from "@effect-marketdata/sandbox/Faults"
 * import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const burst = Faults.layer({ faults: [{ count: 1, kind: { _tag: "Status", status: 503 } }] })
 * const statuses = Effect.gen(function*() {
 *   const sandbox = yield* Sandbox.Sandbox
 *   const ask = sandbox.handle({ method: "GET", target: "/v1/options/chain/SPX/", headers: {}, address: "127.0.0.1" })
 *   return [(yield* ask).status, (yield* ask).status]
 * }).pipe(Effect.provide(Layer.provide(burst, Sandbox.layer())))
 *
 * await Effect.runPromise(statuses) // => [503, 401]
 * ```
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import { ConnectionReset } from "../wire/ConnectionReset.ts"
import * as BrokenBody from "./brokenBody.ts"
import { Fault, type Kind } from "./fault.ts"
import * as FaultScript from "./fault.ts"
import * as HttpDate from "../wire/httpDate.ts"
import { Sandbox } from "../service/Sandbox.ts"
import * as SandboxClock from "../view/SandboxClock.ts"
import * as SandboxReply from "../wire/SandboxReply.ts"

/**
 * What can go wrong with a request, and one line of the script.
 *
 * @since 0.1.0
 */
export { Fault, Kind } from "./fault.ts"

/**
 * A script: the first fault that strikes a request is the only one.
 *
 * @category models
 * @since 0.1.0
 */
export const Script = Schema.Array(Fault)

/**
 * One fault of every kind, which strike requests at random: a share of them from 0 to 1.
 *
 * @example
 * ```ts
 * import * as Faults from "@effect-marketdata/sandbox/Faults"
 *
 * // Three of a hundred requests fail in some way; the seed decides which.
 * export const faults = Faults.layer({ seed: 1, faults: Faults.random(0.03) })
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const random = (share: number): ReadonlyArray<Fault> => {
  // Each is drawn only where those before it were not: a share of what is left, so that all are equally likely.
  const each = share / kinds.length
  return kinds.map((kind, at) => ({ probability: Math.min(1, each / (1 - each * at)), kind }))
}

const kinds: ReadonlyArray<Kind> = [
  { _tag: "Latency", millis: 2000 },
  { _tag: "Reset" },
  { _tag: "ResetWithinBody", after: 20 },
  { _tag: "Truncation", after: 20 },
  { _tag: "Garbage" },
  { _tag: "WrongLength", by: 7 },
  { _tag: "WrongLength", by: -7 },
  { _tag: "Status", status: 503 },
  { _tag: "RaggedColumn" },
  { _tag: "ZeroStrike" },
  { _tag: "ExtraField" },
  { _tag: "ClockSkew", seconds: 3600 }
]

/**
 * The faults of a sandbox.
 *
 * - `script`: what is still to strike
 * - `set`: replaces the script
 *
 * @category services
 * @since 0.1.0
 */
export class Faults extends Context.Service<Faults, {
  readonly script: Effect.Effect<ReadonlyArray<Fault>>
  readonly set: (script: ReadonlyArray<Fault>) => Effect.Effect<void>
}>()("@effect-marketdata/sandbox/Faults") {}

/**
 * What to begin with: the seed of chance, 1 by default, and the script, empty by default.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly seed?: number | undefined
  readonly faults?: ReadonlyArray<Fault> | undefined
}

/**
 * Puts faults before a sandbox. Provide the sandbox to this layer, and this layer to whatever asks.
 *
 * @example
 * ```ts
 * import * as Faults from "@effect-marketdata/sandbox/Faults"
 * import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
 * import * as Layer from "effect/Layer"
 *
 * // The first request finds the service down, the second one is answered.
 * const outage = Faults.layer({ faults: [{ count: 1, kind: { _tag: "Status", status: 503 } }] })
 * export const sandbox = Layer.provideMerge(outage, Sandbox.layer({ seed: 1 }))
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options = {}): Layer.Layer<Faults | Sandbox, never, Sandbox> =>
  Layer.effectContext(Effect.gen(function*() {
    const sandbox = yield* Sandbox
    const state = yield* Ref.make(FaultScript.make(options.seed ?? 1, options.faults ?? []))
    const faults = Faults.of({
      script: Effect.map(Ref.get(state), FaultScript.remaining),
      set: (script) => Ref.update(state, (before) => FaultScript.replace(before, script))
    })
    const faulty = Sandbox.of({
      ...sandbox,
      handle: (request) =>
        Effect.flatMap(
          Ref.modify(state, (before) => FaultScript.draw(before, request.target)),
          (drawn) =>
            drawn === undefined
              ? sandbox.handle(request)
              : suffer(sandbox.handle(request), drawn.kind, drawn.seed)
        )
    })
    return Context.make(Faults, faults).pipe(Context.add(Sandbox, faulty))
  }))

type Reply = SandboxReply.SandboxReply

const suffer = (reply: Effect.Effect<Reply>, kind: Kind, seed: number): Effect.Effect<Reply> => {
  switch (kind._tag) {
    case "Latency":
      return Effect.delay(reply, kind.millis)
    case "Reset":
      return Effect.andThen(reply, Effect.die(new ConnectionReset({ when: "before the reply" })))
    case "Status":
      return Effect.succeed(SandboxReply.failure(kind.status, "The service cannot answer now. Try again later."))
    case "ClockSkew":
      return skewed(reply, kind.seconds)
    default:
      return Effect.map(reply, (reply) => reply.status === 204 ? reply : broken(reply, kind, seed))
  }
}

type BodyKind = Exclude<Kind, { readonly _tag: "Latency" | "Reset" | "Status" | "ClockSkew" }>

const broken = (reply: Reply, kind: BodyKind, seed: number): Reply => {
  const { body } = reply
  switch (kind._tag) {
    case "ResetWithinBody":
      return { ...reply, body: BrokenBody.thenReset(BrokenBody.first(body, kind.after)) }
    case "Truncation":
      return { ...reply, body: [...BrokenBody.first(body, kind.after)].join("") }
    case "Garbage":
      return { ...reply, body: BrokenBody.garbage(seed) }
    case "WrongLength":
      return wrongLength(reply, kind.by)
    case "RaggedColumn":
      return { ...reply, body: BrokenBody.raggedColumn(body) }
    case "ZeroStrike":
      return { ...reply, body: BrokenBody.zeroStrike(body) }
    case "ExtraField":
      return { ...reply, body: BrokenBody.extraField(body) }
  }
}

/** What was promised never comes, or what comes was never promised: either way the connection is of no use any more. */
const wrongLength = (reply: Reply, by: number): Reply => {
  const text = SandboxReply.text(reply)
  const length = Math.max(0, new TextEncoder().encode(text).length + by)
  return {
    ...reply,
    headers: { ...reply.headers, "content-length": String(length), connection: "close" },
    body: by > 0 ? BrokenBody.thenReset([text]) : text
  }
}

const skewed = (reply: Effect.Effect<Reply>, seconds: number): Effect.Effect<Reply> =>
  Clock.clockWith((clock) => {
    const late = SandboxClock.shifted(clock, (millis) => millis + seconds * 1000)
    return Effect.map(reply, (reply) => ({
      ...reply,
      headers: { ...reply.headers, date: HttpDate.format(late.currentTimeMillisUnsafe()) }
    })).pipe(Effect.provideService(Clock.Clock, late))
  })
