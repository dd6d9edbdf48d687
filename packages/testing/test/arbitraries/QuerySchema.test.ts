import * as Query from "@effect-marketdata/core/Query"
import * as Schemas from "@effect-marketdata/core/Schemas"
import * as Queries from "@effect-marketdata/testing/Queries"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"

describe("Schemas.Query", () => {
  const write = Schema.encodeSync(Schema.fromJsonString(Schemas.Query))
  const read = Schema.decodeSync(Schema.fromJsonString(Schemas.Query))

  for (const [endpoint, queries] of Object.entries(Queries.byEndpoint)) {
    it(`loses nothing of queries to ${endpoint}, with all of their options`, () => {
      fc.assert(
        fc.property(queries, (query) => {
          const stored = JSON.stringify(query)
          assert.deepStrictEqual(read(stored), query)
          assert.deepStrictEqual(read(write(query)), query)
          assert.strictEqual(JSON.stringify(read(stored)), stored)
          assert.strictEqual(Query.target(read(stored)), Query.target(query))
        }),
        { numRuns: 300, seed: 17_560 }
      )
    })
  }
})
