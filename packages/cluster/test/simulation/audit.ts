/** Watches a run: it is told what happens, and says which rule was broken first. */
import type * as MarketDataError from "@effect-marketdata/client/MarketDataError"
import * as Answer from "@effect-marketdata/core/Answer"
import type { SeededRuntime } from "@effect-marketdata/testing/SeededRuntime"
import type { Exchange } from "@effect-marketdata/testing/SeededService"
import { Cause, Exit } from "effect"

/** A mark in the token, by which it is found wherever it does not belong. */
export const mark = "S3CR3T"

/** A rule that was broken: after how many steps, and after how many seconds of the run. */
export interface Violation {
  readonly seed: number
  readonly step: number
  readonly second: number
  readonly rule: string
  readonly detail: string
}

/** A call, which asks for what no other one asks for. */
export interface Call {
  readonly number: number
  readonly from: string
  readonly caller: string
  readonly startedAt: number
  readonly patience: number
  readonly attempts: number
  /** Whether all is mended, so that there is no reason to fail. */
  readonly isLast: boolean
  /** Whether its caller has a budget, which may be spent. */
  readonly isThrifty: boolean
  /** Whether its caller may go away before it has an answer. */
  readonly mayGo: boolean
  readonly exchanges: Array<Exchange>
  /** Whether its caller was told that nothing was sent. */
  isUnsent: boolean
  isOver: boolean
}

/** What is counted before anything happens. */
export const nothing = () => ({
  calls: 0,
  answered: 0,
  /** How many of them with a reply that was kept. */
  kept: 0,
  interrupted: 0,
  requests: 0,
  billed: 0,
  charged: 0,
  uncertain: 0,
  /** How often another address sent than before. */
  moves: 0,
  /** The longest that a caller waited when all was mended, in seconds. */
  slowest: 0,
  /** How many programs were killed because they did not end in time. */
  overdue: 0,
  reasons: {} as Record<string, number>,
  troubles: {} as Record<string, number>
})

/** What happened in all, by number. */
export type Tally = ReturnType<typeof nothing>

/** Raised to end a run in which a rule was broken. */
export class Broken extends Error {}

/** How much later than its patience a caller may be let go: the runner is told first, over a connection that may have to be opened. */
const slack = 3000

/** Five minutes, in milliseconds. */
const block = 300_000

/** Whether a client has had the whole of a reply, also where the length in its head is another one: JSON that is whole counts. */
const isWhole = ({ mishap, read }: Exchange): boolean =>
  read || mishap?._tag === "Fault" && mishap.kind._tag === "WrongLength"

export const make = ({ runtime, seed }: { readonly seed: number; readonly runtime: SeededRuntime }) => {
  const startedAt = runtime.now()
  const tally = nothing()
  const calls = new Map<string, Call>()
  /** All that was asked of the service, also for what was asked before. */
  const all: Array<Call> = []
  /** What was answered last, and not asked for again since. */
  let answered: number | undefined
  const lastSent = new Map<string, number>()
  let address: string | undefined
  let sender: string | undefined
  let ambush = () => {}
  let step = 0
  let log = 0xcbf2_9ce4_8422_2325n
  let first: Violation | undefined

  const event = (text: string): void => {
    step++
    for (const letter of `${runtime.now() - startedAt} ${text}`) {
      log = BigInt.asUintN(64, (log ^ BigInt(letter.charCodeAt(0))) * 0x100_0000_01b3n)
    }
  }
  const violate = (rule: string, detail: string): void => {
    first ??= { seed, step, second: (runtime.now() - startedAt) / 1000, rule, detail }
  }
  const count = (counts: Record<string, number>, name: string): void => void (counts[name] = (counts[name] ?? 0) + 1)
  const seek = (where: string, text: string): void => {
    if (text.includes(mark)) violate("the token is in no error, span or log", `${where}: ${text.slice(0, 200)}`)
  }

  /** A request leaves a runner. */
  const sent = (exchange: Exchange, from: string): void => {
    const { desk, mishap, target } = exchange
    const asked = /from=([\d-]+)/.exec(target)?.[1] ?? target
    event(`sent ${desk} ${from} ${asked} ${mishap?._tag}`)
    tally.requests++
    seek("the target of a request", target)
    const left = lastSent.get(from)
    if (address !== from && left !== undefined && runtime.now() - left < block) {
      const told = `${desk} sends from ${from} ${(runtime.now() - left) / 1000} s after it was left for ${address}`
      violate("no address sends again within five minutes of another one", told)
    }
    if (address !== from) tally.moves++
    address = from
    sender = desk
    ambush()
    lastSent.set(from, runtime.now())
    const call = calls.get(asked)
    if (call === undefined) return violate("only what was asked is sent", target)
    call.exchanges.push(exchange)
    const who = new Set(call.exchanges.map(({ desk }) => desk))
    if (who.size > 1 || call.exchanges.length > call.attempts) {
      violate("no call is sent twice", `${target} was sent by ${[...who].join(" and ")}, of ${call.attempts} attempts`)
    }
    if (call.isUnsent) violate("what was said not to be sent is not sent", target)
  }

  const served = ({ billed, mishap, status, target }: Exchange): void => {
    event(`served ${status} ${billed}`)
    if (status === 403 && mishap === undefined) violate("the service blocks no address", target)
  }

  const begin = (call: Omit<Call, "startedAt" | "exchanges" | "isUnsent" | "isOver">): Call => {
    const begun: Call = { ...call, startedAt: runtime.now(), exchanges: [], isUnsent: false, isOver: false }
    event(`asked ${call.number}`)
    calls.set(call.from, begun)
    all.push(begun)
    tally.calls++
    return begun
  }

  const end = (call: Call, exit: Exit.Exit<Answer.Answer<unknown>, MarketDataError.MarketDataError>): void => {
    call.isOver = true
    const { caller, exchanges, from, patience } = call
    const late = runtime.now() - call.startedAt - patience
    if (late > slack) {
      violate("every caller is let go within its patience", `${caller} waited ${late} ms longer for ${from}`)
    }
    const read = exchanges.filter(({ read }) => read).reduce((sum, { billed }) => sum + billed, 0)
    if (Exit.isSuccess(exit)) {
      tally.answered++
      event(`answered ${call.number}`)
      if (call.isLast) tally.slowest = Math.max(tally.slowest, (runtime.now() - call.startedAt) / 1000)
      const { charged, uncertain } = exit.value.credits
      if (exit.value.provenance.source === "local") {
        tally.kept++
        if (charged + uncertain > 0) violate("what is kept costs nothing", `${from}: ${charged} and ${uncertain}`)
        if (!all.some((other) => other.from === from && other.exchanges.some(isWhole))) {
          violate("what is kept was answered", `${from} for ${caller}`)
        }
        return
      }
      answered = call.number
      if (exchanges.length === 0) violate("what is answered was sent", `${from} for ${caller}`)
      if (charged + uncertain < read) violate("an answer says what it cost", `${from}: ${charged}, and not ${read}`)
      return
    }
    const error = exit.cause.reasons.find(Cause.isFailReason)?.error
    if (Cause.hasDies(exit.cause) || error === undefined && !call.mayGo) {
      return violate("every caller gets an answer or a typed error", `${caller}: ${Cause.pretty(exit.cause)}`)
    }
    if (error === undefined) {
      tally.interrupted++
      return event(`interrupted ${call.number}`)
    }
    const { reason, trace } = error
    if (call.isLast && !(call.isThrifty && reason._tag === "CreditBudgetExceeded")) {
      violate("the account is served again when all is mended", `${caller}: ${error.message}`)
    }
    event(`failed ${call.number} ${reason._tag}`)
    count(tally.reasons, reason._tag)
    seek("an error", `${String(error)} ${JSON.stringify(error)}`)
    const { charged, uncertain } = Answer.spent(trace)
    if (reason.cost === "none" && trace.length === 0) {
      call.isUnsent = true
      if (exchanges.length > 0) violate("what was said not to be sent is not sent", `${from}: ${error.message}`)
    }
    if (reason.cost === "none" && charged + uncertain < read) {
      violate("an error says what it cost", `${from}: ${error.message}`)
    }
  }

  return {
    tally,
    event,
    violate,
    seek,
    sent,
    served,
    begin,
    end,
    /** A call that was answered by the service, and not yet asked again. */
    answered: (): number | undefined => {
      const number = answered
      answered = undefined
      return number
    },
    trouble: (name: string, detail: string): void => {
      event(`${name} ${detail}`)
      count(tally.troubles, name)
    },
    /** A program was told to end, and is killed because it has not. */
    overdue: (name: string): void => {
      event(`overdue ${name}`)
      tally.overdue++
    },
    /** Ends the run if a rule was broken. */
    check: (): void => {
      if (first !== undefined) throw new Broken(first.rule)
    },
    violation: () => first,
    steps: () => step,
    log: () => log.toString(16).padStart(16, "0"),
    /** The program that sent last. */
    sender: () => sender,
    /** Does something when the next request has been sent. */
    atNextRequest: (strike: () => void): void => {
      ambush = () => {
        ambush = () => {}
        strike()
      }
    },
    /** Compares what the database says of each call with the bill, when all programs have ended and all leases are over. */
    settle: (
      spent: ReadonlyMap<string, { readonly charged: number; readonly uncertain: number }>,
      open: number,
      budgetOf: (caller: string) => number | undefined
    ): void => {
      if (open > 0) violate("no reservation is left", `${open} are`)
      const billedOf = (of: (call: Call) => boolean) =>
        all.filter(of).flatMap(({ exchanges }) => exchanges).reduce((sum, { billed }) => sum + billed, 0)
      for (const caller of new Set(all.map(({ caller }) => caller))) {
        const [billed, budget = Infinity] = [billedOf((call) => call.caller === caller), budgetOf(caller)]
        if (billed > budget) violate("no caller spends beyond its budget", `${caller}: ${billed} of ${budget}`)
      }
      for (const { caller, from } of calls.values()) {
        const { charged, uncertain } = spent.get(from) ?? { charged: 0, uncertain: 0 }
        const billed = billedOf((call) => call.from === from)
        tally.billed += billed
        tally.charged += charged
        tally.uncertain += uncertain
        if (charged > billed || billed > charged + uncertain) {
          const figures = `billed ${billed}, charged ${charged}, uncertain ${uncertain}`
          const rule = "what was billed is charged or named as uncertain, and nothing else"
          violate(rule, `${from} of ${caller}: ${figures}`)
        }
      }
    },
    open: () => [...calls.values()].filter(({ isOver }) => !isOver),
    /** A caller that was killed waits for nothing. */
    forget: (caller: string): void => {
      for (const call of calls.values()) if (call.caller === caller && !call.isOver) call.isOver = true
    }
  }
}

export type Audit = ReturnType<typeof make>
