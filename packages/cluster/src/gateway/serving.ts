import * as Claim from "@effect-marketdata/client/Claim"
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import { MarketData } from "@effect-marketdata/client/MarketData"
import { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Clock from "effect/Clock"
import * as ClusterSchema from "effect/cluster/ClusterSchema"
import * as Entity from "effect/cluster/Entity"
import { Sharding } from "effect/cluster/Sharding"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import { constVoid } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Rpc from "effect/rpc/Rpc"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { createHash, randomUUID } from "node:crypto"
import * as IpGuard from "@effect-marketdata/client/IpGuard"
import * as Reply from "effect/cluster/Reply"
import * as Context from "effect/Context"
import * as Tracer from "effect/Tracer"
import * as Room from "../turns/room.ts"
import * as Answers from "../wire/answers.ts"
import * as Connections from "../wire/connections.ts"
import * as Protocol from "../wire/Protocol.ts"
import * as Terms from "../wire/terms.ts"
import * as Options from "./options.ts"
import * as Unanswered from "./unanswered.ts"

/** The ledgers of callers, by their names. */
export type Budgets = Readonly<Record<string, CreditLedger.CreditLedger["Service"]>>

/** Which account is served, how many calls run at once, and how many may wait. */
export interface ServingOptions {
  readonly account?: string | undefined
  readonly maxInFlight?: number | undefined
  readonly maxWaiting?: number | undefined
  readonly budgets?: Budgets | undefined
}

/** As many as the public service answers at once, and as many as a minute of those is. */
const defaults = { maxInFlight: 50, maxWaiting: 1000 }

/** The entity's mailbox holds what runs, what waits, and some that are only to be refused. */
const spare = 100

const sizes = ({ account, maxInFlight = defaults.maxInFlight, maxWaiting = defaults.maxWaiting }: ServingOptions) =>
  Result.gen(function*() {
    if (account !== undefined) yield* Options.named("account", account)
    return {
      places: yield* Options.count("maxInFlight", maxInFlight, 1),
      seats: yield* Options.count("maxWaiting", maxWaiting, 0)
    }
  })

/** Answers the calls of all machines about an account with the client of this one, where the account is with this runner. */
export const layer = (options: ServingOptions = {}): Layer.Layer<never, never, MarketData | Sharding> => {
  const { account } = options ?? {}
  const budgets = options?.budgets ?? {}
  const size = sizes(options ?? {})
  const serving = Layer.effectDiscard(Effect.map(Effect.serviceOption(Connections.Connections), (connections) => {
    if (Option.isSome(connections)) connections.value.serves = account
  }))
  const { places, seats } = Result.getOrElse(size, () => ({ places: defaults.maxInFlight, seats: defaults.maxWaiting }))
  const entity = Held.toLayer(
    Effect.gen(function*() {
      const { run } = yield* MarketData
      const sharding = yield* Sharding
      const connections = Option.getOrUndefined(yield* Effect.serviceOption(Connections.Connections))
      const { entityId, shardId } = yield* Entity.CurrentAddress
      const { host, port } = yield* Entity.CurrentRunnerAddress
      const since = (yield* Clock.currentTimeMillis) / 1000
      const tenure = yield* Unanswered.stopwatch
      const room = Room.make({ places, seats })
      const busy = yield* measure(entityId, room)
      const consent = Terms.consents()
      const claimOf = claims()
      const read = reader()
      // Calls that wait here do not hold up the account when it moves on.
      const gone = Effect.repeat(Effect.sync(() => sharding.hasShardId(shardId)), {
        while: (isHere) => isHere,
        schedule: Schedule.spaced(looking)
      })
      /** Waits until not too much is waiting to be sent to a caller: its calls have their places meanwhile, and nothing more is made for it. */
      const drained = (caller: string): Effect.Effect<void> =>
        (connections?.waiting(caller) ?? 0) <= mostWaiting
          ? Effect.void
          : Effect.delay(Effect.suspend(() => drained(caller)), looking)
      const ready = yield* Effect.forkScoped(Effect.raceFirst(takeOver, gone))

      const handle = Effect.fnUntraced(function*(call: typeof Protocol.Call.Type, claim: Claim.Claim) {
        if (call.version !== Protocol.version) {
          return yield* Effect.fail({ _tag: "OtherVersion" as const, version: Protocol.version })
        }
        const arrived = yield* Clock.currentTimeMillis
        const [query, terms] = yield* read(call)
        const refused = (reason: InvalidQuery) =>
          failed(query, new MarketDataError({ query: Query.format(query), reason, trace: [] }))
        if (Result.isFailure(size)) return yield* Effect.flip(refused(size.failure))
        if (account !== undefined && account !== entityId) {
          return yield* Effect.flip(foreign(entityId, account))
        }
        const { caller, proof = "" } = call
        if (connections?.isProven({ name: caller, proof }) === false) {
          const rule = { rule: "must be the name in this program's credential", example: "\"desk\"" }
          return yield* Effect.flip(refused(InvalidQuery.of("caller", caller, rule)))
        }
        const ask = Effect.gen(function*() {
          yield* drained(caller)
          yield* Fiber.await(ready)
          // A runner that may be stopping, or cut off from the others, begins nothing.
          if (!sharding.hasShardId(shardId)) return yield* Effect.fail({ _tag: "Moved" as const })
          const waited = (yield* Clock.currentTimeMillis) - arrived
          const answered = yield* run(query).pipe(
            Effect.updateContext((base: Context.Context<never>) =>
              Terms.within(base, terms, { consent, waited }).pipe(
                Context.add(CreditLedger.Budget, budgetOf(budgets, caller)),
                Context.add(Claim.Current, claim)
              )
            ),
            endingSoon,
            Effect.result
          )
          return Result.isSuccess(answered)
            ? yield* Effect.orDie(Answers.encode(query, answered.success))
            : yield* Effect.flip(failed(query, answered.failure))
        })
        return yield* room.inTurn(
          caller,
          ask,
          (waiting) => Effect.andThen(busy, Effect.fail({ _tag: "Busy" as const, waiting }))
        )
      })

      const answer = (call: typeof Protocol.Call.Type) =>
        Effect.suspend(() => {
          const problem = unreadable(call)
          if (problem !== undefined) return Effect.fail({ _tag: "Unreadable" as const, detail: problem })
          const { claim, isFirst } = claimOf(call.call, call.claim)
          return Effect.mapError(
            handle(call, claim),
            (failure) => isFirst ? { ...failure, tenure: tenure() } : failure
          )
        })

      // A call adds a dozen services to these, and what is deeper is copied.
      const own = Context.makeUnsafe<never>((yield* Effect.context<never>()).mapUnsafe, { maxDepth: 32 })
      const fork = Effect.runForkWith(own)
      const calls = yield* FiberSet.make<unknown, unknown>()
      const begin: Connections.Begin = (call, trace) => {
        const begun = fork(Effect.withSpan(answer(call), `${Protocol.Gateway.type}.Ask`, {
          kind: "server",
          captureStackTrace: false,
          attributes: { "entity.type": Protocol.Gateway.type, "entity.id": entityId },
          parent: trace && Tracer.externalSpan({ traceId: trace[0], spanId: trace[1], sampled: trace[2] })
        }))
        FiberSet.addUnsafe(calls, begun)
        return begun
      }
      const leave = Effect.sync(() => connections?.here.get(entityId) === begin && connections.here.delete(entityId))
      const left = Latch.makeUnsafe()
      if (connections !== undefined) {
        yield* Effect.addFinalizer(() => leave)
        connections.here.set(entityId, begin)
        const self = (yield* Held.client)(entityId)
        yield* Effect.forkScoped(Effect.ignoreCause(self.Stay()))
        yield* Effect.forkScoped(Effect.ignoreCause(self.Hold()))
      }

      return Held.of({
        Ask: ({ payload }) => answer(payload),
        Stay: () => Effect.onInterrupt(Effect.never, () => Effect.andThen(leave, left.open)),
        Hold: () => over(left, calls),
        Status: () => Effect.sync(() => ({ account: entityId, runner: `${host}:${port}`, since, ...room.state() }))
      })
    }),
    {
      // The account stays where it is: each move may cost minutes of silence by the rule of addresses.
      maxIdleTime: Infinity,
      concurrency: "unbounded",
      mailboxCapacity: places + seats + spare,
      // A defect is that of its call, and no reason to take the places of the others.
      disableFatalDefects: true
    }
  )
  return Layer.merge(entity, serving)
}

/**
 * The gateway as it is served: with two messages that an account sends to itself, for calls that come past the cluster's messages. The cluster interrupts
 * `Stay` when the account is to leave this runner: no call begins here any more. It waits for `Hold`, which ends with the last call, as for any message.
 */
const Held = Entity.fromRpcGroup(
  Protocol.Gateway.type,
  Protocol.Gateway.protocol.add(
    Rpc.make("Stay").annotate(ClusterSchema.InterruptOnTermination, true),
    Rpc.make("Hold")
  )
)

/** Waits until no call begins here any more and all have ended. */
export const over = (left: Latch.Latch, calls: FiberSet.FiberSet<unknown, unknown>): Effect.Effect<void> =>
  Effect.andThen(left.await, FiberSet.awaitEmpty(calls))

/** What a caller may spend; undefined where only the account's ledger decides. */
export const budgetOf = (budgets: Budgets, caller: string) =>
  Object.hasOwn(budgets, caller) ? budgets[caller] : undefined

/** What a call about an account is told that is not served here. */
export const foreign = (account: string, served: string) => {
  const rule = { rule: `must be ${JSON.stringify(served)}, which the runner serves`, example: "\"main\"" }
  const error = new MarketDataError({ query: "a call", reason: InvalidQuery.of("account", account, rule), trace: [] })
  return failed(undefined, error)
}

/** Tells how many calls of an account run and wait, at the moment at which metrics are read; returns what counts one that is refused. */
const measure = (account: string, room: Room.Room) =>
  Effect.gen(function*() {
    const context = yield* Effect.context<never>()
    const attributes = { account }
    const told = (count: "running" | "waiting", description: string) =>
      Effect.acquireRelease(
        Effect.sync(() =>
          Metric.registerUnsafe(Metric.gauge(`marketdata.gateway.${count}`, { description, attributes }), context, {
            get: () => ({ value: room.state()[count] }),
            update: constVoid,
            modify: constVoid
          })
        ),
        (registration) => Effect.sync(registration.remove)
      )
    yield* told("running", "Calls that run.")
    yield* told("waiting", "Calls that wait for a turn.")
    const refused = Metric.counter("marketdata.gateway.refused", {
      description: "Calls that were refused because too many wait.",
      attributes,
      incremental: true
    })
    return Metric.update(refused, 1)
  })

/** How much may wait to be sent to one caller when its next call begins, in bytes: several of the largest chains. */
const mostWaiting = 32 * 1024 * 1024

/** How often a runner that may not send yet looks whether it still has the account. */
const looking = "100 millis"

/** How long a call that is interrupted may take to end before its caller is told. */
const ending = "1 second"

/**
 * Lets go of a call that is interrupted and does not end, so that its caller can ask the next runner: one that is cut off from its database waits
 * for it without end, and cannot be interrupted there. What has begun ends by itself.
 */
const endingSoon = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDetach(call, { startImmediately: true }), (fiber) =>
      Effect.onInterrupt(
        restore(Fiber.join(fiber)),
        () => Effect.timeoutOption(Effect.interruptible(Fiber.interrupt(fiber)), ending)
      ))
  )

/** What is wrong with what is remembered of a call; undefined where nothing is. */
const unreadable = ({ call, caller, claim }: typeof Protocol.Call.Type): string | undefined =>
  !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(call)
    ? "the id of a call must be a UUID"
    : !Connections.isName(caller)
    ? "the name of a caller must be a string of 1 to 100 printable characters"
    : Result.match(Claim.check(claim), { onFailure: ({ message }) => message, onSuccess: () => undefined })

/** How many queries are remembered, and of how many characters each at most. */
const [mostRead, short] = [1000, 1000]

/** Makes what reads what a call asks, and on which terms. Many programs ask the same again and again: a short query is read once. */
const reader = () => {
  const known = new Map<string, Query.Query>()
  const queryOf = (text: string) => {
    const present = known.get(text)
    if (present !== undefined) return Effect.succeed(present)
    return Effect.map(Schema.decodeEffect(Terms.QueryText)(text), (query) => {
      if (known.size === mostRead) known.clear()
      if (text.length <= short) known.set(text, query)
      return query
    })
  }
  return ({ query, terms }: typeof Protocol.Call.Type) =>
    Effect.mapError(
      Effect.all([queryOf(query), Schema.decodeEffect(Terms.TermsText)(terms)]),
      ({ message }) => ({ _tag: "Unreadable" as const, detail: message })
    )
}

/** What a call fails with, as it is sent. */
const failed = (query: Query.Query | undefined, error: MarketDataError) =>
  Effect.map(Effect.orDie(Answers.encodeError(query, error)), (failure) => ({ _tag: "Failed" as const, ...failure }))

/** How many calls are remembered at least, and twice as many at most. One that comes again comes within seconds. */
const mostCalls = 10_000

/** The claim of a call, and whether the call has come here for the first time. */
export interface Claimed {
  readonly claim: Claim.Claim
  readonly isFirst: boolean
}

/** One run of a key: the same for the same run of its caller. */
const runOf = (own: string, claim: Claim.Claim | undefined): string =>
  claim === undefined ? own : createHash("sha256").update(`${own} ${claim.run}`).digest("hex").slice(0, 32)

/**
 * The claims of the calls in a gateway. The cluster brings a call again when the runner that had it is lost, so that each call is claimed: by its
 * own id, or by the key under which its caller claims it. Another start of the gateway is another run, and so is the second time that a call
 * comes to this one: nothing is sent twice, and what was sent and may have been charged is told.
 */
export const claims = (): (call: string, claim: Claim.Claim | undefined) => Claimed => {
  const start = randomUUID()
  // Two maps by turns: to take the oldest out of one is to pass all those that were taken out before.
  let [newer, older] = [new Map<string, number>(), new Map<string, number>()]
  return (call, claim) => {
    const time = newer.get(call) ?? older.get(call) ?? 0
    newer.set(call, time + 1)
    if (newer.size === mostCalls) [newer, older] = [new Map(), newer]
    return { claim: { key: claim?.key ?? call, run: runOf(`${start} ${time}`, claim) }, isFirst: time === 0 }
  }
}

/** How long a runner waits until it may send: longer than a lease and than the start of another runner, and no longer than a person waits for an error. */
const atMost = "15 seconds"

/**
 * Waits until this runner may send: until the one before it has nothing in flight, or its lease has ended. Only the guard knows that, and only one that
 * is shared by the machines. Where its address is not safe for longer, another runner may come whose address is, and take the account; if none does,
 * the policy of each call says whether it waits.
 */
const takeOver: Effect.Effect<void> = Effect.flatMap(
  Effect.serviceOption(IpGuard.IpGuard),
  Option.match({
    onNone: () => Effect.void,
    onSome: ({ admit }) => {
      // What is let in leaves at once, and is not interrupted in between: it would count as in flight for ever, and no other runner might send.
      const look = Effect.uninterruptible(Effect.flatMap(
        Effect.option(admit),
        Option.match({
          // Each call says that the guard cannot be used.
          onNone: () => Effect.succeedNone,
          onSome: (admission) =>
            admission._tag === "Send"
              ? Effect.as(admission.leave("lost"), Option.none())
              : Effect.succeedSome(admission.over)
        })
      ))
      const until: Effect.Effect<void> = Effect.flatMap(
        look,
        Option.match({ onNone: () => Effect.void, onSome: (over) => Effect.andThen(over, until) })
      )
      return Effect.asVoid(Effect.timeoutOption(until, atMost))
    }
  })
)

/** The cluster as other programs see it: messages about an account that this runner does not serve are refused before anything is made for the account. */
export const layerForeign: Layer.Layer<Sharding, never, Sharding | Connections.Connections> = /* @__PURE__ */ Layer
  .effect(
    Sharding,
    /* @__PURE__ */ Effect.gen(function*() {
      const sharding = yield* Sharding
      const connections = yield* Connections.Connections
      return Sharding.of({
        ...sharding,
        send: (message) => {
          const { address } = message.envelope
          const { serves } = connections
          if (address.entityType !== Protocol.Gateway.type || serves === undefined || address.entityId === serves) {
            return sharding.send(message)
          }
          if (message._tag !== "IncomingRequest") return Effect.void
          const { requestId } = message.envelope
          return Effect.flatMap(sharding.getSnowflake, (id) =>
            Effect.orDie(message.respond(
              Reply.ReplyWithContext.fromDefect({ id, requestId, defect: "this runner serves another account" })
            )))
        }
      })
    })
  )
