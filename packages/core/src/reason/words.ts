import * as Schema from "effect/Schema"
import { optional } from "../text/field.ts"
import { quote } from "../text/ForeignText.ts"
import * as Amount from "../text/amount.ts"

/**
 * What a failure cost. If the service said what the reply was charged, that decides, and the message says the same as the trace.
 *
 * - `none`: nothing was sent, or it is free by the contract or by the service's figure
 * - `notStated`: the contract does not say; 0 is a named assumption, and the service's figure replaces it (clause 7.1-charge-not-stated)
 * - `possible`: it may have been charged, and nobody can tell
 * - `full`: it was charged
 */
export type Cost = "none" | "notStated" | "possible" | "full"

/** What the service said in words, bounded; empty where it said nothing readable. */
export const Body = Schema.String

/** Quotes what the service said, if anything. */
const said = (body: string): string => body === "" ? "" : ` (it said ${quote(body)})`

/** How long the service asks to be left alone, in seconds, where it says so. */
export const RetryAfter = optional(Schema.Finite)

/**
 * The form of every message about a request: what happened, with the words of the service where it said any, what to do, and what became of the
 * money.
 */
export const message = (
  { advice, body = "", cost, what }: {
    readonly what: string
    readonly body?: string | undefined
    readonly advice: string
    readonly cost: string
  }
): string => `${what}${said(body)}. ${advice}. ${cost}.`

/** Nothing was sent. */
export const unsent = "Nothing was sent"

/** What it cost where an earlier request of the same query was sent. */
export const earlier = "It was not retried; an earlier request may have been charged"

/** Whether an earlier request of the same query was sent, and may have been charged. */
export const WasSent = /* @__PURE__ */ optional(Schema.Boolean)

/** What it cost that a query was refused before anything was sent, unless something was sent earlier. */
export const costAfter = (wasSent: boolean | undefined): Cost => wasSent === true ? "possible" : "none"

/** Says the same. */
export const after = (wasSent: boolean | undefined): string => wasSent === true ? earlier : unsent

/** What a request cost of which the contract says that it is free. */
export const free = "Nothing was charged"

/** What a request cost whose reply does not say. */
export const possible = "The request may have been charged"

/** What a request cost of which the contract does not say so. */
export const taken = "The service states no price for this; it counts as free"

/** What the reply was charged, in credits, where that is known: it is recorded, and the message says the same. */
export const Charged = optional(Schema.Finite)

/** Says what a reply was charged, or else what is said without a figure. */
export const cost = (charged: number | undefined, otherwise: string): string =>
  charged === undefined
    ? otherwise
    : charged === 0
    ? free
    : `It was charged ${Amount.format(charged)}`

/** What a failure cost, by what its reply was charged, or else by its kind. */
export const costOf = (charged: number | undefined, otherwise: Cost): Cost =>
  charged === undefined ? otherwise : charged === 0 ? "none" : "full"
