import * as Eastern from "@effect-marketdata/core/Eastern"
import * as Freshness from "@effect-marketdata/core/Freshness"
import * as FreshnessLaws from "@effect-marketdata/testing/laws/FreshnessLaws"
import { describe, it } from "@effect/vitest"
import { assertAllBroken } from "../support/planted.ts"

describe("FreshnessLaws", () => {
  it("of finds every mistake of a classification", () => {
    assertAllBroken({
      "always fresh": FreshnessLaws.of(() => "realTime"),
      "fresh again at night": FreshnessLaws.of((question) =>
        Eastern.secondOfDay(question.now) < 9 * 3600 ? "realTime" : Freshness.classify(question)
      )
    })
  })
})
