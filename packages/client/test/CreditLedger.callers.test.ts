import { describe, it } from "@effect/vitest"
import { inMemory, runAll, stages, throughClient, throughStandIn } from "./support/thousandCallers.ts"

/** The seeds that are tried on the ledger by itself. */
const seeds = 200

/** Those that are tried on the whole client, which takes longer; `CLIENT_SEEDS` says how many. */
const clientSeeds = Number(process.env["CLIENT_SEEDS"] ?? 20)

describe("CreditLedger", () => {
  it.effect(
    `never admits more than the budget of a thousand callers: the ledger and a stand-in for the client, ${seeds} seeds`,
    () => runAll(inMemory, seeds, throughStandIn, stages),
    300_000
  )

  it.effect(
    `never admits more than the budget of a thousand callers: the whole client, ${clientSeeds} seeds`,
    () => runAll(inMemory, clientSeeds, throughClient, [...stages, "in the body"]),
    300_000
  )
})
