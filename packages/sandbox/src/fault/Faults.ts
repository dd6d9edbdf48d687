/**
 * Injected faults: a script, as data, of faults that apply to requests in turn or at random. The same seed gives the same
 * faults. They apply between the service and its transport, so both the server and the in-process client have them.
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
import * as Predicate from "effect/Predicate"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Checked from "../market/options.ts"
import * as SeededNoise from "../market/seededNoise.ts"
import { Sandbox } from "../service/Sandbox.ts"
import * as SandboxClock from "../view/SandboxClock.ts"
import { ConnectionReset } from "../wire/ConnectionReset.ts"
import * as SandboxReply from "../wire/SandboxReply.ts"

const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/**
 * What can go wrong with a request.
 *
 * - `Latency`: the reply is delayed by a number of milliseconds of Effect's clock
 * - `Reset`: the service answers and bills, and the connection breaks before the first byte of the reply
 * - `ResetWithinBody`: it breaks after a number of characters of the body
 * - `Truncation`: the body ends after a number of characters, with a content length that fits the truncated body
 * - `Garbage`: a body that is not JSON, with the reply's own status and type
 * - `WrongLength`: the content length is wrong by a number of bytes
 * - `Status`: the web server answers with a status of the 5xx family; the service is never reached
 * - `RaggedColumn`, `ZeroStrike`, `ExtraField`: data that are plausible and wrong: one column too short, a strike of zero, an unknown column
 * - `ClockSkew`: the service answers as if it were a number of seconds later, by its `date` as well
 *
 * @category models
 * @since 0.1.0
 */
export const Kind = Schema.Union([
  Schema.TaggedStruct("Latency", { millis: count }),
  Schema.TaggedStruct("Reset", {}),
  Schema.TaggedStruct("ResetWithinBody", { after: count }),
  Schema.TaggedStruct("Truncation", { after: count }),
  Schema.TaggedStruct("Garbage", {}),
  Schema.TaggedStruct("WrongLength", { by: Schema.Int }),
  Schema.TaggedStruct("Status", { status: Schema.Int.check(Schema.isBetween({ minimum: 500, maximum: 599 })) }),
  Schema.TaggedStruct("RaggedColumn", {}),
  Schema.TaggedStruct("ZeroStrike", {}),
  Schema.TaggedStruct("ExtraField", {}),
  Schema.TaggedStruct("ClockSkew", { seconds: Schema.Int })
])

/**
 * What can go wrong with a request, as a value.
 *
 * @category models
 * @since 0.1.0
 */
export type Kind = typeof Kind.Type

/**
 * One line of the script.
 *
 * - `match`: the fault applies only to requests whose target begins with this text; to any request by default
 * - `count`: how often it applies; without limit by default
 * - `probability`: the probability that it applies to a matching request, from 0 to 1; 1 by default
 *
 * @category models
 * @since 0.1.0
 */
export const Fault = Schema.Struct({
  match: Schema.optionalKey(Schema.String),
  count: Schema.optionalKey(count),
  probability: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))),
  kind: Kind
})

/**
 * One line of the script, as a value.
 *
 * @category models
 * @since 0.1.0
 */
export type Fault = typeof Fault.Type

/** The faults that are left, and how many random numbers were drawn. */
interface FaultScript {
  readonly seed: number
  readonly draws: number
  readonly faults: ReadonlyArray<Fault>
}

const live = (faults: ReadonlyArray<Fault> = []): ReadonlyArray<Fault> => faults.filter(({ count }) => count !== 0)

/** The fault of a request, and a seed for its random parts. */
interface Drawn {
  readonly kind: Kind
  readonly seed: number
}

/** Draws the fault of a request: the first that applies, whose count is reduced by one. */
const draw = (self: FaultScript, target: string): readonly [Drawn | undefined, FaultScript] => {
  let draws = self.draws
  for (const [at, fault] of self.faults.entries()) {
    if (fault.match !== undefined && !target.startsWith(fault.match)) continue
    const seed = SeededNoise.mix(self.seed, draws++)
    if (SeededNoise.unit(seed) >= (fault.probability ?? 1)) continue
    const used = fault.count === undefined ? fault : { ...fault, count: fault.count - 1 }
    return [{ kind: fault.kind, seed }, { ...self, draws, faults: live(self.faults.with(at, used)) }]
  }
  return [undefined, { ...self, draws }]
}

/**
 * A script: only the first fault that applies to a request takes effect.
 *
 * @category models
 * @since 0.1.0
 */
export const Script = Schema.Array(Fault)

/**
 * Returns a script with one fault of every kind, which apply at random to a share of all requests, from 0 to 1.
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
  // Each fault is drawn only if those before it were not, so it gets a share of the rest: then all are equally likely.
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
 * - `script`: the faults that are left
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
 * The seed of random faults, 1 by default, and the initial script, empty by default.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly seed?: number | undefined
  readonly faults?: ReadonlyArray<Fault> | undefined
}

/** What the options must be. A fault of another kind would never happen, and its test would pass. */
const rules: Checked.Rules<Options> = {
  seed: Checked.seed,
  faults: [
    (script) => Array.isArray(script) && script.every((fault: Partial<Fault> | null) => Schema.is(Kind)(fault?.kind)),
    "a list of faults of the kinds in Faults.Kind, with a Status from 500 to 599",
    "[{ kind: { _tag: \"Reset\" } }]"
  ]
}

/**
 * Adds faults to a sandbox. Provide the sandbox to this layer, and this layer to the client or server.
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
    const { faults: first, seed = 1 } = Checked.known(options, rules)
    const state = yield* Ref.make<FaultScript>({ seed, draws: 0, faults: live(first) })
    const faults = Faults.of({
      script: Effect.map(Ref.get(state), ({ faults }) => faults),
      // The sequence of random numbers goes on.
      set: (faults) =>
        Ref.update(state, (before) => ({ ...before, faults: live(Checked.known({ faults }, rules).faults) }))
    })
    const faulty = Sandbox.of({
      ...sandbox,
      handle: (request) =>
        Effect.flatMap(
          Ref.modify(state, (before) => draw(before, request.target)),
          (drawn) => drawn === undefined ? sandbox.handle(request) : suffer(sandbox.handle(request), drawn)
        )
    })
    return Context.make(Faults, faults).pipe(Context.add(Sandbox, faulty))
  }))

type Reply = SandboxReply.SandboxReply

const suffer = (reply: Effect.Effect<Reply>, { kind, seed }: Drawn): Effect.Effect<Reply> => {
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
      return { ...reply, body: thenReset(firstOf(body, kind.after)) }
    case "Truncation":
      return { ...reply, body: [...firstOf(body, kind.after)].join("") }
    case "Garbage":
      return { ...reply, body: garbage(seed) }
    case "WrongLength":
      return wrongLength(reply, kind.by)
    default:
      return { ...reply, body: change(body, edits[kind._tag]) }
  }
}

/** A wrong Content-Length: bytes are missing, or there are too many. The connection cannot be used again. */
const wrongLength = (reply: Reply, by: number): Reply => {
  const text = SandboxReply.text(reply)
  const length = Math.max(0, new TextEncoder().encode(text).length + by)
  return {
    ...reply,
    headers: { ...reply.headers, "content-length": String(length), connection: "close" },
    body: by > 0 ? thenReset([text]) : text
  }
}

const skewed = (reply: Effect.Effect<Reply>, seconds: number): Effect.Effect<Reply> =>
  Clock.clockWith((clock) => {
    const late = SandboxClock.shifted(clock, (millis) => millis + seconds * 1000)
    return Effect.map(reply, (reply) => ({
      ...reply,
      headers: { ...reply.headers, date: SandboxReply.date(late.currentTimeMillisUnsafe()) }
    })).pipe(Effect.provideService(Clock.Clock, late))
  })

type Body = Reply["body"]

/** The parts of a body; iterating a text would give its characters. */
const partsOf = (body: Body): Iterable<string> => typeof body === "string" ? [body] : body

/** The first characters of a body; the rest is never made. */
function* firstOf(body: Body, characters: number): Generator<string> {
  let left = characters
  for (const part of partsOf(body)) {
    if (part.length >= left) return yield part.slice(0, left)
    left -= part.length
    yield part
  }
}

/** A body behind which the connection breaks. */
function* thenReset(body: Iterable<string>): Generator<string> {
  yield* body
  throw new ConnectionReset({ when: "within the body" })
}

const letters = `{}[]",:0123456789abcdef\\ \u0000\u001b<>é€`

/** A text that is not JSON, another for each seed. */
const garbage = (seed: number): string => {
  const letter = (_: unknown, at: number) => letters[Math.floor(SeededNoise.draw(seed, at) * letters.length)]
  return `}${Array.from({ length: 200 }, letter).join("")}`
}

type Fields = Record<string, unknown>

/** Changes the fields of a JSON object; whatever else there is stays as it is. */
const change = (body: Body, edit: (fields: Fields) => void): string => {
  const text = [...partsOf(body)].join("")
  try {
    const fields: unknown = JSON.parse(text)
    if (!Predicate.isObject(fields)) return text
    edit(fields)
    return JSON.stringify(fields)
  } catch {
    return text
  }
}

/** What the faults of a table do to its fields. */
const edits = {
  /** Takes the last element off the last column. */
  RaggedColumn: (fields: Fields) => {
    const column = Object.entries(fields).findLast(([, value]) => Array.isArray(value) && value.length > 0)
    if (column !== undefined && Array.isArray(column[1])) fields[column[0]] = column[1].slice(0, -1)
  },
  /** Makes the first strike zero. */
  ZeroStrike: (fields: Fields) => {
    if (Array.isArray(fields["strike"])) fields["strike"] = fields["strike"].map((strike, at) => at === 0 ? 0 : strike)
  },
  /** Adds a column that no contract has. */
  ExtraField: (fields: Fields) => {
    const column = Object.values(fields).find(Array.isArray)
    fields["vanna"] = column === undefined ? 0 : column.map(() => 0)
  }
}
