/** What the service may answer to each endpoint, read as a client reads it. */
import { Query, Reply } from "@effect-marketdata/core"
import { assert } from "@effect/vitest"
import { exchanges } from "./replies.ts"

/** Each query, in JSON and in CSV, and the data that answer it. */
export const delivered = Object.values(exchanges).flatMap(({ body, query }) =>
  (query.kind === "free" ? [query] : [query, Query.asCsv(query)]).map((query) => {
    const head = Reply.head({ status: 200, headers: {} })
    const reader = Reply.reader(query, head, { strict: false })
    reader.push(new TextEncoder().encode(query.format === "csv" ? "symbol,last\nAAPL,1\n" : body))
    const outcome = Reply.outcome(query, head, reader.end(), { receivedAt: 1_795_208_400, tokenSent: true })
    assert.strictEqual(outcome._tag, "Delivered", query.endpoint.name)
    return { query, data: outcome._tag === "Delivered" ? outcome.data : undefined }
  })
)
