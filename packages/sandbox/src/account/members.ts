import * as Account from "@effect-marketdata/core/Account"
import * as IpRule from "@effect-marketdata/core/IpRule"
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
