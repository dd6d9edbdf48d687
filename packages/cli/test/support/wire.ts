/** A client of the Model Context Protocol that writes and reads lines, as one does that starts the server: it can do whatever a line can say. */
import { Deferred, Effect, Layer, Queue, Sink, Stdio, Stream } from "effect"
import * as McpServer from "effect/ai/McpServer"
import { optionsOf } from "../../src/mcp/serve.ts"
import type { Session } from "../../src/mcp/session.ts"
import { asText, changed } from "./printed.ts"

export const versions = ["2025-11-25", "2026-07-28"] as const

type Version = typeof versions[number]

/** What a line of JSON holds. */
export type Loose = ReturnType<typeof JSON.parse>

/** What came of a call. */
export type Called = Effect.Success<ReturnType<Effect.Success<ReturnType<typeof connect>>["call"]>>

export interface Options {
  readonly version?: Version
  /** What the user says to a form; without it the client has none. */
  readonly user?: (message: string) => object
  readonly elicitation?: object
}

/** What a call says besides its arguments. */
interface More {
  readonly answered?: boolean
  readonly inputResponses?: object
  readonly requestState?: string
}

/** Connects a client to a session. */
export const connect = Effect.fnUntraced(function*(session: Session, options: Options = {}) {
  const { user, version = "2025-11-25", elicitation = user && {} } = options
  const input = yield* Queue.unbounded<string>()
  const waiting = new Map<number, Deferred.Deferred<Loose>>()
  const write = (message: object) => Queue.offerUnsafe(input, `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  let rest = ""
  const read = (text: string) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop()!
    for (const line of lines) {
      const message = JSON.parse(line)
      if (message.method === "elicitation/create") {
        const answer = user!(message.params.message)
        write({ id: message.id, ...("code" in answer ? { error: answer } : { result: answer }) })
      } else if (waiting.has(message.id)) Deferred.doneUnsafe(waiting.get(message.id)!, Effect.succeed(message))
    }
  }
  const stdio = changed(Stdio.Stdio, (stdio) => ({
    ...stdio,
    stdin: Stream.map(Stream.fromQueue(input), (text) => new TextEncoder().encode(text)),
    stdout: () => Sink.forEach((chunk: string | Uint8Array) => Effect.sync(() => read(asText(chunk))))
  }))
  // The server interrupts who runs it, once its output ends.
  yield* Effect.forkScoped(Layer.launch(Layer.provide(McpServer.layerStdio(optionsOf(session)), stdio)))
  const client = { name: "wire", version: "1" }
  const meta = version === "2025-11-25" ? {} : {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientCapabilities": { elicitation },
      "io.modelcontextprotocol/clientInfo": client
    }
  }
  let id = 0
  /** Sends a request; given up, it is cancelled. */
  const request = Effect.fnUntraced(function*(method: string, params: object = {}) {
    const number = ++id
    const answer = yield* Deferred.make<Loose>()
    waiting.set(number, answer)
    write({ id: number, method, params: { ...params, ...meta } })
    return yield* Effect.onInterrupt(
      Deferred.await(answer),
      () => Effect.sync(() => write({ method: "notifications/cancelled", params: { requestId: number, ...meta } }))
    )
  })
  /** Calls a tool; the user is asked wherever the server wants it, unless the test answers itself. */
  const call = Effect.fnUntraced(function*(name: string, given: unknown, { answered = true, ...more }: More = {}) {
    let raw = yield* request("tools/call", { name, arguments: given, ...more })
    const { inputRequests, requestState } = raw.result ?? {}
    if (answered && inputRequests !== undefined) {
      const inputResponses = { consent: user!(inputRequests.consent.params.message) }
      raw = yield* request("tools/call", { name, arguments: given, inputResponses, requestState })
    }
    const { result } = raw
    const text: string = result?.content?.map(({ text }: { readonly text: string }) => text).join("\n") ?? ""
    /** Why it failed, as programs read it. */
    const reason: string | undefined = result?._meta?.["effect-marketdata/failure"]?.reason
    return { isError: result?.isError === true, text, reason, structured: result?.structuredContent, raw }
  })
  if (version === "2025-11-25") {
    yield* request("initialize", { protocolVersion: version, capabilities: { elicitation }, clientInfo: client })
    write({ method: "notifications/initialized" })
  }
  return { request, call }
})
