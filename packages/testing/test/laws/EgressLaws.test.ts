import * as Egress from "@effect-marketdata/core/Egress"
import * as EgressLaws from "@effect-marketdata/testing/EgressLaws"
import { describe, it } from "@effect/vitest"
import { assertAllBroken } from "../support/planted.ts"

describe("EgressLaws", () => {
  it("of finds every mistake of a gate", () => {
    assertAllBroken({
      "always open": EgressLaws.of({ ...Egress, admit: (traffic) => ({ _tag: "Send", traffic }) }),
      "open a second too early": EgressLaws.of({
        ...Egress,
        admit: (traffic, address, now) => Egress.admit(traffic, address, now + 1)
      }),
      "closed": EgressLaws.of({ ...Egress, admit: (_, __, now) => ({ _tag: "WaitUntilPast", time: now }) })
    })
  })

  it("service finds a block that is forgotten, and one that is made up", () => {
    assertAllBroken({
      "nobody": EgressLaws.service(() => []),
      "everybody": EgressLaws.service((arrivals) => arrivals)
    })
  })
})
