import * as Account from "@effect-marketdata/core/Account"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as IpRule from "@effect-marketdata/core/IpRule"
import * as Endpoint from "@effect-marketdata/core/Endpoint"
import type * as Profile from "@effect-marketdata/core/Profile"
import * as Result from "effect/Result"
import type * as Billing from "../account/Billing.ts"
import * as Routes from "./Routes.ts"
import type { SandboxRequest } from "../wire/SandboxReply.ts"
import * as Entitlement from "./entitlement.ts"
import type { Member } from "../account/members.ts"
import * as Refusals from "./refusals.ts"

/** Why a request is not let in; undefined where it is. */
type Verdict = Refusals.Refusal | undefined

/** The token that a request carries, in the header or else in the query (contract 5.3); undefined for none. */
const tokenOf = ({ headers }: SandboxRequest, parameters: ReadonlyMap<string, string>): string | undefined => {
  const header = headers["authorization"]
  return header === undefined ? parameters.get("token") : /^Bearer (\S+)$/i.exec(header)?.[1] ?? ""
}

/** Whose token a request carries, if it is anybody's: to whom it is recorded, wherever it leads. */
export const sender = (
  members: ReadonlyMap<string, Member>,
  request: SandboxRequest
): Member | undefined => {
  // The header goes before the query, which is only read where there is none.
  const target = request.headers["authorization"] === undefined ? Routes.read(request.target) : undefined
  return members.get(tokenOf(request, target?._tag === "Target" ? target.parameters : new Map()) ?? "")
}

/**
 * Who asks; undefined for nobody, to whom only the demo is open, or an endpoint that never takes a token (clause 5.7-401).
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
 * The mode is in the plan. One that is not is refused as soon as it is known who asks, because no other way to write the request would be
 * answered (clause 8.2-access).
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
    : Entitlement.coversMode(account, DataMode.fromParameter(mode, profile), profile)
}

/** One address at a time: a request from elsewhere moves the account there, or is blocked (clause 5.6-single-ip). */
export const comesFromOneAddress = (member: Member, address: string, now: number): Verdict => {
  const { rule, verdict } = IpRule.judge(member.ipRule, address, now)
  member.ipRule = rule
  return verdict._tag === "Allowed"
    ? undefined
    : Refusals.addressBlocked(rule.address ?? address, address)
}

/** Not too many at once. */
export const isNotCrowded = ({ inFlight }: Member, most: number): Verdict =>
  inFlight < most ? undefined : Refusals.tooManyRequests

/** As long as a credit is left a request is admitted, whatever it will cost; what costs nothing always is. */
export const hasCredits = (
  { account, token }: Member,
  { row }: Routes.Route,
  billing: Billing.Billing,
  profile: Profile.Profile,
  now: number
): Verdict => {
  const allowance = Account.allowance(account, profile)
  return allowance === undefined || row.kind === "free" ||
      billing.spent(token, allowance.window, now) < allowance.credits
    ? undefined
    : Refusals.creditsExhausted
}
