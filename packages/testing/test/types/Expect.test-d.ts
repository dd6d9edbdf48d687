import type { CreditLedger } from "@effect-marketdata/client/CreditLedger"
import * as MarketData from "@effect-marketdata/client/MarketData"
import { DataMode, type Reason } from "@effect-marketdata/core"
import type { Sandbox } from "@effect-marketdata/sandbox/Sandbox"
import * as Expect from "@effect-marketdata/testing/Expect"
import type * as Effect from "effect/Effect"
import { describe, expectTypeOf, it } from "vitest"

describe("Expect", () => {
  const cached = MarketData.optionChain("SPX", { mode: DataMode.cached() })

  it("gives the very reason, and leaves no error", () => {
    expectTypeOf(Expect.reason(cached, "CreditBudgetExceeded")).toEqualTypeOf<
      Effect.Effect<Reason.CreditBudgetExceeded, never, MarketData.MarketData>
    >()
  })

  it("knows which reasons the mode of a query can bring", () => {
    // @ts-expect-error live data are not what was asked for
    void Expect.reason(cached, "NoLiveData")
  })

  it("needs ledger and bill for the balance", () => {
    expectTypeOf(Expect.balanced).toEqualTypeOf<Effect.Effect<void, never, CreditLedger | Sandbox>>()
  })
})
