/**
 * The gateway's side of a call: it reads the call, lets it wait for its turn, asks with the client of this machine and encodes the answer. An account stays on
 * its runner, and a call that comes again after a loss is sent once.
 */
import * as Claim from "@effect-marketdata/client/Claim"
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as IpGuard from "@effect-marketdata/client/IpGuard"
import { MarketData } from "@effect-marketdata/client/MarketData"
import { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import type * as Answer from "@effect-marketdata/core/Answer"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Clock from "effect/Clock"
import * as ClusterSchema from "effect/cluster/ClusterSchema"
import * as Entity from "effect/cluster/Entity"
import { Sharding } from "effect/cluster/Sharding"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import { constVoid } from "effect/Function"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Rpc from "effect/rpc/Rpc"
import * as Schedule from "effect/Schedule"
import * as Tracer from "effect/Tracer"
import { createHash, randomUUID } from "node:crypto"
import * as Turns from "../turns/Turns.ts"
import * as Answers from "../wire/answers.ts"
import * as Connections from "../wire/connections.ts"
import * as Protocol from "../wire/Protocol.ts"
import * as Terms from "../wire/terms.ts"
import * as Calling from "./calling.ts"
import * as Options from "./options.ts"

/** The ledgers of callers, by their names. */
export type Budgets = Readonly<Record<string, CreditLedger.CreditLedger["Service"]>>

/** Which account is served, how many calls run at once, and how many may wait. */
export interface ServingOptions {
  readonly account?: string | undefined
  readonly maxInFlight?: number | undefined
  readonly maxWaiting?: number | undefined
  readonly budgets?: Budgets | undefined
}

/** As many requests as the public service answers at once, and about as many calls as it answers in a minute. */
const defaults = { places: 50, seats: 1000 }

/** How many more calls than run and wait the mailbox of the entity holds: those that are about to be refused. */
const spare = 100

const sizes = ({ account, maxInFlight = defaults.places, maxWaiting = defaults.seats }: ServingOptions) =>
  Result.all({
    account: account === undefined ? Result.void : Options.named("account", account),
    places: Options.count("maxInFlight", maxInFlight, 1),
    seats: Options.count("maxWaiting", maxWaiting, 0)
  })

/** The refusal of a runner whose client is that of a gateway: it would ask itself, and each call would wait for its own answer. */
const ownGateway = Options.refuse("client", "Gateway.layer", {
  rule: "must be one that asks the service itself, which Gateway.layerEntity is provided with",
  example: "MarketData.layerConfig"
})

/** Answers calls about the accounts of this runner with the client of this machine. */
export const layer = (options: ServingOptions = {}): Layer.Layer<never, never, MarketData | Sharding> => {
  const settings = settingsOf(options ?? {})
  const serving = Layer.effectDiscard(Effect.map(Effect.serviceOption(Connections.Connections), (connections) => {
    if (Option.isSome(connections)) connections.value.serves = settings.account
  }))
  const { places, seats } = Result.getOrElse(settings.size, () => defaults)
  const entity = GatewayEntity.toLayer(
    Effect.gen(function*() {
      const { entityId } = yield* Entity.CurrentAddress
      const { host, port } = yield* Entity.CurrentRunnerAddress
      const since = (yield* Clock.currentTimeMillis) / 1000
      const room = makeRoom({ places, seats })
      const answer = yield* answering(settings, room)
      const { hold, stay } = yield* straight(entityId, answer)
      return GatewayEntity.of({
        Ask: ({ payload }) => answer(payload),
        Stay: () => stay,
        Hold: () => hold,
        Status: () => Effect.sync(() => ({ account: entityId, runner: `${host}:${port}`, since, ...room.state() }))
      })
    }),
    {
      // The account stays on its runner: by the rule of addresses, each move may block it for minutes.
      maxIdleTime: Infinity,
      concurrency: "unbounded",
      mailboxCapacity: places + seats + spare,
      // A defect ends its call only, not the others.
      disableFatalDefects: true
    }
  )
  return Layer.merge(entity, serving)
}

/**
 * The gateway with two more messages, which an account sends to itself because of the calls that bypass the cluster's messages. When the account leaves this
 * runner, the cluster interrupts `Stay`, and from then on no call begins here. It waits for `Hold`, as for any message, which ends with the last call.
 */
const GatewayEntity = Entity.fromRpcGroup(
  Protocol.Gateway.type,
  Protocol.Gateway.protocol.add(Rpc.make("Stay").annotate(ClusterSchema.InterruptOnTermination, true), Rpc.make("Hold"))
)

type Call = typeof Protocol.Call.Type

/** The options of a runner, and the calls that go on although it has lost their account. */
const settingsOf = (options: ServingOptions) => ({
  account: options.account,
  budgets: options.budgets ?? {},
  size: sizes(options),
  abandoned: new Map() as Abandoned
})

/** Makes what answers the calls about one account. They wait for their turns in a room. */
const answering = Effect.fnUntraced(function*(settings: ReturnType<typeof settingsOf>, room: Room) {
  const { abandoned, account, budgets, size } = settings
  const { run } = yield* MarketData
  const sharding = yield* Sharding
  const connections = Option.getOrUndefined(yield* Effect.serviceOption(Connections.Connections))
  const { entityId, shardId } = yield* Entity.CurrentAddress
  const tenure = yield* Calling.stopwatch
  const countRefusal = yield* measure(entityId, room)
  const [consent, claimOf, read] = [Terms.consents(), claims(), Terms.reader()]
  // Ends once this runner has lost the account: calls that wait for the takeover must not keep it from moving to another runner.
  const gone = Effect.repeat(Effect.sync(() => sharding.hasShardId(shardId)), {
    while: (isHere) => isHere,
    schedule: Schedule.spaced(looking)
  })
  const ready = yield* Effect.forkScoped(Effect.raceFirst(takeOver, gone))
  const isLost = Effect.map(sharding.isShutdown, (isOver) => !isOver && !sharding.hasShardId(shardId))
  const full = (waiting: number) => Effect.andThen(countRefusal, Effect.fail({ _tag: "Busy" as const, waiting }))
  /** Waits while too many bytes are queued for a caller. Its calls keep their places meanwhile, and no more answers are made for it. */
  const drained = (caller: string): Effect.Effect<void> =>
    (connections?.waiting(caller) ?? 0) <= mostWaiting
      ? Effect.void
      : Effect.delay(Effect.suspend(() => drained(caller)), looking)

  /** Asks the client of this machine, in the turn of the call. */
  const ask = Effect.fnUntraced(
    function*({ call, caller }: Call, claim: Claim.Claim, query: Query.Query, terms: Terms.Terms, arrived: number) {
      yield* drained(caller)
      yield* Fiber.await(ready)
      // A runner that is stopping, or cut off from the others, begins no call.
      if (!sharding.hasShardId(shardId)) return yield* Effect.fail({ _tag: "Moved" as const })
      const waited = (yield* Clock.currentTimeMillis) - arrived
      const answered = yield* run(query).pipe(
        Effect.updateContext((base: Context.Context<never>) =>
          Terms.within(base, terms, { consent, waited }).pipe(
            Context.add(CreditLedger.Budget, budgetOf(budgets, caller)),
            Context.add(Claim.Current, claim)
          )
        ),
        Effect.result,
        hearing(abandoned, `${caller} ${call}`, isLost)
      )
      return Result.isSuccess(answered)
        ? yield* Effect.orDie(Answers.encode(query, answered.success))
        : yield* failed(query, answered.failure)
    }
  )

  /** Reads a call, refuses it or lets it wait for its turn. */
  const take = Effect.fnUntraced(function*(call: Call, claim: Claim.Claim) {
    if (call.version !== Protocol.version) {
      return yield* Effect.fail({ _tag: "OtherVersion" as const, version: Protocol.version })
    }
    const arrived = yield* Clock.currentTimeMillis
    const [query, terms] = yield* read(call)
    const usable = Calling.asking.has(run) ? ownGateway : size
    if (Result.isFailure(usable)) return yield* refused(usable.failure, query)
    if (account !== undefined && account !== entityId) return yield* foreign(entityId, account)
    const { caller, proof = "" } = call
    if (connections?.isProven({ name: caller, proof }) === false) {
      const rule = { rule: "must be the name in this program's credential", example: "\"desk\"" }
      return yield* refused(InvalidQuery.of("caller", caller, rule), query)
    }
    return yield* room.inTurn(caller, ask(call, claim, query, terms, arrived), full)
  })

  return (call: Call) =>
    Effect.suspend(() => {
      if (connections !== undefined) connections.handed++
      const problem = unreadable(call)
      if (problem !== undefined) return Effect.fail({ _tag: "Unreadable" as const, detail: problem })
      const { claim, isFirst } = claimOf(call.call, call.claim)
      return Effect.mapError(take(call, claim), (failure) => isFirst ? { ...failure, tenure: tenure() } : failure)
    })
})

/**
 * Lets calls that come on connections of their own, or from this program, begin without a message of the cluster. Returns what its two messages
 * wait for: `stay` is interrupted when the account leaves this runner, and `hold` ends with the last call.
 */
const straight = Effect.fnUntraced(function*(account: string, answer: Effect.Success<ReturnType<typeof answering>>) {
  const connections = Option.getOrUndefined(yield* Effect.serviceOption(Connections.Connections))
  // A call adds a dozen services, and a context of the default depth would be copied for them.
  const own = Context.makeUnsafe<never>((yield* Effect.context<never>()).mapUnsafe, { maxDepth: 32 })
  const fork = Effect.runForkWith(own)
  const calls = yield* FiberSet.make<unknown, unknown>()
  const begin: Connections.Begin = (call, trace) => {
    const begun = fork(Effect.withSpan(answer(call), `${Protocol.Gateway.type}.Ask`, {
      kind: "server",
      captureStackTrace: false,
      attributes: { "entity.type": Protocol.Gateway.type, "entity.id": account },
      parent: trace && Tracer.externalSpan({ traceId: trace[0], spanId: trace[1], sampled: trace[2] })
    }))
    FiberSet.addUnsafe(calls, begun)
    return begun
  }
  const leave = Effect.sync(() => connections?.here.get(account) === begin && connections.here.delete(account))
  const left = Latch.makeUnsafe()
  if (connections !== undefined) {
    yield* Effect.addFinalizer(() => leave)
    connections.here.set(account, begin)
    const self = (yield* GatewayEntity.client)(account)
    yield* Effect.forkScoped(Effect.ignoreCause(self.Stay()))
    yield* Effect.forkScoped(Effect.ignoreCause(self.Hold()))
  }
  return { stay: Effect.onInterrupt(Effect.never, () => Effect.andThen(leave, left.open)), hold: over(left, calls) }
})

/** Waits until no more calls begin here, and all have ended. */
export const over = (left: Latch.Latch, calls: FiberSet.FiberSet<unknown, unknown>): Effect.Effect<void> =>
  Effect.andThen(left.await, FiberSet.awaitEmpty(calls))

/** The budget of a caller; undefined if only the account's ledger applies. */
export const budgetOf = (budgets: Budgets, caller: string) =>
  Object.hasOwn(budgets, caller) ? budgets[caller] : undefined

/** Fails a call about an account that this runner does not serve. */
export const foreign = (account: string, served: string) => {
  const rule = { rule: `must be ${JSON.stringify(served)}, which the runner serves`, example: "\"main\"" }
  return refused(InvalidQuery.of("account", account, rule))
}

/** Registers gauges for the running and the waiting calls of an account, which are computed when metrics are read; returns the counter of refused calls. */
const measure = Effect.fnUntraced(function*(account: string, room: Room) {
  const context = yield* Effect.context<never>()
  const attributes = { account }
  const register = (count: "running" | "waiting", description: string) => {
    const gauge = Metric.gauge(`marketdata.gateway.${count}`, { description, attributes })
    const get = () => ({ value: room.state()[count] })
    const { remove } = Metric.registerUnsafe(gauge, context, { get, update: constVoid, modify: constVoid })
    return Effect.addFinalizer(() => Effect.sync(remove))
  }
  yield* register("running", "Calls that run.")
  yield* register("waiting", "Calls that wait for a turn.")
  const refused = Metric.counter("marketdata.gateway.refused", {
    description: "Calls that were refused because too many wait.",
    attributes,
    incremental: true
  })
  return Metric.update(refused, 1)
})

/** What a waiting call is told: that it runs now, or that it lost its seat. */
type Word = "run" | "unseated"

/** Runs calls in the order of `Turns`. */
type Room = ReturnType<typeof makeRoom>

/** Opens a room in which calls wait for their turns. */
export const makeRoom = (size: Pick<Turns.Turns, "places" | "seats">) => {
  let turns = Turns.make(size)
  let calls = 0
  /** What each waiting call waits for. */
  const words = new Map<number, Deferred.Deferred<Word>>()
  const tell = (call: number, word: Word): void => {
    const waiting = words.get(call)
    words.delete(call)
    if (waiting !== undefined) Deferred.doneUnsafe(waiting, Effect.succeed(word))
  }
  const leave = (call: number) =>
    Effect.sync(() => {
      running.delete(call)
      const left = Turns.leave(turns)
      turns = left.turns
      if (left.next !== undefined) tell(left.next, "run")
    })
  /** The callers of the calls that run. */
  const running = new Map<number, string>()
  return {
    /** How many calls run and how many wait now, and whose they are. */
    state: () => {
      const counts = new Map<string, number>()
      for (const caller of running.values()) counts.set(caller, (counts.get(caller) ?? 0) + 1)
      const callers = [...new Set([...counts.keys(), ...turns.waiting.keys()])].map((caller) => ({
        caller,
        running: counts.get(caller) ?? 0,
        waiting: Turns.waitingOf(turns, caller).length
      }))
      return { running: turns.running, waiting: turns.seated, callers }
    },
    /**
     * Runs a call once it is its turn, and gives its place to the next one however it ends. A call that goes away while it waits leaves its
     * seat. Fails with `full` where it gets no seat, or has to give it up.
     */
    inTurn: <A, E, R, E2>(
      caller: string,
      call: Effect.Effect<A, E, R>,
      full: (waiting: number) => Effect.Effect<never, E2>
    ) =>
      Effect.uninterruptibleMask((restore) => {
        const number = calls++
        const run = Effect.suspend(() => {
          running.set(number, caller)
          return Effect.ensuring(restore(call), leave(number))
        })
        const refuse = Effect.suspend(() => full(turns.seated))
        const entered = Turns.enter(turns, caller, number)
        if (entered._tag === "Refused") return refuse
        turns = entered.turns
        if (entered._tag === "Runs") return run
        if (entered.unseated !== undefined) tell(entered.unseated, "unseated")
        const word = Deferred.makeUnsafe<Word>()
        words.set(number, word)
        // If it was told to run while it was interrupted, its place goes to the next call.
        const passOn = Effect.flatMap(Deferred.await(word), (word) => word === "run" ? leave(number) : Effect.void)
        const goAway = Effect.suspend(() => {
          if (!words.delete(number)) return passOn
          turns = Turns.cancel(turns, caller, number)
          return Effect.void
        })
        const heard = Effect.onInterrupt(restore(Deferred.await(word)), () => goAway)
        return Effect.flatMap(heard, (word): Effect.Effect<A, E | E2, R> => word === "run" ? run : refuse)
      })
  }
}

/** How many bytes may be queued for a caller when its next call begins: several of the largest chains. */
const mostWaiting = 32 * 1024 * 1024

/** How often to check whether this runner still has the account, and whether a caller has read its answers. */
const looking = "100 millis"

/** How long the interruption of a call is waited for. */
const ending = "1 second"

type Outcome = Result.Result<Answer.Answer<unknown>, MarketDataError>

/** The calls that go on although this runner has lost their account, by caller and id. */
type Abandoned = Map<string, Fiber.Fiber<Outcome>>

/** How long such a call is remembered: a call that is brought again comes within seconds. */
const remembered = "1 minute"

/**
 * Waits for a call. If it is interrupted by its caller it ends, but is not waited for any longer than that takes at best: a runner that is cut off from its
 * database waits for it uninterruptibly. If this runner has lost the account, as it does while its database pauses, the call goes on, because it may be charged:
 * its caller brings it again, and hears its answer if the account has come back here.
 */
const hearing =
  (abandoned: Abandoned, id: string, isLost: Effect.Effect<boolean>) => <R>(call: Effect.Effect<Outcome, never, R>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        const fiber = abandoned.get(id) ?? (yield* Effect.forkDetach(call, { startImmediately: true }))
        abandoned.delete(id)
        const end = Effect.asVoid(Effect.timeoutOption(Effect.interruptible(Fiber.interrupt(fiber)), ending))
        const goOn = Effect.suspend(() => {
          abandoned.set(id, fiber)
          return Effect.asVoid(Effect.forkDetach(Effect.delay(Effect.sync(() => abandoned.delete(id)), remembered)))
        })
        return yield* Effect.onInterrupt(
          restore(Fiber.join(fiber)),
          () => Effect.flatMap(isLost, (isLost) => isLost ? goOn : end)
        )
      })
    )

/** Checks the id, the caller and the claim of a call; undefined if they are valid. */
const unreadable = ({ call, caller, claim }: Call): string | undefined =>
  !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(call)
    ? "the id of a call must be a UUID"
    : !Connections.isName(caller)
    ? "the name of a caller must be a string of 1 to 100 printable characters"
    : Result.match(Claim.check(claim), { onFailure: ({ message }) => message, onSuccess: () => undefined })

/** Fails with the error of a call, encoded. */
const failed = (query: Query.Query | undefined, error: MarketDataError) =>
  Effect.flatMap(
    Effect.orDie(Answers.encodeError(query, error)),
    (failure) => Effect.fail({ _tag: "Failed" as const, ...failure })
  )

/** Fails with what is wrong with a call, whose query may be unread. */
const refused = (reason: InvalidQuery, query?: Query.Query) =>
  failed(query, new MarketDataError({ query: query === undefined ? "a call" : Query.format(query), reason, trace: [] }))

/** How many calls are remembered at least; at most twice as many. A call that comes again comes within seconds. */
const mostCalls = 10_000

/** The run of a claim at this gateway: another one for each run of the caller. */
const runOf = (own: string, claim: Claim.Claim | undefined): string =>
  claim === undefined ? own : createHash("sha256").update(`${own} ${claim.run}`).digest("hex").slice(0, 32)

/**
 * Makes the claims of the calls at a gateway. The cluster delivers a call again if its runner is lost, so each call has a claim: the key of its caller's
 * claim, or else its own id. Each start of the gateway is another run, and so is each delivery of a call to the same gateway: nothing is sent twice, and
 * the caller learns what may have been charged. `isFirst` says whether a call has come here for the first time.
 */
export const claims = () => {
  const start = randomUUID()
  // Two maps in turn: finding the oldest entry of a map means to skip all deleted ones.
  let [newer, older] = [new Map<string, number>(), new Map<string, number>()]
  return (call: string, claim: Claim.Claim | undefined) => {
    const time = newer.get(call) ?? older.get(call) ?? 0
    newer.set(call, time + 1)
    if (newer.size === mostCalls) [newer, older] = [new Map(), newer]
    return { claim: { key: claim?.key ?? call, run: runOf(`${start} ${time}`, claim) }, isFirst: time === 0 }
  }
}

/** How long a runner waits at most until it may send: longer than a lease and than the start of another runner. */
const atMost = "15 seconds"

/**
 * Waits until this runner may send: until the runner before it has nothing in flight, or its lease has expired. Only a guard that the machines share knows
 * that. If the address of this runner is unsafe for longer, a runner with a safe one may take the account over; if none does, the policy of each call
 * decides whether it waits.
 */
const takeOver = Effect.gen(function*() {
  const guard = yield* Effect.serviceOption(IpGuard.IpGuard)
  if (Option.isNone(guard)) return
  // An admission leaves at once, and uninterruptibly: otherwise it would count as in flight forever, and no other runner could send.
  const look = Effect.uninterruptible(Effect.gen(function*() {
    const admission = yield* guard.value.admit
    return admission._tag === "Send" ? yield* Effect.as(admission.leave("lost"), undefined) : admission.over
  }))
  for (let over = yield* look; over !== undefined; over = yield* look) yield* over
}).pipe(
  Effect.timeoutOption(atMost),
  // If the guard cannot be used, each call reports that itself.
  Effect.ignore
)
