import * as ReplyLaws from "@effect-marketdata/testing/laws/ReplyLaws"
import { describe, it } from "@effect/vitest"
import { assertAllBroken } from "../support/planted.ts"

describe("ReplyLaws", () => {
  it("of finds every mistake of an interpretation", () => {
    assertAllBroken({
      "only 200 is a success": ReplyLaws.of((query, reply) =>
        reply.status === 203 ? { _tag: "UnexpectedStatus" } : ReplyLaws.core(query, reply)
      ),
      "all 400 are alike": ReplyLaws.of((query, reply) =>
        reply.status === 400 ? { _tag: "BadRequest" } : ReplyLaws.core(query, reply)
      ),
      "a miss everywhere": ReplyLaws.of((query, reply) =>
        reply.status === 204 ? { _tag: "NoCachedData" } : ReplyLaws.core(query, reply)
      )
    })
  })
})
