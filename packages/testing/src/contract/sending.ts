/** Sends the probes of a plan one after the other, and never one that could pass the budget. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as AccountPage from "./accountPage.ts"
import * as Ending from "./ending.ts"
import { type Exchange, isTooLong, type Seen, type Setting } from "./exchange.ts"
import * as Exchanging from "./exchanging.ts"
import * as Meter from "./meter.ts"
import * as Probes from "./probes.ts"

export interface Options {
  readonly baseUrl: string
  readonly token: Redacted.Redacted
  readonly budget: number
  readonly setting: Setting
  readonly probes: ReadonlySet<Probes.Name>
  /** Whether anything is asked that only charges can answer. */
  readonly asksForCharges: boolean
}

export interface Sent {
  readonly seen: Seen<Probes.Name>
  /** What was charged for certain, by the figures of the service, and the most that may have been charged besides. */
  readonly spent: number
  readonly uncertain: number
  /** How many requests went out. */
  readonly requests: number
  /** Probes that were not sent because they could have passed the budget, and what they could have cost. */
  readonly held: ReadonlyMap<Probes.Name, number>
  /** Why it ended early, and the probes that were not reached: what ends a run shows nothing of what it was asked for. */
  readonly stopped: string | undefined
  readonly unreached: ReadonlySet<Probes.Name>
}

export const send = Effect.fnUntraced(function*(
  { asksForCharges, baseUrl, budget, probes, setting, token }: Options
): Effect.fn.Return<Sent, never, HttpClient.HttpClient> {
  const replies = new Map<Probes.Name, Omit<Exchange, "charge">>()
  const missing = new Map<Probes.Name, string>()
  const held = new Map<Probes.Name, number>()
  const unreached = new Set<Probes.Name>()
  let encountered = Ending.nothing
  let meter = Meter.empty
  let page = AccountPage.untried
  let requests = 0
  let stopped: string | undefined
  let now = Math.floor((yield* Clock.currentTimeMillis) / 1000)

  const known = (): Probes.Known => ({
    setting,
    now,
    reply: (name) => {
      const reply = replies.get(name)
      return reply && { ...reply, charge: meter.charges.get(name) ?? Meter.unsaid }
    },
    missing: (name) => missing.get(name) ?? "it was not asked",
    showsCharges: Array.from(meter.charges.values()).some(({ _tag }) => _tag === "Shown")
  })
  const isAffordable = (credits: number): boolean => meter.spent + meter.uncertain + credits <= budget
  const ask = (target: string, token: Redacted.Redacted | undefined) =>
    Effect.suspend(() => {
      requests++
      return Effect.result(Exchanging.exchange(baseUrl + target, token))
    })

  for (const name of Probes.names) {
    if (!probes.has(name)) continue
    if (stopped !== undefined) {
      unreached.add(name)
      continue
    }
    const probe = Probes.byName[name]
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
    encountered = Ending.after(encountered, outcome, { isSigned, target })
    stopped = encountered.stopped
    const request = named(target, probe.token)
    if (stopped !== undefined) unreached.add(name)
    else if (Result.isFailure(outcome)) missing.set(name, `${request}: ${outcome.failure.reason.message}`)
    else {
      const { head: { status }, headers, json, text } = outcome.success
      replies.set(name, { request, token: probe.token, status, headers, text, json })
      now = dateOf(headers) ?? now
    }
    // Without the token there is no account that could be charged.
    if (!isSigned || Result.isFailure(outcome) && !outcome.failure.reason.mayHaveBeenCharged) continue
    const { consumed, mayBeCharged, remaining } = figuresOf(outcome)
    if (consumed !== undefined || remaining !== undefined) page = AccountPage.unneeded
    const isToBeTried = page._tag === "Untried" && mayBeCharged && isAffordable(most + AccountPage.most)
    if (asksForCharges && stopped === undefined && (isToBeTried || page._tag === "Telling")) {
      page = yield* AccountPage.next(page, ask(AccountPage.target, token))
    }
    const left = page._tag === "Telling" ? page.remaining : remaining
    meter = Meter.add(meter, { name, most: mayBeCharged ? most : 0, consumed, remaining: left })
    if (isToBeTried && page._tag === "Costly") meter = { ...meter, uncertain: meter.uncertain + page.credits }
  }
  return { seen: known(), spent: meter.spent, uncertain: meter.uncertain, requests, held, stopped, unreached }
})

/**
 * What the service shows of a charge. What a refusal costs is not stated, and taken to be nothing where no figure says otherwise; of the page
 * for long lines the contract says that it is free, which is to be shown.
 */
const figuresOf = (outcome: Result.Result<Exchanging.Received, Exchanging.Lost>) => {
  const head = Result.isSuccess(outcome) ? outcome.success.head : outcome.failure.head
  // An allowance of 0 is what callers without a token are told.
  const rate = head?.rate.limit === 0 ? undefined : head?.rate
  const isPage = Result.isSuccess(outcome) && isTooLong({ ...outcome.success, status: outcome.success.head.status })
  return { consumed: rate?.consumed, remaining: rate?.remaining, mayBeCharged: head?.read !== "text" || isPage }
}

const wrong = Redacted.make("this-is-no-token")

/** The service's own clock, which may not be ours. */
const dateOf = (headers: Exchange["headers"]): number | undefined => {
  const millis = Date.parse(headers["date"] ?? "")
  return Number.isNaN(millis) ? undefined : Math.floor(millis / 1000)
}

/** A request as evidence names it. */
const named = (target: string, token: Probes.Probe["token"]): string => {
  const shown = target.length <= 150 ? target : `${target.slice(0, 60)}… (${target.length} characters)`
  // What follows "token:" is taken out of a text, where it may be one.
  return `GET ${shown}${token === "none" ? " (without a token)" : token === "wrong" ? " (with a wrong token)" : ""}`
}
