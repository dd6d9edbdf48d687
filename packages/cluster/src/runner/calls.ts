/**
 * Calls on connections of their own. The cluster finds the runner of an account and decides who answers; what a call and its answer say need not pass its
 * messages, whose layers would take longer than the call. A connection that breaks, or that says nothing to a ping, is to the cluster what a lost
 * runner is.
 */
import * as Cause from "effect/Cause"
import {
  AlreadyProcessingMessage,
  EntityNotAssignedToRunner,
  MailboxFull,
  RunnerUnavailable
} from "effect/cluster/ClusterError"
import * as EntityAddress from "effect/cluster/EntityAddress"
import * as EntityId from "effect/cluster/EntityId"
import * as Envelope from "effect/cluster/Envelope"
import * as Message from "effect/cluster/Message"
import * as Reply from "effect/cluster/Reply"
import type { RunnerAddress } from "effect/cluster/RunnerAddress"
import * as Runners from "effect/cluster/Runners"
import { Sharding } from "effect/cluster/Sharding"
import * as Snowflake from "effect/cluster/Snowflake"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Headers from "effect/http/Headers"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Rpc from "effect/rpc/Rpc"
import type { CodecFor } from "effect/rpc/RpcSerialization"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Socket from "effect/socket/Socket"
import type { SocketServer } from "effect/socket/SocketServer"
import * as Frames from "../wire/frames.ts"
import * as Protocol from "../wire/Protocol.ts"

/** How connections for calls are opened to a runner, and where a runner accepts them. */
export class Connecting extends Context.Service<Connecting, {
  readonly dial: (address: RunnerAddress) => Effect.Effect<Socket.Socket>
}>()("@effect-marketdata/cluster/Connecting") {}

export class Accepting
  extends Context.Service<Accepting, SocketServer["Service"]>()("@effect-marketdata/cluster/Accepting")
{}

/** More than the largest reply of the service as columns. */
export const largestAnswer = 256 * 1024 * 1024

/** How often a connection is looked at, and after how many looks without a call it ends: a runner ends what says nothing for 30 seconds. */
const [looking, mostIdle] = ["5 seconds", 4] as const

type Ask = typeof Protocol.Ask

/** A message that is a call, or says something of one; undefined where it is another of the cluster's. */
const callOf = <R extends Rpc.Any>(message: Message.Outgoing<R>): Message.Outgoing<Ask> | undefined =>
  message.envelope.address.entityType === Protocol.Gateway.type && message.rpc._tag === Protocol.Ask._tag
    ? message as unknown as Message.Outgoing<Ask>
    : undefined

/** A call as it is sent: what the cluster knows of it, and the call itself, which the entity looks through. */
const Asked = Schema.fromJsonString(Schema.Struct({
  account: Schema.String,
  trace: Schema.optionalKey(Schema.Tuple([Schema.String, Schema.String, Schema.Boolean])),
  call: Schema.Unknown
}))

/** How a call ended that has no answer. */
const Ended = Schema.fromJsonString(Schema.toCodecJson(Rpc.exitSchema(Protocol.Ask)))

type Ending = Rpc.Exit<Ask>

const closed = () => new Socket.SocketError({ reason: new Socket.SocketCloseError({ code: 1006 }) })

/** Reads the frames of a connection until it ends: what is no frame ends it. */
const readAll = (
  pull: Socket.Reader["pull"],
  largest: number,
  take: (frame: Frames.Frame) => Effect.Effect<void> | undefined
): Effect.Effect<never, Socket.SocketError> => {
  const read = Frames.reader(largest)
  return Effect.forever(Effect.flatMap(pull, (chunks) => {
    const frames = read(chunks)
    if (frames === undefined) return Effect.fail(closed())
    let next: Effect.Effect<void> = Effect.void
    for (const frame of frames) {
      const taken = take(frame)
      if (taken !== undefined) next = Effect.andThen(next, taken)
    }
    return next
  }))
}

type Unsent = EntityNotAssignedToRunner | MailboxFull | AlreadyProcessingMessage

/** A connection to a runner. */
interface Line {
  readonly ask: (
    message: Message.OutgoingRequest<Ask>
  ) => Effect.Effect<Ending, Socket.SocketError | Unsent>
  readonly stop: (call: bigint) => Effect.Effect<void, Socket.SocketError>
}

/** What a call was not taken for. */
const refusal = (why: string, { address, requestId }: Envelope.Request.Any): Unsent => {
  switch (why) {
    case "MailboxFull":
      return new MailboxFull({ address })
    case "AlreadyProcessingMessage":
      return new AlreadyProcessingMessage({ address, envelopeId: requestId })
    default:
      return new EntityNotAssignedToRunner({ address })
  }
}

/** Holds a connection to a runner until it ends, and `opened` says what it can be asked from then on. */
const hold = (
  socket: Socket.Socket,
  opened: Deferred.Deferred<Line, Socket.SocketError>
): Effect.Effect<never, Socket.SocketError> => {
  const waiting = new Map<bigint, Deferred.Deferred<Frames.Frame, Socket.SocketError>>()
  let isOver = false
  // Before the socket closes: what is written then would wait for it to be opened again.
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
      Effect.suspend(() => waiting.delete(call) && !isOver ? writeAll(Frames.write("Stop", call)) : Effect.void)
    Deferred.doneUnsafe(
      opened,
      Effect.succeed({
        stop,
        ask: ({ envelope }) =>
          Effect.suspend(() => {
            if (isOver) return Effect.fail(closed())
            const { address, payload, requestId, sampled, spanId, traceId } = envelope
            const answered = Deferred.makeUnsafe<Frames.Frame, Socket.SocketError>()
            waiting.set(requestId, answered)
            const trace = traceId === undefined ? {} : { trace: [traceId, spanId, sampled] }
            const text = JSON.stringify({ account: address.entityId, call: payload, ...trace })
            return Effect.onError(
              Effect.andThen(writeAll(Frames.write("Ask", requestId, text)), Deferred.await(answered)),
              () => Effect.ignore(stop(requestId))
            )
          }).pipe(Effect.flatMap(({ data, kind, text }): Effect.Effect<Ending, Unsent> =>
            kind === "Answer"
              ? Effect.succeed(Exit.succeed({ head: text, data }))
              : kind === "Refused"
              ? Effect.fail(refusal(text, envelope))
              : Effect.orDie(Schema.decodeEffect(Ended)(text))
          ))
      })
    )
    let [heard, wasAsked, idle] = [false, false, 0]
    const reading = readAll(pull, largestAnswer, (frame) => {
      heard = true
      const answered = waiting.get(frame.call)
      if (answered === undefined || frame.kind === "Pong") return undefined
      waiting.delete(frame.call)
      Deferred.doneUnsafe(answered, Effect.succeed(frame))
    })
    /** Asks a connection that is silent while a call waits, and gives it up where it does not answer that. */
    const look = Effect.suspend((): Effect.Effect<void, Socket.SocketError> => {
      const isSilent = waiting.size > 0 && !heard
      idle = waiting.size > 0 ? 0 : idle + 1
      if (isSilent && wasAsked || idle === mostIdle) return Effect.fail(closed())
      heard = false
      wasAsked = isSilent
      return isSilent ? writeAll(Frames.write("Ping", 0n)) : Effect.void
    })
    return yield* Effect.ensuring(Effect.raceFirst(reading, Effect.forever(Effect.delay(look, looking))), end)
  }).pipe(Effect.scoped, Effect.ensuring(end))
}

/** The runners as the cluster reaches them, with calls on connections of their own. */
export const layerRunners: Layer.Layer<Runners.Runners, never, Runners.Runners | Connecting> = Layer.effect(
  Runners.Runners,
  Effect.gen(function*() {
    const runners = yield* Runners.Runners
    const { dial } = yield* Connecting
    const scope = yield* Effect.scope
    const lines = new Map<string, Deferred.Deferred<Line, Socket.SocketError>>()
    const lineTo = (address: RunnerAddress): Effect.Effect<Line, Socket.SocketError> =>
      Effect.suspend(() => {
        const place = `${address.host}:${address.port}`
        const known = lines.get(place)
        if (known !== undefined) return Deferred.await(known)
        const opened = Deferred.makeUnsafe<Line, Socket.SocketError>()
        lines.set(place, opened)
        const held = Effect.flatMap(dial(address), (socket) => hold(socket, opened))
        const over = Effect.sync(() => lines.get(place) === opened && lines.delete(place))
        return Effect.andThen(
          Effect.forkIn(Effect.ensuring(held, over), scope, { startImmediately: true }),
          Deferred.await(opened)
        )
      })
    return Runners.Runners.of({
      ...runners,
      send: ({ address, message: sent }) => {
        const message = callOf(sent)
        if (message === undefined) return runners.send({ address, message: sent })
        return Effect.flatMap(lineTo(address), (line) =>
          message._tag === "OutgoingEnvelope"
            ? line.stop(message.envelope.requestId)
            : Effect.flatMap(line.ask(message), (exit) => {
              const { requestId } = message.envelope
              return message.respond(new Reply.WithExit({ id: requestId, requestId, exit }))
            })).pipe(Effect.catchTag("SocketError", () => Effect.fail(new RunnerUnavailable({ address }))))
      }
    })
  })
)

/** How the cluster reaches runners: by its own transport, and for calls by connections of their own. */
export const layer = Layer.provide(layerRunners, Runners.layerRpc)

/** A call is looked through by its schema where the entity gets it. */
const codecFor = Schema.toCodecJson as CodecFor

/** Answers the calls of one connection until it ends. */
const answer = (socket: Socket.Socket): Effect.Effect<never, Socket.SocketError, Sharding> =>
  Effect.gen(function*() {
    const sharding = yield* Sharding
    const scope = yield* Effect.scope
    const { pull } = yield* socket.reader
    const { writeAll } = yield* socket.writer
    const running = new Map<bigint, Scope.Closeable>()
    yield* Effect.addFinalizer(() => Effect.forEach(running.values(), (call) => Scope.close(call, Exit.void)))
    /** A caller that reads slowly holds up no other call. */
    const say = (...frame: Parameters<typeof Frames.write>) =>
      Effect.asVoid(Effect.forkIn(Effect.ignore(writeAll(Frames.write(...frame))), scope, { startImmediately: true }))

    const take = ({ call, kind, text }: Frames.Frame): Effect.Effect<void> | undefined => {
      switch (kind) {
        case "Ping":
          return say("Pong", call)
        case "Stop": {
          const stopped = running.get(call)
          running.delete(call)
          return stopped && Scope.close(stopped, Exit.void)
        }
        case "Ask":
          return Effect.asVoid(Effect.forkIn(begin(call, text), scope, { startImmediately: true }))
        default:
          return undefined
      }
    }
    const begin = (call: bigint, text: string) =>
      Effect.gen(function*() {
        if (running.has(call)) return yield* say("Refused", call, "AlreadyProcessingMessage")
        const { account, call: payload, trace } = yield* Schema.decodeEffect(Asked)(text)
        const entityId = EntityId.make(account)
        const callerScope = Scope.makeUnsafe()
        running.set(call, callerScope)
        const message = new Message.IncomingRequest<Ask>({
          envelope: Envelope.makeRequest<Ask>({
            requestId: Snowflake.Snowflake(call),
            address: EntityAddress.make({
              shardId: sharding.getShardId(entityId, Protocol.Gateway.getShardGroup(entityId)),
              entityId,
              entityType: Protocol.Gateway.type
            }),
            tag: Protocol.Ask._tag,
            payload: payload as typeof Protocol.Call.Type,
            headers: Headers.empty,
            traceId: trace?.[0],
            spanId: trace?.[1],
            sampled: trace?.[2]
          }),
          lastSentReply: Option.none(),
          codecFor,
          callerScope,
          respond: ({ reply }) =>
            running.delete(call) && reply._tag === "WithExit" ? end(call, reply.exit) : Effect.void
        })
        yield* Effect.catch(sharding.send(message), ({ _tag }) => {
          running.delete(call)
          return say("Refused", call, _tag)
        })
      }).pipe(Effect.catchCause((cause) => end(call, Exit.die(Cause.squash(cause)))))
    const end = (call: bigint, exit: Ending): Effect.Effect<void> =>
      Exit.isSuccess(exit)
        ? say("Answer", call, exit.value.head, exit.value.data)
        : Effect.flatMap(Effect.orDie(Schema.encodeEffect(Ended)(exit)), (text) => say("Ended", call, text))
    return yield* readAll(pull, Protocol.largestCall, take)
  }).pipe(Effect.scoped)

/** Answers the calls that come on connections of their own. */
export const layerServer: Layer.Layer<never, never, Sharding | Accepting> = Layer.effectDiscard(
  Effect.gen(function*() {
    const { run } = yield* Accepting
    yield* Effect.forkScoped(run(answer))
  })
)
