/** What is refused before it is sent. */
import * as Schema from "effect/Schema"
import * as ForeignText from "../text/ForeignText.ts"
import { optional } from "../text/json.ts"
import * as Problem from "../text/Problem.ts"
import * as NewYork from "../time/NewYork.ts"
import { Advice, formatAdvice, formatCredits, grouped, reason, WasSent } from "./words.ts"

/** What it cost that a query was held back, unless something was sent earlier. */
const afterwards = ({ wasSent }: { readonly wasSent?: boolean | "free" | undefined }) =>
  wasSent === true ? "earlier" : wasSent === "free" ? "free" : "unsent"

/** The size that the bound was computed from, where it needs one. */
const goingBy = (size: string | undefined): string => size === undefined ? "" : ` (${ForeignText.line(size, 100)})`

/** Options of which any is enough; nothing where there is none. */
const adding = (advice: ReadonlyArray<Advice> = []): string | undefined =>
  advice.length === 0 ? undefined : `add ${advice.map(formatAdvice).join(", or ")}, with your own values`

/** The same, as the end of other advice. */
const orAdding = (options: string | undefined): string =>
  options === undefined ? "" : `; or, if you expect less, ${options}`

/** What to do where nothing bounds the cost. */
const stating = (options: string | undefined): string =>
  options === undefined ? "State in assume how much you expect" : `A${options.slice(1)}`

/**
 * The query was refused before anything was sent, because a parameter breaks a rule. It costs nothing.
 *
 * - `value`: the given value as a program would write it, of bounded length: `"AAPL"` is a text, `5` a number
 * - `rule`: the words after the value: "must be a positive integer"
 * - `example`: a value that keeps the rule
 * - `against`, `limit`: the option or the endpoint that the rule names after its words, if any, and the value of that option
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
}, (self) => ({
  // A problem is a sentence of its own, and says what would be right.
  what: Problem.format(`${ForeignText.line(self.parameter, 60)} ${self.value}`, self).slice(0, -1),
  advice: ""
})) {
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
}, ({ bytes }) => ({
  what: `the request line${bytes === undefined ? "" : ` of ${bytes} bytes`} is over the limit of 4094 bytes`,
  advice: "Ask for fewer symbols at once, or use a shorter base URL"
}), { otherwise: "free" }) {}

/**
 * The budget does not cover the query, or another request of it. The cause is one of these:
 * - `Unbounded`: the query has no upper bound, and a budget needs one
 * - `Insufficient`: `bound` credits may be charged (undefined without an upper bound), and `available` are left
 * - `NoAllowance`: the budget is 0 credits, or no allowance was given
 *
 * `renews` is when the allowance is full again, in epoch seconds; undefined if it never is. `size` is the size of the chain that bounds the price, such
 * as `22,718 contracts, seen 1 hour ago`. `wasSent` is true if an earlier request of the query was sent and may have been charged, and `"free"` if
 * none of them was charged, such as a cached miss. Any one entry of `advice`, added to the options of the query, brings it under the budget: see
 * `Credits.advice`.
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
}, ({ advice, available, bound, cause, renews, size }) => {
  const options = adding(advice)
  // An allowance is full again by itself; a limit that is not was set by the program, as a budget.
  const budget = renews === undefined ? "budget" : "allowance"
  const left = `the ${budget} ${available > 0 ? `has ${formatCredits(available)} left` : "is used up"}` +
    (renews === undefined ? "" : ` until ${NewYork.format(renews)}`)
  const cost = bound === undefined ? "is not free" : `may cost ${formatCredits(bound)}${goingBy(size)}`
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
        what: `the query ${cost}, and ${left}`,
        advice: `Ask for less, ${renews === undefined ? "" : "wait, "}or raise the ${budget}${orAdding(options)}`
      }
  }
}, { otherwise: afterwards }) {}

/**
 * Nothing cached is young enough, and live data were declined or not asked for again. They may cost `price` credits, and `ceiling` is
 * what the caller consented to, both in credits. `price` is undefined without an upper bound; such a price fits no ceiling. `size` is the size of
 * the chain that bounds the price, such as `22,718 contracts, seen 1 hour ago`.
 *
 * If live requests of the query were sent before, `charged` is what they were charged, and `uncertain` what they may have been charged in
 * addition, at most, because a reply was lost or is still on its way. Both count against the ceiling. Any one entry of `advice`, added to
 * the options of the query, brings it under the ceiling: see `Credits.advice`.
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
}, ({ advice, ceiling, charged = 0, price, size, uncertain = 0 }) => {
  const options = adding(advice)
  if (charged > 0 || uncertain > 0) {
    const another = price === undefined
      ? "the cost of another request has no upper bound"
      : `another request may cost ${formatCredits(price)}`
    return { what: `live data was not asked for again: ${another}`, advice: "Raise the ceiling, or ask again later" }
  }
  if (price === undefined) {
    const consented = formatCredits(ceiling)
    return {
      what: `nothing cached is young enough, the price of live data is unknown, and you consented to ${consented}`,
      advice: `${stating(options)}, or consent to any price with CacheFallback.layerAlways`
    }
  }
  const cost = `${formatCredits(price)}${goingBy(size)}, more than the ${grouped(ceiling)} that you consented to`
  return {
    what: `nothing cached is young enough, and live data may cost ${cost}`,
    advice: `Raise the ceiling, or allow a greater maxAge${orAdding(options)}`
  }
}, {
  otherwise: ({ ceiling, charged = 0, uncertain = 0 }) => {
    if (!(charged > 0 || uncertain > 0)) return "free"
    const certain = charged === 0 ? "" : `${charged} were charged`
    const perhaps = uncertain === 0 ? "" : `up to ${uncertain}${charged === 0 ? "" : " more"} may have been charged`
    const spent = [certain, perhaps].filter((text) => text !== "").join(" and ")
    return ["possible", `Of the ${formatCredits(ceiling)} that you consented to, ${spent}`]
  }
}) {}

/**
 * The service has blocked this account's requests for a while, as it said in an earlier reply, and this request was held back (clause
 * 5.6-single-ip). `until` is the time that must pass, in epoch seconds; undefined while a first request finds out whether the block is
 * over. `wasSent` is true if an earlier request of the query was sent and may have been charged, and `"free"` if none of them was charged.
 *
 * @category errors
 * @since 0.1.0
 */
export class IpBlocked extends /* @__PURE__ */ reason<IpBlocked>()("IpBlocked", {
  until: /* @__PURE__ */ optional(Schema.Finite),
  wasSent: WasSent
}, ({ until }) => ({
  what: `the service has blocked this account's requests, and no other is sent ${
    until === undefined ? "until a first request is answered" : `until after ${NewYork.format(until)}`
  }`,
  advice: "Use one address, and ask again later"
}), { otherwise: afterwards }) {}

const ofDetail = { detail: Schema.String, wasSent: WasSent }

/** What is said of something that is kept outside of the program's memory, and cannot be used. */
const unusable = (subject: string, advice: string) => ({ detail }: { readonly detail: string }) => ({
  what: `${subject} cannot be used: ${ForeignText.line(detail, 200)}`,
  advice
})

/**
 * The ledger of credits could not be read or written, so nothing may be spent. Only a ledger that is kept outside of the program's memory
 * fails in this way, such as one in a database whose disk is full. `detail` says what was wrong. `wasSent` is true if an earlier request of
 * the query was sent and may have been charged, and `"free"` if none of them was charged.
 *
 * @category errors
 * @since 0.1.0
 */
export class LedgerUnavailable extends /* @__PURE__ */ reason<LedgerUnavailable>()(
  "LedgerUnavailable",
  ofDetail,
  /* @__PURE__ */ unusable("the ledger of credits", "Correct that, and ask again"),
  { otherwise: afterwards }
) {}

/**
 * A request of the call was sent before, by another run, and its answer is not here: it may have been charged, so nothing is
 * sent again. Only a call with a claim fails in this way. `key` is the key of the claim; `time` is when that request was sent, in epoch
 * seconds.
 *
 * @category errors
 * @since 0.1.0
 */
export class AlreadySent extends /* @__PURE__ */ reason<AlreadySent>()(
  "AlreadySent",
  { key: Schema.String, time: Schema.Finite },
  ({ key, time }) => ({
    what: `the call ${ForeignText.quote(key)} was sent by an earlier run at ${NewYork.format(time)}, and its ` +
      "answer is not here",
    advice: "Look up in the ledger what it was charged, and ask under another key if you accept to pay again"
  }),
  { otherwise: "earlier" }
) {}

const whyNoGateway = {
  Busy: {
    what: "the gateway of the account accepts no more calls now",
    advice: "Ask again later, or send fewer calls at once"
  },
  Unreachable: {
    what: "the gateway of the account did not answer",
    advice:
      "Check that a runner is up, that it can reach its database, and that its secret made this caller's credential; then ask again"
  },
  OtherVersion: {
    what: "the gateway of the account is of another version",
    advice: "Run the same version of effect-marketdata on all machines"
  }
} as const

/**
 * The call goes through a gateway, which all machines of an account share, and the gateway did not accept it or did not answer. The cause is
 * one of these:
 * - `Busy`: too many calls are waiting
 * - `Unreachable`: no runner answered in time, or the one that had the call stopped
 * - `OtherVersion`: caller and runner have different versions of the protocol, as during an upgrade
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
}, ({ cause, detail }) => ({
  what: `${whyNoGateway[cause].what}: ${ForeignText.line(detail, 200)}`,
  advice: whyNoGateway[cause].advice
}), {
  retryable: ({ cause }) => cause !== "OtherVersion",
  otherwise: ({ wasSent }) => wasSent === true ? "possible" : "unsent"
}) {}

/**
 * The guard could not say whether this address may send, so nothing was sent. Only a guard of the single-IP rule outside of the program's
 * memory fails in this way, such as one in a database that cannot be reached. `detail` says what was wrong. `wasSent` is true if an
 * earlier request of the query was sent and may have been charged, and `"free"` if none of them was charged.
 *
 * @category errors
 * @since 0.1.0
 */
export class GuardUnavailable extends /* @__PURE__ */ reason<GuardUnavailable>()(
  "GuardUnavailable",
  ofDetail,
  /* @__PURE__ */ unusable("the guard of the single-IP rule", "Make the guard's database available, and ask again"),
  { otherwise: afterwards }
) {}
