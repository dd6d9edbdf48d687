/**
 * The accounts of a sandbox: accounts of core with the token of their requests.
 *
 * @example
 * ```ts
 * import * as Accounts from "@effect-marketdata/sandbox/Accounts"
 * import * as Account from "@effect-marketdata/core/Account"
 *
 * Accounts.defaults.map(({ token }) => token) // => ["sandbox-paid", "sandbox-trial", "sandbox-free"]
 * Accounts.ofProfile("public").find(({ token }) => token === "sandbox-free")?.publicPlan // => "Free Forever"
 * const professional = Accounts.make("desk-7", Account.make({ plan: "paid", user: Account.professional }))
 * Account.dataType(professional) // => "historical"
 * ```
 *
 * @since 0.1.0
 */
import * as Core from "@effect-marketdata/core/Account"
import * as Problem from "@effect-marketdata/core/Problem"
import type * as Profile from "@effect-marketdata/core/Profile"

/**
 * An account: its plan, its user and its allowance decide what it is served; `token` is the secret that its requests carry.
 *
 * @category models
 * @since 0.1.0
 */
export interface Account extends Core.Account {
  readonly token: string
}

/**
 * Gives an account its token. Throws `AccountError` for what is not an account, and `ValueError` for what is not a token.
 *
 * @example
 * ```ts
 * import * as Account from "@effect-marketdata/core/Account"
 * import * as Accounts from "@effect-marketdata/sandbox/Accounts"
 * import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
 *
 * const account = Accounts.make("my-token", Account.make({ plan: "paid", user: Account.nonProfessional("realTime") }))
 * export const sandbox = Sandbox.layer({ accounts: [account] })
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (token: string, account: Core.Account): Account => {
  Core.dataTypeOfPlan(account)
  return { ...account, token: Problem.expect(typeof token === "string", "token", token, "a text", "my-token") }
}

/** The allowance of the default accounts, in credits a day; not a figure of the service. */
const credits = 1_000_000

const ofPlan = (plan: Core.Plan): Account =>
  make(
    `sandbox-${plan}`,
    Core.make({ plan, user: Core.nonProfessional("realTime"), allowance: { credits, window: "day" } })
  )

/**
 * One account of each plan, all of them of non-professional users with the agreement for real-time options, with a million credits a day.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaults: ReadonlyArray<Account> = [ofPlan("paid"), ofPlan("trial"), ofPlan("free")]

const user = Core.nonProfessionalBySignature(true)

const ofPublicPlan = (token: string, name: Core.PublicPlanName): Account => make(token, Core.fromPublicPlan(name, user))

/** The plans that the tokens of `defaults` stand for at the public service. */
const usual = { paid: "Trader", trial: "Starter Trial", free: "Free Forever" } as const satisfies Record<
  Core.Plan,
  Core.PublicPlanName
>

/**
 * One account of each plan of the public service, with the credits, the modes and the data of that plan: `sandbox-starter-trial`,
 * `sandbox-quant` and so on. Their users are non-professional, with a signed agreement for real-time options. The tokens of `defaults`
 * are there as well: Trader for `sandbox-paid`, Starter Trial for `sandbox-trial`, Free Forever for `sandbox-free`.
 *
 * @category constants
 * @since 0.1.0
 */
export const publicDefaults: ReadonlyArray<Account> = [
  ...defaults.map(({ plan, token }) => ofPublicPlan(token, usual[plan])),
  ...Object.keys(Core.publicPlans).map((name) =>
    ofPublicPlan(`sandbox-${name.toLowerCase().replaceAll(" ", "-")}`, name as Core.PublicPlanName)
  )
]

/**
 * Returns the default accounts: `defaults`, or `publicDefaults` under the profile `public`.
 *
 * @example
 * ```ts
 * import * as Accounts from "@effect-marketdata/sandbox/Accounts"
 *
 * Accounts.ofProfile("contract").map(({ token }) => token) // => [ "sandbox-paid", "sandbox-trial", "sandbox-free" ]
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const ofProfile = (profile: Profile.Profile): ReadonlyArray<Account> =>
  profile === "public" ? publicDefaults : defaults
