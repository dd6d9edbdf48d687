import * as Effect from "effect/Effect"
import type * as Http from "node:http"

/** The most that a request may have below its head: a script of faults, at best. */
const maxBytes = 65_536

/** Returns whether a request has a body at all. */
export const isThere = ({ headers }: Http.IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/** Reads the body of a request; undefined where it is over the limit, which is told as soon as it is known. */
export const read = (request: Http.IncomingMessage): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) return resume(Effect.succeed(undefined))
    const chunks: Array<Buffer> = []
    let bytes = 0
    const take = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maxBytes) return void chunks.push(chunk)
      request.off("data", take)
      resume(Effect.succeed(undefined))
    }
    request.on("data", take)
    request.once("end", () => resume(Effect.sync(() => Buffer.concat(chunks).toString("utf8"))))
  })
