/** Who is let in: whose token a request carries, the checks before it is read, and what its account is then given. */
import * as Account from "@effect-marketdata/core/Account"
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as Endpoint from "@effect-marketdata/core/Endpoint"
import type * as Freshness from "@effect-marketdata/core/Freshness"
import * as IpRule from "@effect-marketdata/core/IpRule"
import * as NewYork from "@effect-marketdata/core/NewYork"
import type * as Profile from "@effect-marketdata/core/Profile"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import type * as Accounts from "../account/Accounts.ts"
import type { SandboxRequest } from "../wire/SandboxReply.ts"
import { parseTime } from "./parameters.ts"
import * as Refusals from "./refusals.ts"
import * as Routes from "./Routes.ts"

/** Why a request is not let in, or not given what it asks for; undefined where it is. */
type Verdict = Refusals.Refusal | undefined

/** The token that a request carries, in the header or else in the query (contract 5.3); undefined for none. */
const tokenOf = ({ headers }: SandboxRequest, parameters: ReadonlyMap<string, string>): string | undefined => {
  const header = headers["authorization"]
  return header === undefined ? parameters.get("token") : /^Bearer (\S+)$/i.exec(header)?.[1] ?? ""
}

/** The member whose token a request carries, for whom it is recorded, whatever its route. */
export const sender = (members: ReadonlyMap<string, Member>, request: SandboxRequest): Member | undefined => {
  // The query is read only if there is no header.
  const target = request.headers["authorization"] === undefined ? Routes.read(request.target) : undefined
  return members.get(tokenOf(request, target?._tag === "Target" ? target.parameters : new Map()) ?? "")
}

/**
 * The account of a request; undefined without a token, which is enough for the demo ticker and for endpoints that take none (clause 5.7-401).
 */
export const authenticate = (
  members: ReadonlyMap<string, Member>,
  request: SandboxRequest,
  { parameters }: Routes.Target,
  { row }: Routes.Route
): Result.Result<Member | undefined, Refusals.Refusal> => {
  const token = row.tokenless ? undefined : tokenOf(request, parameters)
  if (token === undefined) {
    return row.tokenless || row.demo !== "none" ? Result.succeed(undefined) : Result.fail(Refusals.noToken)
  }
  const member = members.get(token)
  return member === undefined ? Result.fail(Refusals.wrongToken) : Result.succeed(member)
}

/**
 * Refuses a mode that the plan lacks, as soon as the account is known (clause 8.2-access).
 */
export const isInPlan = (
  { account }: Member,
  { parameters }: Routes.Target,
  { row }: Routes.Route,
  profile: Profile.Profile
): Verdict => {
  const mode = Endpoint.isVersioned(row) ? parameters.get("mode") : undefined
  return mode === undefined
    ? undefined
    : coversMode(account, DataMode.fromParameter(mode, profile), profile)
}

/** One address at a time: a request from elsewhere moves the account there, or is blocked (clause 5.6-single-ip). */
export const comesFromOneAddress = (member: Member, address: string, now: number): Verdict => {
  const { rule, verdict } = IpRule.judge(member.ipRule, address, now)
  member.ipRule = rule
  return verdict._tag === "Allowed"
    ? undefined
    : Refusals.addressBlocked(rule.address ?? address, address)
}

/** Refuses a request above the most in flight. */
export const isNotCrowded = ({ inFlight }: Member, most: number): Verdict =>
  inFlight < most ? undefined : Refusals.tooManyRequests

/** Admits a request while a credit is left, whatever it will cost; a free one always. */
export const hasCredits = ({ row }: Routes.Route, remaining = Infinity): Verdict =>
  row.kind === "free" || remaining > 0 ? undefined : Refusals.creditsExhausted

/** What the service keeps of an account while it is used: where its requests come from, and how many are in flight. */
export interface Member {
  readonly token: string
  readonly account: Account.Account
  ipRule: IpRule.IpRule
  inFlight: number
}

/** The members by their tokens. Of two with the same token the first one holds. */
export const membersOf = (accounts: ReadonlyArray<Accounts.Account>): ReadonlyMap<string, Member> =>
  new Map(
    accounts.toReversed().map((account) => [
      account.token,
      { token: account.token, account, ipRule: IpRule.empty, inFlight: 0 }
    ])
  )

/** The account of a caller without a token. */
export const nobody: Account.Account = Account.make({ plan: "free", user: Account.unknown })

/** What may be seen of options: as the header of every reply says it, and on the page of the account, which has no text for real-time options. */
const permissions = {
  realTime: ["delayed_quotes_permission,historical_quotes_permission,real_time_quotes_permission", ""],
  delayed: ["delayed_quotes_permission,historical_quotes_permission", "OPRA data delayed 15 minutes"],
  historical: ["historical_quotes_permission", "OPRA data historical"]
} as const

/** What an account may see of options, in a header and in words. */
export const permissionsOf = (account: Account.Account, profile: Profile.Profile) =>
  permissions[Account.dataType(account, profile)]

/** The mode that an account is served, and the freshest data that it may see. */
interface Entitlement {
  readonly mode: DataMode.Parameter
  readonly dataType: Freshness.Freshness
}

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
const ofPublicPlan = ({ plan, publicPlan }: Account.Account, query: Query.Query, now: number) => {
  if (publicPlan === undefined || (plan === "trial" && Query.isDemo(query))) return undefined
  const { history, premium } = Account.publicPlans[publicPlan]
  if (query.endpoint.premium && premium === false) {
    return Refusals.planRequired("This endpoint requires a paid plan.")
  }
  // Market status has no limit of days in any plan.
  const oldest = query.endpoint.name === "marketStatus" ? undefined : oldestDay(query)
  const today = NewYork.dateOf(now)
  const isCovered = oldest === undefined || history === Infinity ||
    CalendarDate.format(oldest) >= CalendarDate.format({ ...today, year: today.year - history })
  const who = plan === "paid" ? publicPlan : "Free/Trial"
  return isCovered
    ? undefined
    : Refusals.planRequired(`${who} users can only access up to ${history} year${history === 1 ? "" : "s"} of data.`)
}

/** The day that a query of past days begins with, as far as it names one: the last day at the latest. */
const oldestDay = ({ options }: Query.Query): CalendarDate.CalendarDate | undefined => {
  const day = options["date"] ?? options["from"] ?? options["to"]
  return typeof day === "string" ? parseTime(day, "plain", 0)?.date : undefined
}
