/** The hostile server, asked by a client that knows nothing of it. */
import { type HostileReplies, HostileServer } from "@effect-marketdata/testing"
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import * as Effect from "effect/Effect"
import { get } from "node:http"
import { assert, it, steps, type Test } from "../../core/test/support/it.ts"
import { plain } from "./support/plainReply.ts"

const text = `{"s":"ok","bid":[1]}`

const reply: HostileReplies.HostileReply = {
  ...plain,
  status: 203,
  headers: [["x-a", "b"]],
  body: [{ text, times: 1 }]
}

/** What a request over `node:http` comes to: status, header and as much of the body as is wanted; or how it failed. */
const ask = (baseUrl: string, most = Infinity) =>
  Effect.callback<string>((resume) => {
    let received = ""
    const done = (outcome: string) => {
      request.destroy()
      resume(Effect.succeed(outcome))
    }
    const request = get(`${baseUrl}/v1/stocks/quotes/AAPL/`, { agent: false }, (response) => {
      response.setEncoding("latin1")
      response.on("data", (piece: string) => {
        received += piece
        if (received.length >= most) done(`${received.length >= most ? most : received.length} bytes`)
      })
      response.on("error", () => done(`broken off after ${received.length}`))
      response.on("end", () => done(`${response.statusCode} ${String(response.headers["x-a"])} ${received}`))
    })
    request.on("error", (error) => done(`failed: ${error.message}`))
  })

/** Turns of the event loop until no connection is open: a few at most. */
const quiet = Effect.fnUntraced(function*(open: () => number) {
  while (open() > 0) yield* Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
})

/** A test of a server that sends one of the replies after the other, and the last one again and again. */
const serving = (
  name: string,
  replies: ReadonlyArray<Partial<HostileReplies.HostileReply>>,
  test: Test<never, [HostileServer.HostileServer & { readonly targets: ReadonlyArray<string> }]>
) =>
  it.live(name, function*() {
    const targets: Array<string> = []
    const server = yield* HostileServer.serve(({ target }) => {
      targets.push(target)
      return { ...reply, ...replies[Math.min(targets.length, replies.length) - 1] }
    })
    yield* steps(test)({ ...server, targets })
  }, NodeSocketServer.layer({ port: 0, host: "127.0.0.1" }))

serving(
  "sends what it is told, and counts",
  [{}, { status: 200, headers: [] }],
  function*({ baseUrl, open, served, targets }) {
    assert.strictEqual(yield* ask(baseUrl), `203 b ${text}`)
    assert.strictEqual(yield* ask(baseUrl), `200 undefined ${text}`)
    assert.deepStrictEqual(targets, Array(2).fill("/v1/stocks/quotes/AAPL/"))
    assert.strictEqual(served(), 2)
    yield* quiet(open)
  }
)

serving("goes on for as long as somebody reads, and stops when nobody does", [{
  body: [{ text: "ab", times: Infinity }],
  framing: "chunked"
}], function*({ baseUrl, open }) {
  assert.strictEqual(yield* ask(baseUrl, 3_000_000), "3000000 bytes")
  yield* quiet(open)
})

serving(
  "breaks off, and hangs until the client leaves",
  [{ end: "breaks" }, { end: "hangs" }],
  function*({ baseUrl, open }) {
    assert.match(yield* ask(baseUrl), /^broken off after|^failed/)
    assert.strictEqual(yield* ask(baseUrl, text.length >> 1), `${text.length >> 1} bytes`)
    yield* quiet(open)
  }
)

serving("sends slowly what is to be slow", [{ pace: { bytes: 1, pause: 1 } }], function*({ baseUrl }) {
  assert.strictEqual(yield* ask(baseUrl), `203 b ${text}`)
})

serving(
  "answers one request after another where the connection is kept",
  [{ end: "keeps" }],
  function*({ baseUrl, open, served }) {
    const asking = Effect.promise(async () => (await fetch(`${baseUrl}/user/`)).text())
    for (let time = 0; time < 3; time++) assert.strictEqual(yield* asking, text)
    assert.strictEqual(served(), 3)
    assert.isAtMost(open(), 3)
  }
)
