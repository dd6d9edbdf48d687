/** Which statuses are success, at every endpoint. */
import { DataMode, Query, Reply } from "@effect-marketdata/core"
import type { EndpointName } from "@effect-marketdata/core/Query"
import { assert, it } from "@effect/vitest"
import { exchanges } from "../support/replies.ts"

const names = Object.values(Query.endpoints).map(({ name }) => name)
const cacheable = names.filter((name) => Query.endpoints[name].cached)

/** Reads a whole reply to the query of an endpoint, in a mode of its own where one is given. */
const outcome = (name: EndpointName, status: number, mode?: DataMode.Live | DataMode.Delayed | DataMode.Cached) => {
  const exchange = exchanges[name]
  const query = mode === undefined ? exchange.query : Query.withMode(exchange.query, mode)
  const head = Reply.head({ status, headers: { "content-type": "application/json" } })
  const reader = Reply.reader(query, head, { strict: false })
  reader.push(new TextEncoder().encode(status === 204 ? "" : exchange.body))
  return Reply.outcome(query, head, reader.end(), { receivedAt: 1795208000, tokenSent: true })
}

for (const status of [200, 203]) {
  it(`[7.2-success-set] is a ${status} with data, at every endpoint and in every mode that it has`, () => {
    for (const name of names) {
      const cached = cacheable.includes(name) ? [DataMode.cached()] : []
      const modes = [undefined, DataMode.live, DataMode.delayed, ...cached]
      for (const mode of modes) {
        const reply = outcome(name, status, mode)
        assert(reply._tag === "Delivered", `${name} ${mode?._tag}`)
        assert.strictEqual(reply.status, status)
      }
    }
  })
}

it("[7.2-success-set] is no other status: what those send is read as words", () => {
  const read = (status: number) => Reply.head({ status, headers: {} }).read
  assert.deepStrictEqual([200, 203, 204].map(read), ["data", "data", "nothing"])
  for (let status = 100; status < 600; status++) {
    if (![200, 203, 204].includes(status)) assert.strictEqual(read(status), "text", String(status))
  }
})
