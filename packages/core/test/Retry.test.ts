import { Reason, Retry } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { forAll, trials } from "./support/depth.ts"

const runs = trials(11)

const body = ""
const fault = (status: number, retryAfter?: number) =>
  new Reason.ServerFault({ status, temporary: status > 500, retryAfter, body })
const tooMany = (retryAfter?: number) => new Reason.TooManyRequests({ retryAfter, body })
const lost = new Reason.TransportFailure({ detail: "connection reset", mayHaveBeenCharged: true })

const lasting: ReadonlyArray<Reason.Reason> = [
  new Reason.BadRequest({ body }),
  new Reason.InvalidDate({ body }),
  new Reason.Unauthorized({ tokenSent: true, body }),
  new Reason.PlanRequired({ cached: false, body }),
  new Reason.AddressBlocked({ body }),
  new Reason.NotFound({ body }),
  new Reason.TooMuchData({ body }),
  new Reason.CreditsExhausted({ reset: 1, body }),
  new Reason.UnexpectedStatus({ status: 418, body }),
  new Reason.NoCachedData(),
  new Reason.UnexpectedNoContent(),
  new Reason.NoLiveData(),
  new Reason.CreditBudgetExceeded({ cause: "Unbounded", bound: undefined, available: 5 }),
  fault(500)
]

/** 100, 200, 400, … up to 1000 milliseconds. */
const policy: Retry.Policy = { attempts: 5, base: 100, cap: 1000, retryAfter: 10_000 }
const full = Retry.makeBudget({ tokens: 3, perSecond: 2 })

const decide = (
  reason: Reason.Reason,
  options: Partial<Retry.Failure> & { readonly policy?: Partial<Retry.Policy> } = {}
) => Retry.decide({ ...policy, ...options.policy }, { reason, attempt: 1, jitter: 1, elapsed: 0, ...options })

const stop = (why: Extract<Retry.Decision, { readonly _tag: "Stop" }>["why"]): Retry.Decision => ({ _tag: "Stop", why })
const wait = (milliseconds: number): Retry.Decision => ({ _tag: "Wait", milliseconds })

describe("decide", () => {
  it("outlasts a minute of refusals by default, whatever chance says, and asks four times where requests are lost", () => {
    forAll(runs, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 9, maxLength: 9 }), (jitters) => {
      const waited = jitters.reduce((elapsed, jitter, at) => {
        const decision = Retry.decide(Retry.defaultPolicy, { reason: fault(502), attempt: at + 1, jitter, elapsed })
        assert(decision._tag === "Wait")
        return elapsed + decision.milliseconds
      }, 0)
      assert.isAbove(waited, 60_000)
      assert.isBelow(waited, 122_000)
    })
    const after = (attempt: number) =>
      Retry.decide(Retry.defaultPolicy, { reason: lost, attempt, jitter: 1, elapsed: 0 })
    assert.deepStrictEqual([1, 2, 3, 4].map(after), [wait(500), wait(1000), wait(2000), stop("Attempts")])
  })

  it("[7.1-204] [7.1-400] [5.7-401] [7.1-402] [7.1-403] [7.1-404] never asks again after a refusal, a miss, or status 500", () => {
    for (const reason of lasting) assert.deepStrictEqual(decide(reason), stop("Lasting"), reason._tag)
  })

  it("stops when the attempts are used up, or the service asks for too much time", () => {
    assert.deepStrictEqual(decide(lost, { attempt: 4 }), wait(800))
    assert.deepStrictEqual(decide(lost, { attempt: 5 }), stop("Attempts"))
    assert.deepStrictEqual(decide(tooMany(10)), wait(10_100))
    assert.deepStrictEqual(decide(tooMany(11)), stop("RetryAfter"))
  })

  it("stops where the wait would last until the deadline", () => {
    const short = { policy: { deadline: 1000 } }
    assert.deepStrictEqual(decide(lost, { ...short, elapsed: 899 }), wait(100))
    assert.deepStrictEqual(decide(tooMany(1), { ...short, elapsed: 0 }), stop("Deadline"))
    const late = [{ elapsed: 900 }, { elapsed: 5000, jitter: 0 }, { elapsed: NaN }, { policy: { deadline: NaN } }]
    for (const at of late) assert.deepStrictEqual(decide(lost, { ...short, ...at }), stop("Deadline"))
    assert.deepStrictEqual(decide(lost, { elapsed: NaN }), wait(100))
  })
})

it("takes a retry where one is left, and none where there is none", () => {
  let budget = full
  for (const left of [2, 1, 0]) {
    const { budget: after, taken } = Retry.take(budget, 0)
    assert.deepStrictEqual([taken, after.tokens], [true, left])
    budget = after
  }
  assert.deepStrictEqual(Retry.take(budget, 0), { taken: false, budget })
  assert.deepStrictEqual([499, 500].map((now) => Retry.take(budget, now).taken), [false, true])
})

describe("advance", () => {
  it("fills a budget with time, never over its allowance, and never backwards", () => {
    const used = { ...Retry.advance(full, 1000), tokens: 0 }
    assert.deepStrictEqual([Retry.advance(used, 1250).tokens, Retry.advance(used, 2500).tokens], [0.5, 3])
    assert.strictEqual(Retry.advance(used, 1e12).tokens, 3)
    for (const now of [1000, 0, NaN, -Infinity, Infinity]) assert.strictEqual(Retry.advance(used, now), used)
    assert.strictEqual(Retry.advance(full, 5).tokens, 3)
  })

  it("lets no more retries through, by however many callers, than the budget had and time brought", () => {
    const allowance = fc.record({ tokens: fc.nat({ max: 5 }), perSecond: fc.constantFrom(0, 0.5, 2) })
    forAll(runs, allowance, fc.array(fc.integer({ min: -500, max: 1500 }), { maxLength: 60 }), (allowance, times) => {
      let budget = Retry.advance(Retry.makeBudget(allowance), 0)
      let [now, latest, granted] = [0, 0, 0]
      for (const later of times) {
        now += later
        latest = Math.max(latest, now)
        const { budget: after, taken } = Retry.take(budget, now)
        budget = after
        if (taken) granted++
        assert.isAtMost(granted, allowance.tokens + latest / 1000 * allowance.perSecond + 1e-6)
        assert.isAtLeast(budget.tokens, 0)
        assert.isAtMost(budget.tokens, allowance.tokens)
      }
    })
  })
})

const any = fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, -Infinity, -1, 0, 1))

it("decides for any policy, and never waits for what is not a time, or longer than a timer can", () => {
  const failure = fc.record({
    reason: fc.oneof(fc.constantFrom(lost, tooMany(-5)), fc.nat().map((seconds) => tooMany(seconds))),
    attempt: fc.oneof(any, fc.nat({ max: 9 })),
    jitter: any,
    elapsed: any,
    lost: fc.option(any, { nil: undefined })
  })
  const limits = fc.record({
    attempts: any,
    lostAttempts: fc.option(any, { nil: undefined }),
    base: any,
    cap: any,
    retryAfter: fc.option(any, { nil: undefined }),
    deadline: fc.option(any, { nil: undefined })
  })
  forAll(runs, limits, failure, (limits, failure) => {
    const decision = Retry.decide(limits, failure)
    if (decision._tag === "Stop") return
    const { milliseconds } = decision
    assert.isTrue(milliseconds >= 0 && milliseconds < 2 ** 31, String(milliseconds))
    if (limits.retryAfter === undefined && limits.cap > 0) assert.isAtMost(milliseconds, 2 * limits.cap)
    if (limits.deadline !== undefined) assert.isBelow(failure.elapsed + milliseconds, limits.deadline)
  })
})
