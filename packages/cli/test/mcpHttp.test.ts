import { Effect, Fiber } from "effect"
import * as TestConsole from "effect/testing/TestConsole"
import { request } from "node:http"
import { assert, it } from "../../core/test/support/it.ts"
import { run } from "./support/printed.ts"

/** What a request is answered with. */
const answered = (url: string, headers: Readonly<Record<string, string>>, bytes = 0) =>
  Effect.promise(() =>
    new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
      const json = { "content-type": "application/json", accept: "application/json, text/event-stream" }
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
      request(url, { method: "POST", headers: { ...json, ...headers } }, (response) => {
        let text = ""
        response.on("data", (chunk) => text += chunk).on("end", () => resolve({ status: response.statusCode, text }))
      }).on("error", reject).end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }).padEnd(bytes))
    })
  )

it.live("mcp --http answers programs of this machine, and no page of the web", function*() {
  const fiber = yield* Effect.forkChild(run(["mcp", "--http", "--port", "0"]))
  while ((yield* TestConsole.errorLines).length === 0) yield* Effect.promise(() => new Promise(setImmediate))
  const [url] = /http:\S+\/mcp/.exec((yield* TestConsole.errorLines).join())!
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
  const good = yield* answered(url, {})
  assert.strictEqual(good.status, 200)
  assert.include(good.text, "marketdata")
  // What is larger than any message is not held in memory.
  assert.include((yield* answered(url, {}, 5 * 2 ** 20)).text, "Parse error")
  const hosts = ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example"].map((host) => ({ host }))
  const origins = ["https://evil.example", "null", new URL(url).origin].map((origin) => ({ origin }))
  const headerses = [...hosts, ...origins]
  for (const headers of headerses) {
    assert.strictEqual((yield* answered(url, headers)).status, 403, JSON.stringify(headers))
  }
  yield* Fiber.interrupt(fiber)
  assert.deepEqual(yield* TestConsole.logLines, [])
}, TestConsole.layer)
