import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as Effect from "effect/Effect"

/** The balance of what this command may spend. It is in memory, where it can always be read. */
export const balance = Effect.orDie(CreditLedger.CreditLedger.use(({ balance }) => balance))
