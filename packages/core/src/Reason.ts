/**
 * Every way in which a question can fail, as data: what happened, whether asking again can help, and what to do.
 *
 * Reasons travel inside the client's `MarketDataError` and can be encoded, logged and stored. They never hold a token; what they
 * quote from the service is bounded.
 *
 * @example
 * ```ts
 * import * as Reason from "@effect-marketdata/core/Reason"
 *
 * const reason = new Reason.ServerFault({ status: 503, temporary: true, body: "" })
 * reason.isRetryable // => true
 * reason.message // => "the service failed with status 503, which passes: try again in a few minutes"
 * ```
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { Cached, CachedOrLive, DataMode } from "./DataMode.ts"
import { quote } from "./internal/quote.ts"

/** What the service said in words, bounded; empty where it said nothing readable. */
const Body = Schema.String

const said = (body: string): string => body === "" ? "" : ` (it said ${quote(body)})`

/**
 * The question was refused before anything was sent: a parameter breaks a rule. Costs nothing.
 *
 * @category reasons
 * @since 0.1.0
 */
export class InvalidQuery extends Schema.TaggedError<InvalidQuery>()("InvalidQuery", {
  parameter: Schema.String,
  value: Schema.String,
  rule: Schema.String
}) {
  readonly isRetryable = false
  override get message(): string {
    return `${this.parameter} ${quote(this.value)} cannot be asked for: ${this.rule}`
  }
}

/**
 * The request line is over 4094 bytes. Refused here before it is sent, or by the web server in front of the service, which charges
 * nothing and logs nothing (clauses 7.3-html-400 and 8.1-request-line). `bytes` is undefined where the server refused it.
 *
 * @category reasons
 * @since 0.1.0
 */
export class RequestLineTooLong extends Schema.TaggedError<RequestLineTooLong>()("RequestLineTooLong", {
  bytes: Schema.UndefinedOr(Schema.Int)
}) {
  readonly isRetryable = false
  override get message(): string {
    return `the request line${
      this.bytes === undefined ? "" : ` of ${this.bytes} bytes`
    } is over the limit of 4094 bytes: ` +
      "ask for fewer symbols at once, or use a shorter base URL"
  }
}

/**
 * Status 400: the service could not parse or validate the request (clause 7.1-400).
 *
 * @category reasons
 * @since 0.1.0
 */
export class BadRequest extends Schema.TaggedError<BadRequest>()("BadRequest", { body: Body }) {
  readonly isRetryable = false
  override get message(): string {
    return `the service did not accept the request${said(this.body)}: check the parameters`
  }
}

/**
 * Status 400 for a `date` that is not in the past (clause 7.3-date-errmsg).
 *
 * @category reasons
 * @since 0.1.0
 */
export class InvalidDate extends Schema.TaggedError<InvalidDate>()("InvalidDate", { body: Body }) {
  readonly isRetryable = false
  override get message(): string {
    return `the service did not accept the date${
      said(this.body)
    }: name a past trading day, or leave the date out for current data`
  }
}

/**
 * Status 400 for an option symbol that is not in OCC form (clause 7.3-symbol-errmsg).
 *
 * @category reasons
 * @since 0.1.0
 */
export class InvalidOptionSymbol
  extends Schema.TaggedError<InvalidOptionSymbol>()("InvalidOptionSymbol", { body: Body })
{
  readonly isRetryable = false
  override get message(): string {
    return `the service did not accept the option symbol${
      said(this.body)
    }: write root, YYMMDD, C or P, eight strike digits`
  }
}

/**
 * Status 401: the token is missing or invalid (clause 5.7-401).
 *
 * @category reasons
 * @since 0.1.0
 */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {
  tokenSent: Schema.Boolean,
  body: Body
}) {
  readonly isRetryable = false
  override get message(): string {
    return this.tokenSent
      ? `the service did not accept the token${
        said(this.body)
      }: check MARKETDATA_TOKEN, or request a new token in the dashboard`
      : `the service wants a token${said(this.body)}: sign in to its dashboard and request one, it comes by e-mail; ` +
        "then set MARKETDATA_TOKEN"
  }
}

/**
 * Status 402: the plan or its entitlements do not cover the request, such as cached data on a free or trial plan
 * (clauses 7.1-402 and 8.2-access).
 *
 * @category reasons
 * @since 0.1.0
 */
export class PlanRequired
  extends Schema.TaggedError<PlanRequired>()("PlanRequired", { cached: Schema.Boolean, body: Body })
{
  readonly isRetryable = false
  override get message(): string {
    return `the account's plan does not cover this request${said(this.body)}: ` +
      (this.cached
        ? "free and trial plans have no cached data, leave the mode out"
        : "ask for less, or change the plan")
  }
}

/**
 * Status 403: forbidden by policy (clause 7.1-403).
 *
 * @category reasons
 * @since 0.1.0
 */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", { body: Body }) {
  readonly isRetryable = false
  override get message(): string {
    return `the service forbids this request${said(this.body)}`
  }
}

/**
 * Status 403 because the account was used from several addresses; the block ends by itself (clause 5.6-single-ip).
 *
 * @category reasons
 * @since 0.1.0
 */
export class AddressBlocked extends Schema.TaggedError<AddressBlocked>()("AddressBlocked", { body: Body }) {
  readonly isRetryable = false
  override get message(): string {
    return `the service has blocked this address for a while, because the account was used from several${
      said(this.body)
    }: ` +
      "use one address, and wait five minutes"
  }
}

/**
 * Status 404: a well-formed question about something that is not there (clause 7.3-400-vs-404).
 *
 * @category reasons
 * @since 0.1.0
 */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { body: Body }) {
  readonly isRetryable = false
  override get message(): string {
    return `the service knows no such symbol, or has no data for it${said(this.body)}: check symbol, date and filters`
  }
}

/**
 * Status 429 because the account's credits are used up.
 *
 * @category reasons
 * @since 0.1.0
 */
export class CreditsExhausted extends Schema.TaggedError<CreditsExhausted>()("CreditsExhausted", { body: Body }) {
  readonly isRetryable = false
  override get message(): string {
    return `the account has no credits left in this window${said(this.body)}: wait for the next window`
  }
}

/**
 * Status 429 because too many requests are in flight or came too fast.
 *
 * @category reasons
 * @since 0.1.0
 */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>()("TooManyRequests", { body: Body }) {
  readonly isRetryable = true
  override get message(): string {
    return `too many requests at once${said(this.body)}: send fewer in parallel`
  }
}

/**
 * A status of 500 or above. `temporary` tells the faults that pass from those that need the service's support.
 *
 * @category reasons
 * @since 0.1.0
 */
export class ServerFault extends Schema.TaggedError<ServerFault>()("ServerFault", {
  status: Schema.Int,
  temporary: Schema.Boolean,
  body: Body
}) {
  get isRetryable(): boolean {
    return this.temporary
  }
  override get message(): string {
    return `the service failed with status ${this.status}${said(this.body)}, which ` +
      (this.temporary ? "passes: try again in a few minutes" : "does not pass by itself: ask the service's support")
  }
}

/**
 * A status that the contract does not know.
 *
 * @category reasons
 * @since 0.1.0
 */
export class UnexpectedStatus extends Schema.TaggedError<UnexpectedStatus>()("UnexpectedStatus", {
  status: Schema.Int,
  body: Body
}) {
  readonly isRetryable = false
  override get message(): string {
    return `status ${this.status} is none that the service answers with${
      said(this.body)
    }: check the base URL and proxies`
  }
}

/**
 * Status 204 to a request for cached data: nothing cached is young enough. Free (clauses 7.1-204 and 8.3-miss).
 *
 * @category reasons
 * @since 0.1.0
 */
export class NoCachedData extends Schema.TaggedError<NoCachedData>()("NoCachedData", {}) {
  readonly isRetryable = false
  override get message(): string {
    return "nothing cached is young enough: allow a greater maxAge, or ask for live data"
  }
}

/**
 * Status 204 to anything but a request for cached data: never empty data (clause 7.1-204-elsewhere).
 *
 * @category reasons
 * @since 0.1.0
 */
export class UnexpectedNoContent extends Schema.TaggedError<UnexpectedNoContent>()("UnexpectedNoContent", {}) {
  readonly isRetryable = false
  override get message(): string {
    return "status 204 without data answered a request that was not for cached data"
  }
}

/**
 * Status 204 to the live request after a cached miss (clause 8.3-fallback).
 *
 * @category reasons
 * @since 0.1.0
 */
export class NoLiveData extends Schema.TaggedError<NoLiveData>()("NoLiveData", {}) {
  readonly isRetryable = false
  override get message(): string {
    return "there is no cached data, and the live request was answered with status 204 and no data either"
  }
}

/**
 * Nothing cached is young enough, and live data was declined: it may cost `price` credits (undefined where there is no upper
 * bound), and `ceiling` is what was consented to.
 *
 * @category reasons
 * @since 0.1.0
 */
export class FallbackDeclined extends Schema.TaggedError<FallbackDeclined>()("FallbackDeclined", {
  price: Schema.UndefinedOr(Schema.Finite),
  ceiling: Schema.Finite
}) {
  readonly isRetryable = false
  override get message(): string {
    const price = this.price === undefined
      ? "live data has no upper bound of cost: say how many contracts you expect"
      : `live data may cost ${this.price} credits`
    return `nothing cached is young enough, ${price}, and you consented to ${this.ceiling}`
  }
}

/**
 * The budget does not cover the question; nothing was sent. `Unbounded`: the question has no upper bound of cost, and a budget
 * needs one. `Insufficient`: `bound` credits may be charged, and `available` are left.
 *
 * @category reasons
 * @since 0.1.0
 */
export class CreditBudgetExceeded extends Schema.TaggedError<CreditBudgetExceeded>()("CreditBudgetExceeded", {
  cause: Schema.Literals(["Unbounded", "Insufficient"]),
  bound: Schema.UndefinedOr(Schema.Finite),
  available: Schema.Finite
}) {
  readonly isRetryable = false
  override get message(): string {
    return this.cause === "Unbounded"
      ? `the question has no upper bound of cost, and the budget is ${this.available} credits: say how many contracts you expect ` +
        "(assume: { contracts }), or ask for cached data first, which costs 1 credit and tells the count"
      : `the question may cost ${this.bound} credits, and the budget has ${this.available} left: ask for less, or raise the budget`
  }
}

/**
 * The request or its reply was lost on the way. `mayHaveBeenCharged` is false where nothing can have reached the service.
 *
 * @category reasons
 * @since 0.1.0
 */
export class TransportFailure extends Schema.TaggedError<TransportFailure>()("TransportFailure", {
  detail: Schema.String,
  mayHaveBeenCharged: Schema.Boolean
}) {
  readonly isRetryable = true
  override get message(): string {
    return `the service could not be reached, or its reply was lost: ${this.detail}. ` +
      (this.mayHaveBeenCharged ? "The request may have been charged" : "Nothing was charged") +
      ". Check the base URL and the network"
  }
}

/**
 * A success whose body could not be read; the request was charged all the same. The fields are those of `DecodeError`.
 *
 * @category reasons
 * @since 0.1.0
 */
export class MalformedReply extends Schema.TaggedError<MalformedReply>()("MalformedReply", {
  code: Schema.String,
  column: Schema.UndefinedOr(Schema.String),
  index: Schema.UndefinedOr(Schema.Int),
  detail: Schema.String
}) {
  readonly isRetryable = false
  override get message(): string {
    return this.detail
  }
}

/**
 * Every reason.
 *
 * @category reasons
 * @since 0.1.0
 */
export type Reason =
  | InvalidQuery
  | CreditBudgetExceeded
  | FallbackDeclined
  | OfReply
  | TransportFailure

/**
 * What a reply can say, other than delivering data.
 *
 * @category reasons
 * @since 0.1.0
 */
export type OfReply = OfAnyReply | NoCachedData | UnexpectedNoContent | NoLiveData

/**
 * What the reply to any question can say, whatever its mode.
 *
 * @category reasons
 * @since 0.1.0
 */
export type OfAnyReply =
  | RequestLineTooLong
  | BadRequest
  | InvalidDate
  | InvalidOptionSymbol
  | Unauthorized
  | PlanRequired
  | Forbidden
  | AddressBlocked
  | NotFound
  | CreditsExhausted
  | TooManyRequests
  | ServerFault
  | UnexpectedStatus
  | MalformedReply

/**
 * The reasons that the reply to a question in this mode can bring, 204 included. Distributes over a union of modes.
 *
 * @category reasons
 * @since 0.1.0
 */
export type ForMode<Mode extends DataMode | undefined> =
  | OfAnyReply
  | (Mode extends CachedOrLive ? NoLiveData | FallbackDeclined
    : Mode extends Cached ? NoCachedData
    : UnexpectedNoContent)
