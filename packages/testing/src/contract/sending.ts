/** Sends the probes of a plan one after the other, and never one that could pass the budget. */
import * as HttpFailure from "@effect-marketdata/client/HttpFailure"
import * as Policies from "@effect-marketdata/client/Policies"
import { ForeignText, Query, Reason, Reply } from "@effect-marketdata/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Charges from "./charges.ts"
import { type Exchange, field, isTooLong, type Setting } from "./probes.ts"
import * as Probes from "./probes.ts"
import { received, shown } from "./verdict.ts"

export interface Options {
  readonly baseUrl: string
  readonly token: Redacted.Redacted
  readonly budget: number
  readonly setting: Setting
  readonly probes: ReadonlySet<Probes.Name>
  /** Whether anything is asked that only charges can answer. */
  readonly asksForCharges: boolean
}

export const send = Effect.fnUntraced(function*(
  { asksForCharges, baseUrl, budget, probes, setting, token }: Options
) {
  const replies = new Map<Probes.Name, Omit<Exchange, "charge">>()
  const missing = new Map<Probes.Name, string>()
  /** Probes that were not sent because they could have passed the budget, and what they could have cost. */
  const held = new Map<Probes.Name, number>()
  /** Probes that were not reached, the one that ended the run included. */
  const unreached = new Set<Probes.Name>()
  let encountered: Encountered = { isKnown: false, unanswered: 0, stopped: undefined }
  let meter = Charges.empty
  let page: AccountPage = { _tag: "Untried" }
  let requests = 0
  let stopped: string | undefined
  let ahead = 0
  let now = yield* clock
  let began: number | undefined

  const known = (): Probes.Known => ({
    setting,
    began: began ?? now,
    now,
    basePath: baseUrl.replace(/^https?:\/\/[^/]*/, ""),
    reply: (name) => {
      const reply = replies.get(name)
      return reply && { ...reply, charge: meter.charges.get(name) ?? Charges.unsaid }
    },
    missing: (name) => missing.get(name) ?? "it was not asked",
    showsCharges: Array.from(meter.charges.values()).some(({ _tag }) => _tag === "Shown")
  })
  const isAffordable = (credits: number): boolean => meter.spent + meter.uncertain + credits <= budget
  const ask = (target: string, token: Redacted.Redacted | undefined) =>
    Effect.suspend(() => {
      requests++
      return Effect.result(exchange(baseUrl + target, token))
    })

  for (const name of Probes.names) {
    if (!probes.has(name)) continue
    if (stopped !== undefined) {
      unreached.add(name)
      continue
    }
    const probe = Probes.byName[name]
    now = (yield* clock) + ahead
    const target = probe.target(known())
    if (target === undefined) {
      missing.set(name, `not asked, because ${probe.without}`)
      continue
    }
    const most = probe.creditsOf?.(known()) ?? probe.credits
    if (!isAffordable(most)) {
      held.set(name, most)
      continue
    }
    const isSigned = probe.token === "sent"
    const outcome = yield* ask(target, isSigned ? token : probe.token === "wrong" ? wrong : undefined)
    encountered = after(encountered, outcome, { isSigned, target })
    stopped = encountered.stopped
    const request = named(target, probe.token)
    if (stopped !== undefined) unreached.add(name)
    else if (Result.isFailure(outcome)) missing.set(name, `${request}: ${outcome.failure.reason.message}`)
    else {
      const { head: { status }, headers, json, text } = outcome.success
      const ours = yield* clock
      ahead = (dateOf(headers) ?? ours + ahead) - ours
      now = ours + ahead
      began ??= now
      replies.set(name, { request, token: probe.token, at: now, status, headers, text, json })
    }
    if (!isSigned || Result.isFailure(outcome) && !outcome.failure.reason.mayHaveBeenCharged) continue
    const { consumed, mayBeCharged, remaining } = figuresOf(outcome)
    if (consumed !== undefined || remaining !== undefined) page = { _tag: "Unneeded" }
    const isToBeTried: boolean = page._tag === "Untried" && mayBeCharged && isAffordable(most + pageMost)
    if (asksForCharges && stopped === undefined && (isToBeTried || page._tag === "Telling")) {
      page = yield* nextPage(isToBeTried, ask(pageTarget, token))
    }
    const left = page._tag === "Telling" ? page.remaining : remaining
    meter = Charges.add(meter, { name, most: mayBeCharged ? most : 0, consumed, remaining: left })
    if (isToBeTried && page._tag === "Costly") meter = { ...meter, uncertain: meter.uncertain + page.credits }
  }
  return { seen: known(), spent: meter.spent, uncertain: meter.uncertain, requests, held, stopped, unreached }
})

/** What was seen in a run, what it cost, and why it ended early. */
export type Sent = Effect.Success<ReturnType<typeof send>>

/** A reply as it came. */
type Received = Effect.Success<ReturnType<typeof exchange>>

/** What came of a request; of one without a reply why, and how the reply began, where it did. */
type Outcome = Result.Result<Received, Effect.Error<ReturnType<typeof exchange>>>

/** The largest reply that is read, in bytes: chains of over 20,000 contracts have a tenth of it. */
const maxBytes = 64 * 1024 * 1024

/** Sends one request. The token is taken out of what comes back, however it is written there. A redirect is a reply like any other: followed, it could take the token to another origin. */
const exchange = Effect.fnUntraced(function*(url: string, token: Redacted.Redacted | undefined) {
  const milliseconds = yield* Policies.AttemptTimeout
  let head: Reply.Head | undefined
  const request = HttpClientRequest.acceptJson(HttpClientRequest.get(url))
  const signed = token === undefined ? request : HttpClientRequest.bearerToken(request, token)
  const read = Effect.gen(function*() {
    const response = yield* Effect.catch(HttpClient.execute(signed), ofStatus)
    const clean = ForeignText.without(token === undefined ? "" : Redacted.value(token))
    const cleaned = Object.entries(response.headers).map(([name, text]) => [clean(name), clean(text)] as const)
    const headers = Object.fromEntries(cleaned)
    head = Reply.head({ status: response.status, headers })
    const text = clean(yield* readText(response, head))
    return { head, headers, text, json: Result.getOrUndefined(Result.try((): unknown => JSON.parse(text))) }
  })
  return yield* read.pipe(
    Effect.mapError((error) => HttpFailure.reason(error, token)),
    Effect.timeoutOrElse({
      duration: milliseconds,
      orElse: () => Effect.fail(new Reason.TimedOut({ limit: "attempt", milliseconds, mayHaveBeenCharged: true }))
    }),
    Effect.mapError((reason) => ({ reason, head }))
  )
}, Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }))

/** Takes the response out of a status error, which the HTTP client may be set up to fail with. */
const ofStatus = (error: HttpClientError.HttpClientError) =>
  error.reason._tag === "StatusCodeError" ? Effect.succeed(error.reason.response) : Effect.fail(error)

/** Reads a body up to the limit. One that only explains a status counts as far as it came. */
const readText = (response: HttpClientResponse.HttpClientResponse, head: Reply.Head) =>
  Effect.suspend(() => {
    const decoder = new TextDecoder()
    let text = ""
    let left = head.read === "data" ? maxBytes : Reply.maxTextBytes
    const read = Stream.runForEachWhile(response.stream, (bytes) =>
      Effect.sync(() => {
        text += decoder.decode(bytes.subarray(0, left), { stream: true })
        left -= Math.min(left, bytes.length)
        return left > 0
      }))
    return read.pipe(
      Effect.catch((error) => head.read === "data" ? Effect.fail(error) : Effect.void),
      Effect.map(() => text + decoder.decode())
    )
  })

/**
 * What the service shows of a charge. A refusal is taken to be free unless a figure says otherwise, because the contract does not say. That the page for long
 * lines is free, which it does say, has to be shown.
 */
const figuresOf = (outcome: Outcome) => {
  const head = Result.isSuccess(outcome) ? outcome.success.head : outcome.failure.head
  // Callers without a token get an allowance of 0.
  const rate = head?.rate.limit === 0 ? undefined : head?.rate
  const isPage = Result.isSuccess(outcome) && isTooLong({ ...outcome.success, status: outcome.success.head.status })
  return { consumed: rate?.consumed, remaining: rate?.remaining, mayBeCharged: head?.read !== "text" || isPage }
}

const wrong = Redacted.make("this-is-no-token")

/** Our clock, in epoch seconds. */
const clock = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

/** The service's own clock, which may be ahead of ours or behind. */
const dateOf = (headers: Exchange["headers"]): number | undefined => {
  const millis = Date.parse(headers["date"] ?? "")
  return Number.isNaN(millis) ? undefined : Math.floor(millis / 1000)
}

/** A request as evidence names it. */
const named = (target: string, token: Probes.Probe["token"]): string => {
  const short = target.length <= 150 ? target : `${target.slice(0, 60)}… (${target.length} characters)`
  // Not "token: none": a text after "token:" is removed from evidence, because it may be a token.
  return `GET ${short}${token === "none" ? " (without a token)" : token === "wrong" ? " (with a wrong token)" : ""}`
}

/**
 * The state of a run: whether anything has answered like the service, how many requests in a row were not answered, and why the run has to end, if so.
 */
interface Encountered {
  readonly isKnown: boolean
  readonly unanswered: number
  readonly stopped: string | undefined
}

/** A request that was sent: whether with the token of the run, and what it asked for. */
interface Request {
  readonly isSigned: boolean
  readonly target: string
}

/** Adds the outcome of a request. */
const after = ({ isKnown, unanswered }: Encountered, outcome: Outcome, request: Request): Encountered => {
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
 * Why a request was not answered: its reply was lost, or the service failed. A service that has answered before may fail with 500 for this request alone.
 * Without a connection it is certain that nothing answers.
 */
const silenceOf = (outcome: Outcome, isKnown: boolean) => {
  if (Result.isFailure(outcome)) {
    const { message, mayHaveBeenCharged } = outcome.failure.reason
    return { why: ForeignText.line(message), isCertain: !mayHaveBeenCharged }
  }
  const { head: { status } } = outcome.success
  return status > 500 || status === 500 && !isKnown
    ? { why: refused(outcome.success), isCertain: false }
    : undefined
}

const refused = ({ head, text }: Received): string => Reply.refusal(head, { text, charged: head.reported }).message

/** A refusal of the account, which the next request would meet again. */
const refusalOf = (reply: Received, { isSigned, target }: Request): string | undefined => {
  const { head, head: { status }, text } = reply
  if (status === 402 && /[?&]mode=(cached?|stale)/.test(target)) {
    const what = `the plan of this token may not ask for cached data (${received({ status, text })})`
    return `${what}: the suite needs the token of a paid account`
  }
  const isRefused = status === 429 || status === 401 && isSigned ||
    status === 403 && Reply.refusal(head, { text })._tag === "AddressBlocked"
  return isRefused ? refused(reply) : undefined
}

/** Why a reply cannot be the service's. */
const foreignOf = (reply: Received): string | undefined => {
  const { head: { status }, headers, json, text } = reply
  if (status >= 300 && status < 400) {
    const where = `received status ${status} with the location ${shown(headers["location"])}`
    return `the base URL leads elsewhere: ${where}. No redirect is followed, because it could take the token to another address`
  }
  if (status === 403) return refused(reply)
  // An object that is not JSON, such as one with NaN, is a mistake of the service.
  const isSilent = json !== undefined || /^\s*(\{|$)/.test(text) || status === 401 || status === 402
  return isSilent || isTooLong({ status, headers, text })
    ? undefined
    : `what answers is not the service: expected JSON, ${received({ status, text })}. Check the base URL`
}

/**
 * - `Untried`: it was not asked for yet
 * - `Telling`: it says what is left, and is free to ask for
 * - `Silent`: there is no such page
 * - `Costly`: asking for it cost credits, and it is not asked for again
 * - `Unneeded`: the replies say themselves what they cost
 */
type AccountPage =
  | { readonly _tag: "Untried" | "Silent" | "Unneeded" }
  | { readonly _tag: "Telling"; readonly remaining: number | undefined }
  | { readonly _tag: "Costly"; readonly credits: number }

const pageTarget = Query.target(Query.account)

/** The most that it may cost to find out whether the page is free: it is asked for twice. */
const pageMost = 2

/** Asks for the page; the first time twice, to see whether it is free. */
const nextPage = Effect.fnUntraced(function*<R>(
  isFirst: boolean,
  ask: Effect.Effect<Outcome, never, R>
): Effect.fn.Return<AccountPage, never, R> {
  const read = Effect.map(ask, remainingIn)
  const remaining = yield* read
  if (!isFirst) return { _tag: "Telling", remaining }
  if (remaining === undefined) return { _tag: "Silent" }
  const second = yield* read
  return second === undefined || second >= remaining
    ? { _tag: "Telling", remaining: second }
    : { _tag: "Costly", credits: 2 * (remaining - second) }
})

const remainingIn = (outcome: Outcome): number | undefined => {
  const value = Result.isSuccess(outcome) ? field(outcome.success.json, "x-ratelimit-requests-remaining") : undefined
  return typeof value === "number" && Number.isInteger(value) ? value : undefined
}
