import * as ReplyLaws from "@effect-marketdata/testing/ReplyLaws"
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

  it("receiving finds every mistake of a reader", () => {
    assertAllBroken({
      "only the first piece": ReplyLaws.receiving((query, reply, pieces) =>
        ReplyLaws.receive(query, reply, pieces.slice(0, 1))
      ),
      "a refusal is billed": ReplyLaws.receiving((query, reply, pieces) => ({
        ...ReplyLaws.receive(query, reply, pieces),
        credits: 1
      })),
      "the body is quoted": ReplyLaws.receiving((query, reply, pieces) => ({
        ...ReplyLaws.receive(query, reply, pieces),
        message: pieces.map((piece) => new TextDecoder().decode(piece)).join("")
      }))
    })
  })
})
