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
import { optional } from "../text/codecs.ts"
import * as ForeignText from "../text/ForeignText.ts"
import * as Problem from "../text/Problem.ts"
import * as BeforeSending from "./beforeSending.ts"
import * as Refusals from "./refusals.ts"
import { Body, free, ofReply, possible } from "./words.ts"

/**
 * Advice on a refused query, as data: options that together bring it under the limit, and what it may then cost at most, in credits.
 *
 * @example
 * ```ts
 * import * as Reason from "@effect-marketdata/core/Reason"
 *
 * Reason.formatAdvice({ options: { expiration: null, dte: 30 } }) // => "dte: 30, expiration: undefined"
 * ```
 *
 * @category models
 * @since 0.1.0
 */
export { Advice, formatAdvice } from "./words.ts"

/**
 * What a failure cost.
 *
 * @since 0.1.0
 */
export type { Cost } from "./words.ts"

/**
 * The sentences of a message, each by itself, and how they are printed.
 *
 * @example
 * ```ts
 * import * as Reason from "@effect-marketdata/core/Reason"
 *
 * const { said } = new Reason.ServerFault({ status: 503, temporary: true, body: "", charged: 0 })
 * Reason.formatSaid({ ...said, advice: "" }) // => "the service failed with status 503. Nothing was charged."
 * ```
 *
 * @since 0.1.0
 */
export { formatSaid, type Said } from "./words.ts"

/**
 * What is refused before it is sent.
 *
 * @since 0.1.0
 */
export * from "./beforeSending.ts"

/**
 * What the service refuses, by status.
 *
 * @since 0.1.0
 */
export * from "./refusals.ts"

// Failures without a refusal: a success without content, and a reply that was lost, came too late, cannot be read or is too large.

/** What a request cost that may not have reached the service. */
const perhaps = ({ mayHaveBeenCharged }: { readonly mayHaveBeenCharged: boolean }) =>
  mayHaveBeenCharged ? possible : free

/**
 * Status 204 to a request for cached data: a miss, nothing cached is young enough. It is free (clauses 7.1-204 and 8.3-miss).
 *
 * @category errors
 * @since 0.1.0
 */
export class NoCachedData extends /* @__PURE__ */ ofReply<NoCachedData>()("NoCachedData", {}, {
  says: { what: "nothing cached is young enough", advice: "Allow a greater maxAge, or ask for live data" },
  otherwise: free
}) {}

/**
 * Status 204 to a request that was not for cached data. It is an error, and never an empty table (clause 7.1-204-elsewhere).
 *
 * @category errors
 * @since 0.1.0
 */
export class UnexpectedNoContent extends /* @__PURE__ */ ofReply<UnexpectedNoContent>()("UnexpectedNoContent", {}, {
  says: {
    what: "status 204 without data answered a request that was not for cached data",
    advice: "Check base URL and proxies"
  },
  otherwise: free
}) {}

/**
 * Status 204 to the live request after a cached miss (clause 8.3-fallback).
 *
 * @category errors
 * @since 0.1.0
 */
export class NoLiveData extends /* @__PURE__ */ ofReply<NoLiveData>()("NoLiveData", {}, {
  says: {
    what: "nothing is cached, and the live request was answered with status 204 and no data",
    advice: "Try again later"
  },
  otherwise: free
}) {}

/**
 * The request or its reply was lost. `detail` names the innermost cause; `mayHaveBeenCharged` is false if nothing can have reached the
 * service. `unreadable` is true if the head of the reply is one that no client can read: the next would be the same, and may be charged again.
 *
 * @category errors
 * @since 0.1.0
 */
export class TransportFailure extends /* @__PURE__ */ ofReply<TransportFailure>()("TransportFailure", {
  detail: Schema.String,
  mayHaveBeenCharged: Schema.Boolean,
  unreadable: /* @__PURE__ */ optional(Schema.Boolean)
}, {
  says: ({ detail }) => ({
    what: `the service could not be reached, or its reply was lost: ${ForeignText.line(detail, 160)}`,
    advice: "Check the base URL and the network"
  }),
  retryable: ({ unreadable }) => unreadable !== true,
  otherwise: perhaps
}) {}

/**
 * No complete reply arrived in time. `limit` says which time limit was reached: that of one attempt, which may be retried, or that of the query
 * with all its attempts and waits. `mayHaveBeenCharged` is false if no request was sent, or if every request was answered.
 *
 * @category errors
 * @since 0.1.0
 */
export class TimedOut extends /* @__PURE__ */ ofReply<TimedOut>()("TimedOut", {
  limit: /* @__PURE__ */ Schema.Literals(["attempt", "deadline"]),
  milliseconds: Schema.Finite,
  mayHaveBeenCharged: Schema.Boolean
}, {
  says: ({ limit, milliseconds }) => ({
    what: `no complete reply arrived within ${milliseconds} ms, the time limit of ${
      limit === "attempt" ? "one attempt" : "the query with all its attempts"
    }`,
    advice: "Ask for less, or allow more time"
  }),
  retryable: ({ limit }) => limit === "attempt",
  otherwise: perhaps
}) {}

/**
 * A success whose body cannot be read; it may have been charged. The fields are those of `DecodeError`. If the body holds an error in
 * spite of the status, or a page, such as that of a proxy, `body` is what it says.
 *
 * @category errors
 * @since 0.1.0
 */
export class MalformedReply extends /* @__PURE__ */ ofReply<MalformedReply>()("MalformedReply", {
  code: Schema.String,
  column: /* @__PURE__ */ optional(Schema.String),
  index: /* @__PURE__ */ optional(Schema.Int),
  detail: Schema.String,
  body: /* @__PURE__ */ optional(Body)
}, {
  says: ({ body, code, detail }) => ({
    what: ForeignText.line(detail, 200),
    advice: body === undefined || code === "NotOk"
      ? "Keep the reply for the service's support"
      : "Check the base URL and proxies"
  }),
  otherwise: possible
}) {}

/**
 * A success whose body is larger than the client accepts, in rows or in uncompressed bytes. The rest was not fetched, but the reply may
 * have been charged. The limit is the client's own if it is `configured`, otherwise the most that a reply of that endpoint can have.
 *
 * @category errors
 * @since 0.1.0
 */
export class ReplyTooLarge extends /* @__PURE__ */ ofReply<ReplyTooLarge>()("ReplyTooLarge", {
  limit: Schema.Int,
  unit: /* @__PURE__ */ Schema.Literals(["bytes", "rows"]),
  configured: Schema.Boolean
}, {
  says: ({ configured, limit, unit }) => ({
    what: `the reply is larger than the ${limit} ${unit} that ${
      configured ? "this client accepts" : "this endpoint can have"
    }`,
    advice: configured
      ? "Ask for fewer columns or rows, or raise maxReplyBytes"
      : "Check base URL and proxies, or ask for fewer columns or rows"
  }),
  otherwise: possible
}) {}

/** What the reply to any query can say, whatever its mode: each refusal, and what can be wrong with the reply itself. */
const ofAnyReply = [
  BeforeSending.RequestLineTooLong,
  Refusals.AddressBlocked,
  Refusals.BadRequest,
  Refusals.CreditsExhausted,
  Refusals.Forbidden,
  Refusals.InvalidDate,
  Refusals.InvalidOptionSymbol,
  Refusals.NotFound,
  Refusals.PlanRequired,
  Refusals.ServerFault,
  Refusals.TooManyRequests,
  Refusals.TooMuchData,
  Refusals.Unauthorized,
  Refusals.UnexpectedStatus,
  MalformedReply,
  ReplyTooLarge
] as const

/** What the reply to a query in some modes can say besides. */
const ofSomeReplies = [NoCachedData, UnexpectedNoContent, NoLiveData] as const

/** What is told without a reply. */
const withoutReply = [
  BeforeSending.InvalidQuery,
  BeforeSending.CreditBudgetExceeded,
  BeforeSending.LedgerUnavailable,
  BeforeSending.AlreadySent,
  BeforeSending.GuardUnavailable,
  BeforeSending.IpBlocked,
  BeforeSending.GatewayUnavailable,
  BeforeSending.FallbackDeclined,
  TimedOut,
  TransportFailure
] as const

// A bundler drops a call that is marked as pure, and keeps a list that is spread.
const all = /* @__PURE__ */ (() => [...withoutReply, ...ofAnyReply, ...ofSomeReplies] as const)()

/**
 * Every reason.
 *
 * @category errors
 * @since 0.1.0
 */
export type Reason = OfReply | InstanceType<typeof withoutReply[number]>

/**
 * The schema of every reason, to store and to read them. It is made when it is first used, because making it takes a quarter of the time of importing
 * core.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Reason: Schema.Codec<Reason, { readonly _tag: Reason["_tag"] }> = /* @__PURE__ */ Schema.suspend(() =>
  Schema.Union(all)
)

/**
 * The names of all reasons.
 *
 * @example
 * ```ts
 * import * as Reason from "@effect-marketdata/core/Reason"
 *
 * Reason.tags.includes("CreditBudgetExceeded") // => true
 * ```
 *
 * @category constants
 * @since 0.1.0
 */
export const tags: ReadonlyArray<string> = /* @__PURE__ */ all.map(({ identifier }) => identifier)

/**
 * Returns a reason unchanged; throws `ValueError` for anything else.
 *
 * @internal
 */
export const known = /* @__PURE__ */ Problem.guard("reason", "error.reason", { _tag: "", isRetryable: true })

/**
 * Returns the same reason for a query that has sent an earlier request, which may have been charged. A ledger or a guard that refuses a request does
 * not know of earlier ones, and says that nothing was sent. `wasSent` is `"free"` if none of them was charged, such as a cached miss. Reasons without
 * `wasSent` are returned unchanged.
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
export const afterSending = (reason: Reason, wasSent: true | "free" = true): Reason => {
  known(reason)
  // The cause of an error is not among what is spread.
  switch (reason._tag) {
    case "CreditBudgetExceeded":
      return new BeforeSending.CreditBudgetExceeded({ ...reason, cause: reason.cause, wasSent })
    case "GatewayUnavailable":
      return new BeforeSending.GatewayUnavailable({ ...reason, cause: reason.cause, wasSent })
    case "GuardUnavailable":
      return new BeforeSending.GuardUnavailable({ ...reason, wasSent })
    case "IpBlocked":
      return new BeforeSending.IpBlocked({ ...reason, wasSent })
    case "LedgerUnavailable":
      return new BeforeSending.LedgerUnavailable({ ...reason, wasSent })
    default:
      return reason
  }
}

/**
 * The reasons that a reply can cause.
 *
 * @category errors
 * @since 0.1.0
 */
export type OfReply = OfAnyReply | InstanceType<typeof ofSomeReplies[number]>

/**
 * The reasons that the reply to any query can cause, whatever its mode.
 *
 * @category errors
 * @since 0.1.0
 */
export type OfAnyReply = InstanceType<typeof ofAnyReply[number]>

/**
 * The reasons that the reply to a query in this mode can cause, 204 included. It distributes over a union of modes. It is an interface
 * with one property so that editors show the reasons instead of the name of a type.
 *
 * @category errors
 * @since 0.1.0
 */
export interface InReplyTo<Mode extends DataMode | undefined> {
  readonly reason:
    | InstanceType<typeof ofAnyReply[number]>
    | (Mode extends Exclude<DataMode, Cached | CachedOrLive> | undefined ? UnexpectedNoContent
      : Mode extends Cached ? NoCachedData
      : NoLiveData | BeforeSending.FallbackDeclined)
}
