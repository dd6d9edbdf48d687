import * as Claim from "@effect-marketdata/client/Claim"
import { MarketData } from "@effect-marketdata/client/MarketData"
import { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Clock from "effect/Clock"
import * as Entity from "effect/cluster/Entity"
import { Sharding } from "effect/cluster/Sharding"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Room from "../turns/room.ts"
import * as Answers from "../wire/answers.ts"
import * as Connections from "../wire/connections.ts"
import * as Protocol from "../wire/Protocol.ts"
import * as Terms from "../wire/terms.ts"
import * as Budgets from "./budgets.ts"
import * as Claims from "./claims.ts"
import * as Metrics from "./metrics.ts"
import * as Options from "./options.ts"
import * as Stopwatch from "./stopwatch.ts"
import { takeOver } from "./takeover.ts"

/** Which account is served, how many calls run at once, and how many may wait. */
export interface ServingOptions {
  readonly account?: string | undefined
  readonly maxInFlight?: number | undefined
  readonly maxWaiting?: number | undefined
  readonly budgets?: Budgets.Budgets | undefined
}

/** As many as the public service answers at once, and as many as a minute of those is. */
const defaults = { maxInFlight: 50, maxWaiting: 1000 }

/** The entity's mailbox holds what runs, what waits, and some that are only to be refused. */
const spare = 100

const sizes = ({ maxInFlight = defaults.maxInFlight, maxWaiting = defaults.maxWaiting }: ServingOptions) =>
  Result.gen(function*() {
    return {
      places: yield* Options.count("maxInFlight", maxInFlight, 1),
      seats: yield* Options.count("maxWaiting", maxWaiting, 0)
    }
  })

/** Answers the calls of all machines about an account with the client of this one, where the account is with this runner. */
export const layer = (options: ServingOptions = {}): Layer.Layer<never, never, MarketData | Sharding> => {
  const { account, budgets = {} } = options ?? {}
  const budgetOf = (caller: string) => Object.hasOwn(budgets, caller) ? budgets[caller] : undefined
  const size = sizes(options ?? {})
  const serving = Layer.effectDiscard(Effect.map(Effect.serviceOption(Connections.Connections), (connections) => {
    if (Option.isSome(connections)) connections.value.serves = account
  }))
  const { places, seats } = Result.getOrElse(size, () => ({ places: defaults.maxInFlight, seats: defaults.maxWaiting }))
  const entity = Protocol.Gateway.toLayer(
    Effect.gen(function*() {
      const { run } = yield* MarketData
      const sharding = yield* Sharding
      const connections = Option.getOrUndefined(yield* Effect.serviceOption(Connections.Connections))
      const { entityId, shardId } = yield* Entity.CurrentAddress
      const { host, port } = yield* Entity.CurrentRunnerAddress
      const since = (yield* Clock.currentTimeMillis) / 1000
      const tenure = yield* Stopwatch.start
      const room = Room.make({ places, seats })
      const metrics = Metrics.make(entityId, room)
      const consent = Terms.consents()
      const claimOf = Claims.make()
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

      const ask = Effect.fnUntraced(function*({ caller, claim, query, terms }: Read, arrived: number) {
        yield* Fiber.await(ready)
        // A runner that may be stopping, or cut off from the others, begins nothing.
        if (!sharding.hasShardId(shardId)) return yield* Effect.fail({ _tag: "Moved" as const })
        const waited = (yield* Clock.currentTimeMillis) - arrived
        const answered = yield* run(query).pipe(
          Budgets.within(budgetOf(caller), { query, ceiling: terms.ceiling }),
          Effect.provideService(Claim.Current, claim),
          Terms.provide(terms, { consent, waited }),
          endingSoon,
          Effect.result
        )
        return Result.isSuccess(answered)
          ? yield* Effect.orDie(Answers.encode(query, answered.success))
          : yield* fail(query, answered.failure)
      })

      const answer = Effect.fnUntraced(function*(payload: typeof Protocol.Call.Type, claim: Claim.Claim) {
        if (payload.version !== Protocol.version) {
          return yield* Effect.fail({ _tag: "OtherVersion" as const, version: Protocol.version })
        }
        const arrived = yield* Clock.currentTimeMillis
        const call = yield* read(payload, claim)
        if (Result.isFailure(size)) return yield* fail(call.query, refused(call.query, size.failure))
        if (account !== undefined && account !== entityId) {
          return yield* Effect.flatMap(foreign(entityId, account), Effect.fail)
        }
        if (connections?.isProven({ name: call.caller, proof: payload.proof ?? "" }) === false) {
          const rule = { rule: "must be the name in this program's credential", example: "\"desk\"" }
          return yield* fail(call.query, refused(call.query, InvalidQuery.of("caller", call.caller, rule)))
        }
        return yield* room.inTurn(
          call.caller,
          Effect.andThen(
            Effect.andThen(metrics.update, Effect.suspend(() => drained(call.caller))),
            ask(call, arrived)
          ),
          (waiting) => ({ _tag: "Busy" as const, waiting })
        ).pipe(
          Effect.tapError((failure) => failure._tag === "Busy" ? metrics.refuse : Effect.void),
          Effect.ensuring(metrics.update)
        )
      })

      return Protocol.Gateway.of({
        Ask: ({ payload }) =>
          Effect.suspend(() => {
            const problem = unreadable(payload)
            if (problem !== undefined) return Effect.fail({ _tag: "Unreadable" as const, detail: problem })
            const { claim, isFirst } = claimOf(payload.call, payload.claim)
            return Effect.mapError(
              answer(payload, claim),
              (failure) => isFirst ? { ...failure, tenure: tenure() } : failure
            )
          }),
        Status: () =>
          Effect.map(room.state, (state) => ({ account: entityId, runner: `${host}:${port}`, since, ...state }))
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

/** What a call about an account is told that is not served here. */
export const foreign = (account: string, served: string) => {
  const rule = { rule: `must be ${JSON.stringify(served)}, which the runner serves`, example: "\"main\"" }
  const error = new MarketDataError({ query: "a call", reason: InvalidQuery.of("account", account, rule), trace: [] })
  return Effect.map(
    Effect.orDie(Answers.encodeError(undefined, error)),
    (failure) => ({ _tag: "Failed" as const, ...failure })
  )
}

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
    ? "the name of a caller must be a text of 1 to 100 printable characters"
    : Result.match(Claim.check(claim), { onFailure: ({ message }) => message, onSuccess: () => undefined })

/** A call that was read. */
interface Read {
  readonly caller: string
  readonly claim: Claim.Claim
  readonly query: Query.Query
  readonly terms: Terms.Terms
}

const read = ({ caller, query, terms }: typeof Protocol.Call.Type, claim: Claim.Claim) =>
  Effect.all({
    caller: Effect.succeed(caller),
    claim: Effect.succeed(claim),
    query: Schema.decodeEffect(Terms.QueryText)(query),
    terms: Schema.decodeEffect(Terms.TermsText)(terms)
  }).pipe(
    Effect.mapError(({ message }) => ({ _tag: "Unreadable" as const, detail: message }))
  )

const refused = (query: Query.Query, reason: InvalidQuery) =>
  new MarketDataError({ query: Query.format(query), reason, trace: [] })

const fail = (query: Query.Query, error: MarketDataError) =>
  Answers.encodeError(query, error).pipe(
    Effect.orDie,
    Effect.flatMap((failure) => Effect.fail({ _tag: "Failed" as const, ...failure }))
  )
