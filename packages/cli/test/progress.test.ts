/** What a person sees while a command is waiting. */
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import { afterAll, assert, describe, it } from "../../core/test/support/it.ts"
import { Effect, Fiber } from "effect"
import * as TestClock from "effect/testing/TestClock"
import * as HostileServer from "./support/hostileServer.ts"
import { marketdata } from "./support/printed.ts"

const server = await HostileServer.start()
afterAll(server.close)

describe("the line of progress", () => {
  it.effect("says why requests are sent again", function*() {
    server.answer(
      { status: 502, body: `{"s":"error","errmsg":"bad gateway"}` },
      { status: 404, body: `{"s":"no_data"}` }
    )
    const status: Array<string> = []
    const asking = yield* Effect.forkChild(marketdata("expirations AAPL", {
      variables: { MARKETDATA_BASE_URL: server.baseUrl, MARKETDATA_TOKEN: "a-token-for-tests" },
      isTerminal: true,
      status,
      columns: Effect.succeed(80),
      retries: RetryPolicy.make({ attempts: 2, base: 60_000, cap: 60_000 })
    }))
    while (asking.pollUnsafe() === undefined) yield* TestClock.adjust("100 millis")
    assert.strictEqual((yield* Fiber.join(asking)).code, 4)
    const again = status.filter((line) => line.includes("again:"))
    assert.isNotEmpty(again)
    for (const line of again) assert.match(line, /: \d requests?, again: .* 502/)
  })
})
