/** When a run ends before its end, and why: after a refusal of the account, or where nobody answers, further requests show nothing more. */
import { ForeignText, Reply } from "@effect-marketdata/core"
import * as Result from "effect/Result"
import type * as Exchanging from "./exchanging.ts"
import { isTooLong } from "./exchange.ts"
import * as Words from "./words.ts"

/**
 * What a run has met so far: whether anything has answered as the service would, how many requests in a row nothing did, and why that ends
 * the run, where it does.
 */
export interface Encountered {
  readonly isKnown: boolean
  readonly unanswered: number
  readonly stopped: string | undefined
}

export const nothing: Encountered = { isKnown: false, unanswered: 0, stopped: undefined }

/** A request that was sent: whether with the token of the run, and what it asked for. */
export interface Request {
  readonly isSigned: boolean
  readonly target: string
}

/** Adds what came of a request. */
export const after = (
  { isKnown, unanswered }: Encountered,
  outcome: Result.Result<Exchanging.Received, Exchanging.Lost>,
  request: Request
): Encountered => {
  const silence = silenceOf(outcome, isKnown)
  if (silence !== undefined) {
    const isEnd = !isKnown || unanswered > 0 || silence.isCertain
    return { isKnown, unanswered: unanswered + 1, stopped: isEnd ? silence.why : undefined }
  }
  if (Result.isFailure(outcome)) return { isKnown, unanswered: 0, stopped: undefined }
  const reply = outcome.success
  return {
    isKnown: isKnown || reply.json !== undefined || reply.head.status === 204,
    unanswered: 0,
    stopped: refusalOf(reply, request) ?? (isKnown ? undefined : foreignOf(reply))
  }
}

/**
 * Why a request was not answered: its reply was lost, or the service failed. A service that is known to be there may fail with 500 for this
 * request alone. It is certain that nobody answers where no connection could be made.
 */
const silenceOf = (
  outcome: Result.Result<Exchanging.Received, Exchanging.Lost>,
  isKnown: boolean
): { readonly why: string; readonly isCertain: boolean } | undefined => {
  if (Result.isFailure(outcome)) {
    const { message, mayHaveBeenCharged } = outcome.failure.reason
    return { why: ForeignText.line(message), isCertain: !mayHaveBeenCharged }
  }
  const { head: { status } } = outcome.success
  return status > 500 || status === 500 && !isKnown
    ? { why: refused(outcome.success), isCertain: false }
    : undefined
}

const refused = ({ head, text }: Exchanging.Received): string => ForeignText.line(Reply.refusal(head, { text }).message)

/** A refusal of the account, which the next request would meet again. */
const refusalOf = (reply: Exchanging.Received, { isSigned, target }: Request): string | undefined => {
  const { head, text } = reply
  switch (head.status) {
    case 401:
      return isSigned ? refused(reply) : undefined
    case 402:
      return /[?&]mode=(cached?|stale)/.test(target)
        ? `the plan of this token may not ask for cached data (${Words.received({ status: 402, text })}): ` +
          "the suite needs the token of a paid account"
        : undefined
    case 403:
      return Reply.refusal(head, { text })._tag === "AddressBlocked" ? refused(reply) : undefined
    case 429:
      return refused(reply)
    default:
      return
  }
}

/** What shows that something else than the service answers. */
const foreignOf = (reply: Exchanging.Received): string | undefined => {
  const { head: { status }, headers, json, text } = reply
  if (status >= 300 && status < 400) {
    return `the base URL leads elsewhere: received status ${status} with the location ${
      Words.shown(headers["location"])
    }. No redirect is followed, because it could take the token to another address`
  }
  if (status === 403) return refused(reply)
  const isSilent = json !== undefined || text.trim() === "" || status === 401 || status === 402
  return isSilent || isTooLong({ status, headers, text })
    ? undefined
    : `what answers is not the service: expected JSON, ${Words.received({ status, text })}. Check the base URL`
}
