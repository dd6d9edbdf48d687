/**
 * The two readings of the service: its contract, and the public service where it contradicts the contract.
 *
 * What the public service merely adds (filters, endpoints, columns, modes) is not listed here, because it is always available. Functions
 * that take a profile use the contract's unless another is given.
 *
 * @example
 * ```ts
 * import * as Profile from "@effect-marketdata/core/Profile"
 *
 * Profile.get(Profile.defaultProfile, "freeDefaultMode") // => "delayed"
 * Profile.get("public", "freeDefaultMode") // => "historical"
 * Profile.table.freeDefaultMode.source // => "clause 8.2-default; the public page about modes"
 * ```
 *
 * @since 0.1.0
 */
import * as Record from "effect/Record"
import * as Problem from "../text/Problem.ts"

/**
 * Which reading to use where the two differ.
 *
 * @category models
 * @since 0.1.0
 */
export type Profile = "contract" | "public"

/**
 * One difference: what it is about, what each side says, and where.
 *
 * @category models
 * @since 0.1.0
 */
export interface Row<out Value = unknown> {
  readonly what: string
  readonly contract: Value
  readonly public: Value
  readonly source: string
}

/**
 * The profile that is used if none is given.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultProfile: Profile = "contract"

/** What the contract says, and what the public service does. A program that only decides takes none of the words below along. */
const values = {
  modes: { contract: ["live", "cached", "delayed"], public: ["live", "cached", "delayed", "eod", "historical"] },
  freeDefaultMode: { contract: "delayed", public: "historical" },
  freeRefusedModes: { contract: ["cached"], public: ["live", "cached", "delayed", "eod"] },
  freeDataType: { contract: "delayed", public: "historical" },
  delayedCondition: { contract: "notStated", public: "agreementNotSigned" },
  unfilteredChain: { contract: "all", public: "nextMonthly" },
  nullableColumns: { contract: "stated", public: "quotesAndGreeks" },
  midDecimals: { contract: Infinity, public: 2 },
  pastListing: { contract: "close", public: "midnight" },
  statusField: { contract: "always", public: "notWithColumns" },
  noDataStatus: { contract: "error", public: "no_data" },
  errorFields: {
    contract: ["s", "errmsg"],
    public: ["s", "errmsg", "troubleshootingGuide", "authorizedIP", "blockedIP", "nextTime", "prevTime"]
  },
  lookupPath: { contract: "", public: "/" },
  historicalFrom: { contract: 0, public: 1 },
  billedContracts: { contract: "all", public: "withQuoteData" },
  leastCharge: { contract: 0, public: 1 },
  priceFreeColumns: { contract: false, public: true },
  demoIsFree: { contract: false, public: true },
  mostInFlight: { contract: Infinity, public: 50 },
  historicalQuotes: { contract: "notStated", public: "perThousand" }
} as const

/**
 * The name of a difference.
 *
 * @category models
 * @since 0.1.0
 */
export type Name = keyof typeof values

/** What each difference is about. */
const subjects: { readonly [N in Name]: string } = {
  modes: "the values that `mode` takes besides the aliases of cached",
  freeDefaultMode: "the mode of free and trial accounts where none is named",
  freeRefusedModes: "the modes that answer free and trial accounts with 402; any other is served in their default mode",
  freeDataType: "the freshest data of free and trial accounts",
  delayedCondition:
    "whether it is stated what gives a non-professional user 15-minute delayed options: no signed OPRA agreement",
  unfilteredChain: "the expirations of a chain for which none are chosen",
  nullableColumns:
    "the columns of a chain that may hold null: those of which the contract says so, or all that quote it and its greeks",
  midDecimals: "the decimals of `mid`, which lies halfway between bid and ask",
  pastListing:
    "when lists of expirations and strikes of a past day were updated: at its close, or at the midnight that it begins with",
  statusField: "whether data always come with `s`; the public service leaves it out where columns are chosen",
  noDataStatus: "what `s` is in the body of a 404 about missing data",
  errorFields: "the fields of error bodies",
  lookupPath: "how the path of an option lookup ends",
  historicalFrom: "the second after 9:30 and 16:15 in New York from which data are historical",
  billedContracts: "which contracts of a live or delayed chain are paid for",
  leastCharge: "the least that a reply with data costs",
  priceFreeColumns: "whether a reply costs 1 where none of its columns is a price: ask, bid, mid or last",
  demoIsFree: "whether queries about the demo ticker cost nothing",
  mostInFlight: "how many requests of an account may be in flight at once; any more are answered with 429",
  historicalQuotes: "the price of quotes of past days"
}

/** Where both readings are stated. */
const sources: { readonly [N in Name]: string } = {
  modes: "clause 8.2-modes; the public page about modes",
  freeDefaultMode: "clause 8.2-default; the public page about modes",
  freeRefusedModes: "clauses 5.8-premium-mode and 8.2-access; the public page about modes",
  freeDataType: "clause 5.8-premium-mode; the public page about data freshness",
  delayedCondition: "clause 4.1-delayed-condition; the public page about option chains",
  unfilteredChain: "clause 4.1-params; the public page about option chains",
  nullableColumns: "clause 2.1-only-last-null; replies of the public service",
  midDecimals: "clause 2.1-mid; replies of the public service",
  pastListing: "clause 2.1-fields says nothing of it; replies of the public service",
  statusField: "clause 2.1-fields; replies of the public service",
  noDataStatus: "clause 2.2-error-body; the public page about option chains",
  errorFields: "clause 2.2-error-body; the public pages about errors",
  lookupPath: "clause 4.3-lookup; the public page about the lookup",
  historicalFrom: "clauses 8.4-stocks and 8.4-options; the public page about data freshness",
  billedContracts: "clauses 4.1-cost-live and 4.1-cost-delayed; the public page about option chains",
  leastCharge: "contract 8.2 names no least charge; the public page about credits",
  priceFreeColumns: "contract 8.2 knows no such rule; the public page about credits",
  demoIsFree: "clause 5.5-demo says nothing of it; the public page about credits",
  mostInFlight: "clause 8.5-not-shown; the public page about too many concurrent requests",
  historicalQuotes: "clause 8.2-cost-historical-quotes; the public page about option quotes"
}

/**
 * All differences, by name.
 *
 * @category constants
 * @since 0.1.0
 */
export const table = /* @__PURE__ */ Record.map(
  values,
  (sides, name) => ({ what: subjects[name], ...sides, source: sources[name] })
) as { readonly [N in Name]: Row & typeof values[N] }

/**
 * Returns what a profile says about one difference. Throws `ValueError` for what is not a profile or not the name of a difference.
 *
 * @example
 * ```ts
 * import * as Profile from "@effect-marketdata/core/Profile"
 *
 * Profile.get("contract", "freeDefaultMode") // => "delayed"
 * Profile.get("public", "freeDefaultMode") // => "historical"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const get = <const P extends Profile, const N extends Name>(profile: P, name: N): (typeof values)[N][P] => {
  Problem.expect(typeof name === "string" && Object.hasOwn(values, name), "name", name, "a difference", "modes")
  return values[name][known(profile)]
}

/**
 * Returns a profile unchanged; throws `ValueError` for anything else.
 *
 * @internal
 */
export const known = <P extends Profile>(profile: P): P =>
  Problem.expect(profile === "contract" || profile === "public", "profile", profile, "contract or public", "contract")
