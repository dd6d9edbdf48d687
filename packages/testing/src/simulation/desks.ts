import * as Account from "@effect-marketdata/core/Account"
import * as Accounts from "@effect-marketdata/sandbox/Accounts"
import type { Chance } from "./Chance.ts"

/** A program that asks: whose account it uses, from where, and what it may spend on a day. */
export interface Desk {
  readonly name: string
  readonly token: string | undefined
  readonly address: string
  /** Credits a day, or undefined to count only. */
  readonly budget: number | undefined
  /** How likely a caller is to sit here. */
  readonly weight: number
}

/** A mark in every token, by which one is found wherever it does not belong. */
export const mark = "S3CR3T"

const tokenOf = (name: string) => `${mark}-${name}-token`

/** The accounts of the service. */
export const accounts: ReadonlyArray<Accounts.Account> = [
  Accounts.make(
    tokenOf("paid"),
    Account.make({
      plan: "paid",
      user: Account.nonProfessional("realTime"),
      allowance: { credits: 100_000, window: "day" }
    })
  ),
  Accounts.make(
    tokenOf("delayed"),
    Account.make({
      plan: "paid",
      user: Account.nonProfessional("delayed"),
      allowance: { credits: 300, window: "minute" }
    })
  ),
  Accounts.make(
    tokenOf("professional"),
    Account.make({ plan: "paid", user: Account.professional, allowance: { credits: 100_000, window: "day" } })
  ),
  Accounts.make(
    tokenOf("trial"),
    Account.make({
      plan: "trial",
      user: Account.nonProfessional("realTime"),
      allowance: { credits: 5000, window: "day" }
    })
  ),
  Accounts.make(
    tokenOf("free"),
    Account.make({ plan: "free", user: Account.unknown, allowance: { credits: 12, window: "day" } })
  )
]

/** Who asks on a day. Two desks have one account, and come from two addresses. */
export const ofDay = (chance: Chance): ReadonlyArray<Desk> => {
  const budget = () => chance.pick([undefined, undefined, 20, 200, 1000])
  return [
    {
      name: "home",
      token: tokenOf("paid"),
      address: "198.51.100.1",
      budget: chance.pick([80, 5000, 20_000]),
      weight: 4
    },
    {
      name: "office",
      token: tokenOf("paid"),
      address: "203.0.113.9",
      budget: undefined,
      weight: chance.pick([0.3, 1])
    },
    { name: "delayed", token: tokenOf("delayed"), address: "198.51.100.2", budget: budget(), weight: 2 },
    { name: "professional", token: tokenOf("professional"), address: "198.51.100.3", budget: budget(), weight: 2 },
    { name: "trial", token: tokenOf("trial"), address: "198.51.100.4", budget: budget(), weight: 2 },
    { name: "free", token: tokenOf("free"), address: "198.51.100.5", budget: budget(), weight: 1 },
    { name: "demo", token: undefined, address: "198.51.100.6", budget: budget(), weight: 1 },
    { name: "mistaken", token: tokenOf("unknown"), address: "198.51.100.7", budget: budget(), weight: 0.5 }
  ]
}
