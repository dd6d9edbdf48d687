import { describe, it } from "@effect/vitest"
import { runs } from "../../core/test/support/depth.ts"
import { inMemory, runAll, stages } from "./support/thousandCallers.ts"

const seeds = runs(6, 3)

describe("CreditLedger", () => {
  it.effect(
    `never admits more than the budget of a thousand callers: ${seeds} seeds`,
    () => runAll(inMemory, seeds, [...stages, "in the body"])
  )
})
