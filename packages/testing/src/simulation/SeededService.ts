/**
 * The simulated service, for programs of a `SeededRuntime`: a seed decides which replies are lost, late or damaged, and every request is reported.
 *
 * A request that was sent cannot be called back: the service answers it, and bills it, also if its client has given up.
 *
 * @example
 * ```ts
 * import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
 * import * as MarketData from "@effect-marketdata/client/MarketData"
 * import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
 * import * as Chance from "@effect-marketdata/testing/Chance"
 * import * as SeededRuntime from "@effect-marketdata/testing/SeededRuntime"
 * import * as SeededService from "@effect-marketdata/testing/SeededService"
 * import * as Effect from "effect/Effect"
 * import * as HttpClient from "effect/http/HttpClient"
 * import * as Layer from "effect/Layer"
 *
 * const runtime = SeededRuntime.make({ at: Date.UTC(2026, 10, 20, 17), chance: Chance.make(1, "order") })
 * const program = Effect.gen(function*() {
 *   const service = yield* SeededService.make({
 *     chance: Chance.make(1, "service"),
 *     machine: runtime,
 *     sandbox: Sandbox.layer(),
 *     mishaps: 0,
 *     onSent: () => {},
 *     onServed: () => {}
 *   })
 *   const http = Layer.succeed(HttpClient.HttpClient, service.clientAt("desk", "198.51.100.1"))
 *   const client = MarketData.layer().pipe(Layer.provide([http, CreditLedger.layerUnlimited]))
 *   yield* Effect.provide(MarketData.stockPrices(["AAPL"]), client)
 *   return yield* service.billed
 * })
 * const fiber = runtime.fork(Effect.scoped(program))
 * do runtime.rest()
 * while (fiber.pollUnsafe() === undefined && runtime.wake())
 * fiber.pollUnsafe()?._tag // => "Success"
 * ```
 *
 * @since 0.1.0
 */
import * as Faults from "@effect-marketdata/sandbox/Faults"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import type * as SandboxReply from "@effect-marketdata/sandbox/SandboxReply"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Local from "../harness/local.ts"
import type { Chance } from "./Chance.ts"
import type { Process } from "./SeededRuntime.ts"

/**
 * What goes wrong with an exchange.
 *
 * - `Fault`: a fault of the sandbox
 * - `Proxy`: a proxy on the way replies with a status of its own
 * - `Mangling`: a proxy on the way changes the target, so that the service refuses it
 *
 * @category models
 * @since 0.1.0
 */
export type Mishap =
  | { readonly _tag: "Fault"; readonly kind: Faults.Kind }
  | { readonly _tag: "Proxy"; readonly status: number }
  | { readonly _tag: "Mangling" }

/**
 * A request and what became of it.
 *
 * - `desk`: the program that asks, `call`: the number of the call for which it asks, see `CurrentCall`
 * - `mishap`: what goes wrong with it, if anything does
 * - `billed`: what the service billed for it, in credits, also if the reply was lost
 * - `servedAt`: when the service was done with it
 * - `read`: whether the client has had the whole reply, `body`: what it then had
 *
 * @category models
 * @since 0.1.0
 */
export interface Exchange {
  readonly desk: string
  readonly call: number
  readonly target: string
  readonly sentAt: number
  readonly mishap: Mishap | undefined
  status: number | undefined
  billed: number
  servedAt: number
  read: boolean
  body: string
}

/**
 * The number of the call for which something is sent; 0 by default.
 *
 * @category references
 * @since 0.1.0
 */
export const CurrentCall: Context.Reference<number> = Context.Reference<number>(
  "@effect-marketdata/testing/simulation/CurrentCall",
  { defaultValue: () => 0 }
)

/**
 * Everything that goes between clients and the service.
 *
 * - `clientAt`: an HTTP client of a program, whose requests come from an address
 * - `billed`: what the service has billed in all
 * - `calm`: while it is set nothing goes wrong
 *
 * @category models
 * @since 0.1.0
 */
export interface SeededService {
  readonly clientAt: (desk: string, address: string) => HttpClient.HttpClient
  readonly billed: Effect.Effect<number>
  calm: boolean
}

/**
 * The service, and its callbacks.
 *
 * - `mishaps`: the share of the usual mishaps, from 0 to 1; 1 by default
 * - `late`: whether `requests` on their way to the service are delayed, the default, or `replies`
 * - `onSent`, `onServed`: called with each request when it is sent, and when the service has answered it
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly chance: Chance
  readonly machine: Process
  readonly sandbox: Layer.Layer<Sandbox.Sandbox>
  readonly mishaps?: number | undefined
  readonly late?: "requests" | "replies" | undefined
  readonly onSent: (exchange: Exchange) => void
  readonly onServed: (exchange: Exchange) => void
}

/**
 * How long a request is on its way when nothing goes wrong, in milliseconds.
 *
 * @category constants
 * @since 0.1.0
 */
export const calmMillis = 5

/** What an exchange is before it is served. */
const unserved = { status: undefined, billed: 0, servedAt: -Infinity, read: false, body: "" }

/**
 * Connects programs to a service.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make: (options: Options) => Effect.Effect<SeededService, never, Scope.Scope> = Effect.fnUntraced(
  function*({ chance, late = "requests", machine, mishaps = 1, onSent, onServed, sandbox }) {
    const scope = yield* Effect.scope
    const service = Context.get(yield* Layer.buildWithScope(sandbox, scope), Sandbox.Sandbox)
    const exchanges = new WeakMap<SandboxReply.SandboxRequest, Exchange>()
    const watched = Sandbox.Sandbox.of({
      ...service,
      handle: (request) =>
        Effect.map(service.handle(request), (reply) => {
          const exchange = exchanges.get(request)
          if (exchange !== undefined) {
            exchange.billed = Number(reply.headers["x-api-ratelimit-consumed"] ?? 0)
            exchange.status = reply.status
          }
          return reply
        })
    })
    const suffering = new Map<string, Sandbox.Sandbox["Service"]>()
    const sufferingFrom = Effect.fnUntraced(function*(kind: Faults.Kind) {
      const key = JSON.stringify(kind)
      const known = suffering.get(key)
      if (known !== undefined) return known
      const layer = Faults.layer({ seed: chance.below(2 ** 31), faults: [{ kind }] }).pipe(
        Layer.provide(Layer.succeed(Sandbox.Sandbox, watched))
      )
      const made = Context.get(yield* Layer.buildWithScope(layer, scope), Sandbox.Sandbox)
      suffering.set(key, made)
      return made
    })

    const serve = (request: SandboxReply.SandboxRequest, mishap: Mishap | undefined) => {
      if (mishap?._tag === "Proxy") {
        return Effect.succeed({ status: mishap.status, headers: { "content-type": "text/plain" }, body: "a proxy" })
      }
      if (late === "replies" && mishap?._tag === "Fault" && mishap.kind._tag === "Latency") {
        return Effect.tap(watched.handle(request), Effect.sleep(mishap.kind.millis))
      }
      return mishap?._tag === "Fault"
        ? Effect.flatMap(sufferingFrom(mishap.kind), (sandbox) => sandbox.handle(request))
        : watched.handle(request)
    }

    /** Records a request, and returns the reply of the service, which bills it even if its caller has gone. */
    const dispatch = (
      request: HttpClientRequest.HttpClientRequest,
      { address, call, desk, target }: Pick<Exchange, "desk" | "call" | "target"> & { readonly address: string }
    ) => {
      const isSpared = wire.calm || mishaps < 1 && !chance.is(mishaps)
      const mishap = isSpared ? undefined : draw(chance, target)
      const arrived = mishap?._tag === "Mangling" ? mangle(target) : grow(target, machine.now())
      const sent = { method: request.method, target: arrived, headers: request.headers, address }
      const exchange: Exchange = { desk, call, target, sentAt: machine.now(), mishap, ...unserved }
      exchanges.set(sent, exchange)
      onSent(exchange)
      const work = Effect.exit(serve(sent, mishap)).pipe(
        Effect.delay(wire.calm ? calmMillis : chance.pick([0, 1, 20, 150])),
        Effect.ensuring(Effect.sync(() => onServed(exchange)))
      )
      return { exchange, work }
    }

    const wire: SeededService = {
      calm: false,
      billed: service.billed,
      clientAt: (desk, address) =>
        HttpClient.make((request, url) =>
          Effect.flatMap(CurrentCall, (call) =>
            // A request that was sent cannot be cancelled.
            Effect.uninterruptibleMask((restore) => {
              const { exchange, work } = dispatch(request, { desk, address, call, target: url.pathname + url.search })
              return Effect.flatMap(Effect.forkDetach(work), (fiber) =>
                Effect.flatMap(
                  restore(Fiber.join(fiber)),
                  (exit) => {
                    if (Exit.isFailure(exit)) return Local.lose(request, exit.cause)
                    exchange.status = exit.value.status
                    const read = (body: string) => void Object.assign(exchange, { read: true, body })
                    return Effect.succeed(Local.response(request, exit.value, read))
                  }
                ))
            }))
        )
    }
    return wire
  }
)

/**
 * The name under which a mishap is counted, if there is one.
 *
 * @internal
 */
export const nameOf = (mishap: Mishap | undefined): Name | undefined =>
  mishap?._tag === "Fault" ? mishap.kind._tag : mishap?._tag

type Name = Faults.Kind["_tag"] | "Proxy" | "Mangling"

/**
 * All names of mishaps.
 *
 * @internal
 */
export const mishaps: ReadonlyArray<Name> = [
  ...Faults.Kind.members.map(({ fields }) => fields._tag.schema.literal),
  "Proxy",
  "Mangling"
]

const hour = 3600

const chainPath = "/v1/options/chain/"

/** Draws the mishap of a request; undefined if nothing goes wrong. */
const draw = (chance: Chance, target: string): Mishap | undefined => {
  // A 204 for live data is rare, and has a reason of its own.
  if (target.includes("mode=live") && chance.is(0.03)) return { _tag: "Proxy", status: 204 }
  // The charge of a lost reply is unknown: consent has to cover it.
  if (target.includes("mode=live") && chance.is(0.2)) return { _tag: "Fault", kind: { _tag: "Reset" } }
  if (!chance.is(0.17)) return undefined
  // Drawn more often for chains, because only they have strikes.
  const name = target.startsWith(chainPath) && chance.is(0.25) ? "ZeroStrike" : chance.pick(mishaps)
  switch (name) {
    case "Proxy":
      return { _tag: "Proxy", status: chance.pick([204, 302, 400, 403, 413, 418]) }
    case "Mangling":
      return { _tag: "Mangling" }
    default:
      return { _tag: "Fault", kind: kindOf(chance, name, target) }
  }
}

const kindOf = (chance: Chance, name: Faults.Kind["_tag"], target: string): Faults.Kind => {
  switch (name) {
    case "Latency":
      return { _tag: "Latency", millis: chance.pick([50, 700, 5000, 90_000]) }
    case "ResetWithinBody":
    case "Truncation":
      return { _tag: name, after: chance.pick([0, 1, 20, 300]) }
    case "WrongLength":
      return { _tag: "WrongLength", by: chance.pick([7, -7]) }
    case "Status":
      return { _tag: "Status", status: chance.pick([500, 502, 503, 504]) }
    case "ClockSkew":
      // A day only two days back may not be a past day yet.
      return { _tag: "ClockSkew", seconds: chance.pick([hour, -2, -48 * hour]) }
    case "ZeroStrike":
      // A reply that has no strikes deviates in another way.
      return target.startsWith(chainPath) ? { _tag: "ZeroStrike" } : { _tag: "ExtraField" }
    default:
      return { _tag: name }
  }
}

/** The target after `Mangling`: its option symbol or its date format is invalid. */
const mangle = (target: string): string =>
  target.startsWith("/v1/options/quotes/")
    ? target.replace(/[CP]\d{8}/, "X1")
    : `${target}${target.includes("?") ? "&" : "?"}dateformat=julian`

/** The target of a chain that grows: in every second hour the chain of one expiration has only its first strike. */
const grow = (target: string, now: number): string =>
  target.startsWith(chainPath) && target.includes("dte=") && Math.floor(now / (hour * 1000)) % 2 === 0
    ? `${target}&strikeLimit=1`
    : target
