/**
 * The service as a small state machine: time, accounts, addresses, credits and the cache, and what the contract says of every request in
 * every state. It shares no code with the sandbox, only core's rules. Random stories are played to a subject, which is a service or a
 * client, and to the model; if the two differ, the shortest such story is reported.
 *
 * @example
 * ```ts
 * import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
 * import * as Model from "@effect-marketdata/testing/Model"
 * import * as Effect from "effect/Effect"
 *
 * const held = await Effect.runPromise(Model.check(Model.ofService(Sandbox.layer), { seed: 1, runs: 5 }))
 * held.runs // => 5
 * ```
 *
 * @since 0.1.0
 */
import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as IpGuard from "@effect-marketdata/client/IpGuard"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import * as Query from "@effect-marketdata/core/Query"
import * as Market from "@effect-marketdata/sandbox/Market"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxClock from "@effect-marketdata/sandbox/SandboxClock"
import * as SandboxReply from "@effect-marketdata/sandbox/SandboxReply"
import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Inspectable from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as fc from "fast-check"
import * as Local from "../harness/local.ts"
import * as Service from "./service.ts"
import { commands, Difference, type Subject, type World } from "./stories.ts"

/**
 * A query of a story, and who asks it from where.
 *
 * @category models
 * @since 0.1.0
 */
export type { Ask } from "./service.ts"

/**
 * The result of one request: the status, the credits that it cost, and how many rows the reply had; undefined if that is not known. `target` is the path
 * and the parameters of the request: without them the model cannot tell in which mode a client falls back. `updated` is the newest time of the rows, in
 * epoch seconds: without it the model cannot tell whether they are as new as the account may see.
 *
 * @category models
 * @since 0.1.0
 */
export type { Reply } from "./service.ts"

/**
 * What stories are played to, what it answers, where its ledger stands, and a story as far as it has been played.
 *
 * @category models
 * @since 0.1.0
 */
export type { Balance, Observation, Subject, World } from "./stories.ts"

/**
 * How a service has to be set up for the model: its accounts by their tokens, the symbols that are cached only after a request for
 * fresh data, and the time at which stories begin, in epoch seconds.
 *
 * @category constants
 * @since 0.1.0
 */
export { setting } from "./service.ts"

/**
 * Generates stories, for `fc.asyncModelRun` over `initial`.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export { commands } from "./stories.ts"

/** The market of all stories, which share it because it caches what it computes and has no other state. */
let market: Market.Market | undefined

/** Makes the service, and the clock of the whole story. */
const stage = (sandbox: Local.ServiceLayer) =>
  Effect.suspend(() => {
    market ??= Market.make({ seed: 1 })
    const { accounts, at, cold } = Service.setting
    const clock = Layer.orDie(SandboxClock.layer({ pace: "frozen", at }))
    return Layer.build(Layer.provideMerge(sandbox({ accounts, cold, market }), clock))
  })

const wait = (clock: SandboxClock.SandboxClock["Service"]) => (seconds: number) =>
  Effect.flatMap(clock.now, (now) => Effect.orDie(clock.set(now + seconds)))

/**
 * Makes a service in this process a subject: the sandbox, or something around it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const ofService = (sandbox: Local.ServiceLayer = Sandbox.layer): Effect.Effect<Subject, never, Scope.Scope> =>
  Effect.map(stage(sandbox), (services): Subject => ({
    kind: "service",
    wait: wait(Context.get(services, SandboxClock.SandboxClock)),
    ask: Effect.fnUntraced(function*({ from, query, who }: Service.Ask) {
      const token = Service.tokenOf(who)
      const reply = yield* Context.get(services, Sandbox.Sandbox).handle({
        method: "GET",
        target: Query.target(query),
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        address: from
      })
      const credits = Number(reply.headers["x-api-ratelimit-consumed"] ?? 0)
      return { replies: [{ status: reply.status, credits, ...tableOf(SandboxReply.text(reply)) }] }
    }, Effect.provideContext(services))
  }))

/** How many rows the columns of a body have, and the newest time in them. */
const tableOf = (body: string) => {
  const parsed = Result.getOrUndefined(Result.try((): unknown => JSON.parse(body)))
  return { rows: Object.values(parsed ?? {}).find(Array.isArray)?.length, updated: newestOf(parsed) }
}

const newestOf = (data: unknown): number | undefined =>
  Predicate.hasProperty(data, "updated") && (Array.isArray(data.updated) || data.updated instanceof Float64Array)
    ? Math.max(...data.updated)
    : undefined

/**
 * What a client is made of: the client itself, ours by default; the ledger of each account and address, in memory by default; and the
 * service behind it, the sandbox by default.
 *
 * @category models
 * @since 0.1.0
 */
export interface ClientOptions {
  readonly client?: Local.ClientLayer | undefined
  readonly ledger?: Effect.Effect<CreditLedger.CreditLedger["Service"], never, Scope.Scope> | undefined
  readonly sandbox?: Local.ServiceLayer | undefined
}

/**
 * Makes a client in this process a subject, in front of a service: a client for each account and address, with a ledger of its own.
 *
 * @category constructors
 * @since 0.1.0
 */
export const ofClient = Effect.fnUntraced(function*(
  options: ClientOptions = {}
): Effect.fn.Return<Subject, never, Scope.Scope> {
  const services = yield* stage(options.sandbox ?? Sandbox.layer)
  const programs = yield* Cache.make({
    capacity: Infinity,
    lookup: (caller: Caller) => programOf(services, options, caller)
  })
  return {
    kind: "client",
    wait: wait(Context.get(services, SandboxClock.SandboxClock)),
    ask: ({ from, query, who }) =>
      Effect.flatMap(Cache.get(programs, { from, who }), (program) => observe(program, query)).pipe(
        Effect.provideContext(services)
      )
  }
})

/** An account at an address. */
type Caller = Pick<Service.Ask, "from" | "who">

/** Makes the client of a caller, with its ledger, in front of the service. */
const programOf = Effect.fnUntraced(function*(
  services: Effect.Success<ReturnType<typeof stage>>,
  { client = MarketData.layerNoDeps, ledger: makeLedger = CreditLedger.makeUnlimited() }: ClientOptions,
  { from, who }: Caller
) {
  const service = Context.get(services, Sandbox.Sandbox)
  const token = Service.tokenOf(who)
  const ledger = yield* makeLedger
  const http = HttpClient.make((request, url) => {
    const sent = { method: request.method, target: url.pathname + url.search, headers: request.headers, address: from }
    return Effect.map(service.handle(sent), (reply) => Local.response(request, reply, () => {}))
  })
  const built = yield* Layer.fresh(client({
    baseUrl: "https://service.test",
    token: token === undefined ? undefined : Redacted.make(token)
  })).pipe(
    Layer.provide(Layer.succeed(HttpClient.HttpClient, http)),
    Layer.provide(Layer.succeed(CreditLedger.CreditLedger, ledger)),
    Layer.provide(IpGuard.layerMemory()),
    Layer.merge(CacheFallback.layerAlways),
    Layer.build
  )
  return { ledger, services: Context.merge(services, built) }
})

/** Runs a query with a client, and returns what its trace and its ledger say. */
const observe = Effect.fnUntraced(function*(
  { ledger, services }: Effect.Success<ReturnType<typeof programOf>>,
  query: Service.Ask["query"]
) {
  const { data, reason, trace } = yield* MarketData.run(query).pipe(
    Effect.match({
      onSuccess: ({ data, trace }) => ({ trace, data, reason: undefined }),
      onFailure: ({ reason, trace }) => ({ trace, data: undefined, reason: reason._tag })
    }),
    Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ base: 0 })),
    // Blocks are provoked, and each would be a warning.
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.provideContext(services)
  )
  const { charged, reserved, uncertain } = yield* Effect.orDie(ledger.balance)
  const replies = trace.map(({ charge, status, target }, at) => ({
    target,
    status: status ?? 0,
    credits: charge?.credits ?? 0,
    ...at === trace.length - 1 ? { rows: lengthOf(data), updated: newestOf(data) } : { rows: undefined }
  }))
  return { replies, reason, balance: { charged, uncertain, reserved } }
})

const lengthOf = (data: unknown): number | undefined =>
  Predicate.hasProperty(data, "length") && Predicate.isNumber(data.length) ? data.length : undefined

/**
 * The state in which every story begins.
 *
 * @category models
 * @since 0.1.0
 */
export const initial = (): World => ({ service: Service.at(Service.setting.at), clients: new Map(), story: [] })

/**
 * How the model is checked.
 *
 * - `runs`: how many stories, 100 by default; `longest`: how many steps one has at most, 12 by default
 * - `seed`, `path`, `replayPath`: those of a failure, to reproduce it
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly runs?: number | undefined
  readonly longest?: number | undefined
  readonly seed?: number | undefined
  readonly path?: string | undefined
  readonly replayPath?: string | undefined
}

/**
 * The model held in a number of stories.
 *
 * @category models
 * @since 0.1.0
 */
export interface Held {
  readonly runs: number
  readonly seed: number
}

/**
 * A story in which the subject differs from the model: the shortest that was found, step by step in words, and how its last step ended.
 *
 * @category errors
 * @since 0.1.0
 */
export class ModelBroken extends Data.TaggedError("ModelBroken")<{
  readonly story: ReadonlyArray<string>
  readonly complaint: string
  readonly seed: number
  readonly path: string
  readonly replayPath: string
}> {
  override get message(): string {
    return [
      ...this.story.map((step, at) => `${at + 1}. ${step}`),
      this.complaint,
      `see it again: { seed: ${this.seed}, path: "${this.path}", replayPath: "${this.replayPath}" }`
    ].join("\n")
  }
  /** What `console.log` and Node's test runner print. */
  override [Inspectable.NodeInspectSymbol](): string {
    return this.stack ?? this.message
  }
}

/**
 * Plays stories to a subject, and looks for the shortest in which it differs from the model. A new subject is made for every story, and its time
 * begins at `setting.at`.
 *
 * @category running
 * @since 0.1.0
 */
export const check = <R>(
  subject: Effect.Effect<Subject, never, R | Scope.Scope>,
  options: Options = {}
): Effect.Effect<Held, ModelBroken, Exclude<R, Scope.Scope>> =>
  Effect.flatMap(
    Effect.context<Exclude<R, Scope.Scope>>(),
    (context) => Effect.flatMap(Effect.promise(() => attempt(subject, context, options)), Effect.fromResult)
  )

const attempt = async <R>(
  subject: Effect.Effect<Subject, never, R | Scope.Scope>,
  context: Context.Context<Exclude<R, Scope.Scope>>,
  { longest, path = "", replayPath, runs = 100, seed }: Options
): Promise<Result.Result<Held, ModelBroken>> => {
  const run = Effect.runPromiseWith(context)
  const kind = await run(Effect.scoped(Effect.map(subject, ({ kind }) => kind)))
  const property = fc.asyncProperty(commands(kind, { longest, replayPath }), (story) => {
    const play = (real: Subject) => fc.asyncModelRun(() => ({ model: initial(), real }), story)
    return run(Effect.scoped(Effect.flatMap(subject, (real) => Effect.promise(() => play(real)))))
  })
  const details = await fc.check(property, { numRuns: runs, path, ...(seed === undefined ? {} : { seed }) })
  if (details.counterexample === null) return Result.succeed({ runs: details.numRuns, seed: details.seed })
  const error: unknown = details.errorInstance
  const story = error instanceof Difference ? error.story : []
  const complaint = error instanceof Error ? error.message : String(error)
  const [, replayed = ""] = /replayPath="(.*?)"/.exec(fc.stringify(details.counterexample[0])) ?? []
  const again = { seed: details.seed, path: details.counterexamplePath ?? "", replayPath: replayed }
  return Result.fail(new ModelBroken({ story, complaint, ...again }))
}
