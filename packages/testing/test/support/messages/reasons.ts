/** Every reason in every one of its messages. The compiler asks for a reason that is missing. */
import { Incomplete } from "@effect-marketdata/client/Incomplete"
import type { AnyReason } from "@effect-marketdata/client/MarketDataError"
import type { Answer } from "@effect-marketdata/core/Answer"
import * as Reason from "@effect-marketdata/core/Reason"

type Examples = {
  readonly [Tag in AnyReason["_tag"]]: readonly [
    Extract<AnyReason, { readonly _tag: Tag }>,
    ...ReadonlyArray<Extract<AnyReason, { readonly _tag: Tag }>>
  ]
}

const time = 1_795_208_400

/** What of an answer the message about its missing part reads. */
const answered = (charged: number, uncertain: number): Answer<unknown> =>
  ({ credits: { charged, uncertain } }) as Answer<unknown>

const missing = { tickers: ["MSFT"], reason: new Reason.ServerFault({ status: 503, temporary: true, body: "" }) }

const strikeLimit = { options: { strikeLimit: 10 }, cost: 40 }
const dte = { options: { dte: 30 }, cost: 40 }

const mismatch =
  "cannot read the reply (LengthMismatch in column bid at row 1, byte 58): expected 1 element, as in optionSymbol, received 2"
const noObject = "cannot read the reply (NotAnObject, byte 0): expected one JSON object, received \"<\""

export const reasons: Examples = {
  InvalidQuery: [
    new Reason.InvalidQuery({ parameter: "limit", value: "0", rule: "must be a positive integer", example: "10" })
  ],
  RequestLineTooLong: [
    new Reason.RequestLineTooLong({ bytes: 4095 }),
    new Reason.RequestLineTooLong({ bytes: undefined })
  ],
  CreditBudgetExceeded: [
    new Reason.CreditBudgetExceeded({ cause: "Insufficient", bound: 41, available: 40 }),
    new Reason.CreditBudgetExceeded({
      cause: "Insufficient",
      bound: 649,
      size: "648 contracts, seen 1 hour ago",
      available: 40
    }),
    new Reason.CreditBudgetExceeded({
      cause: "Insufficient",
      bound: 41,
      available: 40,
      advice: [strikeLimit, { options: { assume: { contracts: 100 } }, cost: 100 }]
    }),
    new Reason.CreditBudgetExceeded({ cause: "Insufficient", bound: undefined, available: 0, wasSent: true }),
    new Reason.CreditBudgetExceeded({ cause: "Unbounded", bound: undefined, available: 40 }),
    new Reason.CreditBudgetExceeded({ cause: "Unbounded", bound: undefined, available: 40, advice: [dte] }),
    new Reason.CreditBudgetExceeded({ cause: "NoAllowance", bound: 41, available: 0 })
  ],
  LedgerUnavailable: [
    new Reason.LedgerUnavailable({ detail: "database is locked" }),
    new Reason.LedgerUnavailable({ detail: "database or disk is full", wasSent: true })
  ],
  AlreadySent: [new Reason.AlreadySent({ key: "SPX 2026-11-20", time })],
  GuardUnavailable: [
    new Reason.GuardUnavailable({ detail: "database is locked" }),
    new Reason.GuardUnavailable({ detail: "Connection terminated unexpectedly", wasSent: true })
  ],
  IpBlocked: [
    new Reason.IpBlocked({ until: time }),
    new Reason.IpBlocked({}),
    new Reason.IpBlocked({ until: time, wasSent: true })
  ],
  GatewayUnavailable: [
    new Reason.GatewayUnavailable({ cause: "Busy", detail: "1024 calls are waiting" }),
    new Reason.GatewayUnavailable({
      cause: "Unreachable",
      detail: "no runner answered within 300000 ms",
      wasSent: true
    }),
    new Reason.GatewayUnavailable({
      cause: "OtherVersion",
      detail: "its protocol is version 2, and that of this program is 1"
    })
  ],
  FallbackDeclined: [
    new Reason.FallbackDeclined({ price: 300, ceiling: 100 }),
    new Reason.FallbackDeclined({ price: 649, size: "648 contracts, seen 1 hour ago", ceiling: 100 }),
    new Reason.FallbackDeclined({ price: 300, ceiling: 100, advice: [strikeLimit] }),
    new Reason.FallbackDeclined({ price: undefined, ceiling: 100 }),
    new Reason.FallbackDeclined({ price: undefined, ceiling: 100, advice: [dte] }),
    new Reason.FallbackDeclined({ price: 50, ceiling: 100, charged: 20, uncertain: 50 }),
    new Reason.FallbackDeclined({ price: undefined, ceiling: 100, uncertain: 50 })
  ],
  BadRequest: [new Reason.BadRequest({ body: "No such parameter." }), new Reason.BadRequest({ body: "" })],
  InvalidDate: [new Reason.InvalidDate({ body: "" })],
  InvalidOptionSymbol: [new Reason.InvalidOptionSymbol({ body: "" })],
  Unauthorized: [
    new Reason.Unauthorized({ tokenSent: true, body: "" }),
    new Reason.Unauthorized({ tokenSent: true, body: "No credentials provided." }),
    new Reason.Unauthorized({ tokenSent: false, body: "" })
  ],
  PlanRequired: [
    new Reason.PlanRequired({ cached: true, body: "" }),
    new Reason.PlanRequired({ cached: false, body: "" }),
    new Reason.PlanRequired({ cached: false, cause: "PremiumEndpoint", body: "" }),
    new Reason.PlanRequired({ cached: false, cause: "HistoryDepth", years: 5, body: "" }),
    new Reason.PlanRequired({ cached: false, cause: "HistoryDepth", years: 1, body: "" }),
    new Reason.PlanRequired({ cached: false, cause: "HistoryDepth", body: "" })
  ],
  Forbidden: [new Reason.Forbidden({ body: "" })],
  AddressBlocked: [new Reason.AddressBlocked({ body: "" })],
  NotFound: [
    new Reason.NotFound({ cause: "UnknownSymbol", body: "Symbol not found." }),
    new Reason.NotFound({ cause: "UnknownOption", body: "" }),
    new Reason.NotFound({ cause: "MarketClosed", prevTime: time, nextTime: time + 259_200, body: "" }),
    new Reason.NotFound({ cause: "NoData", body: "" }),
    new Reason.NotFound({ body: "" }),
    new Reason.NotFound({ body: "", charged: 1 })
  ],
  TooMuchData: [new Reason.TooMuchData({ body: "" })],
  CreditsExhausted: [new Reason.CreditsExhausted({ body: "", reset: time }), new Reason.CreditsExhausted({ body: "" })],
  TooManyRequests: [new Reason.TooManyRequests({ body: "" }), new Reason.TooManyRequests({ body: "", retryAfter: 1 })],
  ServerFault: [
    new Reason.ServerFault({ status: 503, temporary: true, body: "" }),
    new Reason.ServerFault({ status: 503, temporary: true, retryAfter: 30, body: "" }),
    new Reason.ServerFault({ status: 500, temporary: false, body: "" })
  ],
  UnexpectedStatus: [new Reason.UnexpectedStatus({ status: 302, body: "" })],
  NoCachedData: [new Reason.NoCachedData()],
  UnexpectedNoContent: [new Reason.UnexpectedNoContent()],
  NoLiveData: [new Reason.NoLiveData()],
  TransportFailure: [
    new Reason.TransportFailure({ detail: "ECONNREFUSED 127.0.0.1:8080", mayHaveBeenCharged: false }),
    new Reason.TransportFailure({ detail: "ECONNRESET", mayHaveBeenCharged: true }),
    new Reason.TransportFailure({ detail: "ECONNRESET", mayHaveBeenCharged: true, charged: 2 })
  ],
  TimedOut: [
    new Reason.TimedOut({ limit: "attempt", milliseconds: 60_000, mayHaveBeenCharged: true }),
    new Reason.TimedOut({ limit: "deadline", milliseconds: 500, mayHaveBeenCharged: false })
  ],
  MalformedReply: [
    new Reason.MalformedReply({ code: "LengthMismatch", column: "bid", index: 1, detail: mismatch }),
    new Reason.MalformedReply({ code: "NotAnObject", detail: noObject, body: "Please sign in." })
  ],
  ReplyTooLarge: [
    new Reason.ReplyTooLarge({ limit: 1_048_576, unit: "bytes", configured: true }),
    new Reason.ReplyTooLarge({ limit: 40_000, unit: "rows", configured: false })
  ],
  Incomplete: [
    new Incomplete({ answered: answered(1, 0), missing: ["MSFT"], errors: [missing] }),
    new Incomplete({ answered: answered(2, 1), missing: ["A", "B", "C", "D"], errors: [missing] }),
    new Incomplete({ answered: answered(0, 0), missing: ["A", "B"], errors: [missing] })
  ]
}
