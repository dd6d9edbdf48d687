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

/**
 * All differences, by name.
 *
 * @category constants
 * @since 0.1.0
 */
export const table = {
  modes: {
    what: "the values that `mode` takes besides the aliases of cached",
    contract: ["live", "cached", "delayed"],
    public: ["live", "cached", "delayed", "eod", "historical"],
    source: "clause 8.2-modes; the public page about modes"
  },
  freeDefaultMode: {
    what: "the mode of free and trial accounts where none is named",
    contract: "delayed",
    public: "historical",
    source: "clause 8.2-default; the public page about modes"
  },
  freeRefusedModes: {
    what: "the modes that answer free and trial accounts with 402; any other is served in their default mode",
    contract: ["cached"],
    public: ["live", "cached", "delayed", "eod"],
    source: "clauses 5.8-premium-mode and 8.2-access; the public page about modes"
  },
  freeDataType: {
    what: "the freshest data of free and trial accounts",
    contract: "delayed",
    public: "historical",
    source: "clause 5.8-premium-mode; the public page about data freshness"
  },
  delayedCondition: {
    what: "whether it is stated what gives a non-professional user 15-minute delayed options: no signed OPRA agreement",
    contract: "notStated",
    public: "agreementNotSigned",
    source: "clause 4.1-delayed-condition; the public page about option chains"
  },
  unfilteredChain: {
    what: "the expirations of a chain for which none are chosen",
    contract: "all",
    public: "nextMonthly",
    source: "clause 4.1-params; the public page about option chains"
  },
  nullableColumns: {
    what:
      "the columns of a chain that may hold null: those of which the contract says so, or all that quote it and its greeks",
    contract: "stated",
    public: "quotesAndGreeks",
    source: "clause 2.1-only-last-null; replies of the public service"
  },
  midDecimals: {
    what: "the decimals of `mid`, which lies halfway between bid and ask",
    contract: Infinity,
    public: 2,
    source: "clause 2.1-mid; replies of the public service"
  },
  pastListing: {
    what:
      "when lists of expirations and strikes of a past day were updated: at its close, or at the midnight that it begins with",
    contract: "close",
    public: "midnight",
    source: "clause 2.1-fields says nothing of it; replies of the public service"
  },
  statusField: {
    what: "whether data always come with `s`; the public service leaves it out where columns are chosen",
    contract: "always",
    public: "notWithColumns",
    source: "clause 2.1-fields; replies of the public service"
  },
  noDataStatus: {
    what: "what `s` is in the body of a 404 about missing data",
    contract: "error",
    public: "no_data",
    source: "clause 2.2-error-body; the public page about option chains"
  },
  errorFields: {
    what: "the fields of error bodies",
    contract: ["s", "errmsg"],
    public: ["s", "errmsg", "troubleshootingGuide", "authorizedIP", "blockedIP", "nextTime", "prevTime"],
    source: "clause 2.2-error-body; the public pages about errors"
  },
  lookupPath: {
    what: "how the path of an option lookup ends",
    contract: "",
    public: "/",
    source: "clause 4.3-lookup; the public page about the lookup"
  },
  historicalFrom: {
    what: "the second after 9:30 and 16:15 in New York from which data are historical",
    contract: 0,
    public: 1,
    source: "clauses 8.4-stocks and 8.4-options; the public page about data freshness"
  },
  billedContracts: {
    what: "which contracts of a live or delayed chain are paid for",
    contract: "all",
    public: "withQuoteData",
    source: "clauses 4.1-cost-live and 4.1-cost-delayed; the public page about option chains"
  },
  leastCharge: {
    what: "the least that a reply with data costs",
    contract: 0,
    public: 1,
    source: "contract 8.2 names no least charge; the public page about credits"
  },
  priceFreeColumns: {
    what: "whether a reply costs 1 where none of its columns is a price: ask, bid, mid or last",
    contract: false,
    public: true,
    source: "contract 8.2 knows no such rule; the public page about credits"
  },
  demoIsFree: {
    what: "whether queries about the demo ticker cost nothing",
    contract: false,
    public: true,
    source: "clause 5.5-demo says nothing of it; the public page about credits"
  },
  mostInFlight: {
    what: "how many requests of an account may be in flight at once; any more are answered with 429",
    contract: Infinity,
    public: 50,
    source: "clause 8.5-not-shown; the public page about too many concurrent requests"
  },
  historicalQuotes: {
    what: "the price of quotes of past days",
    contract: "notStated",
    public: "perThousand",
    source: "clause 8.2-cost-historical-quotes; the public page about option quotes"
  }
} as const satisfies Readonly<Record<string, Row>>

/**
 * The name of a difference.
 *
 * @category models
 * @since 0.1.0
 */
export type Name = keyof typeof table

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
export const get = <const P extends Profile, const N extends Name>(profile: P, name: N): (typeof table)[N][P] => {
  Problem.expect(typeof name === "string" && Object.hasOwn(table, name), "name", name, "a difference", "modes")
  return table[name][known(profile)]
}

/**
 * Returns a profile unchanged; throws `ValueError` for anything else.
 *
 * @internal
 */
export const known = <P extends Profile>(profile: P): P =>
  Problem.expect(profile === "contract" || profile === "public", "profile", profile, "contract or public", "contract")
