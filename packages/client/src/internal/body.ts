import { DecodeError } from "@effect-marketdata/core/DecodeError"
import * as Effect from "effect/Effect"
import type { HttpClientError } from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Stream from "effect/Stream"

/** How the reading of a body ended, where it did not break. */
export type End = "read" | "tooLarge" | "undecoded"

/**
 * Hands the bytes of a body to its reader as they arrive, until the reader has enough, the body ends, is larger than `maxBytes`, or turns out to be
 * in a coding that the HTTP client did not undo. Whatever is left of it is then not fetched.
 */
export const read = (
  response: HttpClientResponse.HttpClientResponse,
  push: (bytes: Uint8Array) => boolean,
  maxBytes: number
): Effect.Effect<End, HttpClientError> =>
  Effect.suspend(() => {
    let end: End = "read"
    let size = 0
    const isCoded = codingOf(response) !== undefined
    const take = (bytes: Uint8Array): boolean => {
      if (isCoded && size < inspected && !isText(bytes)) end = "undecoded"
      size += bytes.length
      if (size > maxBytes) end = "tooLarge"
      return end === "read" && push(bytes)
    }
    return Effect.map(Stream.runForEachWhile(response.stream, (bytes) => Effect.sync(() => take(bytes))), () => end)
  })

/** The coding that the body was sent in. Clients that decode it, as fetch does, leave the header as it was. */
const codingOf = ({ headers }: HttpClientResponse.HttpClientResponse): string | undefined => {
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
  response: HttpClientResponse.HttpClientResponse,
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
        received: `bytes in the coding ${(codingOf(response) ?? "").slice(0, 50)}`
      })
  })
