/**
 * Every way in which a query can fail, as data: what happened, whether asking again can help (`isRetryable`), what it cost (`cost`), and
 * what to do.
 *
 * Reasons are part of the client's `MarketDataError`, and can be encoded, logged and stored. They never hold a token, and what they quote
 * from the service is cut to a fixed length.
 *
 * @example
 * ```ts
 * import * as Reason from "@effect-marketdata/core/Reason"
 * import * as Schema from "effect/Schema"
 *
 * const reason = new Reason.ServerFault({ status: 503, temporary: true, body: "" })
 * reason.isRetryable // => true
 * reason.cost // => "notStated"
 * Schema.encodeSync(Reason.Reason)(reason) // => { _tag: "ServerFault", status: 503, temporary: true, body: "" }
 * ```
 *
 * @see {@link Retry} for which of them are retried
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { Cached, CachedOrLive, DataMode } from "../account/DataMode.ts"
import {
  AlreadySent,
  CreditBudgetExceeded,
  FallbackDeclined,
  GatewayUnavailable,
  GuardUnavailable,
  InvalidQuery,
  IpBlocked,
  LedgerUnavailable,
  RequestLineTooLong
} from "./beforehand.ts"
import * as Refusals from "./refusals.ts"
import {
  MalformedReply,
  NoCachedData,
  NoLiveData,
  ReplyTooLarge,
  TimedOut,
  TransportFailure,
  UnexpectedNoContent
} from "./withoutData.ts"

/**
 * What a failure cost.
 *
 * @since 0.1.0
 */
export type { Cost } from "./words.ts"

/**
 * What is refused before it is sent: a query that breaks a rule, a request line that is too long, a price above the budget, and a price
 * above what the caller consented to. Also what is held back while the service blocks the account, while the ledger of credits, the
 * guard of the address or the account's gateway cannot be used, or because an earlier run of the same call was sent.
 *
 * @since 0.1.0
 */
export * from "./beforehand.ts"

/**
 * What the service refuses, by status: all but the successes 200, 203 and 204.
 *
 * @since 0.1.0
 */
export * from "./refusals.ts"

/**
 * Failures without a refusal: a success without content, and a reply that was lost, came too late, cannot be read or is too large.
 *
 * @since 0.1.0
 */
export * from "./withoutData.ts"

/** What the reply to any query can say, whatever its mode: each refusal, and what can be wrong with the reply itself. */
const ofAnyReply = [
  RequestLineTooLong,
  ...Object.values(Refusals),
  MalformedReply,
  ReplyTooLarge
] as const

/** What the reply to a query in some modes can say besides. */
const ofSomeReplies = [NoCachedData, UnexpectedNoContent, NoLiveData] as const

/** What is told without a reply. */
const withoutReply = [
  InvalidQuery,
  CreditBudgetExceeded,
  LedgerUnavailable,
  AlreadySent,
  GuardUnavailable,
  IpBlocked,
  GatewayUnavailable,
  FallbackDeclined,
  TimedOut,
  TransportFailure
] as const

const all = [...withoutReply, ...ofAnyReply, ...ofSomeReplies] as const

/**
 * Every reason.
 *
 * @category errors
 * @since 0.1.0
 */
export type Reason = OfReply | InstanceType<typeof withoutReply[number]>

/**
 * The schema of every reason, to store and to read them.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Reason: Schema.Codec<Reason, { readonly _tag: Reason["_tag"] }> = /* @__PURE__ */ Schema.Union(all)

/**
 * The names of all reasons.
 *
 * @category constants
 * @since 0.1.0
 */
export const tags: ReadonlyArray<string> = /* @__PURE__ */ all.map(({ identifier }) => identifier)

/**
 * Returns the same reason for a query of which an earlier request was sent, and may have been charged. A ledger or a guard that refuses a request does
 * not know of earlier ones, and says that nothing was sent. Reasons without `wasSent` are returned as they are.
 *
 * @example
 * ```ts
 * import * as Reason from "@effect-marketdata/core/Reason"
 *
 * const refused = new Reason.LedgerUnavailable({ detail: "the disk is full" })
 * refused.cost // => "none"
 * Reason.afterSending(refused).cost // => "possible"
 * ```
 *
 * @category errors
 * @since 0.1.0
 */
export const afterSending = (reason: Reason): Reason => {
  // The cause of an error is not among what is spread.
  switch (reason._tag) {
    case "CreditBudgetExceeded":
      return new CreditBudgetExceeded({ ...reason, cause: reason.cause, wasSent: true })
    case "GatewayUnavailable":
      return new GatewayUnavailable({ ...reason, cause: reason.cause, wasSent: true })
    case "GuardUnavailable":
      return new GuardUnavailable({ ...reason, wasSent: true })
    case "IpBlocked":
      return new IpBlocked({ ...reason, wasSent: true })
    case "LedgerUnavailable":
      return new LedgerUnavailable({ ...reason, wasSent: true })
    default:
      return reason
  }
}

/**
 * The reasons that a reply can bring.
 *
 * @category errors
 * @since 0.1.0
 */
export type OfReply = OfAnyReply | InstanceType<typeof ofSomeReplies[number]>

/**
 * The reasons that the reply to any query can bring, whatever its mode.
 *
 * @category errors
 * @since 0.1.0
 */
export type OfAnyReply = InstanceType<typeof ofAnyReply[number]>

/**
 * The reasons that the reply to a query in this mode can bring, 204 included. It distributes over a union of modes. It is an interface
 * with one property so that editors show the reasons instead of the name of a type.
 *
 * @category errors
 * @since 0.1.0
 */
export interface InReplyTo<Mode extends DataMode | undefined> {
  readonly reason:
    | InstanceType<typeof ofAnyReply[number]>
    | (Mode extends CachedOrLive ? NoLiveData | FallbackDeclined
      : Mode extends Cached ? NoCachedData
      : UnexpectedNoContent)
}
