/**
 * What an account may see: its plan, the kind of its user, and which data that makes of a mode it asks for.
 *
 * The contract gives no plan by name, and no credits of one (clause 8.5-not-shown): an allowance is what the caller configures. The
 * public service's plans stand in `publicPlans`, and count under the profile `public` only.
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 *
 * const trial = Account.make({ plan: "trial", user: Account.nonProfessional("realTime") })
 * Account.serve(trial, { mode: DataMode.live })
 * // => { _tag: "Served", requestedMode: "live", modeServed: "delayed", dataType: "delayed" }
 * Account.serve(trial, { mode: DataMode.cached() })
 * // => { _tag: "NotInPlan", requestedMode: "cached", status: 402, clause: "8.2-access" }
 * ```
 *
 * @since 0.1.0
 */
import * as DataMode from "./DataMode.ts"
import type { Freshness } from "./Freshness.ts"
import * as Profile from "./Profile.ts"

/**
 * A subscription, as far as the contract tells them apart.
 *
 * @category models
 * @since 0.1.0
 */
export type Plan = "free" | "trial" | "paid"

/**
 * The kind of an account's user. Of a non-professional `row` says which of the contract's two rows applies: `realTime` with the OPRA
 * agreement signed, or the second one, `delayed`. What selects the second is not stated, so the caller states it
 * (clause 4.1-delayed-condition).
 *
 * @category models
 * @since 0.1.0
 */
export type User =
  | { readonly type: "nonProfessional"; readonly row: "realTime" | "delayed" }
  | { readonly type: "professional" }
  | { readonly type: "unknown" }

/**
 * After how long an allowance is whole again: at 9:30 in New York, after a minute, or never.
 *
 * @category models
 * @since 0.1.0
 */
export type Window = "day" | "minute" | "none"

/**
 * Credits that may be spent in a window.
 *
 * @category models
 * @since 0.1.0
 */
export interface Allowance {
  readonly credits: number
  readonly window: Window
}

/**
 * A plan of the public service. Those figures are its own, and no part of the contract.
 *
 * - `history`: how many years back data go
 * - `premium`: whether its premium endpoints are open; undefined where that is not said
 * - `options`: the freshest option data it gives
 *
 * @category models
 * @since 0.1.0
 */
export interface PublicPlan {
  readonly plan: Plan
  readonly allowance: Allowance
  readonly history: number
  readonly premium: boolean | undefined
  readonly options: Freshness
}

const day = (credits: number): Allowance => ({ credits, window: "day" })
const minute = (credits: number): Allowance => ({ credits, window: "minute" })

/**
 * The plans of the public service by name. Used under the profile `public` only.
 *
 * @category constants
 * @since 0.1.0
 */
export const publicPlans = {
  "Free Forever": { plan: "free", allowance: day(100), history: 1, premium: false, options: "historical" },
  "Starter Trial": { plan: "trial", allowance: day(10_000), history: 1, premium: false, options: "historical" },
  "Trader Trial": { plan: "trial", allowance: day(100_000), history: 1, premium: false, options: "historical" },
  Starter: { plan: "paid", allowance: day(10_000), history: 5, premium: true, options: "delayed" },
  Trader: { plan: "paid", allowance: day(100_000), history: Infinity, premium: true, options: "realTime" },
  Quant: { plan: "paid", allowance: minute(10_000), history: Infinity, premium: true, options: "realTime" },
  Prime: { plan: "paid", allowance: minute(100_000), history: Infinity, premium: true, options: "realTime" },
  Commercial: { plan: "paid", allowance: minute(100_000), history: Infinity, premium: undefined, options: "historical" }
} as const satisfies Readonly<Record<string, PublicPlan>>

/**
 * The name of a plan of the public service.
 *
 * @category models
 * @since 0.1.0
 */
export type PublicPlanName = keyof typeof publicPlans

/**
 * An account. `allowance` is what the caller knows of its credits; `publicPlan` names its plan at the public service.
 *
 * @category models
 * @since 0.1.0
 */
export interface Account {
  readonly plan: Plan
  readonly user: User
  readonly allowance: Allowance | undefined
  readonly publicPlan: PublicPlanName | undefined
}

/**
 * Creates an account.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (account: {
  readonly plan: Plan
  readonly user: User
  readonly allowance?: Allowance | undefined
}): Account => ({ plan: account.plan, user: account.user, allowance: account.allowance, publicPlan: undefined })

/**
 * Creates an account with a plan of the public service.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromPublicPlan = (
  name: PublicPlanName,
  user: User,
  allowance?: Allowance
): Account => ({ plan: publicPlans[name].plan, user, allowance, publicPlan: name })

/**
 * Describes a non-professional user, by the row of the contract's table that applies.
 *
 * @category constructors
 * @since 0.1.0
 */
export const nonProfessional = (row: "realTime" | "delayed"): User => ({ type: "nonProfessional", row })

/**
 * Describes a non-professional user as the public service does, which states the condition that the contract leaves open: delayed data
 * without a signed OPRA agreement.
 *
 * @category constructors
 * @since 0.1.0
 */
export const nonProfessionalBySignature = (isOpraSigned: boolean): User =>
  nonProfessional(isOpraSigned ? "realTime" : "delayed")

/**
 * Describes a professional user.
 *
 * @category constructors
 * @since 0.1.0
 */
export const professional: User = { type: "professional" }

/**
 * Describes a user of unknown kind.
 *
 * @category constructors
 * @since 0.1.0
 */
export const unknown: User = { type: "unknown" }

const ages: ReadonlyArray<Freshness> = ["realTime", "delayed", "historical"]

/**
 * Returns the older of two types of data.
 *
 * @category combinators
 * @since 0.1.0
 */
export const older = (a: Freshness, b: Freshness): Freshness => ages[Math.max(ages.indexOf(a), ages.indexOf(b))]!

/**
 * Returns the freshest option data that a user is entitled to, whatever the plan (clause 4.1-data-type-table): real-time or delayed for
 * a non-professional, by the row that was stated; historical for anybody else.
 *
 * @category getters
 * @since 0.1.0
 */
export const dataTypeOfUser = (user: User): Freshness => user.type === "nonProfessional" ? user.row : "historical"

/**
 * Returns the freshest option data of a plan, whatever its user: free and trial accounts always receive delayed data
 * (clause 5.8-premium-mode), historical ones under the profile `public`.
 *
 * @category getters
 * @since 0.1.0
 */
export const dataTypeOfPlan = (self: Account, profile: Profile.Profile = Profile.defaultProfile): Freshness => {
  if (self.plan !== "paid") return Profile.get(profile, "freeDataType")
  return profile === "public" && self.publicPlan !== undefined ? publicPlans[self.publicPlan].options : "realTime"
}

/**
 * Returns the freshest option data of an account: what plan and user both allow, which is the older of the two (clause 1-kinds).
 *
 * @category getters
 * @since 0.1.0
 */
export const dataType = (self: Account, profile: Profile.Profile = Profile.defaultProfile): Freshness =>
  older(dataTypeOfPlan(self, profile), dataTypeOfUser(self.user))

/**
 * Returns the mode in which a request is answered that names none: live for paid accounts, delayed for free and trial ones
 * (clause 8.2-default), historical for these under the profile `public`.
 *
 * @category getters
 * @since 0.1.0
 */
export const defaultMode = (
  plan: Plan,
  profile: Profile.Profile = Profile.defaultProfile
): DataMode.Live | DataMode.Delayed | DataMode.Historical =>
  plan === "paid"
    ? DataMode.live
    : { delayed: DataMode.delayed, historical: DataMode.historical }[Profile.get(profile, "freeDefaultMode")]

/**
 * Returns the credits that an account may spend: what was configured, else under the profile `public` what its named plan gives. The
 * contract states no allowance, so there is none by default (clause 8.5-not-shown).
 *
 * @category getters
 * @since 0.1.0
 */
export const allowance = (
  self: Account,
  profile: Profile.Profile = Profile.defaultProfile
): Allowance | undefined => {
  if (self.allowance !== undefined) return self.allowance
  return profile === "public" && self.publicPlan !== undefined ? publicPlans[self.publicPlan].allowance : undefined
}

/**
 * The request is answered with data: in `modeServed`, whatever `requestedMode` was (undefined for none).
 *
 * @category models
 * @since 0.1.0
 */
export interface Served {
  readonly _tag: "Served"
  readonly requestedMode: DataMode.Parameter | undefined
  readonly modeServed: DataMode.Parameter
  readonly dataType: Freshness | "cached"
}

/**
 * The plan does not include the mode: status 402.
 *
 * @category models
 * @since 0.1.0
 */
export interface NotInPlan {
  readonly _tag: "NotInPlan"
  readonly requestedMode: DataMode.Parameter
  readonly status: 402
  readonly clause: string
}

/**
 * There are no such data for anybody: nothing is cached of past days.
 *
 * @category models
 * @since 0.1.0
 */
export interface Unavailable {
  readonly _tag: "Unavailable"
  readonly requestedMode: DataMode.Parameter
  readonly clause: string
}

/**
 * What is asked for, as far as access depends on it: the mode of the request, if it names one, and whether it is about days that are
 * over. A `Query` is one.
 *
 * @category models
 * @since 0.1.0
 */
export interface Asked {
  readonly mode: DataMode.DataMode | undefined
  readonly historical?: boolean | undefined
}

/**
 * Says what an account is given when it asks for something.
 *
 * - Cached data are for paid accounts, and others are refused (clause 8.2-access).
 * - A free or trial account that asks for any other mode is served in its default mode; both modes show (clause 5.8-premium-mode).
 *   Under the profile `public` it is refused every mode but the default.
 * - Data are cached, historical for past days, else as old as the mode, the plan and the user make them (clause 1-kinds).
 *
 * @category getters
 * @since 0.1.0
 */
export const serve = (
  self: Account,
  asked: Asked,
  profile: Profile.Profile = Profile.defaultProfile
): Served | NotInPlan | Unavailable => {
  const requestedMode = asked.mode && DataMode.parameter(asked.mode)
  if (requestedMode === "cached" && asked.historical === true) {
    return { _tag: "Unavailable", requestedMode, clause: "8.2-cached-unavailable" }
  }
  const refused: ReadonlyArray<DataMode.Parameter> = Profile.get(profile, "freeRefusedModes")
  if (self.plan !== "paid" && requestedMode !== undefined && refused.includes(requestedMode)) {
    return { _tag: "NotInPlan", requestedMode, status: 402, clause: "8.2-access" }
  }
  const ownMode = DataMode.parameter(defaultMode(self.plan, profile))
  const modeServed = self.plan === "paid" ? requestedMode ?? ownMode : ownMode
  return { _tag: "Served", requestedMode, modeServed, dataType: typeOf(modeServed, asked, dataType(self, profile)) }
}

const typeOf = (
  mode: DataMode.Parameter,
  asked: Asked,
  entitled: Freshness
): Freshness | "cached" => {
  if (mode === "cached") return "cached"
  if (asked.historical === true) return "historical"
  return older(entitled, freshestOfMode[mode])
}

/** How fresh a mode's data are at best. */
const freshestOfMode = {
  live: "realTime",
  delayed: "delayed",
  eod: "historical",
  historical: "historical"
} as const satisfies Readonly<Record<Exclude<DataMode.Parameter, "cached">, Freshness>>
