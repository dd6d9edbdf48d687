import * as Schema from "effect/Schema"
import { optional } from "../text/field.ts"
import * as ForeignText from "../text/ForeignText.ts"
import { Body, Charged, type Cost, cost, costOf, free, message, possible } from "./words.ts"

/**
 * Status 204 to a request for cached data: a miss, nothing cached is young enough. It is free (clauses 7.1-204 and 8.3-miss).
 *
 * @category errors
 * @since 0.1.0
 */
export class NoCachedData extends Schema.TaggedError<NoCachedData>()("NoCachedData", {
  charged: Charged
}) {
  readonly isRetryable = false
  get cost(): Cost {
    return costOf(this.charged, "none")
  }
  override get message(): string {
    return message({
      what: "nothing cached is young enough",
      advice: "Allow a greater maxAge, or ask for live data",
      cost: cost(this.charged, free)
    })
  }
}

/**
 * Status 204 to a request that was not for cached data. It is an error, and never an empty table (clause 7.1-204-elsewhere).
 *
 * @category errors
 * @since 0.1.0
 */
export class UnexpectedNoContent extends Schema.TaggedError<UnexpectedNoContent>()("UnexpectedNoContent", {
  charged: Charged
}) {
  readonly isRetryable = false
  get cost(): Cost {
    return costOf(this.charged, "none")
  }
  override get message(): string {
    return message({
      what: "status 204 without data answered a request that was not for cached data",
      advice: "Check base URL and proxies",
      cost: cost(this.charged, free)
    })
  }
}

/**
 * Status 204 to the live request after a cached miss (clause 8.3-fallback).
 *
 * @category errors
 * @since 0.1.0
 */
export class NoLiveData extends Schema.TaggedError<NoLiveData>()("NoLiveData", {
  charged: Charged
}) {
  readonly isRetryable = false
  get cost(): Cost {
    return costOf(this.charged, "none")
  }
  override get message(): string {
    return message({
      what: "nothing is cached, and the live request was answered with status 204 and no data",
      advice: "Try again later",
      cost: cost(this.charged, free)
    })
  }
}

/**
 * The request or its reply was lost. `detail` names the innermost cause; `mayHaveBeenCharged` is false if nothing can have reached the
 * service.
 *
 * @category errors
 * @since 0.1.0
 */
export class TransportFailure extends Schema.TaggedError<TransportFailure>()("TransportFailure", {
  detail: Schema.String,
  mayHaveBeenCharged: Schema.Boolean,
  charged: Charged
}) {
  readonly isRetryable = true
  get cost(): Cost {
    return costOf(this.charged, this.mayHaveBeenCharged ? "possible" : "none")
  }
  override get message(): string {
    return message({
      what: `the service could not be reached, or its reply was lost: ${ForeignText.line(this.detail, 160)}`,
      advice: "Check the base URL and the network",
      cost: cost(this.charged, this.mayHaveBeenCharged ? possible : free)
    })
  }
}

/**
 * There was no whole reply in time. `limit` says which time was up: that of one attempt, which may be retried, or that of the query with
 * all its attempts and waits. `mayHaveBeenCharged` is false if no request was sent, or if every request was answered.
 *
 * @category errors
 * @since 0.1.0
 */
export class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", {
  limit: Schema.Literals(["attempt", "deadline"]),
  milliseconds: Schema.Finite,
  mayHaveBeenCharged: Schema.Boolean,
  charged: Charged
}) {
  get isRetryable(): boolean {
    return this.limit === "attempt"
  }
  get cost(): Cost {
    return costOf(this.charged, this.mayHaveBeenCharged ? "possible" : "none")
  }
  override get message(): string {
    const whose = this.limit === "attempt" ? "one attempt" : "the query with all its attempts"
    return message({
      what: `no complete reply arrived within ${this.milliseconds} ms, the time limit of ${whose}`,
      advice: "Ask for less, or allow more time",
      cost: cost(this.charged, this.mayHaveBeenCharged ? possible : free)
    })
  }
}

/**
 * A success whose body cannot be read; it may have been charged. The fields are those of `DecodeError`. If the body holds an error in
 * spite of the status, `body` is what it says.
 *
 * @category errors
 * @since 0.1.0
 */
export class MalformedReply extends Schema.TaggedError<MalformedReply>()("MalformedReply", {
  code: Schema.String,
  column: optional(Schema.String),
  index: optional(Schema.Int),
  detail: Schema.String,
  body: optional(Body),
  charged: Charged
}) {
  readonly isRetryable = false
  get cost(): Cost {
    return costOf(this.charged, "possible")
  }
  override get message(): string {
    return message({
      what: ForeignText.line(this.detail, 200),
      body: this.body,
      advice: "Keep the reply for the service's support",
      cost: cost(this.charged, possible)
    })
  }
}

/**
 * A success whose body is larger than the client accepts, in rows or in uncompressed bytes. The rest was not fetched, but the reply may
 * have been charged. The limit is the client's own if it is `configured`, otherwise the most that a reply of that endpoint can have.
 *
 * @category errors
 * @since 0.1.0
 */
export class ReplyTooLarge extends Schema.TaggedError<ReplyTooLarge>()("ReplyTooLarge", {
  limit: Schema.Int,
  unit: Schema.Literals(["bytes", "rows"]),
  configured: Schema.Boolean,
  charged: Charged
}) {
  readonly isRetryable = false
  get cost(): Cost {
    return costOf(this.charged, "possible")
  }
  override get message(): string {
    const { configured, limit, unit } = this
    return message({
      what: `the reply is larger than the ${limit} ${unit} that ${
        configured ? "this client takes" : "this endpoint can have"
      }`,
      advice: configured
        ? "Ask for fewer columns or rows, or raise maxReplyBytes"
        : "Check base URL and proxies, or ask for fewer columns or rows",
      cost: cost(this.charged, possible)
    })
  }
}
