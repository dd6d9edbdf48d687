import * as Account from "@effect-marketdata/core/Account"
import type * as Profile from "@effect-marketdata/core/Profile"

/** What an account may see of options, as the header of every reply says it. */
export const inHeader = (account: Account.Account, profile: Profile.Profile): string =>
  ({
    realTime: "delayed_quotes_permission,historical_quotes_permission,real_time_quotes_permission",
    delayed: "delayed_quotes_permission,historical_quotes_permission",
    historical: "historical_quotes_permission"
  })[Account.dataType(account, profile)]

/** The same as the account's own page says it: real-time options need no words. */
export const inWords = (account: Account.Account, profile: Profile.Profile): string =>
  ({
    realTime: "",
    delayed: "OPRA data delayed 15 minutes",
    historical: "OPRA data historical"
  })[Account.dataType(account, profile)]
