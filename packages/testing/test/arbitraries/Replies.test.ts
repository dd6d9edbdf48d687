import * as Replies from "@effect-marketdata/testing/Replies"
import { assert, describe, it } from "@effect/vitest"
import { sample } from "../support/drawn.ts"

describe("Replies", () => {
  it("have every status of the contract with every kind of body", () => {
    const replies = sample(Replies.reply, 3000)
    for (const status of [200, 203, 204, 400, 401, 402, 403, 404, 429, 500]) {
      const texts = replies.filter((reply) => reply.status === status).map(({ text }) => text)
      const has = (is: (text: string) => boolean) => assert.isTrue(texts.some(is), `${status} ${String(is)}`)
      has((text) => text === "")
      has((text) => text.includes("<html>"))
      has((text) => text.includes(`"errmsg"`))
      has((text) => text.startsWith("{") && !text.endsWith("}"))
      has((text) => text.includes(`"optionSymbol":[`))
    }
  })
})
