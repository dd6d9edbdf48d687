import * as Effect from "effect/Effect"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import { ConnectionReset } from "./ConnectionReset.ts"
import type { SandboxReply } from "./SandboxReply.ts"

/** A reply as fetch would hand it out: a body in parts is a stream, and no more of it is read than its length says. */
export const toResponse = ({ body, headers, status }: SandboxReply): Response => {
  const length = headers["content-length"]
  return new Response(
    status === 204
      ? null
      : typeof body !== "string"
      ? streamOf(body)
      : length === undefined
      ? body
      : cut(body, +length),
    { status, headers: { ...headers } }
  )
}

const cut = (body: string, bytes: number): Uint8Array<ArrayBuffer> => new TextEncoder().encode(body).slice(0, bytes)

const streamOf = (body: Iterable<string>): ReadableStream<Uint8Array> => {
  const iterator = body[Symbol.iterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    // What is thrown here is the error of the reader.
    pull: (controller) => {
      const { done, value } = iterator.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: () => void iterator.return?.()
  })
}

/** Makes the transport's error of a connection that broke. */
export const failOnReset = <A>(
  self: Effect.Effect<A>,
  request: HttpClientRequest.HttpClientRequest
): Effect.Effect<A, HttpClientError.HttpClientError> =>
  Effect.catchDefect(self, (cause) =>
    cause instanceof ConnectionReset
      ? Effect.fail(
        new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
      )
      : Effect.die(cause))
