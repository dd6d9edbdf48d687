import * as Workloads from "@effect-marketdata/testing/Workloads"
import { assert, describe, it } from "@effect/vitest"
import { sample } from "../support/drawn.ts"

describe("Workloads", () => {
  it("have schedules of nothing, of once, and of many times at once", () => {
    const schedules = sample(Workloads.schedule, 2000)
    assert.isTrue(schedules.some(({ times }) => times === 0))
    assert.isTrue(schedules.some(({ times }) => times === 1))
    assert.isTrue(schedules.some(({ every, times }) => every === 0 && times > 1))
  })
})
