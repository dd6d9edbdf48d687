import * as Option from "effect/Option"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Freshness from "@effect-marketdata/core/Freshness"
import * as FreshnessLaws from "@effect-marketdata/testing/FreshnessLaws"
import { describe, it } from "@effect/vitest"
import { assertAllBroken } from "../support/planted.ts"

describe("FreshnessLaws", () => {
  it("of finds every mistake of a classification", () => {
    assertAllBroken({
      "always fresh": FreshnessLaws.of(() => "realTime"),
      "fresh again at night": FreshnessLaws.of((observation) =>
        NewYork.secondOfDay(observation.now) < 9 * 3600 ? "realTime" : Freshness.classify(observation)
      )
    })
  })

  it("foresight finds a boundary that is an hour late", () => {
    assertAllBroken({
      "an hour late": FreshnessLaws.foresight({
        classify: Freshness.classify,
        nextBoundary: (observation) => Option.map(Freshness.nextBoundary(observation), (at) => at + 3600)
      })
    })
  })
})
