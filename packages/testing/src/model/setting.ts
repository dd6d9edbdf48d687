import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Accounts from "@effect-marketdata/sandbox/Accounts"
import * as Service from "./service.ts"

/**
 * How a service has to be set up for the model: its accounts by their tokens, the symbols that are cached only once somebody has asked for
 * fresh data of them, and when stories begin, in epoch seconds.
 */
export const setting: {
  readonly accounts: ReadonlyArray<Accounts.Account>
  readonly cold: ReadonlyArray<string>
  readonly at: number
} = {
  accounts: Object.values(Service.members).map(({ account, token }) => Accounts.make(token, account)),
  cold: Service.cold,
  at: NewYork.at(CalendarDate.parseUnsafe("2026-11-20"), 12, 0)
}
