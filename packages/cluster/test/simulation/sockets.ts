/** TCP between simulated machines, for the cluster's own transport. */
import { Array as Arr, Context, Effect, Latch, Layer } from "effect"
import { RunnerAddress, Runners } from "effect/cluster"
import type * as NetAddress from "effect/net/NetAddress"
import { RpcClient, RpcSerialization } from "effect/rpc"
import { Socket, SocketServer } from "effect/socket"
import * as Calls from "../../src/runner/calls.ts"
import type { Host, Network } from "./network.ts"

type Chunk = Uint8Array | string
type Pulled = Effect.Effect<Arr.NonEmptyReadonlyArray<Chunk>, Socket.SocketError>

/** One end of a connection. */
interface End {
  readonly host: Host
  readonly send: (chunk: Chunk) => boolean
  readonly close: () => void
  readonly pull: Pulled
}

/** The ports of a network. */
export type Sockets = ReturnType<typeof make>

const closed = (code: number) => new Socket.SocketError({ reason: new Socket.SocketCloseError({ code }) })

const notOpen = (kind: "Timeout" | "Unknown") =>
  new Socket.SocketError({ reason: new Socket.SocketOpenError({ kind, cause: new Error("no connection") }) })

/** How long a connection may take to open, as in the cluster's own sockets. */
const openTimeout = 1000

export const make = (network: Network) => {
  const listening = new Map<string, { readonly host: Host; readonly accept: (end: End) => void }>()
  const stuck = new Map<Host, number>()
  const stick = (host: Host, by: 1 | -1) => Effect.sync(() => void stuck.set(host, (stuck.get(host) ?? 0) + by))

  /** Connects two hosts: what one end sends, the other one pulls, in its order. */
  const connect = (one: Host, other: Host): readonly [End, End] => {
    const half = (host: Host) => {
      const inbox: Array<Chunk> = []
      let waiting: ((pulled: Pulled) => void) | undefined
      let error: Socket.SocketError | undefined
      const drain = () => {
        if (waiting === undefined || inbox.length === 0 && error === undefined) return
        const resume = waiting
        waiting = undefined
        const chunks = inbox.splice(0)
        resume(Arr.isReadonlyArrayNonEmpty(chunks) ? Effect.succeed(chunks) : Effect.fail(error!))
      }
      return {
        host,
        isOpen: () => error === undefined,
        receive: (chunk: Chunk) => {
          if (error === undefined) inbox.push(chunk)
          drain()
        },
        end: (why: Socket.SocketError) => {
          error ??= why
          drain()
        },
        pull: Effect.callback<Arr.NonEmptyReadonlyArray<Chunk>, Socket.SocketError>((resume) => {
          waiting = resume
          drain()
          return Effect.sync(() => {
            if (waiting === resume) waiting = undefined
          })
        })
      }
    }
    const [near, far] = [half(one), half(other)]
    const endOf = (self: typeof near, peer: typeof near): End => {
      let latest = 0
      const break_ = () => void network.carry(self.host, peer.host, () => peer.end(closed(1006)), latest)
      self.host.onKill.add(break_)
      return {
        host: self.host,
        pull: self.pull,
        send: (chunk) => {
          if (self.isOpen()) latest = network.carry(self.host, peer.host, () => peer.receive(chunk), latest)
          return self.isOpen()
        },
        close: () => {
          self.host.onKill.delete(break_)
          if (!self.isOpen()) return
          self.end(closed(1006))
          network.carry(self.host, peer.host, () => peer.end(closed(1000)), latest)
        }
      }
    }
    return [endOf(near, far), endOf(far, near)]
  }

  const open = (from: Host, place: string): Effect.Effect<End, Socket.SocketError> =>
    Effect.callback<End, Socket.SocketError>((resume) => {
      const server = listening.get(place)
      if (server === undefined) return resume(Effect.fail(notOpen("Unknown")))
      network.carry(from, server.host, () => {
        if (listening.get(place) !== server) return
        const [near, far] = connect(from, server.host)
        server.accept(far)
        network.carry(server.host, from, () => resume(Effect.succeed(near)))
      })
    }).pipe(Effect.timeoutOrElse({ duration: openTimeout, orElse: () => Effect.fail(notOpen("Timeout")) }))

  /** What has been opened as the library has a socket, or what a host has accepted, which opens once only. */
  const socketOf = (opening: Effect.Effect<End, Socket.SocketError>, acceptedBy?: Host): Socket.Socket => {
    const isOpen = Latch.makeUnsafe(false)
    let current: End | undefined
    let wasOpen = false
    const opened = Effect.suspend(() =>
      acceptedBy === undefined || !wasOpen || isOpen.isOpen()
        ? isOpen.await
        : Effect.ensuring(Effect.andThen(stick(acceptedBy, 1), isOpen.await), stick(acceptedBy, -1))
    )
    const write = (chunk: Chunk | Socket.CloseEvent): Effect.Effect<void, Socket.SocketError> =>
      Effect.andThen(
        opened,
        Effect.suspend(() => {
          if (Socket.isCloseEvent(chunk)) return Effect.sync(() => current?.close())
          return current?.send(chunk) === true ? Effect.void : Effect.fail(closed(1006))
        })
      )
    return Socket.make({
      reader: Effect.gen(function*() {
        const end = yield* Effect.acquireRelease(opening, (end) =>
          Effect.sync(() => {
            isOpen.closeUnsafe()
            current = undefined
            end.close()
          }))
        current = end
        wasOpen = true
        isOpen.openUnsafe()
        return { pull: end.pull, upgrade: () => Effect.void }
      }),
      writer: Effect.succeed({ write, writeAll: (chunks) => Effect.forEach(chunks, write, { discard: true }) })
    })
  }

  const listen = (host: Host, place: string): SocketServer.SocketServer["Service"] => ({
    address: { _tag: "UnixPathAddress", path: place } as NetAddress.UnixPathAddress,
    run: <R, E, A>(handler: (socket: Socket.Socket) => Effect.Effect<A, E, R>) =>
      Effect.contextWith((context: Context.Context<R>) => {
        const run = Effect.runForkWith(context)
        listening.set(place, { host, accept: (end) => void run(handler(socketOf(Effect.succeed(end), host))) })
        const leave = () => void listening.delete(place)
        host.onKill.add(leave)
        return Effect.ensuring(Effect.never, Effect.sync(leave))
      })
  })

  return {
    /** Whether a fiber of a host waits to write to a connection that has closed and cannot be opened again. Effect's own sockets wait in that way. */
    isStuck: (host: Host) => (stuck.get(host) ?? 0) > 0,
    server: (host: Host, port: number) =>
      Layer.merge(
        Layer.succeed(SocketServer.SocketServer, listen(host, `${host.name}:${port}`)),
        Layer.succeed(Calls.Accepting, listen(host, `${host.name}:${port} calls`))
      ),
    clients: (host: Host) => {
      const dial = (address: RunnerAddress.RunnerAddress, what = "") =>
        socketOf(open(host, `${address.host}:${address.port}${what}`))
      return Layer.merge(
        Layer.succeed(Calls.Connecting, { dial: (address) => Effect.sync(() => dial(address, " calls")) }),
        Layer.effect(
          Runners.RpcClientProtocol,
          Effect.map(RpcSerialization.RpcSerialization, (serialization) => ({
            codecFor: serialization.codecFor,
            make: (address: RunnerAddress.RunnerAddress) =>
              RpcClient.makeProtocolSocket().pipe(
                Effect.provideService(Socket.Socket, dial(address)),
                Effect.provideService(RpcSerialization.RpcSerialization, serialization)
              )
          }))
        )
      )
    }
  }
}
