/**
 * The service as a small state machine: time, accounts, addresses, credits and the cache, and what the contract says of every request in
 * every state. It shares no code with the sandbox, only core's rules. Stories that chance makes up are played to a subject, a service or a
 * client, and to the model; where the two part, the shortest such story is told.
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
import * as EgressGuard from "@effect-marketdata/client/EgressGuard"
import * as MarketData from "@effect-marketdata/client/MarketData"
import type * as MarketDataConfig from "@effect-marketdata/client/MarketDataConfig"
import * as Policies from "@effect-marketdata/client/Policies"
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Eastern from "@effect-marketdata/core/Eastern"
import * as Query from "@effect-marketdata/core/Query"
import * as RetryRule from "@effect-marketdata/core/Retry"
import * as Accounts from "@effect-marketdata/sandbox/Accounts"
import * as Market from "@effect-marketdata/sandbox/market/Market"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxClock from "@effect-marketdata/sandbox/SandboxClock"
import * as SandboxReply from "@effect-marketdata/sandbox/SandboxReply"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as fc from "fast-check"
import * as LocalResponse from "./internal/localResponse.ts"
import * as Service from "./internal/model/service.ts"
import * as Story from "./internal/model/story.ts"

/**
 * A question of a story: who asks from where for what, in which mode; `maxAge` is in minutes.
 *
 * @category models
 * @since 0.1.0
 */
export type { Ask } from "./internal/model/story.ts"

/**
 * What came of one request: the status, the credits that it cost, and how many rows the reply held, undefined where that is not known.
 *
 * @category models
 * @since 0.1.0
 */
export type { Reply } from "./internal/model/service.ts"

/**
 * What came of a question: its requests in order. Of a client also why it failed, by the reason's tag, and where its book stands.
 *
 * @category models
 * @since 0.1.0
 */
export interface Observation {
  readonly replies: ReadonlyArray<Service.Reply>
  readonly reason?: string | undefined
  readonly books?: Books | undefined
}

/**
 * Where the book of whoever asked stands, in credits.
 *
 * @category models
 * @since 0.1.0
 */
export interface Books {
  readonly charged: number
  readonly uncertain: number
  readonly reserved: number
}

/**
 * What stories are played to.
 *
 * - `kind`: a client falls back to live data by itself, and sends nothing while it knows of a block
 * - `ask`: asks a question for one of the model's accounts, from one of its addresses
 * - `wait`: lets so many seconds pass
 *
 * @category models
 * @since 0.1.0
 */
export interface Subject {
  readonly kind: "service" | "client"
  readonly ask: (ask: Story.Ask) => Effect.Effect<Observation>
  readonly wait: (seconds: number) => Effect.Effect<void>
}

/**
 * How a service has to be set up for the model: its accounts by their tokens, the symbols that are cached only once somebody has asked for
 * fresh data of them, and when stories begin, in epoch seconds.
 *
 * @category constants
 * @since 0.1.0
 */
export const setting: {
  readonly accounts: ReadonlyArray<Accounts.Account>
  readonly cold: ReadonlyArray<string>
  readonly at: number
} = {
  accounts: Object.values(Service.members).map(({ account, token }) => Accounts.make(token, account)),
  cold: Service.cold,
  at: Eastern.at(CalendarDate.parseUnsafe("2026-11-20"), 12, 0)
}

/**
 * A story as far as it has been played: the service's side of it, what each client knows, and the steps in words.
 *
 * @category models
 * @since 0.1.0
 */
export interface World {
  service: Service.State
  readonly clients: Map<string, { heldUntil: number; charged: number }>
  readonly story: Array<string>
}

/** One step of a story. */
type Command = fc.AsyncCommand<World, Subject>

/** Raised where subject and model part, with the story so far. */
class Parted extends Error {
  override readonly name = "Parted"
  readonly story: ReadonlyArray<string>
  constructor(complaint: string, story: ReadonlyArray<string>) {
    super(complaint)
    this.story = [...story]
  }
}

const reasonOf: Readonly<Record<number, ReadonlyArray<string>>> = {
  200: [],
  203: [],
  204: ["NoCachedData", "NoLiveData", "UnexpectedNoContent"],
  401: ["Unauthorized"],
  402: ["PlanRequired"],
  403: ["AddressBlocked"],
  404: ["NotFound"],
  429: ["CreditsExhausted"]
}

const isHeld = (world: World, key: string): boolean =>
  world.service.now <= (world.clients.get(key)?.heldUntil ?? -Infinity)

/** Plays a question to the model as it is answered, request by request; raises where they part. */
const play = (world: World, ask: Story.Ask, { books, reason, replies }: Observation, kind: Subject["kind"]): void => {
  const key = `${ask.who} ${ask.from}`
  const client = world.clients.get(key) ?? { heldUntil: -Infinity, charged: 0 }
  world.clients.set(key, client)
  const held = kind === "client" && isHeld(world, key)
  let next: Service.Request | undefined = held
    ? undefined
    : { ...ask, mode: ask.mode === "cachedOrLive" ? "cached" : ask.mode }
  const part = (complaint: string): never => {
    throw new Parted(complaint, world.story)
  }
  for (const reply of replies) {
    if (next === undefined) {
      return part(`expected no request, since ${held ? "the client knows of the block" : "the question was over"}`)
    }
    const complaint = Service.complaint(Service.expect(world.service, next), reply)
    if (complaint !== undefined) return part(complaint)
    world.service = Service.after(world.service, next, reply)
    client.charged += reply.credits
    if (reply.status === 403) client.heldUntil = world.service.now + block
    next = ask.mode === "cachedOrLive" && next.mode === "cached" && reply.status === 204
      ? { ...ask, mode: "live" }
      : undefined
  }
  if (next !== undefined) {
    return part(`expected another request, and none came${reason === undefined ? "" : `: ${reason}`}`)
  }
  if (kind === "service") return
  const last = replies.at(-1)
  const reasons = last === undefined ? ["EgressHeld"] : reasonOf[last.status] ?? []
  if (reasons.length === 0 ? reason !== undefined : !reasons.includes(reason ?? "")) {
    return part(`expected ${reasons.join(" or ") || "an answer"}, and came ${reason ?? "an answer"}`)
  }
  if (books !== undefined && (books.charged !== client.charged || books.uncertain + books.reserved !== 0)) {
    return part(
      `expected ${client.charged} credits in the book, all of them charged, and there were ${books.charged} charged, ` +
        `${books.uncertain} uncertain and ${books.reserved} reserved`
    )
  }
}

/** So long an address is blocked, in seconds. */
const block = 300

class Asks implements Command {
  readonly ask: Story.Ask
  constructor(ask: Story.Ask) {
    this.ask = ask
  }
  check(): boolean {
    return true
  }
  async run(world: World, subject: Subject): Promise<void> {
    world.story.push(this.toString())
    const exit = await Effect.runPromiseExit(subject.ask(this.ask))
    if (Exit.isFailure(exit)) throw new Parted(`it broke: ${Cause.pretty(exit.cause)}`, world.story)
    play(world, this.ask, exit.value, subject.kind)
  }
  toString(): string {
    return Story.tell(this.ask)
  }
}

class Waits implements Command {
  readonly seconds: number
  constructor(seconds: number) {
    this.seconds = seconds
  }
  check(): boolean {
    return true
  }
  async run(world: World, subject: Subject): Promise<void> {
    world.story.push(this.toString())
    world.service = Service.wait(world.service, this.seconds)
    await Effect.runPromise(subject.wait(this.seconds))
  }
  toString(): string {
    return Story.tellTime(this.seconds)
  }
}

const symbol = fc.constantFrom("F", "F", "MSFT", Service.demo, Service.absent)

const subjects = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      about: fc.constant("chain" as const),
      symbol: fc.constantFrom("F", "F", Service.demo, Service.absent),
      date: fc.option(fc.integer({ min: 1, max: 6 }).map((days) => CalendarDate.addDays(firstDay, -days)), {
        nil: undefined,
        freq: 4
      })
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      about: fc.constant("prices" as const),
      symbols: fc.oneof(
        fc.constant(["MSFT"]),
        fc.uniqueArray(fc.constantFrom("MSFT", "NVDA", Service.demo, Service.absent), { minLength: 1, maxLength: 3 })
      )
    })
  },
  fc.record({ about: fc.constant("candles" as const), symbol, count: fc.constantFrom(3, 30) }),
  fc.record({ about: fc.constant("expirations" as const), symbol: fc.constantFrom("F", Service.absent) })
)

const firstDay = Eastern.dateOf(setting.at)

const asks = (kind: Subject["kind"]): fc.Arbitrary<Command> =>
  fc.record({
    who: fc.constantFrom<Story.Who>(
      "trader",
      "trader",
      "broker",
      "broker",
      "professional",
      "trial",
      "nobody",
      "stranger"
    ),
    from: fc.constantFrom<Story.Where>("home", "home", "office", "abroad"),
    subject: subjects,
    mode: fc.constantFrom(undefined, "live", "delayed", "cached", kind === "client" ? "cachedOrLive" : "cached"),
    maxAge: fc.constantFrom(undefined, 1, 5, 60)
  }).map((ask) => new Asks(sensible(ask)))

/** The same question, without what does not go together. */
const sensible = (ask: Story.Ask): Story.Ask => {
  const isUncached = ask.subject.about === "candles" || ask.subject.about === "expirations" ||
    ask.who === "nobody" && ask.mode !== undefined
  const isPast = ask.subject.about === "chain" && ask.subject.date !== undefined
  const mode = isPast || isUncached && (ask.mode === "cached" || ask.mode === "cachedOrLive") ? undefined : ask.mode
  const isCached = mode === "cached" || mode === "cachedOrLive"
  return { ...ask, mode, maxAge: isCached ? ask.maxAge : undefined }
}

const waits: fc.Arbitrary<Command> = fc.constantFrom(1, 30, 60, 240, 299, 300, 301, 3600, 20 * 3600)
  .map((seconds) => new Waits(seconds))

/**
 * Makes up stories, for `fc.asyncModelRun` over `initial`.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const commands = (
  kind: Subject["kind"],
  options: { readonly longest?: number | undefined; readonly replayPath?: string | undefined } = {}
): fc.Arbitrary<Iterable<fc.AsyncCommand<World, Subject>>> =>
  fc.commands([asks(kind), asks(kind), asks(kind), waits], {
    maxCommands: options.longest ?? 12,
    size: "max",
    ...(options.replayPath === undefined ? {} : { replayPath: options.replayPath })
  })

/**
 * The state in which every story begins.
 *
 * @category models
 * @since 0.1.0
 */
export const initial = (): World => ({ service: Service.at(setting.at), clients: new Map(), story: [] })

/**
 * How the model is checked.
 *
 * - `runs`: how many stories, 100 by default; `longest`: how many steps one has at most, 12 by default
 * - `seed`, `path`, `replayPath`: those of a failure, to see it again
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
 * The model held in so many stories.
 *
 * @category models
 * @since 0.1.0
 */
export interface Held {
  readonly runs: number
  readonly seed: number
}

/**
 * A story in which the subject is not what the model says: the shortest that was found, step by step in words, and how its last step ended.
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
}

/**
 * Plays stories to a subject, a new one for each, and looks for the shortest in which it parts from the model. The subject is made anew for
 * every story, and its time begins at `setting.at`.
 *
 * @category checking
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
  { longest, path, replayPath, runs = 100, seed }: Options
): Promise<Result.Result<Held, ModelBroken>> => {
  const run = Effect.runPromiseWith(context)
  const kind = await run(Effect.scoped(Effect.map(subject, ({ kind }) => kind)))
  const property = fc.asyncProperty(commands(kind, { longest, replayPath }), async (story) => {
    const scope = await run(Scope.make())
    try {
      const real = await run(
        Effect.provideService(subject, Scope.Scope, scope) as Effect.Effect<Subject, never, Exclude<R, Scope.Scope>>
      )
      await fc.asyncModelRun(() => ({ model: initial(), real }), story)
    } finally {
      await run(Scope.close(scope, Exit.void))
    }
  })
  const details = await fc.check(property, {
    numRuns: runs,
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path })
  })
  if (details.counterexample === null) return Result.succeed({ runs: details.numRuns, seed: details.seed })
  const error: unknown = details.errorInstance
  return Result.fail(
    new ModelBroken({
      story: error instanceof Parted ? error.story : [],
      complaint: error instanceof Error ? error.message : String(error),
      seed: details.seed,
      path: details.counterexamplePath ?? "",
      replayPath: /replayPath="(.*?)"/.exec(fc.stringify(details.counterexample[0]))?.[1] ?? ""
    })
  )
}

/** The market of all stories: it remembers what it has reckoned, and nothing in it depends on who has asked. */
let market: Market.Market | undefined

/** Makes the service, and the clock that it and everybody else go by. */
const stage = (
  sandbox: (options: Sandbox.Options) => Layer.Layer<Sandbox.Sandbox>
) =>
  Layer.build(
    Layer.provideMerge(
      Layer.unwrap(Effect.sync(() =>
        sandbox({ accounts: setting.accounts, cold: setting.cold, market: market ??= Market.make({ seed: 1 }) })
      )),
      SandboxClock.layer({ pace: "frozen", at: setting.at })
    )
  )

const wait = (clock: SandboxClock.SandboxClock["Service"]) => (seconds: number) =>
  Effect.flatMap(clock.now, (now) => clock.set(now + seconds))

const asked = (ask: Story.Ask) => Effect.orDie(Effect.fromResult(Story.queryOf(ask)))

/**
 * A service in this process as a subject: the sandbox, or something around it.
 *
 * @category subjects
 * @since 0.1.0
 */
export const ofService = (
  sandbox: (options: Sandbox.Options) => Layer.Layer<Sandbox.Sandbox> = Sandbox.layer
): Effect.Effect<Subject, never, Scope.Scope> =>
  Effect.map(stage(sandbox), (services): Subject => ({
    kind: "service",
    wait: wait(Context.get(services, SandboxClock.SandboxClock)),
    ask: (ask) =>
      Effect.gen(function*() {
        const token = Service.tokenOf(ask.who)
        const reply = yield* Context.get(services, Sandbox.Sandbox).handle({
          method: "GET",
          target: Query.target(yield* asked(ask)),
          headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
          address: ask.from
        })
        const credits = Number(reply.headers["x-api-ratelimit-consumed"] ?? 0)
        return { replies: [{ status: reply.status, credits, rows: rowsOf(SandboxReply.text(reply)) }] }
      }).pipe(Effect.provideContext(services))
  }))

/** How many rows the columns of a body have. */
const rowsOf = (body: string): number | undefined => {
  const parsed = Result.getOrUndefined(Result.try((): unknown => JSON.parse(body)))
  const columns = typeof parsed === "object" && parsed !== null ? Object.values(parsed).filter(Array.isArray) : []
  return columns[0]?.length
}

/**
 * What a client is made of: the client itself, ours by default, and the service behind it, the sandbox by default.
 *
 * @category models
 * @since 0.1.0
 */
export interface ClientOptions {
  readonly client?:
    | ((
      config: MarketDataConfig.MarketDataConfig
    ) => Layer.Layer<MarketData.MarketData, never, MarketData.Dependencies>)
    | undefined
  readonly sandbox?: ((options: Sandbox.Options) => Layer.Layer<Sandbox.Sandbox>) | undefined
}

/**
 * A client in this process as a subject, in front of a service: one for each account and address, with a book of its own.
 *
 * @category subjects
 * @since 0.1.0
 */
export const ofClient = (
  { client = MarketData.layerNoDeps, sandbox = Sandbox.layer }: ClientOptions = {}
): Effect.Effect<Subject, never, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const services = yield* stage(sandbox)
    const service = Context.get(services, Sandbox.Sandbox)
    const programs = new Map<string, Program>()
    const programOf = Effect.fnUntraced(function*({ from, who }: Story.Ask) {
      const key = `${who} ${from}`
      const known = programs.get(key)
      if (known !== undefined) return known
      const token = Service.tokenOf(who)
      const ledger = yield* CreditLedger.makeMemory()
      const http = HttpClient.make((request, url) =>
        Effect.map(
          service.handle({
            method: request.method,
            target: url.pathname + url.search,
            headers: request.headers,
            address: from
          }),
          (reply) => LocalResponse.make(request, reply, () => {})
        )
      )
      const built = yield* Layer.buildWithScope(
        Layer.fresh(client({
          baseUrl: "https://service.test",
          token: token === undefined ? undefined : Redacted.make(token)
        })).pipe(
          Layer.provide(Layer.succeed(HttpClient.HttpClient, http)),
          Layer.provide(Layer.succeed(CreditLedger.CreditLedger, ledger)),
          Layer.provide(EgressGuard.layerMemory()),
          Layer.merge(CacheFallback.layerAlways)
        ),
        scope
      )
      const program: Program = { ledger, services: Context.merge(services, built) }
      programs.set(key, program)
      return program
    })
    return {
      kind: "client",
      wait: wait(Context.get(services, SandboxClock.SandboxClock)),
      ask: (ask) =>
        Effect.gen(function*() {
          const query = yield* asked(ask)
          const program = yield* programOf(ask)
          const outcome = yield* MarketData.run(query).pipe(
            Effect.match({
              onSuccess: ({ data, trace }) => ({ trace, rows: lengthOf(data), reason: undefined }),
              onFailure: ({ reason, trace }) => ({ trace, rows: undefined, reason: reason._tag })
            }),
            Effect.provideService(Policies.Retry, { ...RetryRule.defaultPolicy, base: 0 }),
            Effect.provideContext(program.services)
          )
          const { charged, reserved, uncertain } = yield* program.ledger.balance
          return {
            replies: outcome.trace.map(({ charge, status }, at) => ({
              status: status ?? 0,
              credits: charge?.credits ?? 0,
              rows: at === outcome.trace.length - 1 ? outcome.rows : undefined
            })),
            reason: outcome.reason,
            books: { charged, uncertain, reserved }
          }
        }).pipe(Effect.provideContext(services))
    } satisfies Subject
  })

interface Program {
  readonly ledger: CreditLedger.CreditLedger["Service"]
  readonly services: Context.Context<MarketData.MarketData | CacheFallback.CacheFallback>
}

const lengthOf = (data: unknown): number | undefined =>
  typeof data === "object" && data !== null && "length" in data && typeof data.length === "number"
    ? data.length
    : undefined
