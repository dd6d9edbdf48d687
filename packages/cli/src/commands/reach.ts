/** How far a connection to the service gets: its name, its port, its certificate. */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { lookup } from "node:dns/promises"
import { connect, isIP, type Socket } from "node:net"
import { connect as connectSafely } from "node:tls"

/** Why a stage fails. */
export class Unreachable extends Data.TaggedError("Unreachable")<{ readonly why: string }> {}

const patience = "10 seconds"

const why = (error: unknown): string => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return ForeignText.line(typeof code === "string" && code !== "" ? code : String(message), 120)
}

/** Gives what a stage finds, and how long it took. */
const timed = <A>(stage: Effect.Effect<A, Unreachable>) =>
  Effect.gen(function*() {
    const start = yield* Clock.currentTimeMillis
    const found = yield* Effect.timeoutOrElse(stage, {
      duration: patience,
      orElse: () => Effect.fail(new Unreachable({ why: `no answer within ${patience}` }))
    })
    return { found, milliseconds: (yield* Clock.currentTimeMillis) - start }
  })

/** Finds the address of a name. */
export const resolve = (host: string) =>
  timed(Effect.tryPromise({
    try: async () => (await lookup(host)).address,
    catch: (error) => new Unreachable({ why: why(error) })
  }))

/** Opens a connection, reads of it what there is to say, and closes it. */
const opened = <Opened extends Socket, A>(start: (ready: () => void) => Opened, read: (socket: Opened) => A) =>
  timed(Effect.callback<A, Unreachable>((resume) => {
    const socket = start(() => {
      const found = read(socket)
      socket.destroy()
      resume(Effect.succeed(found))
    })
    socket.on("error", (error) => resume(Effect.fail(new Unreachable({ why: why(error) }))))
    return Effect.sync(() => socket.destroy())
  }))

/** Opens a port. */
export const open = (host: string, port: number) => opened((ready) => connect({ host, port }, ready), () => undefined)

/** Opens a port with TLS, which checks the certificate. */
export const encrypt = (host: string, port: number) =>
  opened(
    (ready) => connectSafely({ host, port, servername: isIP(host) === 0 ? host : "" }, ready),
    (socket) =>
      ForeignText.line(
        `${socket.getProtocol() ?? "TLS"}, certificate valid until ${
          socket.getPeerCertificate().valid_to ?? "an unknown day"
        }`,
        120
      )
  )
