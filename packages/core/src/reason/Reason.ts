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
import * as ForeignText from "../text/ForeignText.ts"
import { optional } from "../text/json.ts"
import * as Problem from "../text/Problem.ts"
import * as NewYork from "../time/NewYork.ts"
import * as BeforeSending from "./beforeSending.ts"
import { Body, ofReply, RetryAfter } from "./words.ts"

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

// What the service refuses, by status: all but the successes 200, 203 and 204.

/**
 * Status 400: the service could not parse or validate the request (clause 7.1-400).
 *
 * @category errors
 * @since 0.1.0
 */
export class BadRequest extends /* @__PURE__ */ ofReply<BadRequest>()("BadRequest", { body: Body }, {
  what: "the service did not accept the request",
  advice: "Check the parameters"
}) {}

/**
 * Status 400 for a `date` that is not in the past (clause 7.3-date-errmsg).
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidDate extends /* @__PURE__ */ ofReply<InvalidDate>()("InvalidDate", { body: Body }, {
  what: "the service did not accept the date",
  advice: "Expected a past trading day, e.g. 2026-11-20, or no date for current data"
}) {}

/**
 * Status 400 for an option symbol that is not in OCC form (clause 7.3-symbol-errmsg).
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidOptionSymbol
  extends /* @__PURE__ */ ofReply<InvalidOptionSymbol>()("InvalidOptionSymbol", { body: Body }, {
    what: "the service did not accept the option symbol",
    advice: "Expected e.g. AAPL261218C00150000: root, YYMMDD, C or P, the strike times 1000 in eight digits"
  })
{}

/**
 * Status 401: the token is missing or invalid (clause 5.7-401).
 *
 * @category errors
 * @since 0.1.0
 */
export class Unauthorized extends /* @__PURE__ */ ofReply<Unauthorized>()(
  "Unauthorized",
  { tokenSent: Schema.Boolean, body: Body },
  ({ body, tokenSent }) =>
    tokenSent
      ? {
        what: "the service did not accept the token",
        advice: /no credentials/i.test(body)
          ? "Check proxies: one may have removed the token that was sent"
          : "Check MARKETDATA_TOKEN, or request a new token in the dashboard"
      }
      : {
        what: "the service requires a token",
        advice: "Sign in to its dashboard and request one: it comes by e-mail; then set MARKETDATA_TOKEN"
      }
) {}

/**
 * Status 402: the plan or its entitlements do not cover the request, such as cached data on a free or trial plan (clauses 7.1-402 and
 * 8.2-access). `cached` says whether cached data were asked for. `cause` is `HistoryDepth` for a day before those of the plan (`years` is
 * how many it covers, if the service says so), `PremiumEndpoint` for an endpoint of other plans, and undefined if it is not known.
 *
 * @category errors
 * @since 0.1.0
 */
export class PlanRequired extends /* @__PURE__ */ ofReply<PlanRequired>()("PlanRequired", {
  cached: Schema.Boolean,
  cause: /* @__PURE__ */ optional(/* @__PURE__ */ Schema.Literals(["HistoryDepth", "PremiumEndpoint"])),
  years: /* @__PURE__ */ optional(Schema.Int),
  body: Body
}, ({ cached, cause, years }) => {
  const days = years === undefined ? "the days" : years === 1 ? "the last year" : `the last ${years} years`
  return {
    what: "the account's plan does not cover this request",
    advice: cause === "HistoryDepth"
      ? `Ask for a day within ${days} that it covers, or change the plan`
      : cached
      ? "Leave the mode out: free and trial plans have no cached data"
      : cause === "PremiumEndpoint"
      ? "Change to a paid plan: this endpoint is for paid plans only"
      : "Ask for less, or change the plan"
  }
}) {}

/**
 * Status 403: forbidden by policy (clause 7.1-403).
 *
 * @category errors
 * @since 0.1.0
 */
export class Forbidden extends /* @__PURE__ */ ofReply<Forbidden>()("Forbidden", { body: Body }, {
  what: "the service forbids this request",
  advice: "Ask its support"
}) {}

/**
 * Status 403 because the account was used from several addresses; the block ends by itself (clause 5.6-single-ip). The service may name
 * the addresses: the one that keeps working, and the blocked one.
 *
 * @category errors
 * @since 0.1.0
 */
export class AddressBlocked extends /* @__PURE__ */ ofReply<AddressBlocked>()("AddressBlocked", {
  authorizedIP: /* @__PURE__ */ optional(Schema.String),
  blockedIP: /* @__PURE__ */ optional(Schema.String),
  body: Body
}, {
  what: "the service has blocked this address for a while, because the account was used from several",
  advice: "Use one address, and wait five minutes"
}) {}

const absent = {
  UnknownSymbol: "the service knows no such symbol",
  UnknownOption: "the service knows no such option",
  MarketClosed: "the market was closed on that day",
  NoData: "the service has no data for this"
} as const

/**
 * Status 404: a well-formed query about something that does not exist (clause 7.3-400-vs-404). `cause` is what the service said is
 * missing, undefined if it said nothing known. `prevTime` and `nextTime` are the nearest times with data, in epoch seconds, if the
 * service named them. `underlying` is what to ask for if the symbol was the root of options on it, such as SPXW.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotFound extends /* @__PURE__ */ ofReply<NotFound>()("NotFound", {
  cause: /* @__PURE__ */ optional(
    /* @__PURE__ */ Schema.Literals(["UnknownSymbol", "UnknownOption", "MarketClosed", "NoData"])
  ),
  prevTime: /* @__PURE__ */ optional(Schema.Finite),
  nextTime: /* @__PURE__ */ optional(Schema.Finite),
  underlying: /* @__PURE__ */ optional(Schema.String),
  body: Body
}, ({ body, cause, nextTime, prevTime, underlying }) => {
  const nearest = [["before", prevTime], ["after", nextTime]].flatMap(([where, time]) =>
    typeof time === "number" ? [`${where} it at ${NewYork.format(time)}`] : []
  )
  const check = underlying === undefined ? "Check" : `Ask for ${underlying}, or check`
  return {
    what: cause === undefined ? "the service knows no such symbol, or has no data for it" : absent[cause],
    // The words of web servers and proxies about a path that they do not have.
    advice: `${check} ${/not found/i.test(cause ?? body) ? "base URL, proxies, " : ""}symbol, date and filters` +
      (nearest.length === 0 ? "" : `; there are data ${nearest.join(" and ")}`)
  }
}) {}

/**
 * Status 413: the query asks for more than fits into one reply, such as minute candles of more than a year.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooMuchData extends /* @__PURE__ */ ofReply<TooMuchData>()("TooMuchData", { body: Body }, {
  what: "the query asks for more than fits into one reply",
  advice: "Ask for a shorter time"
}) {}

/**
 * Status 429 because the account's credits are used up. `reset` is when the allowance is full again, in epoch seconds, if the service
 * says so.
 *
 * @category errors
 * @since 0.1.0
 */
export class CreditsExhausted extends /* @__PURE__ */ ofReply<CreditsExhausted>()("CreditsExhausted", {
  reset: /* @__PURE__ */ optional(Schema.Finite),
  body: Body
}, ({ reset }) => ({
  what: "the account has no credits left in this window",
  advice: `Wait for the next window${reset === undefined ? "" : `, which begins at ${NewYork.format(reset)}`}`
})) {}

/**
 * Status 429 because too many requests are in flight or came too fast. `retryAfter` is how long the service asks to wait, in seconds.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooManyRequests extends /* @__PURE__ */ ofReply<TooManyRequests>()(
  "TooManyRequests",
  { retryAfter: RetryAfter, body: Body },
  ({ retryAfter }) => ({
    what: "too many requests at once",
    advice: retryAfter === undefined
      ? "Send fewer in parallel"
      : `Send fewer in parallel, and the next after ${retryAfter} second${retryAfter === 1 ? "" : "s"}`
  }),
  { retryable: true }
) {}

/**
 * A status of 500 or above, but for 511. `temporary` is true for faults that pass, and false for those that need the service's support. `retryAfter`
 * is how long the service asks to wait, in seconds.
 *
 * @category errors
 * @since 0.1.0
 */
export class ServerFault extends /* @__PURE__ */ ofReply<ServerFault>()("ServerFault", {
  status: Schema.Int,
  temporary: Schema.Boolean,
  retryAfter: RetryAfter,
  body: Body
}, ({ retryAfter, status, temporary }) => ({
  what: `the service failed with status ${status}`,
  advice: temporary
    ? `Try again ${retryAfter === undefined ? "in a few minutes" : `after ${retryAfter} seconds`}`
    : "Ask the service's support: this does not pass by itself"
}), { retryable: ({ temporary }) => temporary }) {}

/**
 * A status that is not in the contract. 408 is retried: a server or a proxy closed an idle connection, and did not read the request.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnexpectedStatus extends /* @__PURE__ */ ofReply<UnexpectedStatus>()(
  "UnexpectedStatus",
  { status: Schema.Int, body: Body },
  ({ status }) => ({
    what: `status ${status} is not in the service's contract`,
    advice: "Check the base URL and proxies"
  }),
  { retryable: ({ status }) => status === 408 }
) {}

// Failures without a refusal: a success without content, and a reply that was lost, came too late, cannot be read or is too large.

/** What a request cost that may not have reached the service. */
const perhaps = ({ mayHaveBeenCharged }: { readonly mayHaveBeenCharged: boolean }) =>
  mayHaveBeenCharged ? "possible" : "free"

/**
 * Status 204 to a request for cached data: a miss, nothing cached is young enough. It is free (clauses 7.1-204 and 8.3-miss).
 *
 * @category errors
 * @since 0.1.0
 */
export class NoCachedData extends /* @__PURE__ */ ofReply<NoCachedData>()("NoCachedData", {}, {
  what: "nothing cached is young enough",
  advice: "Allow a greater maxAge, or ask for live data"
}, { otherwise: "free" }) {}

/**
 * Status 204 to a request that was not for cached data. It is an error, and never an empty table (clause 7.1-204-elsewhere).
 *
 * @category errors
 * @since 0.1.0
 */
export class UnexpectedNoContent extends /* @__PURE__ */ ofReply<UnexpectedNoContent>()("UnexpectedNoContent", {}, {
  what: "status 204 without data answered a request that was not for cached data",
  advice: "Check base URL and proxies"
}, { otherwise: "free" }) {}

/**
 * Status 204 to the live request after a cached miss (clause 8.3-fallback).
 *
 * @category errors
 * @since 0.1.0
 */
export class NoLiveData extends /* @__PURE__ */ ofReply<NoLiveData>()("NoLiveData", {}, {
  what: "nothing is cached, and the live request was answered with status 204 and no data",
  advice: "Try again later"
}, { otherwise: "free" }) {}

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
}, ({ detail }) => ({
  what: `the service could not be reached, or its reply was lost: ${ForeignText.line(detail, 160)}`,
  advice: "Check the base URL and the network"
}), { retryable: ({ unreadable }) => unreadable !== true, otherwise: perhaps }) {}

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
}, ({ limit, milliseconds }) => ({
  what: `no complete reply arrived within ${milliseconds} ms, the time limit of ${
    limit === "attempt" ? "one attempt" : "the query with all its attempts"
  }`,
  advice: "Ask for less, or allow more time"
}), { retryable: ({ limit }) => limit === "attempt", otherwise: perhaps }) {}

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
}, ({ body, code, detail }) => ({
  what: ForeignText.line(detail, 200),
  advice: body === undefined || code === "NotOk"
    ? "Keep the reply for the service's support"
    : "Check the base URL and proxies"
}), { otherwise: "possible" }) {}

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
}, ({ configured, limit, unit }) => ({
  what: `the reply is larger than the ${limit} ${unit} that ${
    configured ? "this client accepts" : "this endpoint can have"
  }`,
  advice: configured
    ? "Ask for fewer columns or rows, or raise maxReplyBytes"
    : "Check base URL and proxies, or ask for fewer columns or rows"
}), { otherwise: "possible" }) {}

/** What the reply to any query can say, whatever its mode: each refusal, and what can be wrong with the reply itself. */
const ofAnyReply = [
  BeforeSending.RequestLineTooLong,
  AddressBlocked,
  BadRequest,
  CreditsExhausted,
  Forbidden,
  InvalidDate,
  InvalidOptionSymbol,
  NotFound,
  PlanRequired,
  ServerFault,
  TooManyRequests,
  TooMuchData,
  Unauthorized,
  UnexpectedStatus,
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
