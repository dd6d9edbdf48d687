import * as Credits from "@effect-marketdata/core/Credits"
import * as CreditLaws from "@effect-marketdata/testing/CreditLaws"
import { describe, it } from "@effect/vitest"
import { assertAllBroken } from "../support/planted.ts"

describe("CreditLaws", () => {
  const { bounds, charged } = CreditLaws.core

  it("of finds every mistake of prices", () => {
    assertAllBroken({
      "an estimate that hopes": CreditLaws.of({
        charged,
        bounds: (query, known) => ({ ...bounds(query, known), max: 1 })
      }),
      "a 204 is billed": CreditLaws.of({
        bounds,
        charged: (query, outcome) => charged(query, { ...outcome, status: 200 })
      }),
      "a 203 is cached": CreditLaws.of({
        bounds,
        charged: (query, outcome) => outcome.status === 203 ? 1 : charged(query, outcome)
      }),
      "cached data by the symbol": CreditLaws.of({
        bounds,
        charged: (query, outcome) =>
          charged({ ...query, mode: undefined }, { ...outcome, symbols: 3 * (outcome.symbols ?? 0) })
      }),
      "less is more": CreditLaws.of({
        bounds,
        charged: (query, outcome) => outcome.status === 204 ? 0 : 40_000 - (charged(query, outcome) ?? 0)
      })
    })
  })

  it("recording finds a figure that is ignored or always believed, and a probe that is dear", () => {
    assertAllBroken({
      "every figure wins": CreditLaws.recording({
        charged: (query, outcome) => Credits.charged(query, outcome, { figures: "any" }),
        probe: (query) => query
      }),
      "ours wins": CreditLaws.recording({
        charged: (query, outcome) => Credits.charged(query, { ...outcome, reported: undefined }),
        probe: (query) => query
      })
    })
  })
})
