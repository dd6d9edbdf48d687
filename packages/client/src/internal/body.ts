import { DecodeError } from "@effect-marketdata/core/DecodeError"
import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** How the reading of a body ended, where it did not break. */
export type End = "read" | "tooLarge" | "undecoded"

/**
 * Hands the bytes of a body to its reader as they arrive, until the reader has enough, the body ends, is larger than `maxBytes`, or turns out to be
 * in a coding that the HTTP client did not undo. Whatever is left of it is then not fetched.
 */
export const read = (
  response: HttpClientResponse.HttpClientResponse,
  headers: Headers.Headers,
  push: (bytes: Uint8Array) => boolean,
  maxBytes: number
): Effect.Effect<End, HttpClientError.HttpClientError> =>
  Effect.suspend(() => {
    let end: End = "read"
    let size = 0
    const isCoded = codingOf(headers) !== undefined
    const take = (bytes: Uint8Array): boolean => {
      if (isCoded && size < inspected && !isText(bytes)) end = "undecoded"
      size += bytes.length
      if (size > maxBytes) end = "tooLarge"
      return end === "read" && push(bytes)
    }
    return Effect.map(hand(response, take), () => end)
  })

/**
 * Hands over the bytes of a body as long as they are taken. Those of a web response are read where they arrive: a `Stream` would cost more than to
 * decode a small reply.
 */
const hand = (
  response: HttpClientResponse.HttpClientResponse,
  take: (bytes: Uint8Array) => boolean
): Effect.Effect<void, HttpClientError.HttpClientError> => {
  const web = Option.getOrUndefined(HttpClientResponse.toWeb(response))
  if (web === undefined) return Stream.runForEachWhile(response.stream, (bytes) => Effect.sync(() => take(bytes)))
  return web.body === null ?
    Effect.void :
    Effect.mapError(pump(web.body, take), (cause) =>
      new HttpClientError.HttpClientError({
        reason: new HttpClientError.DecodeError({ request: response.request, response, cause })
      }))
}

/** Reads a web stream until it ends, or what it holds is not taken; what is left is given up then, as it is on interruption. */
const pump = (
  body: ReadableStream<Uint8Array>,
  take: (bytes: Uint8Array) => boolean
): Effect.Effect<void, unknown> =>
  Effect.callback((resume) => {
    const reader = body.getReader()
    const giveUp = () => reader.cancel().catch(() => undefined)
    const next = (): Promise<void> =>
      reader.read().then(
        ({ done, value }) => {
          if (!done && take(value)) return void next()
          resume(done ? Effect.void : Effect.promise(giveUp))
        },
        (cause: unknown) => resume(Effect.fail(cause))
      ).catch((defect: unknown) => resume(Effect.die(defect)))
    void next()
    return Effect.promise(giveUp)
  })

/** The coding that the body was sent in. Clients that decode it, as fetch does, leave the header as it was. */
const codingOf = (headers: Headers.Headers): string | undefined => {
  const coding = headers["content-encoding"]?.trim().toLowerCase()
  return coding === "" || coding === "identity" ? undefined : coding
}

/** So many of the first bytes of a body without a control character are text, for all that chance can do. */
const inspected = 256

/** No text of the service holds a control character other than tab and line ends, and no compressed one does without for long. */
const isText = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, inspected).every((byte) => byte >= 0x20 ? byte !== 0x7f : byte === 9 || byte === 10 || byte === 13)

/** Why data cannot be read whose body did not end as one does. */
export const unreadable = (
  headers: Headers.Headers,
  end: Exclude<End, "read">
): DecodeError =>
  new DecodeError({
    column: undefined,
    index: undefined,
    offset: undefined,
    ...(end === "tooLarge"
      ? { code: "UnexpectedEnd", expected: "a body of bounded size", received: "a larger one" }
      : {
        code: "InvalidUtf8",
        expected: "text, as no coding was asked for that the HTTP client does not undo",
        received: `bytes in the coding ${(codingOf(headers) ?? "").slice(0, 50)}`
      })
  })
