/** Clients with a mistake: ours, with something else in the place of a part. */
import { CreditLedger, MarketData } from "@effect-marketdata/client"
import { Effect, Layer } from "effect"
import type * as Local from "../../src/harness/local.ts"

type Reservation = CreditLedger.Reservation

/** Our client over a ledger whose reservations do something else. */
export const withReservations =
  (change: (reservation: Reservation) => Partial<Reservation>): Local.ClientLayer => (config) => {
    const ledger = Effect.map(CreditLedger.CreditLedger, (ledger): CreditLedger.CreditLedger["Service"] => ({
      ...ledger,
      reserve: (...query) => Effect.map(ledger.reserve(...query), (own) => ({ ...own, ...change(own) }))
    }))
    return Layer.provide(MarketData.layerNoDeps(config), Layer.effect(CreditLedger.CreditLedger, ledger))
  }
