import * as IpRule from "@effect-marketdata/core/IpRule"
import * as IpLaws from "@effect-marketdata/testing/IpLaws"
import { describe, it } from "@effect/vitest"
import { assertAllBroken } from "../support/planted.ts"

describe("IpLaws", () => {
  it("of finds every mistake of a gate", () => {
    assertAllBroken({
      "always open": IpLaws.of({ ...IpRule, admit: (traffic) => ({ _tag: "Send", traffic }) }),
      "open a second too early": IpLaws.of({
        ...IpRule,
        admit: (traffic, address, now) => IpRule.admit(traffic, address, now + 1)
      }),
      "closed": IpLaws.of({ ...IpRule, admit: (_, __, now) => ({ _tag: "WaitUntilPast", time: now }) })
    })
  })

  it("service finds a block that is forgotten, and one that is made up", () => {
    assertAllBroken({
      "nobody": IpLaws.service(() => []),
      "everybody": IpLaws.service((arrivals) => arrivals)
    })
  })
})
