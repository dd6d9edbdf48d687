/**
 * A server that answers each request with a hostile reply, to test any client with.
 *
 * It runs over any `SocketServer`, such as that of `@effect/platform-node`, and writes raw bytes, so that a reply can also break HTTP itself.
 *
 * @example
 * ```ts
 * import * as HostileReplies from "@effect-marketdata/testing/HostileReplies"
 * import * as HostileServer from "@effect-marketdata/testing/HostileServer"
 * import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
 * import * as Effect from "effect/Effect"
 * import * as fc from "fast-check"
 *
 * const replies = fc.sample(HostileReplies.ofKind("braces", { fields: ["bid"], maxBytes: 1000 }), { seed: 7, numRuns: 1 })
 * const program = Effect.gen(function*() {
 *   const { baseUrl, served } = yield* HostileServer.serve(() => replies[0]!)
 *   const request = async () => (await fetch(baseUrl, { signal: AbortSignal.timeout(500) })).text() // yours: your client's
 *   yield* Effect.exit(Effect.tryPromise(request))
 *   return served()
 * })
 * const server = NodeSocketServer.layer({ port: 0, host: "127.0.0.1" })
 * await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(server))) // => 1
 * ```
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Socket from "effect/socket/Socket"
import * as SocketServer from "effect/socket/SocketServer"
import * as HostileReplies from "./HostileReplies.ts"

/**
 * A request as it came in: what it asks for, and its head.
 *
 * @category models
 * @since 0.1.0
 */
export interface Asked {
  readonly target: string
  readonly head: string
}

/**
 * A server that runs: where it is, how many requests it has answered, and how many connections are open.
 *
 * @category models
 * @since 0.1.0
 */
export interface HostileServer {
  readonly baseUrl: string
  readonly served: () => number
  readonly open: () => number
}

/**
 * Answers each request as `reply` says, as long as the scope is open.
 *
 * @category constructors
 * @since 0.1.0
 */
export const serve = Effect.fnUntraced(function*(
  reply: (asked: Asked) => HostileReplies.HostileReply
): Effect.fn.Return<HostileServer, never, SocketServer.SocketServer | Scope.Scope> {
  const { address, run } = yield* SocketServer.SocketServer
  let open = 0
  let served = 0
  const answer = (asked: Asked): HostileReplies.HostileReply => {
    served++
    return reply(asked)
  }
  const counted = (socket: Socket.Socket) =>
    Effect.acquireUseRelease(
      Effect.sync(() => void open++),
      // A client that leaves is not a failure of the server.
      () => Effect.ignoreCause(Effect.scoped(connection(socket, answer))),
      () => Effect.sync(() => void open--)
    )
  yield* Effect.forkScoped(run(counted))
  return { baseUrl: `http://${String(address)}`, served: () => served, open: () => open }
})

/** Serves one connection, request by request, until a reply says otherwise. */
const connection = Effect.fnUntraced(
  function*(socket: Socket.Socket, answer: (asked: Asked) => HostileReplies.HostileReply) {
    const { pull } = yield* socket.reader
    const { write } = yield* socket.writer
    const decoder = new TextDecoder("latin1")
    let received = ""
    for (;;) {
      for (; !received.includes(endOfHead);) {
        for (const piece of yield* pull) received += typeof piece === "string" ? piece : decoder.decode(piece)
      }
      const head = received.slice(0, received.indexOf(endOfHead))
      received = received.slice(head.length + endOfHead.length)
      const reply = answer({ target: head.split(" ")[1] ?? "", head })
      // Keeps reading, to notice when the client leaves; no client sends another request before the answer.
      const left = Effect.forever(pull)
      yield* Effect.raceFirst(send(reply, write), left)
      if (reply.end === "hangs") return yield* left
      if (reply.end === "breaks") return yield* write(new Socket.CloseEvent(brokenOff))
      if (reply.end === "closes") return
    }
  }
)

const endOfHead = "\r\n\r\n"

/** The close code of a connection that broke. */
const brokenOff = 1006

/** Writes a reply at its pace. */
const send = (
  reply: HostileReplies.HostileReply,
  write: (bytes: Uint8Array) => Effect.Effect<void, Socket.SocketError>
): Effect.Effect<void, Socket.SocketError> =>
  Effect.acquireUseRelease(
    Effect.sync(() => HostileReplies.wire(reply)),
    Effect.fnUntraced(function*(pieces) {
      const { bytes, pause } = reply.pace
      for (;;) {
        const { done, value } = yield* Effect.promise(() => pieces.next())
        if (done === true) return
        for (let from = 0; from < value.length; from += bytes) {
          yield* write(value.subarray(from, from + bytes))
          if (pause > 0) yield* Effect.sleep(pause)
        }
      }
    }),
    // Not awaited: the generator may be making a piece.
    (pieces) => Effect.sync(() => void pieces.return())
  )
