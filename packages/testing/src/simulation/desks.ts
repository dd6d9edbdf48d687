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
export const accounts: ReadonlyArray<Accounts.Account> = ([
  ["paid", "paid", Account.nonProfessional("realTime"), 100_000, "day"],
  ["delayed", "paid", Account.nonProfessional("delayed"), 300, "minute"],
  ["professional", "paid", Account.professional, 100_000, "day"],
  ["trial", "trial", Account.nonProfessional("realTime"), 5000, "day"],
  ["free", "free", Account.unknown, 12, "day"]
] as const).map(([name, plan, user, credits, window]) =>
  Accounts.make(tokenOf(name), Account.make({ plan, user, allowance: { credits, window } }))
)

/** Who asks on a day. Two desks have one account, and come from two addresses. */
export const ofDay = (chance: Chance): ReadonlyArray<Desk> => {
  const budget = () => chance.pick([undefined, undefined, 20, 200, 1000])
  return ([
    ["home", "198.51.100.1", () => chance.pick([80, 5000, 20_000]), 4],
    ["office", "203.0.113.9", () => undefined, chance.pick([0.3, 1])],
    ["delayed", "198.51.100.2", budget, 2],
    ["professional", "198.51.100.3", budget, 2],
    ["trial", "198.51.100.4", budget, 2],
    ["free", "198.51.100.5", budget, 1],
    ["demo", "198.51.100.6", budget, 1],
    ["mistaken", "198.51.100.7", budget, 0.5]
  ] as const).map(([name, address, budget, weight]) => ({
    name,
    token: name === "demo" ? undefined : tokenOf(tokens[name] ?? name),
    address,
    budget: budget(),
    weight
  }))
}

/** Whose account a desk has, where it is not its own. */
const tokens: Readonly<Record<string, string>> = { home: "paid", office: "paid", mistaken: "unknown" }
