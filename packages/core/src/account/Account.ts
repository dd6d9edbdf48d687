/**
 * What an account may see: its plan, the type of its user, and the data that follow from both for each mode.
 *
 * The contract names no plan and no credits (clause 8.5-not-shown), so the caller configures the allowance. The plans of the public
 * service are in `publicPlans`, and count under the profile `public` only.
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
 * @see {@link DataMode} for the modes
 * @see {@link Profile} for where the public service differs from the contract
 * @since 0.1.0
 */
import * as Problem from "../text/Problem.ts"
import * as Untyped from "../text/untyped.ts"
import * as DataMode from "./DataMode.ts"
import type { Freshness } from "./Freshness.ts"
import * as Profile from "./Profile.ts"

/**
 * The kind of a plan, as the contract distinguishes them.
 *
 * @category models
 * @since 0.1.0
 */
export type Plan = "free" | "trial" | "paid"

/**
 * The type of an account's user. For a non-professional, `row` says which of the contract's two rows applies: `realTime` with a signed
 * OPRA agreement, or `delayed`. The contract does not say what selects the second row, so the caller states it (clause
 * 4.1-delayed-condition).
 *
 * @category models
 * @since 0.1.0
 */
export type User =
  | { readonly type: "nonProfessional"; readonly row: "realTime" | "delayed" }
  | { readonly type: "professional" }
  | { readonly type: "unknown" }

/**
 * When an allowance is full again: every day at 9:30 in New York, every minute, or never (`none`).
 *
 * @category models
 * @since 0.1.0
 */
export type Window = "day" | "minute" | "none"

/**
 * An allowance: the credits that may be spent in each window.
 *
 * @category models
 * @since 0.1.0
 */
export interface Allowance {
  readonly credits: number
  readonly window: Window
}

/**
 * A plan of the public service. These figures are not part of the contract.
 *
 * - `history`: how many years back its data go
 * - `premium`: whether it includes the premium endpoints; undefined if the service does not say
 * - `options`: the freshest option data that it includes
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
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 *
 * Object.keys(Account.publicPlans).includes("Free Forever") // => true
 * ```
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
 * A value that is not an account or not a user. With a misspelt plan, an account would be served other data than it may see.
 *
 * @category errors
 * @since 0.1.0
 */
export class AccountError extends /* @__PURE__ */ Problem.errorOf("AccountError", "", {
  NotAnAccount: { rule: "must be an account with a plan and a user", example: "Account.make({ plan, user })" },
  NotAUser: { rule: "must be a user", example: "Account.nonProfessional(\"realTime\")" }
}) {}

const isPlan = (input: unknown): boolean => input === "paid" || input === "trial" || input === "free"

const isUser = (input: unknown): boolean =>
  Untyped.hasForm<{ readonly type: string; readonly row: string }>(
    input,
    ({ row, type }) =>
      type === "professional" || type === "unknown" ||
      type === "nonProfessional" && (row === "realTime" || row === "delayed")
  )

const isAccount = (input: unknown): boolean =>
  Untyped.hasForm<Account>(
    input,
    ({ plan, publicPlan, user }) =>
      isPlan(plan) && isUser(user) &&
      (publicPlan === undefined || typeof publicPlan === "string" && Object.hasOwn(publicPlans, publicPlan))
  )

const known = (self: Account): Account => {
  if (isAccount(self)) return self
  throw new AccountError({ input: Untyped.shown(self), problem: "NotAnAccount" })
}

const knownUser = (user: User): User => {
  if (isUser(user)) return user
  throw new AccountError({ input: Untyped.shown(user), problem: "NotAUser" })
}

/**
 * Creates an account. Throws `AccountError` if the plan or the user is not valid.
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 *
 * const trader = Account.make({ plan: "paid", user: Account.nonProfessional("realTime"), allowance: { credits: 10_000, window: "day" } })
 * Account.allowance(trader) // => { credits: 10000, window: "day" }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (account: {
  readonly plan: Plan
  readonly user: User
  readonly allowance?: Allowance | undefined
}): Account => {
  const { allowance, plan, user } = { ...account }
  return known({ plan, user, allowance, publicPlan: undefined })
}

/**
 * Creates an account with a plan of the public service. Throws `AccountError` if the plan or the user is not valid.
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 *
 * const starter = Account.fromPublicPlan("Starter Trial", Account.unknown)
 * starter.plan // => "trial"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromPublicPlan = (name: PublicPlanName, user: User, allowance?: Allowance): Account =>
  known({ plan: publicPlans[Untyped.shown(name) as PublicPlanName]?.plan, user, allowance, publicPlan: name })

/**
 * Describes a non-professional user, by the row of the contract's table that applies.
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 *
 * Account.dataTypeOfUser(Account.nonProfessional("realTime")) // => "realTime"
 * Account.dataTypeOfUser(Account.nonProfessional("delayed")) // => "delayed"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const nonProfessional = (row: "realTime" | "delayed"): User => knownUser({ type: "nonProfessional", row })

/**
 * Describes a non-professional user by the condition that the public service states and the contract leaves open: without a signed OPRA
 * agreement the data are delayed.
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 *
 * Account.dataTypeOfUser(Account.nonProfessionalBySignature(true)) // => "realTime"
 * Account.dataTypeOfUser(Account.nonProfessionalBySignature(false)) // => "delayed"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const nonProfessionalBySignature = (isOpraSigned: boolean): User =>
  nonProfessional(isOpraSigned ? "realTime" : "delayed")

/**
 * Describes a professional user.
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 *
 * Account.dataTypeOfUser(Account.professional) // => "historical"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const professional: User = { type: "professional" }

/**
 * Describes a user of unknown type.
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 *
 * Account.dataTypeOfUser(Account.unknown) // => "historical"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const unknown: User = { type: "unknown" }

const ages: ReadonlyArray<Freshness> = ["realTime", "delayed", "historical"]

/**
 * Returns the older of two types of data.
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 *
 * Account.older("delayed", "historical") // => "historical"
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const older = (a: Freshness, b: Freshness): Freshness => ages[Math.max(ages.indexOf(a), ages.indexOf(b))]!

/**
 * Returns the freshest option data that a user may see, whatever the plan (clause 4.1-data-type-table): real-time or delayed for a
 * non-professional, as `row` says; historical for any other user.
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 *
 * Account.dataTypeOfUser({ type: "professional" }) // => "historical"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const dataTypeOfUser = (user: User): Freshness => {
  const own = knownUser(user)
  return own.type === "nonProfessional" ? own.row : "historical"
}

/**
 * Returns the freshest option data of a plan, whatever its user. Free and trial accounts always get delayed data (clause
 * 5.8-premium-mode); under the profile `public` they get historical data.
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 *
 * Account.dataTypeOfPlan(Account.make({ plan: "trial", user: Account.nonProfessional("realTime") })) // => "delayed"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const dataTypeOfPlan = (self: Account, profile: Profile.Profile = Profile.defaultProfile): Freshness => {
  if (known(self).plan !== "paid") return Profile.get(profile, "freeDataType")
  const isPublic = Profile.known(profile) === "public"
  return isPublic && self.publicPlan !== undefined ? publicPlans[self.publicPlan].options : "realTime"
}

/**
 * Returns the freshest option data of an account. Plan and user must both allow them, so it is the older of the two (clause 1-kinds).
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 *
 * // The older of what the plan and the user may see.
 * Account.dataType(Account.make({ plan: "paid", user: Account.nonProfessional("delayed") })) // => "delayed"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const dataType = (self: Account, profile: Profile.Profile = Profile.defaultProfile): Freshness =>
  older(dataTypeOfPlan(self, profile), dataTypeOfUser(self.user))

/**
 * Returns the mode of a request that names none: live for paid accounts, delayed for free and trial ones (clause 8.2-default). Under the
 * profile `public` it is historical for free and trial accounts.
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 *
 * Account.defaultMode("paid")._tag // => "Live"
 * Account.defaultMode("free")._tag // => "Delayed"
 * Account.defaultMode("free", "public")._tag // => "Historical"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const defaultMode = (
  plan: Plan,
  profile: Profile.Profile = Profile.defaultProfile
): DataMode.Live | DataMode.Delayed | DataMode.Historical =>
  Problem.expect(isPlan(plan), "plan", plan, "free, trial or paid", "paid") === "paid"
    ? DataMode.live
    : Profile.get(profile, "freeDefaultMode") === "historical"
    ? DataMode.historical
    : DataMode.delayed

/**
 * Returns the allowance of an account: the configured one, or else, under the profile `public`, that of its named plan. It is undefined
 * if there is neither: the contract states no allowance (clause 8.5-not-shown).
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 *
 * Account.allowance(Account.make({ plan: "free", user: Account.unknown, allowance: { credits: 100, window: "day" } })) // => { credits: 100, window: "day" }
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const allowance = (self: Account, profile: Profile.Profile = Profile.defaultProfile): Allowance | undefined => {
  const { allowance, publicPlan } = known(self)
  if (allowance) return allowance
  return Profile.known(profile) === "public" && publicPlan !== undefined ? publicPlans[publicPlan].allowance : undefined
}

/**
 * The request is answered with data in `modeServed`. `requestedMode` is the mode that it asked for, undefined if it named none.
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
 * No account can have such data: the cache has none of past days.
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
 * The part of a request that decides access: its mode, if it names one, and whether it is about past days. A `Query` has both.
 *
 * @category models
 * @since 0.1.0
 */
export interface Asked {
  readonly mode: DataMode.DataMode | undefined
  readonly historical?: boolean | undefined
}

const knownAsked = /* @__PURE__ */ Problem.guard("mode that is asked for", "{ mode: DataMode.live }", {})

/**
 * Returns what an account gets for a request.
 *
 * - Cached data are for paid accounts; other accounts are refused (clause 8.2-access).
 * - A free or trial account that asks for any other mode is served in its default mode, and the answer names both modes (clause
 *   5.8-premium-mode). Under the profile `public` it is refused every mode but its default.
 * - The data are cached in a cached mode, historical for past days, and else as old as the mode, the plan and the user make them (clause
 *   1-kinds).
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 * import * as DataMode from "@effect-marketdata/core/DataMode"
 *
 * const free = Account.make({ plan: "free", user: Account.unknown })
 * Account.serve(free, { mode: DataMode.delayed })._tag // => "Served"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const serve = (
  self: Account,
  asked: Asked,
  profile: Profile.Profile = Profile.defaultProfile
): Served | NotInPlan | Unavailable => {
  const entitled = dataType(self, profile)
  const { mode } = knownAsked(asked)
  const requestedMode = mode === undefined ? undefined : DataMode.parameter(mode)
  if (requestedMode === "cached" && asked.historical === true) {
    return { _tag: "Unavailable", requestedMode, clause: "8.2-cached-unavailable" }
  }
  const refused: ReadonlyArray<DataMode.Parameter> = Profile.get(profile, "freeRefusedModes")
  if (self.plan !== "paid" && requestedMode !== undefined && refused.includes(requestedMode)) {
    return { _tag: "NotInPlan", requestedMode, status: 402, clause: "8.2-access" }
  }
  const ownMode = DataMode.parameter(defaultMode(self.plan, profile))
  const modeServed = self.plan === "paid" ? requestedMode ?? ownMode : ownMode
  return { _tag: "Served", requestedMode, modeServed, dataType: typeOf(modeServed, asked, entitled) }
}

const typeOf = (mode: DataMode.Parameter, asked: Asked, entitled: Freshness) => {
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
