/**
 * Every way in which a question can fail, as data: what happened, whether asking again can help (`isRetryable`), what it cost (`cost`),
 * and what to do.
 *
 * Reasons travel inside the client's `MarketDataError` and can be encoded, logged and stored. They never hold a token; what they
 * quote from the service is bounded.
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
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { Cached, CachedOrLive, DataMode } from "./DataMode.ts"
import * as Eastern from "./Eastern.ts"
import { quote } from "./internal/quote.ts"
import { redact } from "./internal/redact.ts"

/** What the service said in words, bounded; empty where it said nothing readable. */
const Body = Schema.String

const said = (body: string): string => body === "" ? "" : ` (it said ${quote(redact(body))})`

/** How long the service asks to be left alone, in seconds, where it says so. */
const RetryAfter = Schema.optional(Schema.Finite)

const after = (seconds: number | undefined): string =>
  seconds === undefined ? "" : `, and not before ${seconds} seconds have passed`

const free = ". Nothing was charged"
const taken = ". The service does not state what that costs; it is taken to be free"

/**
 * What a failure cost.
 *
 * - `none`: nothing was sent, or the contract says that it is free
 * - `notStated`: the contract does not say; 0 is a named assumption, and the service's own figure wins (clause 7.1-charge-not-stated)
 * - `possible`: it may have been charged, and nobody told
 * - `full`: it was charged like an answer
 *
 * @category models
 * @since 0.1.0
 */
export type Cost = "none" | "notStated" | "possible" | "full"

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
  readonly cost: Cost = "none"
  override get message(): string {
    return `${this.parameter} ${quote(redact(this.value))} cannot be asked for: ${this.rule}. Nothing was sent`
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
  readonly cost: Cost = "none"
  override get message(): string {
    return `the request line${
      this.bytes === undefined ? "" : ` of ${this.bytes} bytes`
    } is over the limit of 4094 bytes: ` +
      "ask for fewer symbols at once, or use a shorter base URL" + free
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
  readonly cost: Cost = "notStated"
  override get message(): string {
    return `the service did not accept the request${said(this.body)}: check the parameters` + taken
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
  readonly cost: Cost = "notStated"
  override get message(): string {
    return `the service did not accept the date${
      said(this.body)
    }: name a past trading day, or leave the date out for current data` + taken
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
  readonly cost: Cost = "notStated"
  override get message(): string {
    return `the service did not accept the option symbol${
      said(this.body)
    }: write root, YYMMDD, C or P, eight strike digits` + taken
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
  readonly cost: Cost = "notStated"
  override get message(): string {
    const advice = this.tokenSent
      ? `the service did not accept the token${
        said(this.body)
      }: check MARKETDATA_TOKEN, or request a new token in the dashboard`
      : `the service wants a token${said(this.body)}: sign in to its dashboard and request one, it comes by e-mail; ` +
        "then set MARKETDATA_TOKEN"
    return advice + taken
  }
}

/**
 * Status 402: the plan or its entitlements do not cover the request, such as cached data on a free or trial plan
 * (clauses 7.1-402 and 8.2-access). `cached` tells whether cached data were asked for. `cause` says what is known: `HistoryDepth` is a
 * day before those that the plan covers (`years`, where the service says how many), `PremiumEndpoint` an endpoint that it does not open.
 *
 * @category reasons
 * @since 0.1.0
 */
export class PlanRequired extends Schema.TaggedError<PlanRequired>()("PlanRequired", {
  cached: Schema.Boolean,
  cause: Schema.optional(Schema.Literals(["HistoryDepth", "PremiumEndpoint"])),
  years: Schema.optional(Schema.Int),
  body: Body
}) {
  readonly isRetryable = false
  readonly cost: Cost = "notStated"
  override get message(): string {
    return `the account's plan does not cover this request${said(this.body)}: ${this.advice}` + taken
  }
  private get advice(): string {
    if (this.cause === "HistoryDepth") {
      const days = this.years === undefined
        ? "the days"
        : this.years === 1
        ? "the last year"
        : `the last ${this.years} years`
      return `ask for a day within ${days} that it covers, or change the plan`
    }
    if (this.cached) return "free and trial plans have no cached data, leave the mode out"
    return this.cause === "PremiumEndpoint"
      ? "this endpoint is open to paid plans"
      : "ask for less, or change the plan"
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
  readonly cost: Cost = "notStated"
  override get message(): string {
    return `the service forbids this request${said(this.body)}: ask its support` + taken
  }
}

/**
 * Status 403 because the account was used from several addresses; the block ends by itself (clause 5.6-single-ip). The addresses are
 * those that the service names: the one that goes on working, and the one that is blocked.
 *
 * @category reasons
 * @since 0.1.0
 */
export class AddressBlocked extends Schema.TaggedError<AddressBlocked>()("AddressBlocked", {
  authorizedIP: Schema.optional(Schema.String),
  blockedIP: Schema.optional(Schema.String),
  body: Body
}) {
  readonly isRetryable = false
  readonly cost: Cost = "notStated"
  override get message(): string {
    return `the service has blocked this address for a while, because the account was used from several${
      said(this.body)
    }: ` +
      "use one address, and wait five minutes" + taken
  }
}

const absent = {
  UnknownSymbol: "the service knows no such symbol",
  UnknownOption: "the service knows no such option",
  MarketClosed: "the market was closed on that day",
  NoData: "the service has no data for this"
} as const

/**
 * Status 404: a well-formed question about something that is not there (clause 7.3-400-vs-404). `cause` is what the service said it is
 * about, undefined where it said nothing known. `prevTime` and `nextTime` are the nearest times with data, in epoch seconds, where the
 * service named them.
 *
 * @category reasons
 * @since 0.1.0
 */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  cause: Schema.optional(Schema.Literals(["UnknownSymbol", "UnknownOption", "MarketClosed", "NoData"])),
  prevTime: Schema.optional(Schema.Finite),
  nextTime: Schema.optional(Schema.Finite),
  body: Body
}) {
  readonly isRetryable = false
  readonly cost: Cost = "notStated"
  override get message(): string {
    const what = this.cause === undefined
      ? "the service knows no such symbol, or has no data for it"
      : absent[this.cause]
    const nearest = [["before", this.prevTime], ["after", this.nextTime]].flatMap(([where, time]) =>
      typeof time === "number" ? [`${where} it at ${Eastern.format(time)}`] : []
    )
    const elsewhere = nearest.length === 0 ? "" : `; there are data ${nearest.join(" and ")}`
    return `${what}${said(this.body)}: check symbol, date and filters${elsewhere}` + taken
  }
}

/**
 * Status 413: the question asks for more than one reply holds, such as minute candles of more than a year.
 *
 * @category reasons
 * @since 0.1.0
 */
export class TooMuchData extends Schema.TaggedError<TooMuchData>()("TooMuchData", { body: Body }) {
  readonly isRetryable = false
  readonly cost: Cost = "notStated"
  override get message(): string {
    return `the question asks for more than one reply holds${said(this.body)}: ask for a shorter time` + taken
  }
}

/**
 * Status 429 because the account's credits are used up. `reset` is when they are whole again, in epoch seconds, where the service says
 * so.
 *
 * @category reasons
 * @since 0.1.0
 */
export class CreditsExhausted extends Schema.TaggedError<CreditsExhausted>()("CreditsExhausted", {
  reset: Schema.optional(Schema.Finite),
  body: Body
}) {
  readonly isRetryable = false
  readonly cost: Cost = "notStated"
  override get message(): string {
    const when = this.reset === undefined ? "" : `, which begins at ${Eastern.format(this.reset)}`
    return `the account has no credits left in this window${said(this.body)}: wait for the next window${when}` + taken
  }
}

/**
 * Status 429 because too many requests are in flight or came too fast. `retryAfter` is in seconds.
 *
 * @category reasons
 * @since 0.1.0
 */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>()("TooManyRequests", {
  retryAfter: RetryAfter,
  body: Body
}) {
  readonly isRetryable = true
  readonly cost: Cost = "notStated"
  override get message(): string {
    return `too many requests at once${said(this.body)}: send fewer in parallel${after(this.retryAfter)}` + taken
  }
}

/**
 * A status of 500 or above. `temporary` tells the faults that pass from those that need the service's support. `retryAfter` is in
 * seconds.
 *
 * @category reasons
 * @since 0.1.0
 */
export class ServerFault extends Schema.TaggedError<ServerFault>()("ServerFault", {
  status: Schema.Int,
  temporary: Schema.Boolean,
  retryAfter: RetryAfter,
  body: Body
}) {
  readonly cost: Cost = "notStated"
  get isRetryable(): boolean {
    return this.temporary
  }
  override get message(): string {
    return `the service failed with status ${this.status}${said(this.body)}, which ` +
      (this.temporary
        ? `passes: try again in a few minutes${after(this.retryAfter)}`
        : "does not pass by itself: ask the service's support") +
      taken
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
  readonly cost: Cost = "notStated"
  override get message(): string {
    return `status ${this.status} is none that the service answers with${
      said(this.body)
    }: check the base URL and proxies` + taken
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
  readonly cost: Cost = "none"
  override get message(): string {
    return "nothing cached is young enough: allow a greater maxAge, or ask for live data" + free
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
  readonly cost: Cost = "none"
  override get message(): string {
    return "status 204 without data answered a request that was not for cached data: check base URL and proxies" + free
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
  readonly cost: Cost = "none"
  override get message(): string {
    return "there is no cached data, and the live request was answered with status 204 and no data either: try again later" +
      free
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
  readonly cost: Cost = "none"
  override get message(): string {
    const price = this.price === undefined
      ? "live data has no upper bound of cost: say how many contracts you expect"
      : `live data may cost ${this.price} credits`
    return `nothing cached is young enough, ${price}, and you consented to ${this.ceiling}: raise the ceiling, or allow a greater ` +
      "maxAge" + free
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
  readonly cost: Cost = "none"
  override get message(): string {
    const why = this.cause === "Unbounded"
      ? `the question has no upper bound of cost, and the budget is ${this.available} credits: say how many contracts you expect ` +
        "(assume: { contracts }), or ask for cached data first, which costs 1 credit and tells the count"
      : `the question may cost ${this.bound} credits, and the budget has ${this.available} left: ask for less, or raise the budget`
    return `${why}. Nothing was sent`
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
  get cost(): Cost {
    return this.mayHaveBeenCharged ? "possible" : "none"
  }
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
  readonly cost: Cost = "full"
  override get message(): string {
    return `${this.detail}. The request was charged: keep the reply for the service's support`
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
 * The schema of every reason, to store and to read them.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Reason: Schema.Codec<Reason, { readonly _tag: Reason["_tag"] }> = /* @__PURE__ */ Schema.Union([
  InvalidQuery,
  CreditBudgetExceeded,
  FallbackDeclined,
  RequestLineTooLong,
  BadRequest,
  InvalidDate,
  InvalidOptionSymbol,
  Unauthorized,
  PlanRequired,
  Forbidden,
  AddressBlocked,
  NotFound,
  TooMuchData,
  CreditsExhausted,
  TooManyRequests,
  ServerFault,
  UnexpectedStatus,
  MalformedReply,
  NoCachedData,
  UnexpectedNoContent,
  NoLiveData,
  TransportFailure
])

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
  | TooMuchData
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
