/**
 * The service, simulated: a market, accounts, a cache and a bill behind one function from request to reply. It judges by core's rules
 * and has none of its own. Time is Effect's clock, so that it runs under a virtual one.
 *
 * @example
 * ```ts
 * import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
 * import * as Effect from "effect/Effect"
 *
 * const status = Effect.gen(function*() {
 *   const sandbox = yield* Sandbox.Sandbox
 *   const reply = yield* sandbox.handle({ method: "GET", target: "/v1/options/chain/SPX/", headers: {}, address: "127.0.0.1" })
 *   return reply.status
 * }).pipe(Effect.provide(Sandbox.layer({ seed: 1 })))
 *
 * await Effect.runPromise(status) // => 401
 * ```
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Accounts from "./Accounts.ts"
import * as Billing from "./Billing.ts"
import * as InProcess from "./internal/inProcess.ts"
import * as Service from "./internal/service.ts"
import type { SandboxReply, SandboxRequest } from "./SandboxReply.ts"

/**
 * What a sandbox is made of.
 *
 * - `seed`: the market; another seed, other prices (1 by default)
 * - `accounts`: who may ask; `Accounts.defaults` by default
 * - `cold`: underlyings that are cached only once somebody has asked for fresh data; none by default
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly seed?: number | undefined
  readonly accounts?: ReadonlyArray<Accounts.Account> | undefined
  readonly cold?: ReadonlyArray<string> | undefined
}

/**
 * The simulated service.
 *
 * - `handle`: answers one request
 * - `billed`: the credits billed to all accounts so far
 * - `requests`: every request that reached the service, the oldest first; the refusals of the web server before it are not among them
 *
 * @category services
 * @since 0.1.0
 */
export class Sandbox extends Context.Service<Sandbox, {
  readonly handle: (request: SandboxRequest) => Effect.Effect<SandboxReply>
  readonly billed: Effect.Effect<number>
  readonly requests: Effect.Effect<ReadonlyArray<Billing.Entry>>
}>()("@effect-marketdata/sandbox/Sandbox") {}

/**
 * A sandbox in memory.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options = {}): Layer.Layer<Sandbox> =>
  Layer.effect(
    Sandbox,
    Effect.gen(function*() {
      const service = Service.make({
        seed: options.seed ?? 1,
        accounts: options.accounts ?? Accounts.defaults,
        cold: options.cold ?? []
      })
      const state = yield* Ref.make(service.initial)
      return {
        handle: (request) =>
          Effect.flatMap(Clock.currentTimeMillis, (millis) =>
            Ref.modify(state, (before) => service.answer(before, request, Math.floor(millis / 1000)))),
        billed: Effect.map(Ref.get(state), ({ billing }) =>
          Billing.billed(billing)),
        requests: Effect.map(Ref.get(state), ({ billing }) => billing.entries)
      }
    })
  )

/**
 * An `HttpClient` whose requests, to whatever origin, are answered by the sandbox in this process.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerHttpClient: Layer.Layer<HttpClient.HttpClient, never, Sandbox> = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(Sandbox, (sandbox) =>
    HttpClient.make((request, url) =>
      sandbox.handle({
        method: request.method,
        target: url.pathname + url.search,
        headers: request.headers,
        address: "127.0.0.1"
      }).pipe(
        Effect.map((reply) => HttpClientResponse.fromWeb(request, InProcess.toResponse(reply))),
        (response) => InProcess.failOnReset(response, request)
      )
    ))
)
