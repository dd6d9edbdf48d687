import * as Reuse from "@effect-marketdata/core/Reuse"
import * as Law from "@effect-marketdata/testing/Law"
import * as ReuseLaws from "@effect-marketdata/testing/ReuseLaws"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"

/** Which laws a rule breaks. */
const broken = (answers: ReuseLaws.Answers): ReadonlyArray<string> =>
  ReuseLaws.of(answers).flatMap((law) => Result.isFailure(Law.attempt(law, { runs: 500, seed: 1 })) ? [law.name] : [])

describe("ReuseLaws", () => {
  it("finds a reply that never answers", () => {
    assert.deepStrictEqual(broken(() => false), [
      "a kept reply of exactly the maximum age answers, and one that is a second older does not",
      "delayed data that tell their time answer at once",
      "a past day that was historical when its reply came answers for ever"
    ])
  })

  it("finds a reply that always answers", () => {
    assert.isAbove(broken(() => true).length, 6)
  })

  it("finds a rule that forgets how old cached data were when they came", () => {
    const forgetful = broken((query, kept, when) =>
      Reuse.answers(query, { ...kept, updated: { oldest: kept.receivedAt, newest: kept.receivedAt } }, when)
    )
    assert.include(forgetful, "a kept reply is within the age of the query by the service's own count")
  })

  it("finds a rule whose clock may go back", () => {
    const back = broken((query, kept, when) =>
      Reuse.answers(query, kept, { ...when, now: Math.max(when.now, kept.receivedAt) })
    )
    assert.deepStrictEqual(back, ["a reply from the future answers nothing"])
  })

  it("finds a rule that takes any named day for a past one", () => {
    const hasty = broken((query, kept, when) =>
      query.parameters.some(([name]) => name === "to") || Reuse.answers(query, kept, when)
    )
    assert.include(hasty, "a range that ends today, or later, is not over")
  })
})
