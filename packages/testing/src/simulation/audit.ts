/** The audit of a simulated run: it is told what happens, counts it, and finds the first rule that is broken. */
import type * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import { Answer, CalendarDate, NewYork, Retry } from "@effect-marketdata/core"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Calls from "./calls.ts"
import type { SeededRuntime } from "./SeededRuntime.ts"
import * as SeededService from "./SeededService.ts"

/** A rule that was broken, and where: `step` counts everything that happened in the run so far. */
export interface Violation {
  readonly seed: number
  readonly day: number
  readonly step: number
  readonly at: number
  readonly rule: string
  readonly detail: string
}

/**
 * A call before it begins, with its terms.
 *
 * - `ceiling`: the price that was consented to if it falls back to live data
 * - `policy`: how often each of its requests may be sent, and be lost
 * - `deadline`: how many milliseconds it may take
 * - `isShared`: whether other calls may get its answer
 * - `isHurried`: whether its caller may give up before it ends
 */
export interface CallTerms extends Omit<Calls.Call, "ask"> {
  readonly ceiling: number
  readonly policy: Pick<Retry.Policy, "attempts" | "lostAttempts">
  readonly deadline: number
  readonly isShared: boolean
  readonly isHurried: boolean
}

/** A call that begins. */
const callOf = (id: number, desk: string, terms: CallTerms, startedAt: number) => ({
  ...terms,
  id,
  desk,
  startedAt,
  exchanges: new Array<SeededService.Exchange>(),
  /** When a caller gave up. */
  givenUpAt: Infinity,
  /** Whether a request of it may have been cancelled before it was on the wire, because a caller gave up. */
  mayBeCutOff: terms.isHurried,
  isOver: false
})

type Call = ReturnType<typeof callOf>

/** What a desk does on a day. */
const accountOf = (desk: Calls.Desk, ledger: CreditLedger.CreditLedger["Service"]) => ({
  desk,
  ledger,
  exchanges: new Array<SeededService.Exchange>(),
  calls: new Array<Call>(),
  running: 0,
  inFlight: 0,
  peak: 0,
  blockKnown: { from: Infinity, until: -Infinity }
})

type Account = ReturnType<typeof accountOf>

/** All counts at zero. */
export const none = {
  calls: 0,
  callers: 0,
  fewestCalls: Infinity,
  fewestCallers: Infinity,
  requests: 0,
  answers: 0,
  interrupted: 0,
  billed: 0,
  charged: 0,
  uncertain: 0,
  overruns: 0,
  repeats: 0,
  steps: 0
}

/** What happened in all, by number. */
export type Counts = { -readonly [Name in keyof typeof none]: number }

const total = (exchanges: ReadonlyArray<SeededService.Exchange>, of: (exchange: SeededService.Exchange) => number) =>
  exchanges.reduce((sum, exchange) => sum + of(exchange), 0)

const billedFor = ({ billed }: SeededService.Exchange): number => billed

/** Raised to end a run in which a rule was broken. */
export class Broken extends Error {}

/** Waits end on whole milliseconds. */
const tick = 1

/** A block lasts for five minutes, in milliseconds. */
const block = 5 * 60_000

/** Makes the audit of a run: the run reports its events to it, and it finds the first rule that they break. */
export const make = ({ machine, seed }: { readonly machine: SeededRuntime; readonly seed: number }) => {
  const tally: Counts = { ...none }
  const faults: Record<string, number> = {}
  const reasons: Record<string, number> = {}
  let accounts = new Map<string, Account>()
  let calls = new Map<number, Call>()
  let touched = new Set<Account>()
  let day = 0
  let nextCall = 1
  let billed = 0
  let log: readonly [number, number] = [0x811c_9dc5, 0x1234_5678]
  let first: Violation | undefined

  const event = (text: string): void => {
    tally.steps++
    let [a, b] = log
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      a = Math.imul(a ^ code, 0x0100_0193)
      b = Math.imul((b ^ code) + (a >>> 7), 0x85eb_ca6b)
    }
    log = [a ^ tally.steps, b ^ machine.now()]
  }

  const violate = (rule: string, detail: string): void => {
    first ??= { seed, day, step: tally.steps, at: Math.floor(machine.now() / 1000), rule, detail }
  }

  /** The account of a desk, which is checked next time. Every day has the same desks. */
  const touch = (name: string): Account => {
    const account = accounts.get(name)!
    touched.add(account)
    return account
  }

  const seek = (where: string, text: string): void => {
    if (text.includes(Calls.mark)) violate("the token is in no error, span or log", `${where}: ${text.slice(0, 200)}`)
  }

  const sent = (exchange: SeededService.Exchange): void => {
    event(`sent ${exchange.desk} ${exchange.call} ${exchange.target}`)
    tally.requests++
    const mishap = SeededService.nameOf(exchange.mishap)
    if (mishap !== undefined) count(faults, mishap)
    const account = touch(exchange.desk)
    account.exchanges.push(exchange)
    account.peak = Math.max(account.peak, ++account.inFlight)
    seek("the target of a request", exchange.target)
    if (exchange.sentAt > account.blockKnown.from && exchange.sentAt <= account.blockKnown.until) {
      violate("nothing is sent during a block that the client knows of", `${exchange.desk} sent ${exchange.target}`)
    }
    const call = calls.get(exchange.call)
    call?.exchanges.push(exchange)
    if (call?.isOver === true && !call.isShared || account.running === 0) {
      violate("nothing is sent for a call that is over", `${exchange.desk} sent ${exchange.target} for ${call?.text}`)
    }
  }

  const served = (exchange: SeededService.Exchange): void => {
    event(`served ${exchange.desk} ${exchange.call} ${exchange.status} ${exchange.billed}`)
    billed += exchange.billed
    exchange.servedAt = machine.now()
    touch(exchange.desk).inFlight--
    const { billed: cost, status, target } = exchange
    if (cost > 0 && (status === 204 || (status ?? 0) >= 400)) {
      violate("204 and errors are never billed", `${target} was answered with ${status} and billed ${cost}`)
    }
  }

  const begin = (desk: string, terms: CallTerms): Call => {
    const call = callOf(nextCall++, desk, terms, machine.now())
    calls.set(call.id, call)
    tally.calls++
    const account = touch(desk)
    account.calls.push(call)
    account.running++
    return call
  }

  const end = (call: Call, exit: Exit.Exit<Calls.Outcome, never>): void => {
    checkEnd(call, exit)
    // Chains of megabytes would pile up over a day.
    for (const exchange of call.exchanges) exchange.body = ""
  }

  const checkEnd = (call: Call, exit: Exit.Exit<Calls.Outcome, never>): void => {
    call.isOver = true
    const account = touch(call.desk)
    account.running--
    const latest = Math.min(call.givenUpAt, call.isShared ? Infinity : call.startedAt + call.deadline + tick)
    if (machine.now() > latest) {
      violate("a call ends in time", `${call.text}: ${machine.now() - latest} milliseconds later`)
    }
    if (Exit.isFailure(exit)) {
      event(`interrupted ${call.id}`)
      if (Cause.hasDies(exit.cause) || !call.isHurried) {
        return violate("every caller gets an answer or a typed error", `${call.text}: ${Cause.pretty(exit.cause)}`)
      }
      call.mayBeCutOff = true
      tally.interrupted++
      return
    }
    const { answers, errors } = exit.value
    tally.answers += answers.length
    event(`ended ${call.id} ${answers.length} ${errors.map(({ message }) => message).join()}`)
    for (const error of errors) {
      count(reasons, error.reason._tag)
      if (error.reason._tag === "Incomplete") {
        for (const { reason } of error.reason.errors) count(reasons, reason._tag)
      }
      seek("an error", `${String(error)} ${JSON.stringify(error)}`)
    }
    const trace = [...answers, ...errors].flatMap(({ trace }) => trace)
    tally.repeats += trace.reduce((sum, { repeats }) => sum + repeats, 0)
    if (trace.some(({ reason }) => reason?._tag === "TimedOut")) call.mayBeCutOff = true
    for (const answer of answers) {
      const { credits, data, trace } = answer
      checkOrder(call, data)
      checkLast(call, data)
      checkCost(call, credits, trace)
      if (call.isShared) continue
      checkReply(call, answer)
      checkOptions(call, data)
    }
    recordBlock(account, call, trace)
    checkElsewhere(account, call, trace)
    if (call.isShared && answers.length > 0) checkAge(account, call, trace)
    if (!call.isShared) checkTrace(call, trace)
    if (!call.isShared && !call.hasTwins) checkRepeats(call, trace)
  }

  /** Checks that the rows of a list are in the order of its tickers. */
  const checkOrder = ({ text, tickers }: Call, data: unknown): void => {
    const rows = tickers.length > 1 ? symbolsOf(data) : []
    let at = 0
    for (const symbol of rows) {
      at = tickers.indexOf(symbol, at) + 1
      if (at === 0) return violate("a list is answered in its order", `${text}: ${rows.join()}`)
    }
  }

  /** Checks that candles that are counted back are the last ones: the market is never closed for a week. */
  const checkLast = ({ startedAt, text }: Call, data: unknown): void => {
    const last = Predicate.hasProperty(data, "t") && data.t instanceof Float64Array ? data.t.at(-1) : undefined
    if (text.includes("countback=") && last !== undefined && last < startedAt / 1000 - 8 * 86_400) {
      violate("candles that are counted back are the last ones", `${text}: the last begins at ${last}`)
    }
  }

  /** Checks that an answer to one reply has its status, its findings and its numbers. */
  const checkReply = ({ exchanges, text }: Call, { data, findings, provenance }: Answer.Answer<unknown>): void => {
    // A list has a reply for each batch, and the end of one whose length is known may not be looked for.
    const [reply, other] = exchanges.filter(({ status }) => status === 200 || status === 203)
    if (reply?.read !== true || other !== undefined || !Predicate.isReadonlyObject(data)) return
    // Only tables have findings.
    const isSilent = "length" in data && findings.length === 0 && SeededService.nameOf(reply.mishap) === "ExtraField"
    const isOther = provenance.status !== reply.status
    const wrong = isOther ? "the status" : isSilent ? "the findings" : wrongColumn(data, reply.body)
    if (wrong !== undefined) violate("an answer is what the service replied", `${wrong} of ${text}`)
  }

  /** Checks that options are on the side and of the day that were asked for. */
  const checkOptions = ({ exchanges: [exchange], text }: Call, data: unknown): void => {
    if (exchange === undefined || !Predicate.isReadonlyObject(data)) return
    const { pathname, searchParams } = new URL(exchange.target, "https://service.test")
    const [side, day] = [searchParams.get("side"), searchParams.get("date")]
    const isOther = side !== null && data["side"] instanceof Uint8Array &&
      data["side"].some((code) => sides[code] !== side)
    const isLater = day !== null && pathname.startsWith("/v1/options/") && data["updated"] instanceof Float64Array &&
      data["updated"].some((time) => CalendarDate.format(NewYork.dateOf(time)) !== day)
    if (isOther || isLater) violate("an answer is of the side and the day that were asked for", text)
  }

  /** Checks that an answer states the certain and uncertain charges of its requests. */
  const checkCost = ({ text }: Call, credits: Answer.Credits, trace: ReadonlyArray<Answer.Attempt>): void => {
    const { charged, uncertain } = Answer.spent(trace)
    if (credits.charged !== charged || credits.uncertain !== uncertain) {
      const [said, sum] = [credits, { charged, uncertain }].map((spent) => `${spent.charged} and ${spent.uncertain}`)
      violate("an answer says what it cost, and what it may have cost", `${text}: ${said}, and not ${sum}`)
    }
  }

  /** Whether no request was billed more than the most that its estimate says. */
  const isBounded = (exchanges: ReadonlyArray<SeededService.Exchange>): boolean =>
    exchanges.every(({ billed, call }) => billed <= (calls.get(call)?.bound ?? Infinity))

  /** Checks credits that are reported as spent elsewhere: there can be some only if two desks share an account, or a bound was wrong. */
  const checkElsewhere = ({ desk, exchanges }: Account, { text }: Call, trace: ReadonlyArray<Answer.Attempt>): void => {
    const isAlone = [...accounts.values()].filter((other) => other.desk.token === desk.token).length === 1
    // A service whose clock is wrong speaks of another window.
    const isPunctual = exchanges.every(({ mishap }) => mishap?._tag !== "Fault" || mishap.kind._tag !== "ClockSkew")
    const elsewhere = trace.reduce((sum, { elsewhere }) => sum + elsewhere, 0)
    if (elsewhere > 0 && isAlone && isBounded(exchanges) && isPunctual) {
      const detail = `${desk.name}: ${elsewhere} credits for ${text}`
      violate("the client's own spending is not reported as spent elsewhere", detail)
    }
  }

  /** Checks that an answer is not older than its query, as a shared one could be. */
  const checkAge = ({ exchanges }: Account, { startedAt, text }: Call, trace: ReadonlyArray<Answer.Attempt>): void => {
    const isNew = trace.some(({ target }) =>
      exchanges.some((exchange) => exchange.target === target && exchange.servedAt >= startedAt)
    )
    if (!isNew) violate("no answer is older than its query", text)
  }

  /** Checks how often the call repeated a request, and that it requested live data only after cached misses. */
  const checkRepeats = ({ fallsBack, policy, text }: Call, trace: ReadonlyArray<Answer.Attempt>): void => {
    const live = new Set(trace.map(({ target }) => target).filter((target) => target.includes("mode=live")))
    const misses = trace.filter(({ status, target }) => status === 204 && !target.includes("mode=live"))
    if (fallsBack && live.size > misses.length) violate("live data are requested only after a cached miss", text)
    for (const [target, sent] of Object.entries(Arr.groupBy(trace, ({ target }) => target))) {
      const lost = sent.filter(({ reason }) => reason !== undefined && Retry.isLost(reason))
      if (sent.length > policy.attempts || lost.length > (policy.lostAttempts ?? policy.attempts)) {
        violate("no request is sent more often than the policy allows", `${target} of ${text}`)
      }
      const isRetried = sent.slice(0, -1).some(({ reason }) => reason?.isRetryable !== true)
      if (isRetried) violate("no permanent failure is retried", `${target} of ${text}`)
    }
  }

  /** Records what a client knows of a block after a call. */
  const recordBlock = (account: Account, { exchanges }: Call, trace: ReadonlyArray<Answer.Attempt>): void => {
    if (!trace.some(({ reason }) => reason?._tag === "AddressBlocked")) return
    const refused = exchanges.findLast(({ mishap, status }) => status === 403 && mishap?._tag !== "Proxy")
    if (refused !== undefined) account.blockKnown = { from: machine.now(), until: refused.sentAt + block }
  }

  /** Compares the trace of a call with what was on the wire. */
  const checkTrace = (call: Call, trace: ReadonlyArray<Answer.Attempt>): void => {
    const { exchanges, text } = call
    // A cancelled request may have been marked as sent without being sent.
    const isWhole = call.mayBeCutOff ? trace.length >= exchanges.length : trace.length === exchanges.length
    if (!isWhole) {
      return violate("the trace names every request", `${text}: ${trace.length} of ${exchanges.length} in the trace`)
    }
    const left = [...exchanges]
    // A list may send the same request twice at once: attempts are matched to exchanges that fit, those with a certain charge first.
    const certainFirst = trace.toSorted((a, b) => Number(a.charge === undefined) - Number(b.charge === undefined))
    for (const { charge, status, target } of certainFirst) {
      const same = left.filter((exchange) => exchange.target === target)
      const fits = ({ billed, read }: SeededService.Exchange) =>
        charge === undefined ? !read : read && billed === charge.credits
      const exchange = same.find(fits) ?? same.find(({ billed }) => billed === charge?.credits) ?? same[0]
      if (exchange === undefined) {
        if (call.mayBeCutOff && charge === undefined) continue
        return violate("the trace names every request", `${text}: ${target} was never sent`)
      }
      left.splice(left.indexOf(exchange), 1)
      if (charge === undefined) {
        if (exchange.read && !call.mayBeCutOff) violate("what is answered is not lost", `${target} of ${text}`)
      } else if (charge.credits !== exchange.billed) {
        violate("what is charged is what was billed", `${target}: ${charge.credits} for ${exchange.billed}`)
      }
      if (charge !== undefined && charge.credits > 0 && (status === 204 || (status ?? 0) >= 400)) {
        violate("204 and errors are never charged", `${target}: ${status} for ${charge.credits}`)
      }
    }
    const { charged, uncertain } = Answer.spent(trace)
    const billed = boundedBill(call, exchanges)
    if (billed > charged + uncertain && !call.mayBeCutOff) {
      const detail = `${text}: billed ${billed}, charged ${charged}, uncertain ${uncertain}`
      violate("what was billed is charged or known to be uncertain", detail)
    }
  }

  /** What exchanges of a call were billed, each at most its bound: the call could not know that a bound was wrong. */
  const boundedBill = ({ bound }: Call, exchanges: ReadonlyArray<SeededService.Exchange>): number =>
    total(exchanges, ({ billed }) => Math.min(billed, bound))

  /** Checks that all live requests of a call, lost ones included, cost no more than was consented to. */
  const checkCeiling = (call: Call): void => {
    if (call.ceiling === Infinity) return
    const billed = boundedBill(call, call.exchanges.filter(({ target }) => target.includes("mode=live")))
    if (billed > call.ceiling) {
      violate("nothing above the ceiling is paid for live data", `${call.text}: ${billed} > ${call.ceiling}`)
    }
  }

  const mayBeLost = (exchange: SeededService.Exchange): boolean =>
    !exchange.read || (calls.get(exchange.call)?.mayBeCutOff ?? true) || calls.get(exchange.call)?.isShared === true

  /** Compares a desk's ledger with the bill. */
  const checkLedger = (account: Account): void => {
    const { desk, exchanges, ledger } = account
    const balance = Effect.runSync(ledger.balance)
    const { allowance, charged, reserved, uncertain } = balance
    const overdrawn = balance.overruns.reduce((sum, { bound, charged }) => sum + charged - bound, 0)
    const bill = total(exchanges, billedFor)
    const figures = `${desk.name}: billed ${bill}, charged ${charged}, uncertain ${uncertain}, reserved ${reserved}`
    if (charged > bill) violate("no more is charged than was billed", figures)
    const isEstimated = exchanges.every(({ call }) => (calls.get(call)?.bound ?? Infinity) < Infinity)
    if (balance.overruns.length > 0 && isEstimated && isBounded(exchanges)) {
      violate("an overrun is named only where a bound was wrong", `${figures}, overdrawn ${overdrawn}`)
    }
    if (charged + uncertain > allowance + overdrawn) {
      violate("a budget is passed by named overruns only", `${figures}, allowance ${allowance}, overdrawn ${overdrawn}`)
    }
    if (account.running > 0 || account.inFlight > 0) return
    for (const call of account.calls) checkCeiling(call)
    if (reserved !== 0) violate("nothing stays reserved", figures)
    const boundOf = (exchange: SeededService.Exchange) => calls.get(exchange.call)?.bound ?? 0
    const lost = exchanges.filter(mayBeLost)
    // A client learns that a bound was wrong from a reply only; without a bound there is no figure at all.
    const beyond = (bound: number, billed: number) => bound === Infinity ? billed : Math.max(0, billed - bound)
    const unknowable = total(lost, (exchange) => beyond(boundOf(exchange), exchange.billed))
    if (bill - unknowable > charged + uncertain) {
      violate("what was billed is charged or known to be uncertain", `${figures}, unknowable ${unknowable}`)
    }
    const certain = bill - total(lost, billedFor)
    if (certain > charged) violate("what was answered is charged", `${figures}, answered ${certain}`)
    const cutOff = account.calls.filter(({ mayBeCutOff }) => mayBeCutOff)
    const doubtful = cutOff.reduce((sum, { bound }) => sum + bound, total(lost, boundOf))
    if (uncertain > doubtful) violate("only what was lost is uncertain", `${figures}, lost ${doubtful}`)
  }

  return {
    tally,
    sent,
    served,
    begin,
    end,
    seek,
    violate,
    /** Opens a day. */
    open: (desks: ReadonlyMap<Calls.Desk, CreditLedger.CreditLedger["Service"]>): void => {
      day++
      calls = new Map()
      touched = new Set()
      accounts = new Map([...desks].map(([desk, ledger]) => [desk.name, accountOf(desk, ledger)]))
      event(`day ${day}`)
    },
    /** Checks the desks that have changed since the last time. `total` is what was billed by the service's own ledgers. */
    check: (total: number): void => {
      if (total !== billed) violate("the replies say what was billed", `${total} was billed, the replies say ${billed}`)
      for (const account of touched) checkLedger(account)
      touched = new Set()
      if (first !== undefined) throw new Broken(first.rule)
    },
    /** Whether no desk has a call or a request under way. */
    isIdle: (): boolean => [...accounts.values()].every(({ inFlight, running }) => inFlight === 0 && running === 0),
    /** What is still under way, in words. */
    unfinished: (): string =>
      [...calls.values()].filter(({ isOver }) => !isOver).map(({ desk, exchanges, id, isHurried, isShared, text }) => {
        const how = `${isShared ? ", shared" : ""}${isHurried ? ", hurried" : ""}`
        return `${desk} waits for ${text} (call ${id}${how}), after ${exchanges.length} requests`
      }).join("; "),
    peakOf: (desk: string, reset = false): number => {
      const account = accounts.get(desk)!
      if (reset) account.peak = account.inFlight
      return account.peak
    },
    /** Whether a reply of this day said that a desk is blocked. */
    wasBlocked: (desk: string): boolean => accounts.get(desk)!.blockKnown.from < Infinity,
    /** Closes a day: every ledger once more, and the sums. */
    close: (): void => {
      for (const account of accounts.values()) {
        checkLedger(account)
        const { charged, overruns, uncertain } = Effect.runSync(account.ledger.balance)
        tally.charged += charged
        tally.uncertain += uncertain
        tally.overruns += overruns.length
      }
      tally.billed = billed
      if (first !== undefined) throw new Broken(first.rule)
    },
    /** What happened, until the first rule was broken if one was. */
    report: () => ({
      ...tally,
      faults,
      reasons,
      log: log.map((part) => (part >>> 0).toString(16).padStart(8, "0")).join(""),
      violations: first === undefined ? [] : [first]
    })
  }
}

/** The audit of a run. */
export type Audit = ReturnType<typeof make>

/** The symbols of a table's rows; none if it has no column of symbols. */
const symbolsOf = (data: unknown): ReadonlyArray<string> =>
  Predicate.hasProperty(data, "symbol") && Predicate.hasProperty(data.symbol, "values") &&
    Array.isArray(data.symbol.values)
    ? data.symbol.values
    : []

/** The sides of options, by their codes in a column. */
const sides = ["call", "put"]

/** The first column of numbers that is not as in a body, or the body itself if it is not JSON; undefined if there is nothing wrong. */
const wrongColumn = (data: Readonly<Record<PropertyKey, unknown>>, body: string): string | undefined => {
  const json = Result.getOrUndefined(Result.try((): unknown => JSON.parse(body)))
  if (!Predicate.isReadonlyObject(json)) return "the body"
  return Object.keys(json).find((name) => {
    const [numbers, values] = [data[name], json[name]]
    return numbers instanceof Float64Array && Array.isArray(values) &&
      // A column of the service's status may be short, and ends with nulls then.
      (numbers.length < values.length || values.some((value, row) => !Object.is(numbers[row], value ?? NaN)))
  })
}

const count = (counts: Record<string, number>, name: string): void => void (counts[name] = (counts[name] ?? 0) + 1)
