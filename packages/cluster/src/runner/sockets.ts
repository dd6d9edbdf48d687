/**
 * The connections between programs. Who connects says a credential first, in one line, and whether it is for calls; nothing else of it is read before that is
 * proven. A connection ends that is silent, or whose other end reads nothing of what waits for it.
 */
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import type { RunnerAddress } from "effect/cluster/RunnerAddress"
import * as Runners from "effect/cluster/Runners"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as RpcClient from "effect/rpc/RpcClient"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import * as Schedule from "effect/Schedule"
import * as Socket from "effect/socket/Socket"
import * as SocketServer from "effect/socket/SocketServer"
import * as Net from "node:net"
import * as Connections from "../wire/connections.ts"
import * as Protocol from "../wire/Protocol.ts"
import * as Calls from "./calls.ts"

/** The most bytes of a credential: a name of 100 characters of up to 4 bytes each, and its proof. */
const longestGreeting = 512

/** Timeouts of a connection in milliseconds: until it has sent its credential, while it is silent, and while it reads nothing. */
const times = { greeting: 5000, silence: 30_000, stalled: 10_000 }

/** The open connections, by the names of their callers. */
type Open = Map<string, Set<Net.Socket>>

/** What follows the credential on connections for calls. A proof has no space in it. */
const forCalls = " calls"

/** Reads the first line of a connection, and the bytes after it. */
const greeting = Effect.fnUntraced(function*(pull: Socket.Reader["pull"]) {
  let bytes = Buffer.alloc(0)
  while (!bytes.includes("\n")) {
    if (bytes.length > longestGreeting) return undefined
    bytes = Buffer.concat([bytes, ...(yield* pull).map((chunk) => Buffer.from(chunk))])
  }
  const end = bytes.indexOf("\n")
  const line = bytes.toString("utf8", 0, end)
  const isForCalls = line.endsWith(forCalls)
  const identity = Connections.parse(isForCalls ? line.slice(0, -forCalls.length) : line)
  return identity && { identity, isForCalls, rest: bytes.subarray(end + 1) }
}, Effect.timeoutOrElse({ duration: times.greeting, orElse: () => Effect.succeed(undefined) }))

/** Closes a connection whose other end does not read what is queued for it. */
export const watch = (
  conn: Pick<Net.Socket, "bytesWritten" | "writableLength"> & { readonly destroy: () => unknown }
) => {
  let sent = 0
  return Effect.sync(() => {
    const now = conn.bytesWritten - conn.writableLength
    if (conn.writableLength > 0 && now === sent) conn.destroy()
    sent = now
  }).pipe(Effect.delay(times.stalled), Effect.forever)
}

/**
 * Sends the first write of a turn of the event loop at once, and the other writes of that turn together: each write to the socket takes a good part of the
 * time of a small call.
 */
const gather = (conn: Net.Socket): void => {
  const write = conn.write.bind(conn)
  Object.assign(conn, {
    write: (...written: Parameters<typeof write>) => {
      if (conn.writableCorked > 0) return write(...written)
      const hasRoom = write(...written)
      conn.cork()
      setImmediate(() => conn.uncork())
      return hasRoom
    }
  })
}

/** Reads and checks the first line of a connection, and adds it to `open`; returns what it is for, and a socket with the bytes after the line. */
const greeted = Effect.fnUntraced(function*(
  socket: Socket.Socket,
  conn: Net.Socket,
  open: Open,
  isProven: (identity: Connections.Identity) => boolean
) {
  const { pull, upgrade } = yield* socket.reader
  const said = yield* greeting(pull)
  if (said === undefined || !isProven(said.identity)) {
    yield* Effect.logWarning(`a connection of ${conn.remoteAddress} was closed: it has no credential of this cluster`)
    return yield* Effect.fail(Calls.closed(1008))
  }
  const { name } = said.identity
  const own = open.get(name) ?? new Set()
  open.set(name, own.add(conn))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      own.delete(conn)
      if (own.size === 0 && open.get(name) === own) open.delete(name)
    })
  )
  // Each answer that waits for room adds a listener.
  conn.setMaxListeners(0).setTimeout(times.silence, () => conn.destroy())
  yield* Effect.forkScoped(watch(conn))
  gather(conn)
  let { isForCalls, rest } = said
  const following = Effect.suspend(() => {
    if (rest.length === 0) return pull
    const first = rest
    rest = Buffer.alloc(0)
    return Effect.succeed([first] as const)
  })
  return {
    isForCalls,
    socket: Socket.make({ writer: socket.writer, reader: Effect.succeed({ upgrade, pull: following }) })
  }
})

/** An error that makes the transport close the connection. */
class Unreadable extends Data.TaggedError("MaxBufferSizeExceeded")<{ readonly cause: unknown }> {}

/** The serialization for frames of callers: the first frame that is too large or invalid closes the connection. By itself the transport would go on. */
const strict = Layer.effect(
  RpcSerialization.RpcSerialization,
  Effect.map(RpcSerialization.RpcSerialization, (serialization) => ({
    ...serialization,
    makeUnsafe: () => {
      const { decode, encode } = serialization.makeUnsafe()
      return {
        encode,
        decode: (data) => {
          try {
            return decode(data)
          } catch (cause) {
            throw new Unreadable({ cause })
          }
        }
      }
    }
  }))
).pipe(Layer.provide(RpcSerialization.layerSchemaBinary({ maxFrameSize: Protocol.largestCall })))

/** Listens for other programs: for messages of the cluster, and for calls. Their frames are bounded; answers to them are not. */
export const server = (place: { readonly host: string; readonly port: number }, open: Open) => {
  const sockets = Layer.effectContext(Effect.gen(function*() {
    const { isProven } = yield* Connections.Connections
    const { address, run } = yield* NodeSocketServer.make(place)
    let answer: (socket: Socket.Socket) => Effect.Effect<unknown, unknown> = () => Effect.fail(Calls.closed(1013))
    return Context.make(SocketServer.SocketServer, {
      address,
      run: (handler) =>
        run((socket) =>
          Effect.contextWith((context: Context.Context<never>) => {
            const conn = Context.getUnsafe(context, NodeSocket.NetSocket)
            const served = Effect.flatMap(
              greeted(socket, conn, open, isProven),
              ({ isForCalls, socket }) => isForCalls ? answer(socket) : handler(socket)
            )
            // A connection that was refused or has closed is not an error of the runner.
            return Effect.catchIf(Effect.scoped(served), Socket.isSocketError, (error) => Effect.logDebug(error))
          })
        )
    }).pipe(Context.add(Calls.Accepting, {
      address,
      run: <R>(handler: (socket: Socket.Socket) => Effect.Effect<unknown, unknown, R>) =>
        Effect.contextWith((context: Context.Context<R>) => {
          answer = (socket) => Effect.provideContext(handler(socket), context)
          return Effect.never
        })
    }))
  }))
  return Layer.provideMerge(Layer.provide(RpcServer.layerProtocolSocketServer, strict), sockets)
}

/** Connects, and first sends the credential. */
const connect = ({ host, port }: RunnerAddress, greeting: string) =>
  Effect.acquireRelease(
    Effect.callback<Net.Socket, Socket.SocketError>((resume) => {
      const conn = Net.connect({ host, port, noDelay: true })
      conn.once("connect", () => {
        conn.write(greeting)
        gather(conn)
        resume(Effect.succeed(conn))
      })
      conn.on("error", (cause) =>
        resume(
          Effect.fail(new Socket.SocketError({ reason: new Socket.SocketOpenError({ kind: "Unknown", cause }) }))
        ))
      return Effect.sync(() => conn.destroy())
    }),
    (conn) => Effect.sync(() => conn.destroySoon())
  )

/**
 * Whether a runner has another secret: it closes each connection that begins with this credential. One that is just starting closes some too, so it
 * is asked for two seconds. One that cannot be reached, or does not answer within a second, counts as having the same.
 */
export const isRefused = (address: RunnerAddress, identity: Connections.Identity): Effect.Effect<boolean> =>
  Effect.flatMap(
    connect(address, `${Connections.format(identity)}${forCalls}\n`),
    (conn) =>
      Effect.callback<boolean>((resume) => {
        conn.once("data", () => resume(Effect.succeed(false))).once("close", () => resume(Effect.succeed(true)))
        for (const chunk of Connections.writeFrame("Ping", 0n)) conn.write(chunk)
      })
  ).pipe(
    Effect.scoped,
    Effect.timeout("1 second"),
    Effect.orElseSucceed(() => false),
    Effect.repeat({ schedule: Schedule.spaced("500 millis"), times: 4, while: (isRefused) => isRefused })
  )

/** Connects to runners, for messages of the cluster and for calls. */
export const clients = Layer.effectContext(Effect.gen(function*() {
  const { name, proofOf } = yield* Connections.Connections
  const serialization = yield* RpcSerialization.RpcSerialization
  const credential = Connections.format({ name, proof: proofOf(name) })
  const dial = (address: RunnerAddress, greeting: string) =>
    NodeSocket.fromDuplex(connect(address, greeting), { openTimeout: 1000 })
  return Context.make(Runners.RpcClientProtocol, {
    codecFor: serialization.codecFor,
    make: (address) =>
      Effect.flatMap(
        dial(address, `${credential}\n`),
        (socket) => Effect.provideService(RpcClient.makeProtocolSocket(), Socket.Socket, socket)
      ).pipe(Effect.provideService(RpcSerialization.RpcSerialization, serialization))
  }).pipe(Context.add(Calls.Connecting, { dial: (address) => dial(address, `${credential}${forCalls}\n`) }))
})).pipe(Layer.provide(RpcSerialization.layerSchemaBinary({ maxFrameSize: Calls.largestAnswer })))

/** The `Connections` of a program with a secret, with a credential, or with neither. */
export const connections = (
  identity: Connections.Identity,
  secret?: Redacted.Redacted,
  open: Open = new Map()
): Connections.Connections["Service"] => ({
  name: identity.name,
  proofOf: (name) =>
    secret !== undefined ? Connections.prove(secret, name) : name === identity.name ? identity.proof : "",
  isProven: (identity) => Connections.isProven(secret, identity),
  waiting: (name) => {
    let bytes = 0
    for (const { writableLength } of open.get(name) ?? []) bytes += writableLength
    return bytes
  },
  here: new Map(),
  known: new Map(),
  handed: 0,
  serves: undefined
})
