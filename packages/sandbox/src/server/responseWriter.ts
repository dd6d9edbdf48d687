import * as Effect from "effect/Effect"
import type * as Http from "node:http"
import type { Writable } from "node:stream"
import * as Zlib from "node:zlib"
import type { SandboxReply } from "../wire/SandboxReply.ts"

/** Smaller replies fit into one packet, and are not compressed. */
const leastCompressed = 1024

const codings = /(?:^|,)\s*(gzip|\*)\s*(?:;\s*q=([\d.]+)\s*)?(?=,|$)/gi

/** Whether a list of codings takes gzip: by its own weight, or else by that of any coding. A weight of 0 refuses it. */
const acceptsGzip = (accepted = ""): boolean => {
  const weights = new Map(
    Array.from(accepted.matchAll(codings), ([, coding, weight = "1"]) => [coding!.toLowerCase(), Number(weight)])
  )
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0
}

/**
 * Writes a reply: a text at once and with its length, unless it tells a length itself; parts as they are made and as fast as they are
 * read. Compressed where the client accepts that and it pays.
 */
export const write = (
  request: Http.IncomingMessage,
  response: Http.ServerResponse,
  { body, headers, status }: SandboxReply
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const lengthIsTold = headers["content-length"] !== undefined
    if (status === 204 || request.method === "HEAD") {
      response.writeHead(
        status,
        status === 204 || lengthIsTold || typeof body !== "string"
          ? headers
          : { ...headers, "content-length": Buffer.byteLength(body) }
      )
      response.end()
      return Effect.void
    }
    if (!lengthIsTold && acceptsGzip(request.headers["accept-encoding"])) {
      if (typeof body !== "string" || body.length >= leastCompressed) {
        response.writeHead(status, { ...headers, "content-encoding": "gzip", vary: "accept-encoding" })
        return compressed(response, typeof body === "string" ? [body] : body)
      }
    }
    if (typeof body === "string") {
      response.writeHead(status, lengthIsTold ? headers : { ...headers, "content-length": Buffer.byteLength(body) })
      response.end(body)
      return Effect.void
    }
    response.writeHead(status, headers)
    return pump(response, body)
  })

/** Speed before size: the bytes go no further than this machine. */
const compressed = (response: Http.ServerResponse, body: Iterable<string>): Effect.Effect<void> =>
  Effect.acquireUseRelease(
    Effect.sync(() => Zlib.createGzip({ level: 1, chunkSize: 65_536 })),
    (gzip) => {
      gzip.pipe(response)
      // Where a body breaks off, the client gets what was written of it.
      const flushed = Effect.callback<void>((resume) => gzip.flush(() => resume(Effect.void)))
      return Effect.catchDefect(pump(gzip, body), (defect) => Effect.andThen(flushed, Effect.die(defect)))
    },
    (gzip) => Effect.sync(() => void (gzip.writableEnded || gzip.destroy()))
  )

/** The next slices of long replies, the oldest first. */
const slices: Array<() => void> = []

/** Writes one slice per turn of the event loop, so that short replies do not wait for long ones. */
const inSlices = (slice: () => void): void => {
  if (slices.push(slice) === 1) setImmediate(writeSlice)
}

const writeSlice = (): void => {
  slices.shift()?.()
  if (slices.length > 0) setImmediate(writeSlice)
}

/** Writes parts one after another, and waits wherever the reader does. Interrupting this stops the parts from being made. */
const pump = (to: Writable, parts: Iterable<string>): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const iterator = parts[Symbol.iterator]()
    let isOver = false
    const next = () => inSlices(slice)
    const slice = () => {
      if (isOver) return
      try {
        const { done, value } = iterator.next()
        if (done === true) {
          to.end()
          return resume(Effect.void)
        }
        if (value === "" || to.write(value)) next()
        else to.once("drain", next)
      } catch (defect) {
        resume(Effect.die(defect))
      }
    }
    slice()
    return Effect.sync(() => {
      isOver = true
      to.off("drain", next)
      iterator.return?.()
    })
  })

/** Breaks a connection: at once if nothing of the reply was written, else after what was, so that the client receives it. */
export const abort = (response: Http.ServerResponse): Effect.Effect<void> =>
  Effect.sync(() => {
    const { socket } = response
    if (socket === null) return void response.destroy()
    if (!response.headersSent) return void socket.resetAndDestroy()
    response.flushHeaders()
    socket.end(() => socket.destroy())
  })
