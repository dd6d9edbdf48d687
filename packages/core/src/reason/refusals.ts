import * as Schema from "effect/Schema"
import { optional } from "../text/field.ts"
import * as NewYork from "../time/NewYork.ts"
import { Body, Charged, type Cost, cost, costOf, message, RetryAfter, taken } from "./words.ts"

/**
 * Status 400: the service could not parse or validate the request (clause 7.1-400).
 *
 * @category errors
 * @since 0.1.0
 */
export class BadRequest extends Schema.TaggedError<BadRequest>()("BadRequest", { body: Body, charged: Charged }) {
  readonly isRetryable = false
  get cost(): Cost {
    return costOf(this.charged, "notStated")
  }
  override get message(): string {
    return message({
      what: "the service did not accept the request",
      body: this.body,
      advice: "Check the parameters",
      cost: cost(this.charged, taken)
    })
  }
}

/**
 * Status 400 for a `date` that is not in the past (clause 7.3-date-errmsg).
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidDate extends Schema.TaggedError<InvalidDate>()("InvalidDate", { body: Body, charged: Charged }) {
  readonly isRetryable = false
  get cost(): Cost {
    return costOf(this.charged, "notStated")
  }
  override get message(): string {
    return message({
      what: "the service did not accept the date",
      body: this.body,
      advice: "Expected a past trading day, e.g. 2026-11-20, or no date for current data",
      cost: cost(this.charged, taken)
    })
  }
}

/**
 * Status 400 for an option symbol that is not in OCC form (clause 7.3-symbol-errmsg).
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidOptionSymbol
  extends Schema.TaggedError<InvalidOptionSymbol>()("InvalidOptionSymbol", { body: Body, charged: Charged })
{
  readonly isRetryable = false
  get cost(): Cost {
    return costOf(this.charged, "notStated")
  }
  override get message(): string {
    return message({
      what: "the service did not accept the option symbol",
      body: this.body,
      advice: "Expected e.g. AAPL261218C00150000: root, YYMMDD, C or P, the strike times 1000 in eight digits",
      cost: cost(this.charged, taken)
    })
  }
}

/**
 * Status 401: the token is missing or invalid (clause 5.7-401).
 *
 * @category errors
 * @since 0.1.0
 */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {
  tokenSent: Schema.Boolean,
  body: Body,
  charged: Charged
}) {
  readonly isRetryable = false
  get cost(): Cost {
    return costOf(this.charged, "notStated")
  }
  override get message(): string {
    return message({
      what: this.tokenSent ? "the service did not accept the token" : "the service requires a token",
      body: this.body,
      advice: this.tokenSent
        ? "Check MARKETDATA_TOKEN, or request a new token in the dashboard"
        : "Sign in to its dashboard and request one: it comes by e-mail; then set MARKETDATA_TOKEN",
      cost: cost(this.charged, taken)
    })
  }
}

/**
 * Status 402: the plan or its entitlements do not cover the request, such as cached data on a free or trial plan (clauses 7.1-402 and
 * 8.2-access). `cached` says whether cached data were asked for. `cause` is `HistoryDepth` for a day before those of the plan (`years` is
 * how many it covers, if the service says so), `PremiumEndpoint` for an endpoint of other plans, and undefined if it is not known.
 *
 * @category errors
 * @since 0.1.0
 */
export class PlanRequired extends Schema.TaggedError<PlanRequired>()("PlanRequired", {
  cached: Schema.Boolean,
  cause: optional(Schema.Literals(["HistoryDepth", "PremiumEndpoint"])),
  years: optional(Schema.Int),
  body: Body,
  charged: Charged
}) {
  readonly isRetryable = false
  get cost(): Cost {
    return costOf(this.charged, "notStated")
  }
  override get message(): string {
    return message({
      what: "the account's plan does not cover this request",
      body: this.body,
      advice: this.advice,
      cost: cost(this.charged, taken)
    })
  }
  private get advice(): string {
    if (this.cause === "HistoryDepth") {
      const days = this.years === undefined
        ? "the days"
        : this.years === 1
        ? "the last year"
        : `the last ${this.years} years`
      return `Ask for a day within ${days} that it covers, or change the plan`
    }
    if (this.cached) return "Leave the mode out: free and trial plans have no cached data"
    return this.cause === "PremiumEndpoint"
      ? "Change to a paid plan: this endpoint is for paid plans only"
      : "Ask for less, or change the plan"
  }
}

/**
 * Status 403: forbidden by policy (clause 7.1-403).
 *
 * @category errors
 * @since 0.1.0
 */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", { body: Body, charged: Charged }) {
  readonly isRetryable = false
  get cost(): Cost {
    return costOf(this.charged, "notStated")
  }
  override get message(): string {
    return message({
      what: "the service forbids this request",
      body: this.body,
      advice: "Ask its support",
      cost: cost(this.charged, taken)
    })
  }
}

/**
 * Status 403 because the account was used from several addresses; the block ends by itself (clause 5.6-single-ip). The service may name
 * the addresses: the one that keeps working, and the blocked one.
 *
 * @category errors
 * @since 0.1.0
 */
export class AddressBlocked extends Schema.TaggedError<AddressBlocked>()("AddressBlocked", {
  authorizedIP: optional(Schema.String),
  blockedIP: optional(Schema.String),
  body: Body,
  charged: Charged
}) {
  readonly isRetryable = false
  get cost(): Cost {
    return costOf(this.charged, "notStated")
  }
  override get message(): string {
    return message({
      what: "the service has blocked this address for a while, because the account was used from several",
      body: this.body,
      advice: "Use one address, and wait five minutes",
      cost: cost(this.charged, taken)
    })
  }
}

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
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  cause: optional(Schema.Literals(["UnknownSymbol", "UnknownOption", "MarketClosed", "NoData"])),
  prevTime: optional(Schema.Finite),
  nextTime: optional(Schema.Finite),
  body: Body,
  charged: Charged
}) {
  readonly isRetryable = false
  get cost(): Cost {
    return costOf(this.charged, "notStated")
  }
  override get message(): string {
    const nearest = [["before", this.prevTime], ["after", this.nextTime]].flatMap(([where, time]) =>
      typeof time === "number" ? [`${where} it at ${NewYork.format(time)}`] : []
    )
    return message({
      what: this.cause === undefined ? "the service knows no such symbol, or has no data for it" : absent[this.cause],
      body: this.body,
      advice: "Check symbol, date and filters" +
        (nearest.length === 0 ? "" : `; there are data ${nearest.join(" and ")}`),
      cost: cost(this.charged, taken)
    })
  }
}

/**
 * Status 413: the query asks for more than fits into one reply, such as minute candles of more than a year.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooMuchData extends Schema.TaggedError<TooMuchData>()("TooMuchData", { body: Body, charged: Charged }) {
  readonly isRetryable = false
  get cost(): Cost {
    return costOf(this.charged, "notStated")
  }
  override get message(): string {
    return message({
      what: "the query asks for more than fits into one reply",
      body: this.body,
      advice: "Ask for a shorter time",
      cost: cost(this.charged, taken)
    })
  }
}

/**
 * Status 429 because the account's credits are used up. `reset` is when the allowance is full again, in epoch seconds, if the service
 * says so.
 *
 * @category errors
 * @since 0.1.0
 */
export class CreditsExhausted extends Schema.TaggedError<CreditsExhausted>()("CreditsExhausted", {
  reset: optional(Schema.Finite),
  body: Body,
  charged: Charged
}) {
  readonly isRetryable = false
  get cost(): Cost {
    return costOf(this.charged, "notStated")
  }
  override get message(): string {
    return message({
      what: "the account has no credits left in this window",
      body: this.body,
      advice: "Wait for the next window" +
        (this.reset === undefined ? "" : `, which begins at ${NewYork.format(this.reset)}`),
      cost: cost(this.charged, taken)
    })
  }
}

/**
 * Status 429 because too many requests are in flight or came too fast. `retryAfter` is how long the service asks to wait, in seconds.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>()("TooManyRequests", {
  retryAfter: RetryAfter,
  body: Body,
  charged: Charged
}) {
  readonly isRetryable = true
  get cost(): Cost {
    return costOf(this.charged, "notStated")
  }
  override get message(): string {
    return message({
      what: "too many requests at once",
      body: this.body,
      advice: "Send fewer in parallel" +
        (this.retryAfter === undefined ? "" : `, and the next after ${this.retryAfter} seconds`),
      cost: cost(this.charged, taken)
    })
  }
}

/**
 * A status of 500 or above. `temporary` is true for faults that pass, and false for those that need the service's support. `retryAfter`
 * is how long the service asks to wait, in seconds.
 *
 * @category errors
 * @since 0.1.0
 */
export class ServerFault extends Schema.TaggedError<ServerFault>()("ServerFault", {
  status: Schema.Int,
  temporary: Schema.Boolean,
  retryAfter: RetryAfter,
  body: Body,
  charged: Charged
}) {
  get cost(): Cost {
    return costOf(this.charged, "notStated")
  }
  get isRetryable(): boolean {
    return this.temporary
  }
  override get message(): string {
    return message({
      what: `the service failed with status ${this.status}`,
      body: this.body,
      advice: this.temporary
        ? `Try again ${this.retryAfter === undefined ? "in a few minutes" : `after ${this.retryAfter} seconds`}`
        : "Ask the service's support: this does not pass by itself",
      cost: cost(this.charged, taken)
    })
  }
}

/**
 * A status that is not in the contract.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnexpectedStatus extends Schema.TaggedError<UnexpectedStatus>()("UnexpectedStatus", {
  status: Schema.Int,
  body: Body,
  charged: Charged
}) {
  readonly isRetryable = false
  get cost(): Cost {
    return costOf(this.charged, "notStated")
  }
  override get message(): string {
    return message({
      what: `status ${this.status} is not in the service's contract`,
      body: this.body,
      advice: "Check the base URL and proxies",
      cost: cost(this.charged, taken)
    })
  }
}
