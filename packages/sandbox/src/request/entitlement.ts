import * as Account from "@effect-marketdata/core/Account"
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type * as DataMode from "@effect-marketdata/core/DataMode"
import * as NewYork from "@effect-marketdata/core/NewYork"
import type * as Freshness from "@effect-marketdata/core/Freshness"
import type * as Profile from "@effect-marketdata/core/Profile"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as OutputOptions from "./outputOptions.ts"
import * as Refusals from "./refusals.ts"

/** What an account is given when it asks: the mode that it is served, and the freshest data that it may see. */
export interface Entitlement {
  readonly mode: DataMode.Parameter
  readonly dataType: Freshness.Freshness
}

/** Why an account is not given what it asks for; undefined where it is. */
type Verdict = Refusals.Refusal | undefined

/** Refuses a mode that the plan of an account does not include (clause 8.2-access). */
export const coversMode = (
  account: Account.Account,
  mode: DataMode.DataMode | undefined,
  profile: Profile.Profile
): Verdict => {
  const served = Account.serve(account, { mode }, profile)
  return served._tag === "NotInPlan"
    ? Refusals.planRequired(`The mode ${served.requestedMode} requires a paid plan.`)
    : undefined
}

/** Says what an account is given, by core's rules, or that its plan does not cover the query (clauses 5.8-premium-mode and 8.2-access). */
export const judge = (
  account: Account.Account,
  query: Query.Query,
  profile: Profile.Profile,
  now: number
): Result.Result<Entitlement, Refusals.Refusal> => {
  const uncovered = coversMode(account, query.mode, profile)
  if (uncovered !== undefined) return Result.fail(uncovered)
  const served = Account.serve(account, query, profile)
  if (served._tag !== "Served") {
    return Result.fail(Refusals.badRequest("Invalid mode. There is no cached data of a past day."))
  }
  const beyond = profile === "public" ? ofPublicPlan(account, query, now) : undefined
  if (beyond !== undefined) return Result.fail(beyond)
  const { dataType, modeServed } = served
  return Result.succeed({
    mode: modeServed,
    dataType: dataType === "cached" ? Account.dataType(account, profile) : dataType
  })
}

/** The limits of the public service's plans: its premium endpoint, and how far back data go. Trials have all of the demo ticker. */
const ofPublicPlan = (
  { plan, publicPlan }: Account.Account,
  query: Query.Query,
  now: number
): Verdict => {
  if (publicPlan === undefined || (plan === "trial" && Query.isDemo(query))) return undefined
  const { history, premium } = Account.publicPlans[publicPlan]
  if (query.endpoint.premium && premium === false) {
    return Refusals.planRequired("This endpoint requires a paid plan.")
  }
  // On which days the market was open is nobody's secret.
  const oldest = query.endpoint.name === "marketStatus" ? undefined : OutputOptions.oldestDay(query)
  const today = NewYork.dateOf(now)
  const isCovered = oldest === undefined || history === Infinity ||
    CalendarDate.format(oldest) >= CalendarDate.format({ ...today, year: today.year - history })
  const who = plan === "paid" ? publicPlan : "Free/Trial"
  return isCovered
    ? undefined
    : Refusals.planRequired(`${who} users can only access up to ${history} year${history === 1 ? "" : "s"} of data.`)
}
