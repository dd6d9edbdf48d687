import { MarketData, RetryPolicy } from "@effect-marketdata/client"
import * as Effect from "effect/Effect"
import { inspect } from "node:util"
import { assert, it } from "../../core/test/support/it.ts"
import { clientOf } from "./support/clients.ts"
import { replying, type Script, service, symbolsOf } from "./support/scripted.ts"

/** How often a text holds another. */
const occurrences = (text: string, part: string): number => text.split(part).length - 1

const failing = Effect.flip(MarketData.stockPrices(["AAPL"])).pipe(
  Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 3, base: 0, cap: 0 }))
)

it.effect("is printed with its words once, its reason, and a line for each request", function*() {
  const error = yield* failing
  const printed = inspect(error)
  assert.strictEqual(structuredClone(error).message, error.message)
  assert.strictEqual(occurrences(printed, "the service failed with status 503"), 1)
  assert.include(printed, "reason: ServerFault")
  const sent = "GET /v1/stocks/prices/?symbols=AAPL HTTP/1.1 → status 503, 0 credits, ServerFault"
  assert.strictEqual(occurrences(printed, sent), 3)
}, clientOf(service({ status: 503 })))

it.effect("says so where nothing was sent", function*() {
  assert.include(inspect(yield* failing), "sent: nothing")
}, clientOf(service({ status: 200 }), { allowance: 0 }))

const absent: Script = { status: 404, headers: { "x-api-ratelimit-consumed": "0" } }
const free: ReadonlyArray<readonly [why: string, http: ReturnType<typeof service>, says: RegExp]> = [
  ["an attempt before it was lost", service({ fails: "ECONNRESET" }, absent), / 0 credits in all, and perhaps more\.$/],
  [
    "the other request of the list was charged",
    replying((url) =>
      symbolsOf(url)[0] === "A" ? absent : { status: 200, body: "{}", headers: { "x-api-ratelimit-consumed": "1" } }
    ),
    / 1 credit in all\.$/
  ]
]
for (const [why, http, says] of free) {
  it.effect(`does not say of a query that nothing was charged because one reply was free: ${why}`, function*() {
    const asked = MarketData.stockPrices(["A", "B"]).pipe(Effect.provide(RetryPolicy.layer({ base: 0 })))
    const { message, reason } = yield* Effect.flip(asked)
    assert.deepInclude(reason, { _tag: "NotFound", charged: 0, cost: "none" })
    assert.match(message, says)
  }, clientOf(http, { maxSymbols: 1 }))
}

const charged: Script = { status: 200, body: "{}", headers: { "x-api-ratelimit-consumed": "1" } }
for (const script of [charged, { fails: "ECONNRESET" }]) {
  it.effect(`says in the words of its reason what one request cost: ${JSON.stringify(script)}`, function*() {
    const { message, reason } = yield* Effect.flip(MarketData.stockPrices(["A"]))
    assert.include(message, reason.message)
  }, clientOf(service(script), { given: RetryPolicy.layerNone }))
}
