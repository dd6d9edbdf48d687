/**
 * Calls on connections of their own. The cluster finds the runner of an account, but calls and answers bypass its messages, whose layers would take longer
 * than the call. A connection that breaks, or that does not answer a ping, counts as a lost runner.
 */
import * as Cause from "effect/Cause"
import { EntityNotAssignedToRunner, RunnerUnavailable } from "effect/cluster/ClusterError"
import * as EntityId from "effect/cluster/EntityId"
import type * as Message from "effect/cluster/Message"
import * as Reply from "effect/cluster/Reply"
import type { RunnerAddress } from "effect/cluster/RunnerAddress"
import * as Runners from "effect/cluster/Runners"
import { Sharding } from "effect/cluster/Sharding"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import * as Socket from "effect/socket/Socket"
import type { SocketServer } from "effect/socket/SocketServer"
import { randomBytes } from "node:crypto"
import { foreign } from "../gateway/serving.ts"
import * as Connections from "../wire/connections.ts"
import * as Protocol from "../wire/Protocol.ts"

/** Opens connections for calls to a runner. */
export class Connecting extends Context.Service<Connecting, {
  readonly dial: (address: RunnerAddress) => Effect.Effect<Socket.Socket>
}>()("@effect-marketdata/cluster/Connecting") {}

/** The server on which a runner accepts connections for calls. */
export class Accepting
  extends Context.Service<Accepting, SocketServer["Service"]>()("@effect-marketdata/cluster/Accepting")
{}

/** The largest answer, in bytes: larger than any reply of the service as columns. */
export const largestAnswer = 256 * 1024 * 1024

/** How often a connection is checked, and after how many checks without a call it is closed: before a runner closes it, after 30 seconds of silence. */
const [looking, mostIdle] = ["5 seconds", 4] as const

type Ask = typeof Protocol.Ask

/** A message about a call; undefined for any other message of the cluster. */
const callOf = <R extends Rpc.Any>(message: Message.Outgoing<R>): Message.Outgoing<Ask> | undefined =>
  message.envelope.address.entityType === Protocol.Gateway.type && message.rpc._tag === Protocol.Ask._tag
    ? message as unknown as Message.Outgoing<Ask>
    : undefined

/** A call as it is sent, and the span in which it is asked. */
const Asked = Schema.fromJsonString(Schema.Struct({
  account: Schema.String,
  trace: Schema.optional(Schema.Tuple([Schema.String, Schema.String, Schema.Boolean])),
  call: Protocol.Call
}))

/** The exit of a call without an answer. */
const Ended = Schema.fromJsonString(Schema.toCodecJson(Rpc.exitSchema(Protocol.Ask)))

type Ending = Rpc.Exit<Ask>

type Answer = typeof Protocol.Reply.Type

type Failed = typeof Protocol.Failed.Type

/** The error of a connection that ended, with the WebSocket code of the reason. */
export const closed = (code = 1006) => new Socket.SocketError({ reason: new Socket.SocketCloseError({ code }) })

/** Reads the frames of a connection until it ends. Invalid bytes end it. */
const readAll = (pull: Socket.Reader["pull"], largest: number, take: (frame: Connections.Frame) => void) => {
  const read = Connections.frameReader(largest)
  return Effect.forever(Effect.flatMap(pull, (chunks) => {
    const frames = read(chunks)
    if (frames === undefined) return Effect.fail(closed())
    frames.forEach(take)
    return Effect.void
  }))
}

/** A call to be sent, with a number of its own. */
interface Sent extends Readonly<typeof Asked.Type> {
  readonly number: bigint
}

/** A connection to a runner. */
interface Line {
  readonly ask: (sent: Sent) => Effect.Effect<Ending, Socket.SocketError | typeof moved>
  readonly stop: (call: bigint) => Effect.Effect<void, Socket.SocketError>
}

/** A connection that is being opened. */
type Opening = Deferred.Deferred<Line, Socket.SocketError>

/** The runner does not have the account. */
const moved = { _tag: "Moved" } as const

/** Holds a connection to a runner until it ends, and completes `opened` when it is open. Counts the calls that it hands over. */
const hold = (socket: Socket.Socket, opened: Opening, counts: { handed: number }) => {
  const waiting = new Map<bigint, Deferred.Deferred<Connections.Frame, Socket.SocketError>>()
  let isOver = false
  // It runs before the socket closes, because later writes would wait for a new connection.
  const end = Effect.sync(() => {
    isOver = true
    const broken = Effect.fail(closed())
    Deferred.doneUnsafe(opened, broken)
    for (const answered of waiting.values()) Deferred.doneUnsafe(answered, broken)
  })
  return Effect.gen(function*() {
    const { pull } = yield* socket.reader
    const { writeAll } = yield* socket.writer
    const stop = (call: bigint) =>
      Effect.suspend(() =>
        waiting.delete(call) && !isOver ? writeAll(Connections.writeFrame("Stop", call)) : Effect.void
      )
    const ask = ({ account, call, number, trace }: Sent) =>
      Effect.suspend((): Effect.Effect<Connections.Frame, Socket.SocketError | typeof moved> => {
        // The call was not written, and is routed again.
        if (isOver) return Effect.fail(moved)
        const answered = Deferred.makeUnsafe<Connections.Frame, Socket.SocketError>()
        waiting.set(number, answered)
        counts.handed++
        const text = JSON.stringify({ account, call, trace })
        const heard = Effect.andThen(writeAll(Connections.writeFrame("Ask", number, text)), Deferred.await(answered))
        return Effect.onError(heard, () => Effect.ignore(stop(number)))
      }).pipe(Effect.flatMap(({ data, kind, text }): Effect.Effect<Ending, typeof moved> => {
        if (kind === "Answer") return Effect.succeed(Exit.succeed({ head: text, data }))
        return kind === "Refused" ? Effect.fail(moved) : Effect.orDie(Schema.decodeEffect(Ended)(text))
      }))
    Deferred.doneUnsafe(opened, Effect.succeed({ ask, stop }))
    let [heard, wasPinged, idle] = [false, false, 0]
    const reading = readAll(pull, largestAnswer, (frame) => {
      heard = true
      const answered = waiting.get(frame.call)
      if (answered === undefined || frame.kind === "Pong") return
      waiting.delete(frame.call)
      Deferred.doneUnsafe(answered, Effect.succeed(frame))
    })
    /** Pings a connection that is silent while a call waits, and gives it up if it does not answer; closes one that has been idle. */
    const look = Effect.suspend((): Effect.Effect<void, Socket.SocketError> => {
      const isSilent = waiting.size > 0 && !heard
      idle = waiting.size > 0 ? 0 : idle + 1
      if (isSilent && wasPinged || idle === mostIdle) return Effect.fail(closed())
      heard = false
      wasPinged = isSilent
      return isSilent ? writeAll(Connections.writeFrame("Ping", 0n)) : Effect.void
    })
    return yield* Effect.ensuring(Effect.raceFirst(reading, Effect.forever(Effect.delay(look, looking))), end)
  }).pipe(Effect.scoped, Effect.ensuring(end))
}

/** Forgets the runner of an account, unless another one is known by now. */
export const forget = (known: Map<string, Connections.Bring>, account: string, bring: Connections.Bring): void => {
  if (known.get(account) === bring) known.delete(account)
}

/** Wraps the cluster's `Runners`: calls are sent on connections of their own. */
export const layerRunners = Layer.effect(
  Runners.Runners,
  Effect.gen(function*() {
    const runners = yield* Runners.Runners
    const { dial } = yield* Connecting
    const connections = yield* Connections.Connections
    const { known } = connections
    const scope = yield* Effect.scope
    const lines = new Map<string, Opening>()
    const lineTo = (address: RunnerAddress): Effect.Effect<Line, Socket.SocketError> =>
      Effect.suspend(() => {
        const place = `${address.host}:${address.port}`
        const known = lines.get(place)
        if (known !== undefined) return Deferred.await(known)
        const opened = Deferred.makeUnsafe<Line, Socket.SocketError>()
        lines.set(place, opened)
        const held = Effect.flatMap(dial(address), (socket) => hold(socket, opened, connections))
        const over = Effect.sync(() => lines.delete(place))
        const holding = Effect.forkIn(Effect.ensuring(held, over), scope, { startImmediately: true })
        return Effect.andThen(holding, Deferred.await(opened))
      })
    let number = randomBytes(8).readBigInt64LE()
    /** Sends calls directly, until the runner no longer has the account or the connection breaks. */
    const straight = (account: string, line: Line): Connections.Bring => {
      const bring: Connections.Bring = (call, trace) =>
        Effect.suspend(() => line.ask({ account, call, trace, number: number = BigInt.asIntN(64, number + 1n) }))
          .pipe(
            Effect.catch((lost) => {
              forget(known, account, bring)
              return lost._tag === "Moved" ? Effect.fail(lost) : Effect.die(lost)
            }),
            Effect.flatten
          )
      return bring
    }
    return Runners.Runners.of({
      ...runners,
      send: ({ address, message: sent }) => {
        const message = callOf(sent)
        if (message === undefined) return runners.send({ address, message: sent })
        return Effect.flatMap(lineTo(address), (line) => {
          if (message._tag === "OutgoingEnvelope") return line.stop(message.envelope.requestId)
          const { address, payload, requestId, sampled, spanId, traceId } = message.envelope
          const account = address.entityId
          known.set(account, straight(account, line))
          const trace = traceId === undefined ? undefined : [traceId, spanId!, sampled!] as const
          return line.ask({ account, number: requestId, call: payload, trace }).pipe(
            Effect.catchTag("Moved", () => Effect.fail(new EntityNotAssignedToRunner({ address }))),
            Effect.flatMap((exit) => message.respond(new Reply.WithExit({ id: requestId, requestId, exit })))
          )
        }).pipe(Effect.catchTag("SocketError", () => Effect.fail(new RunnerUnavailable({ address }))))
      }
    })
  })
)

/** How the cluster reaches runners: by its own transport, and for calls by connections of their own. */
export const layer = Layer.provide(layerRunners, Runners.layerRpc)

/** Answers the calls of one connection until it ends. */
const answer = Effect.fnUntraced(function*(socket: Socket.Socket) {
  const gatewayOf = yield* Protocol.Gateway.client
  const { getShardId, hasShardId } = yield* Sharding
  const connections = yield* Connections.Connections
  const { pull } = yield* socket.reader
  const { writeAll } = yield* socket.writer
  const fork = yield* FiberSet.makeRuntime()
  const calls = new Map<bigint, Fiber.Fiber<Answer, Failed>>()
  yield* Effect.addFinalizer(() => Effect.sync(() => calls.forEach((fiber) => fiber.interruptUnsafe())))
  /** Writes a frame in the background, so that a caller that reads slowly blocks no other call. */
  const say = (...frame: Parameters<typeof Connections.writeFrame>): void =>
    void fork(Effect.ignore(writeAll(Connections.writeFrame(...frame))))

  const end = (call: bigint, exit: Exit.Exit<Answer, Failed>): void => {
    if (Exit.isSuccess(exit)) return say("Answer", call, exit.value.head, exit.value.data)
    const failure = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
    if (failure?._tag === "Moved") return say("Refused", call)
    fork(Effect.map(Schema.encodeEffect(Ended)(exit as Ending), (text) => say("Ended", call, text)))
  }
  /** Returns what begins calls of an account, once its entity runs here. If this runner has its shard, a message starts the entity. */
  const brought = Effect.fnUntraced(function*(account: string) {
    const { here, serves } = connections
    if (serves !== undefined && account !== serves) return yield* foreign(account, serves)
    const id = EntityId.make(account)
    const shard = getShardId(id, Protocol.Gateway.getShardGroup(id))
    if (hasShardId(shard)) yield* Effect.timeoutOption(Effect.ignoreCause(gatewayOf(account).Status()), "1 second")
    return here.get(account) ?? (yield* Effect.fail(moved))
  })
  const begin = ({ account, call, trace }: typeof Asked.Type): Fiber.Fiber<Answer, Failed> =>
    connections.here.get(account)?.(call, trace) ??
      fork(Effect.flatMap(brought(account), (begin) => Connections.joined(begin(call, trace))))

  const take = ({ call, kind, text }: Connections.Frame): void => {
    if (kind === "Ping") return say("Pong", call)
    const running = calls.get(call)
    if (kind === "Stop") {
      calls.delete(call)
      running?.interruptUnsafe()
    }
    if (kind !== "Ask" || running !== undefined) return
    const asked = Schema.decodeExit(Asked)(text)
    // The call of another version may have other fields, so that its version cannot be read.
    if (Exit.isFailure(asked)) {
      return end(call, Exit.fail({ _tag: "Unreadable", detail: "the call is of another form" }))
    }
    const begun = begin(asked.value)
    calls.set(call, begun)
    begun.addObserver((exit) => {
      if (calls.delete(call)) end(call, exit)
    })
  }
  return yield* readAll(pull, Protocol.largestCall, take)
}, Effect.scoped)

/** Answers the calls that come on connections of their own. */
export const layerServer = /* @__PURE__ */ Layer.effectDiscard(
  /* @__PURE__ */ Effect.flatMap(Accepting, ({ run }) => Effect.forkScoped(run(answer)))
)

/** The `Sharding` for messages of other programs: those about an account that this runner does not serve are refused before an entity is made for it. */
export const layerForeign = /* @__PURE__ */ Layer.effect(
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
        const defect = "this runner serves another account"
        return Effect.flatMap(
          sharding.getSnowflake,
          (id) => Effect.orDie(message.respond(Reply.ReplyWithContext.fromDefect({ id, requestId, defect })))
        )
      }
    })
  })
)
