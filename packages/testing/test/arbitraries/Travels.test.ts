import * as Travels from "@effect-marketdata/testing/Travels"
import { assert, describe, it } from "@effect/vitest"
import { sample } from "../support/drawn.ts"

describe("Travels", () => {
  it("return to an address within five minutes, and after them", () => {
    const pauses = sample(Travels.travel).flat().map(({ pause }) => pause)
    for (const pause of [0, 299, 300, 301]) assert.include(pauses, pause)
  })
})
