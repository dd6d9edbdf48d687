/** What the service refuses, by status: all but the successes 200, 203 and 204. */
import * as Schema from "effect/Schema"
import { optional } from "../text/codecs.ts"
import * as NewYork from "../time/NewYork.ts"
import { Body, ofReply, RetryAfter } from "./words.ts"

/**
 * Status 400: the service could not parse or validate the request (clause 7.1-400).
 *
 * @category errors
 * @since 0.1.0
 */
export class BadRequest extends /* @__PURE__ */ ofReply<BadRequest>()("BadRequest", { body: Body }, {
  says: { what: "the service did not accept the request", advice: "Check the parameters" }
}) {}

/**
 * Status 400 for a `date` that is not in the past (clause 7.3-date-errmsg).
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidDate extends /* @__PURE__ */ ofReply<InvalidDate>()("InvalidDate", { body: Body }, {
  says: {
    what: "the service did not accept the date",
    advice: "Expected a past trading day, e.g. 2026-11-20, or no date for current data"
  }
}) {}

/**
 * Status 400 for an option symbol that is not in OCC form (clause 7.3-symbol-errmsg).
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidOptionSymbol
  extends /* @__PURE__ */ ofReply<InvalidOptionSymbol>()("InvalidOptionSymbol", { body: Body }, {
    says: {
      what: "the service did not accept the option symbol",
      advice: "Expected e.g. AAPL261218C00150000: root, YYMMDD, C or P, the strike times 1000 in eight digits"
    }
  })
{}

/**
 * Status 401: the token is missing or invalid (clause 5.7-401).
 *
 * @category errors
 * @since 0.1.0
 */
export class Unauthorized
  extends /* @__PURE__ */ ofReply<Unauthorized>()("Unauthorized", { tokenSent: Schema.Boolean, body: Body }, {
    says: ({ body, tokenSent }) =>
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
  })
{}

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
}, {
  says: ({ cached, cause, years }) => {
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
  }
}) {}

/**
 * Status 403: forbidden by policy (clause 7.1-403).
 *
 * @category errors
 * @since 0.1.0
 */
export class Forbidden extends /* @__PURE__ */ ofReply<Forbidden>()("Forbidden", { body: Body }, {
  says: { what: "the service forbids this request", advice: "Ask its support" }
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
  says: {
    what: "the service has blocked this address for a while, because the account was used from several",
    advice: "Use one address, and wait five minutes"
  }
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
}, {
  says: ({ body, cause, nextTime, prevTime, underlying }) => {
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
  }
}) {}

/**
 * Status 413: the query asks for more than fits into one reply, such as minute candles of more than a year.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooMuchData extends /* @__PURE__ */ ofReply<TooMuchData>()("TooMuchData", { body: Body }, {
  says: { what: "the query asks for more than fits into one reply", advice: "Ask for a shorter time" }
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
}, {
  says: ({ reset }) => ({
    what: "the account has no credits left in this window",
    advice: `Wait for the next window${reset === undefined ? "" : `, which begins at ${NewYork.format(reset)}`}`
  })
}) {}

/**
 * Status 429 because too many requests are in flight or came too fast. `retryAfter` is how long the service asks to wait, in seconds.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooManyRequests
  extends /* @__PURE__ */ ofReply<TooManyRequests>()("TooManyRequests", { retryAfter: RetryAfter, body: Body }, {
    says: ({ retryAfter }) => ({
      what: "too many requests at once",
      advice: `Send fewer in parallel${retryAfter === undefined ? "" : `, and the next after ${retryAfter} seconds`}`
    }),
    retryable: true
  })
{}

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
}, {
  says: ({ retryAfter, status, temporary }) => ({
    what: `the service failed with status ${status}`,
    advice: temporary
      ? `Try again ${retryAfter === undefined ? "in a few minutes" : `after ${retryAfter} seconds`}`
      : "Ask the service's support: this does not pass by itself"
  }),
  retryable: ({ temporary }) => temporary
}) {}

/**
 * A status that is not in the contract.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnexpectedStatus
  extends /* @__PURE__ */ ofReply<UnexpectedStatus>()("UnexpectedStatus", { status: Schema.Int, body: Body }, {
    says: ({ status }) => ({
      what: `status ${status} is not in the service's contract`,
      advice: "Check the base URL and proxies"
    })
  })
{}
