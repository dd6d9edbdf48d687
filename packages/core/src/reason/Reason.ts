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
import * as Amount from "../text/amount.ts"
import { optional } from "../text/field.ts"
import * as ForeignText from "../text/ForeignText.ts"
import * as Problem from "../text/Problem.ts"
import * as NewYork from "../time/NewYork.ts"
import {
  Advice,
  Body,
  earlier,
  formatAdvice,
  free,
  ofReply,
  possible,
  reason,
  RetryAfter,
  unsent,
  WasSent
} from "./words.ts"

/**
 * Ways out of a refusal, as data: each holds options that are enough together, and what the query may then cost at most.
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
export { Advice, formatAdvice }

/**
 * What a failure cost.
 *
 * @since 0.1.0
 */
export type { Cost } from "./words.ts"

/**
 * The sentences of a message, each by itself.
 *
 * @since 0.1.0
 */
export type { Said } from "./words.ts"

// What is refused before it is sent.

/** What it cost that a query was held back, unless something was sent earlier. */
const afterwards = ({ wasSent }: { readonly wasSent?: boolean | undefined }) => wasSent === true ? earlier : unsent

/** The size that the bound was computed from, where it needs one. */
const goingBy = (size: string | undefined): string => size === undefined ? "" : ` (${ForeignText.line(size, 100)})`

/** Options of which any is enough; nothing where there is none. */
const adding = (advice: ReadonlyArray<Advice> = []): string | undefined =>
  advice.length === 0 ? undefined : `add ${advice.map(formatAdvice).join(", or ")}, with your own values`

/** What to do where nothing bounds the cost. */
const stating = (options: string | undefined): string =>
  options === undefined ? "Say with assume what it costs at most" : `A${options.slice(1)}`

/**
 * The query was refused before anything was sent, because a parameter breaks a rule. It costs nothing.
 *
 * - `value`: the given value as a program would write it, of bounded length: `"AAPL"` is a text, `5` a number
 * - `rule`: the words after the value: "must be a positive integer"
 * - `example`: a value that keeps the rule
 * - `against`, `limit`: the option or the endpoint that the rule names behind its words, where it names one, and the value of that option
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidQuery extends /* @__PURE__ */ reason<InvalidQuery>()("InvalidQuery", {
  parameter: Schema.String,
  value: Schema.String,
  rule: Schema.String,
  example: Schema.String,
  against: /* @__PURE__ */ Schema.optionalKey(Schema.String),
  limit: /* @__PURE__ */ Schema.optionalKey(Schema.String)
}, {
  // A problem is a sentence of its own, and says what would be right.
  says: (self) => ({
    what: Problem.format(`${ForeignText.line(self.parameter, 60)} ${self.value}`, self).slice(0, -1),
    advice: ""
  })
}) {
  /** Makes the reason from the value itself, which is shown bounded; what looks like a token in it is not kept. */
  static of(parameter: string, value: unknown, { against, example, limit, rule }: Problem.Problem): InvalidQuery {
    return new InvalidQuery({
      parameter,
      value: Problem.shown(value),
      rule,
      example,
      ...against && { against },
      ...limit && { limit }
    })
  }
}

/**
 * The request line is longer than 4094 bytes. It was refused here before it was sent, or by the web server in front of the service, which
 * charges nothing and logs nothing (clauses 7.3-html-400 and 8.1-request-line). `bytes` is its length; undefined if the web server
 * refused it.
 *
 * @category errors
 * @since 0.1.0
 */
export class RequestLineTooLong extends /* @__PURE__ */ reason<RequestLineTooLong>()("RequestLineTooLong", {
  bytes: /* @__PURE__ */ optional(Schema.Int)
}, {
  says: ({ bytes }) => ({
    what: `the request line${bytes === undefined ? "" : ` of ${bytes} bytes`} is over the limit of 4094 bytes`,
    advice: "Ask for fewer symbols at once, or use a shorter base URL"
  }),
  otherwise: () => free
}) {}

/**
 * The budget does not cover the query, or another request of it. The cause is one of these:
 * - `Unbounded`: the query has no upper bound, and a budget needs one
 * - `Insufficient`: `bound` credits may be charged (undefined without an upper bound), and `available` are left
 * - `NoAllowance`: the budget is 0 credits, or no allowance was given
 *
 * `renews` is when an allowance that is full again by itself will be so, in epoch seconds. `size` is the size of a chain from which `bound` was computed, such
 * as `22,718 contracts, seen 1 hour ago`. `wasSent` is true if an earlier request of the query was sent and may have been charged. Any entry of `advice` brings the query under the budget when it is added to its options: see `Credits.advice`.
 *
 * @category errors
 * @since 0.1.0
 */
export class CreditBudgetExceeded extends /* @__PURE__ */ reason<CreditBudgetExceeded>()("CreditBudgetExceeded", {
  cause: /* @__PURE__ */ Schema.Literals(["Unbounded", "Insufficient", "NoAllowance"]),
  bound: /* @__PURE__ */ optional(Schema.Finite),
  size: /* @__PURE__ */ optional(Schema.String),
  available: Schema.Finite,
  renews: /* @__PURE__ */ optional(Schema.Finite),
  wasSent: WasSent,
  advice: /* @__PURE__ */ optional(/* @__PURE__ */ Schema.Array(Advice))
}, {
  says: ({ advice, available, bound, cause, renews, size }) => {
    const options = adding(advice)
    // What is full again by itself is an allowance; what is not, somebody set for these calls.
    const budget = renews === undefined ? "budget" : "allowance"
    const left = `the ${budget} ${available > 0 ? `has ${Amount.format(available)} left` : "is used up"}` +
      (renews === undefined ? "" : ` until ${NewYork.format(renews)}`)
    switch (cause) {
      case "NoAllowance":
        return {
          what: "the budget is 0 credits, and the query may cost some",
          advice:
            "Set an allowance, e.g. CreditLedger.layerMemory({ allowance: 10_000 }), or count without a limit with " +
            "CreditLedger.layerUnlimited"
        }
      case "Unbounded":
        return { what: `the cost of the query has no upper bound, and ${left}`, advice: stating(options) }
      case "Insufficient":
        return {
          what: `the query ${
            bound === undefined ? "is not free" : `may cost ${Amount.format(bound)}${goingBy(size)}`
          }, and ${left}`,
          advice: `Ask for less, ${renews === undefined ? "" : "wait, "}or raise the ${budget}` +
            (options === undefined ? "" : `; if less comes back than that, ${options}`)
        }
    }
  },
  otherwise: afterwards
}) {}

/**
 * Nothing cached is young enough, and live data were declined or not asked for again. They may cost `price` credits, and `ceiling` is
 * what the caller consented to. `price` is undefined without an upper bound; such a price fits no ceiling. `size` is the size of a chain that
 * the price goes by, such as `22,718 contracts, seen 1 hour ago`.
 *
 * If live requests of the query were sent before, `charged` is what they were charged, and `uncertain` what they may have been charged in
 * addition, at most, because a reply was lost or is still on its way. Both count against the ceiling. Any entry of `advice` brings the
 * query under the ceiling when it is added to its options: see `Credits.advice`.
 *
 * @category errors
 * @since 0.1.0
 */
export class FallbackDeclined extends /* @__PURE__ */ reason<FallbackDeclined>()("FallbackDeclined", {
  price: /* @__PURE__ */ optional(Schema.Finite),
  size: /* @__PURE__ */ optional(Schema.String),
  ceiling: Schema.Finite,
  charged: /* @__PURE__ */ optional(Schema.Finite),
  uncertain: /* @__PURE__ */ optional(Schema.Finite),
  advice: /* @__PURE__ */ optional(/* @__PURE__ */ Schema.Array(Advice))
}, {
  says: ({ advice, ceiling, charged = 0, price, size, uncertain = 0 }) => {
    const options = adding(advice)
    if (charged > 0 || uncertain > 0) {
      const another = price === undefined
        ? "the cost of another request has no upper bound"
        : `another request may cost ${Amount.format(price)}`
      return { what: `live data was not asked for again: ${another}`, advice: "Raise the ceiling, or ask again later" }
    }
    return price === undefined
      ? {
        what: `nothing cached is young enough, the price of live data is unknown, and you consented to ${
          Amount.format(ceiling)
        }`,
        advice: `${stating(options)}, or consent to any price with CacheFallback.layerAlways`
      }
      : {
        what:
          `nothing cached is young enough, and live data may cost ${Amount.format(price)}${
            goingBy(size)
          }, more than the ` +
          `${Amount.grouped(ceiling)} that you consented to`,
        advice: "Raise the ceiling, or allow a greater maxAge" +
          (options === undefined ? "" : `; if less comes back than that, ${options}`)
      }
  },
  otherwise: ({ ceiling, charged = 0, uncertain = 0 }) => {
    if (!(charged > 0 || uncertain > 0)) return free
    const certain = charged === 0 ? "" : `${charged} were charged`
    const perhaps = uncertain === 0 ? "" : `up to ${uncertain}${charged === 0 ? "" : " more"} may have been charged`
    const spent = [certain, perhaps].filter((text) => text !== "").join(" and ")
    return ["possible", `Of the ${Amount.format(ceiling)} that you consented to, ${spent}`]
  }
}) {}

/**
 * The service has blocked this account's requests for a while, as it said in an earlier reply, and this request was held back (clause
 * 5.6-single-ip). `until` is the time that must pass, in epoch seconds; undefined while a first request finds out whether the block is
 * over. `wasSent` is true if an earlier request of the query was sent and may have been charged.
 *
 * @category errors
 * @since 0.1.0
 */
export class IpBlocked extends /* @__PURE__ */ reason<IpBlocked>()("IpBlocked", {
  until: /* @__PURE__ */ optional(Schema.Finite),
  wasSent: WasSent
}, {
  says: ({ until }) => ({
    what: `the service has blocked this account's requests, and no other is sent ${
      until === undefined ? "until a first request is answered" : `until after ${NewYork.format(until)}`
    }`,
    advice: "Use one address, and ask again later"
  }),
  otherwise: afterwards
}) {}

/**
 * The ledger of credits could not be read or written, so nothing may be spent. Only a ledger that is kept outside of the program's memory
 * fails in this way, such as one in a database whose disk is full. `detail` says what was wrong. `wasSent` is true if an earlier request of
 * the query was sent and may have been charged.
 *
 * @category errors
 * @since 0.1.0
 */
export class LedgerUnavailable extends /* @__PURE__ */ reason<LedgerUnavailable>()(
  "LedgerUnavailable",
  { detail: Schema.String, wasSent: WasSent },
  {
    says: ({ detail }) => ({
      what: `the ledger of credits cannot be used: ${ForeignText.line(detail, 200)}`,
      advice: "Ask again when that is mended"
    }),
    otherwise: afterwards
  }
) {}

/**
 * A request of the call was sent before, by another run of it, and its answer is not here: it may have been charged, so that nothing is
 * sent again. Only a call with a claim fails in this way. `key` is the key of the claim; `time` is when that request was sent, in epoch
 * seconds.
 *
 * @category errors
 * @since 0.1.0
 */
export class AlreadySent
  extends /* @__PURE__ */ reason<AlreadySent>()("AlreadySent", { key: Schema.String, time: Schema.Finite }, {
    says: ({ key, time }) => ({
      what: `the call ${ForeignText.quote(key)} was sent by an earlier run at ${NewYork.format(time)}, and its ` +
        "answer is not here",
      advice: "See in the ledger what it was charged, and ask under another key if you accept to pay again"
    }),
    otherwise: () => earlier
  })
{}

const whyNoGateway = {
  Busy: {
    what: "the gateway of the account takes no more calls now",
    advice: "Ask again later, or ask less at once"
  },
  Unreachable: {
    what: "the gateway of the account did not answer",
    advice: "See that a runner is up and that its database can be reached, and ask again"
  },
  OtherVersion: {
    what: "the gateway of the account is of another version",
    advice: "Run the same version of effect-marketdata on all machines"
  }
} as const

/**
 * The call goes through a gateway, which all machines of an account share, and the gateway did not take it or did not answer. The cause is
 * one of these:
 * - `Busy`: too many calls wait in it
 * - `Unreachable`: no runner answered in time, or the one that had the call stopped
 * - `OtherVersion`: caller and runner do not understand each other, as may be during an upgrade
 *
 * `wasSent` is true if a request of the call may have been sent, and so charged. A client that asks the service itself never fails in this
 * way.
 *
 * @category errors
 * @since 0.1.0
 */
export class GatewayUnavailable extends /* @__PURE__ */ reason<GatewayUnavailable>()("GatewayUnavailable", {
  cause: /* @__PURE__ */ Schema.Literals(["Busy", "Unreachable", "OtherVersion"]),
  detail: Schema.String,
  wasSent: WasSent
}, {
  says: ({ cause, detail }) => ({
    what: `${whyNoGateway[cause].what}: ${ForeignText.line(detail, 200)}`,
    advice: whyNoGateway[cause].advice
  }),
  retryable: ({ cause }) => cause !== "OtherVersion",
  otherwise: ({ wasSent }) => wasSent === true ? possible : unsent
}) {}

/**
 * Whether this address may send could not be found out, so nothing was sent. Only a guard of the single-IP rule that is kept outside of the
 * program's memory fails in this way, such as one in a database that cannot be reached. `detail` says what was wrong. `wasSent` is true if an
 * earlier request of the query was sent and may have been charged.
 *
 * @category errors
 * @since 0.1.0
 */
export class GuardUnavailable
  extends /* @__PURE__ */ reason<GuardUnavailable>()("GuardUnavailable", { detail: Schema.String, wasSent: WasSent }, {
    says: ({ detail }) => ({
      what: `the guard of the single-IP rule cannot be used: ${ForeignText.line(detail, 200)}`,
      advice: "Make the guard's database available, and ask again"
    }),
    otherwise: afterwards
  })
{}

// What the service refuses, by status: all but the successes 200, 203 and 204.

/**
 * Status 400: the service could not parse or validate the request (clause 7.1-400).
 *
 * @category errors
 * @since 0.1.0
 */
export class BadRequest extends /* @__PURE__ */ ofReply<BadRequest>()("BadRequest", { body: Body }, {
  says: () => ({
    what: "the service did not accept the request",
    advice: "Check the parameters"
  })
}) {}

/**
 * Status 400 for a `date` that is not in the past (clause 7.3-date-errmsg).
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidDate extends /* @__PURE__ */ ofReply<InvalidDate>()("InvalidDate", { body: Body }, {
  says: () => ({
    what: "the service did not accept the date",
    advice: "Expected a past trading day, e.g. 2026-11-20, or no date for current data"
  })
}) {}

/**
 * Status 400 for an option symbol that is not in OCC form (clause 7.3-symbol-errmsg).
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidOptionSymbol
  extends /* @__PURE__ */ ofReply<InvalidOptionSymbol>()("InvalidOptionSymbol", { body: Body }, {
    says: () => ({
      what: "the service did not accept the option symbol",
      advice: "Expected e.g. AAPL261218C00150000: root, YYMMDD, C or P, the strike times 1000 in eight digits"
    })
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
    says: ({ tokenSent }) =>
      tokenSent
        ? {
          what: "the service did not accept the token",
          advice: "Check MARKETDATA_TOKEN, or request a new token in the dashboard"
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
  says: () => ({
    what: "the service forbids this request",
    advice: "Ask its support"
  })
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
  says: () => ({
    what: "the service has blocked this address for a while, because the account was used from several",
    advice: "Use one address, and wait five minutes"
  })
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
 * service named them.
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
  body: Body
}, {
  says: ({ cause, nextTime, prevTime }) => {
    const nearest = [["before", prevTime], ["after", nextTime]].flatMap(([where, time]) =>
      typeof time === "number" ? [`${where} it at ${NewYork.format(time)}`] : []
    )
    return {
      what: cause === undefined ? "the service knows no such symbol, or has no data for it" : absent[cause],
      advice: "Check symbol, date and filters" +
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
  says: () => ({
    what: "the query asks for more than fits into one reply",
    advice: "Ask for a shorter time"
  })
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
    retryable: () => true
  })
{}

/**
 * A status of 500 or above. `temporary` is true for faults that pass, and false for those that need the service's support. `retryAfter`
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
  says: () => ({
    what: "nothing cached is young enough",
    advice: "Allow a greater maxAge, or ask for live data"
  }),
  otherwise: () => free
}) {}

/**
 * Status 204 to a request that was not for cached data. It is an error, and never an empty table (clause 7.1-204-elsewhere).
 *
 * @category errors
 * @since 0.1.0
 */
export class UnexpectedNoContent extends /* @__PURE__ */ ofReply<UnexpectedNoContent>()("UnexpectedNoContent", {}, {
  says: () => ({
    what: "status 204 without data answered a request that was not for cached data",
    advice: "Check base URL and proxies"
  }),
  otherwise: () => free
}) {}

/**
 * Status 204 to the live request after a cached miss (clause 8.3-fallback).
 *
 * @category errors
 * @since 0.1.0
 */
export class NoLiveData extends /* @__PURE__ */ ofReply<NoLiveData>()("NoLiveData", {}, {
  says: () => ({
    what: "nothing is cached, and the live request was answered with status 204 and no data",
    advice: "Try again later"
  }),
  otherwise: () => free
}) {}

/**
 * The request or its reply was lost. `detail` names the innermost cause; `mayHaveBeenCharged` is false if nothing can have reached the
 * service.
 *
 * @category errors
 * @since 0.1.0
 */
export class TransportFailure extends /* @__PURE__ */ ofReply<TransportFailure>()("TransportFailure", {
  detail: Schema.String,
  mayHaveBeenCharged: Schema.Boolean
}, {
  says: ({ detail }) => ({
    what: `the service could not be reached, or its reply was lost: ${ForeignText.line(detail, 160)}`,
    advice: "Check the base URL and the network"
  }),
  retryable: () => true,
  otherwise: perhaps
}) {}

/**
 * There was no whole reply in time. `limit` says which time was up: that of one attempt, which may be retried, or that of the query with
 * all its attempts and waits. `mayHaveBeenCharged` is false if no request was sent, or if every request was answered.
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
 * spite of the status, `body` is what it says.
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
  says: ({ detail }) => ({
    what: ForeignText.line(detail, 200),
    advice: "Keep the reply for the service's support"
  }),
  otherwise: () => possible
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
      configured ? "this client takes" : "this endpoint can have"
    }`,
    advice: configured
      ? "Ask for fewer columns or rows, or raise maxReplyBytes"
      : "Check base URL and proxies, or ask for fewer columns or rows"
  }),
  otherwise: () => possible
}) {}

/** What the reply to any query can say, whatever its mode: each refusal, and what can be wrong with the reply itself. */
const ofAnyReply = [
  RequestLineTooLong,
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
 * The schema of every reason, to store and to read them. It is made when it is first used: to ask each member for its own takes a quarter of the time of
 * importing core.
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
