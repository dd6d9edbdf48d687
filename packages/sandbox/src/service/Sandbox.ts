/**
 * The simulated service: a market, accounts, a cache and a bill behind one function from request to reply. Its rules are
 * those of core. Time is Effect's clock, so it works with `TestClock`.
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
import * as Account from "@effect-marketdata/core/Account"
import * as Credits from "@effect-marketdata/core/Credits"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Profile from "@effect-marketdata/core/Profile"
import * as Query from "@effect-marketdata/core/Query"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Accounts from "../account/Accounts.ts"
import * as Billing from "../account/Billing.ts"
import * as Market from "../market/Market.ts"
import * as Checked from "../market/options.ts"
import { ConnectionReset } from "../wire/ConnectionReset.ts"
import type * as SandboxReply from "../wire/SandboxReply.ts"
import * as Service from "./service.ts"

/**
 * The options of a sandbox.
 *
 * - `seed`: decides the prices of the market; 1 by default
 * - `market`: another market than the built-in one of that seed
 * - `profile`: whether to follow the contract, the default, or the public service where they differ
 * - `accounts`: who may ask; `Accounts.ofProfile` by default
 * - `demo`: what is open without a token; the ticker AAPL and the fund VFINX by default
 * - `assume`: the prices that the contract leaves open, such as the rounding of a part of a thousand; core's named assumptions by default
 * - `cold`: symbols that are cached only after a request for fresh data; none by default
 * - `latency`: how long an answer takes, during which its request is in flight; 0 by default
 * - `mostInFlight`: how many requests of an account may be in flight at once; more are answered with 429. 50 under the profile
 *   `public`, no limit under the contract
 * - `maxLineBytes`: the longest request line, 4094 bytes by default; less is for tests
 * - `remembered`: how many requests the logs remember, `Billing.remembered` by default
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly seed?: number | undefined
  readonly market?: Market.Market | undefined
  readonly profile?: Profile.Profile | undefined
  readonly accounts?: ReadonlyArray<Accounts.Account> | undefined
  readonly demo?: Query.Demo | undefined
  readonly assume?: Pick<Credits.PriceOptions, "rounding" | "quoteData" | "kind"> | undefined
  readonly cold?: ReadonlyArray<string> | undefined
  readonly latency?: Duration.Input | undefined
  readonly mostInFlight?: number | undefined
  readonly maxLineBytes?: number | undefined
  readonly remembered?: number | undefined
}

/**
 * The simulated service.
 *
 * - `profile`: whether it follows the contract or the public service where they differ
 * - `handle`: answers any request; a defect, such as one of a market of your own, is logged, and becomes a reply with status 500
 * - `billed`: the credits billed to all accounts so far
 * - `requests`: the last requests that reached the service, the oldest first; the refusals of the web server before it are not among them
 * - `statement`: what the account with a token has spent, and its last requests; empty if there is no such account
 *
 * @category services
 * @since 0.1.0
 */
export class Sandbox extends Context.Service<Sandbox, {
  readonly profile: Profile.Profile
  readonly handle: (request: SandboxReply.SandboxRequest) => Effect.Effect<SandboxReply.SandboxReply>
  readonly billed: Effect.Effect<number>
  readonly requests: Effect.Effect<ReadonlyArray<Billing.Entry>>
  readonly statement: (token: string) => Effect.Effect<Billing.Statement>
}>()("@effect-marketdata/sandbox/Sandbox") {}

const now = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

/** Whether a value has all that a market has. */
const isMarket = (given: unknown): boolean =>
  Object.keys(Market.make()).every((name) => Predicate.hasProperty(given, name))

/** A ticker in small letters would never be asked for: the service compares them in capitals. */
const isDemo = (given: unknown): boolean =>
  Predicate.isObject(given) &&
  [given["ticker"], given["fund"]].every((name = "") => Predicate.isString(name) && name === name.toUpperCase())

/** Whether core takes these assumptions of a query whose kind of price the contract leaves open. */
const isAssumed = (given: unknown): boolean =>
  Credits.estimate(Result.getOrThrow(Query.stockPrices(["AAPL"])), given as Credits.PriceOptions)._tag !== "Refused"

/** What the options must be. A text in place of a list would be read as its letters, and NaN would limit nothing. */
const rules: Checked.Rules<Options> = {
  seed: Checked.seed,
  market: [isMarket, "a market", "Market.make({ seed: 1 })"],
  profile: [(value) => value === "contract" || value === "public", "contract or public", "contract"],
  accounts: [Array.isArray, "a list of accounts", "Accounts.defaults"],
  demo: [isDemo, "an object with tickers in capitals", "{ ticker: \"AAPL\" }"],
  assume: [isAssumed, "an object with rounding, quoteData or kind", "{ rounding: \"up\" }"],
  cold: [Array.isArray, "a list of tickers", "[\"F\"]"],
  latency: [(value) => Option.isSome(Duration.fromInput(value as Duration.Input)), "a duration", "\"50 millis\""],
  mostInFlight: [Checked.isAmount, "a number of requests", "50"],
  maxLineBytes: [Checked.isAmount, "a number of bytes", "4094"],
  remembered: [Checked.isAmount, "a number of requests", "1000"]
}

/**
 * A sandbox in memory.
 *
 * @example
 * ```ts
 * import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
 *
 * export const sandbox = Sandbox.layer({ seed: 1 })
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (given: Options = {}): Layer.Layer<Sandbox> =>
  Layer.sync(Sandbox, () => {
    const options = Checked.known(given, rules)
    const { latency, profile = Profile.defaultProfile } = options
    const billing = Billing.make({ remembered: options.remembered })
    const accounts = options.accounts ?? Accounts.ofProfile(profile)
    const service = Service.make({
      market: options.market ?? Market.make({ seed: options.seed ?? 1 }),
      accounts,
      billing,
      assume: options.assume ?? {},
      cold: options.cold ?? [],
      profile,
      demo: options.demo ?? {},
      maxLineBytes: options.maxLineBytes ?? HttpRequest.maxLineBytes,
      mostInFlight: options.mostInFlight ?? Profile.get(profile, "mostInFlight")
    })
    const wait = latency === undefined ? Effect.void : Effect.sleep(latency)
    const answer = (visit: Service.Visit) =>
      Effect.map(Effect.andThen(wait, now), (time) => Service.answer(service, visit, time))
    return {
      profile,
      // Uninterruptible from admission until `leave` is registered, so that the number in flight stays right.
      handle: (request) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(now, (time) =>
            Result.match(Service.admit(service, request, time), {
              onFailure: Effect.succeed,
              onSuccess: (visit) => Effect.ensuring(restore(answer(visit)), Effect.sync(visit.leave))
            }))
        ).pipe(
          Effect.catchDefect((defect) =>
            Effect.andThen(
              Effect.logError("the sandbox has a defect", Cause.die(defect)),
              Effect.map(now, (time) => Service.fail(service, request, time))
            )
          )
        ),
      billed: Effect.sync(billing.billed),
      requests: Effect.sync(billing.entries),
      statement: (token) =>
        Effect.map(now, (time) => {
          const account = accounts.find((account) => account.token === token)
          return billing.statement(token, account && Account.allowance(account, profile), time)
        })
    }
  })

/**
 * An `HttpClient` whose requests, to any origin, are answered by the sandbox in this process. It is made anew wherever it is provided, so
 * that each of several sandboxes has its own.
 *
 * @example
 * ```ts
 * import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
 * import * as Effect from "effect/Effect"
 * import * as HttpClient from "effect/http/HttpClient"
 * import * as Layer from "effect/Layer"
 *
 * const http = Sandbox.layerHttpClient.pipe(Layer.provide(Sandbox.layer({ seed: 1 })))
 * const reply = Effect.flatMap(HttpClient.HttpClient, (client) => client.get("https://sandbox.test/v1/stocks/prices/AAPL/"))
 * const { status } = await Effect.runPromise(Effect.provide(reply, http))
 * status === 200 || status === 203 // => true
 * ```
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
        Effect.map((reply) => HttpClientResponse.fromWeb(request, toResponse(reply))),
        (response) => failOnReset(response, request)
      )
    ))
).pipe(Layer.fresh)

/** A reply as fetch would hand it out. */
const toResponse = ({ body, headers, status }: SandboxReply.SandboxReply): Response =>
  new Response(status === 204 ? null : contentOf(body, headers["content-length"]), { status, headers: { ...headers } })

/** A body in parts is a stream, and no more of a text is read than its length says. */
const contentOf = (body: SandboxReply.SandboxReply["body"], length: string | undefined): BodyInit => {
  if (typeof body !== "string") return streamOf(body)
  return length === undefined ? body : new TextEncoder().encode(body).slice(0, Number(length))
}

const streamOf = (body: Iterable<string>): ReadableStream<Uint8Array> => {
  const iterator = body[Symbol.iterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    // An exception here becomes the error of the stream.
    pull: (controller) => {
      const { done, value } = iterator.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: () => void iterator.return?.()
  })
}

/** Makes the transport's error of a connection that broke. */
const failOnReset = <A>(self: Effect.Effect<A>, request: HttpClientRequest.HttpClientRequest) =>
  Effect.catchDefect(self, (cause) =>
    cause instanceof ConnectionReset
      ? Effect.fail(
        new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
      )
      : Effect.die(cause))
