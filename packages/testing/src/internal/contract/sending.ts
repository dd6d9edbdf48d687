/** Sends the probes of a plan one after the other, and never one that could pass the budget. */
import * as Reply from "@effect-marketdata/core/Reply"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { type Exchange, isData, type Seen, type Setting } from "./exchange.ts"
import * as Probes from "./probes.ts"

export interface Sent {
  readonly replies: ReadonlyMap<Probes.Name, Exchange>
  /** What the replies say that they consumed; the most they could have where they do not say it. */
  readonly spent: number
  /** How many requests went out. */
  readonly requests: number
  /** Probes that were not sent any more, because an earlier reply had cost more than it may. */
  readonly held: ReadonlyArray<Probes.Name>
  /** Why it ended early. */
  readonly stopped: string | undefined
  readonly now: number
}

export const send = Effect.fnUntraced(function*(options: {
  readonly baseUrl: string
  readonly token: Redacted.Redacted
  readonly budget: number
  readonly setting: Setting
  readonly probes: ReadonlySet<Probes.Name>
}): Effect.fn.Return<Sent, never, HttpClient.HttpClient> {
  const replies = new Map<Probes.Name, Exchange>()
  const held: Array<Probes.Name> = []
  let spent = 0
  let requests = 0
  let now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  let stopped: string | undefined
  for (const name of Probes.names) {
    if (!options.probes.has(name)) continue
    const probe = Probes.byName[name]
    const seen: Seen<Probes.Name> = { setting: options.setting, now, reply: (name) => replies.get(name) }
    const target = probe.target(seen)
    if (target === undefined) continue
    if (spent + probe.credits > options.budget) {
      held.push(name)
      continue
    }
    const token = probe.token === "sent" ? options.token : probe.token === "wrong" ? wrong : undefined
    requests++
    const answered = yield* Effect.result(exchange(options.baseUrl + target, token))
    // A lost reply may have been charged, and nobody can tell.
    spent += Result.isSuccess(answered) ? answered.success.credits ?? uncounted(probe, answered.success) : probe.credits
    if (Result.isFailure(answered)) continue
    const reply = answered.success
    replies.set(name, reply)
    now = dateOf(reply) ?? now
    stopped = endOf(reply)
    if (stopped !== undefined) break
  }
  return { replies, spent, requests, held, stopped, now }
})

/** Why nothing more can be learnt after a reply: whoever goes on after a block makes it no better. */
const endOf = (reply: Exchange): string | undefined => {
  if (isData(reply) || reply.status === 204) return
  const refusal = Reply.refusal(Reply.head(reply), reply)
  return refusal._tag === "AddressBlocked" || refusal._tag === "CreditsExhausted" ? refusal.message : undefined
}

const wrong = Redacted.make("this-is-no-token")

/** The service's own clock, which may not be ours. */
const dateOf = ({ headers }: Exchange): number | undefined => {
  const millis = Date.parse(headers["date"] ?? "")
  return Number.isNaN(millis) ? undefined : Math.floor(millis / 1000)
}

/** What a reply cost that does not say it: nothing where it brought nothing, by the contract's word. */
const uncounted = ({ credits }: Probes.Probe, { status, headers }: Exchange): number =>
  status === 204 || status === 401 || status === 400 && headers["content-type"]?.startsWith("text/html") === true
    ? 0
    : credits

const exchange = Effect.fnUntraced(function*(url: string, token: Redacted.Redacted | undefined) {
  const request = HttpClientRequest.acceptJson(HttpClientRequest.get(url))
  const response = yield* HttpClient.execute(
    token === undefined ? request : HttpClientRequest.bearerToken(request, token)
  )
  const text = yield* isData(response) ? response.text : Effect.orElseSucceed(response.text, () => "")
  const json: unknown = Result.getOrUndefined(Result.try((): unknown => JSON.parse(text)))
  const reply: Exchange = {
    status: response.status,
    headers: response.headers,
    text,
    json,
    credits: Reply.head(response).reported
  }
  return reply
  // A redirect could carry the token to another origin.
}, Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }))
