import * as BillLaws from "@effect-marketdata/testing/BillLaws"
import { describe, it } from "@effect/vitest"
import { assertAllBroken } from "../support/planted.ts"

describe("BillLaws", () => {
  const core = BillLaws.core("contract")

  it("of finds an estimate that is too low, by filters and by days", () => {
    assertAllBroken({
      "a strike has a call only": BillLaws.of({ ...core, most: (query) => core.most(query) / 2 }),
      "candles never cost more than a credit": BillLaws.of({
        ...core,
        most: (query) => query.kind === "candles" ? 1 : core.most(query)
      })
    })
  })

  it("of finds a service that bills what its filters leave out", () => {
    assertAllBroken({
      "a bill for the whole chain": BillLaws.of({
        ...core,
        billed: (query) =>
          core.billed({ ...query, parameters: [["expiration", "all"]] }) + (query.kind === "candles" ? 1 : 0)
      })
    })
  })
})
