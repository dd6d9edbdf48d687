import * as Account from "@effect-marketdata/core/Account"
import * as IpRule from "@effect-marketdata/core/IpRule"
import type * as Profile from "@effect-marketdata/core/Profile"
import type * as Accounts from "./Accounts.ts"

/** What the service keeps of an account while it is used: where its requests come from, and how many are in flight. */
export interface Member {
  readonly token: string
  readonly account: Account.Account
  ipRule: IpRule.IpRule
  inFlight: number
}

/** The members by their tokens. Of two with the same token the first one holds. */
export const make = (accounts: ReadonlyArray<Accounts.Account>): ReadonlyMap<string, Member> =>
  new Map(
    accounts.toReversed().map((account) => [
      account.token,
      { token: account.token, account, ipRule: IpRule.empty, inFlight: 0 }
    ])
  )

/** A caller without a token: as little as there is. */
export const nobody: Account.Account = Account.make({ plan: "free", user: Account.unknown })

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
