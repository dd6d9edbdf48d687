import * as Account from "@effect-marketdata/core/Account"
import * as Credits from "@effect-marketdata/core/Credits"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as Ledger from "@effect-marketdata/core/Ledger"
import type * as Profile from "@effect-marketdata/core/Profile"
import * as Query from "@effect-marketdata/core/Query"
import type * as Billing from "../account/Billing.ts"
import type { Rows } from "../view/found.ts"
import * as Admission from "../request/admission.ts"
import type { Entitlement } from "../request/admission.ts"

/**
 * What a reply costs by core's rules, from what it holds. What the contract does not price core prices by a named assumption: quotes of
 * past days at 1 for each 1000, historical data without a date at 1 for each contract; `assume` chooses otherwise where it can be chosen.
 */
export const price = (
  query: Query.Query,
  { dataType, mode }: Entitlement,
  { assume, profile, rows, status }: {
    readonly assume: Credits.PriceOptions
    readonly profile: Profile.Profile
    readonly rows: Rows | undefined
    readonly status: 200 | 203
  }
): number => {
  const served = DataMode.fromParameter(mode, "public")
  const length = rows?.length ?? 1
  const quoted = rows === undefined ? length : quotedOf(rows, query.endpoint.prices, assume.quoteData)
  const { credits, uncertain } = Credits.charged(
    served === undefined ? query : Query.withMode(query, served),
    {
      status,
      contracts: length,
      quoted,
      symbols: query.kind === "quotes" ? quoted : length,
      candles: length
    },
    { ...assume, profile, historical: dataType === "historical" }
  )
  return credits + uncertain
}

/** Counts the rows with quote data: any of their prices is there, or all are (clause 8.2-cost-quotes). */
const quotedOf = (rows: Rows, prices: ReadonlyArray<string>, rule: "any" | "all" = "any"): number => {
  const columns = prices.map((name) => rows.column(name)).filter((column) => column !== undefined)
  if (columns.length === 0) return rows.length
  return Credits.countWithQuotes(rows.length, columns.map((column) => (row) => column(row) !== null), rule)
}

/** What the headers of a reply say about the account's credits, and about what it may see. */
export const headers = (
  { account, token }: Admission.Member,
  { billing, consumed, now, profile }: {
    readonly billing: Billing.Billing
    readonly consumed: number
    readonly now: number
    readonly profile: Profile.Profile
  }
): Readonly<Record<string, string>> => {
  const allowance = Account.allowance(account, profile)
  const resets = allowance === undefined ? Infinity : Ledger.windowAt(allowance.window, now).end
  return {
    ...(allowance === undefined ? {} : {
      "x-api-ratelimit-limit": String(allowance.credits),
      "x-api-ratelimit-remaining": String(allowance.credits - billing.spent(token, allowance.window, now))
    }),
    ...(resets === Infinity ? {} : { "x-api-ratelimit-reset": String(resets) }),
    "x-api-ratelimit-consumed": String(consumed),
    "x-options-data-permissions": Admission.inHeader(account, profile)
  }
}

/** The same for nobody, who has no credits and needs none. */
export const nobodysHeaders: Readonly<Record<string, string>> = {
  "x-api-ratelimit-limit": "0",
  "x-api-ratelimit-remaining": "0",
  "x-api-ratelimit-consumed": "0"
}
