import * as Reason from "@effect-marketdata/core/Reason"
import * as Retry from "@effect-marketdata/core/Retry"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { trials } from "./support/laws.ts"

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
  options: Partial<Parameters<typeof Retry.next>[2]> & { readonly policy?: Partial<Retry.Policy> } = {}
) =>
  Retry.next({ ...policy, ...options.policy }, full, {
    reason,
    attempt: 1,
    jitter: 1,
    elapsed: 0,
    now: 0,
    ...options
  }).decision

const stop = (why: Extract<Retry.Decision, { readonly _tag: "Stop" }>["why"]): Retry.Decision => ({ _tag: "Stop", why })
const wait = (milliseconds: number): Retry.Decision => ({ _tag: "Wait", milliseconds })

describe("Retry", () => {
  describe("wait", () => {
    it("doubles with every attempt, up to the cap, and jitter takes from all of it", () => {
      const after = (attempt: number, jitter: number) => Retry.wait(policy, { reason: fault(503), attempt, jitter })
      assert.deepStrictEqual([1, 2, 3, 4].map((attempt) => after(attempt, 1)), [100, 200, 400, 800])
      assert.deepStrictEqual([1, 2, 3, 4].map((attempt) => after(attempt, 0)), [0, 0, 0, 0])
      assert.strictEqual(after(3, 0.25), 100)
      const many = { ...policy, attempts: 5000 }
      assert.strictEqual(Retry.wait(many, { reason: fault(503), attempt: 5, jitter: 1 }), 1000)
      assert.strictEqual(Retry.wait(many, { reason: fault(503), attempt: 4999, jitter: 1 }), 1000)
    })

    it("ends with the attempts, and knows no deadline", () => {
      const short = { ...policy, deadline: 0 }
      assert.strictEqual(Retry.wait(short, { reason: lost, attempt: 4, jitter: 1 }), 800)
      assert.isUndefined(Retry.wait(short, { reason: lost, attempt: 5, jitter: 1 }))
      assert.isUndefined(Retry.wait({ ...policy, attempts: 1 }, { reason: lost, attempt: 1, jitter: 1 }))
    })

    it("is as long as the service asks for, and the backoff on top", () => {
      const after = (reason: Reason.Reason) => Retry.wait(policy, { reason, attempt: 1, jitter: 1 })
      assert.deepStrictEqual([fault(503, 7), tooMany(2), tooMany(0), tooMany()].map(after), [7100, 2100, 100, 100])
      assert.strictEqual(after(fault(503, 10)), 10_100)
      assert.isUndefined(after(fault(503, 11)))
      const plain = { attempts: 3, base: 100, cap: 1000 }
      assert.strictEqual(Retry.wait(plain, { reason: fault(503, 1), attempt: 1, jitter: 1 }), 1100)
      assert.isUndefined(Retry.wait(plain, { reason: fault(503, 2), attempt: 1, jitter: 1 }))
    })
  })

  describe("next", () => {
    it("[7.1-204] [7.1-400] [5.7-401] [7.1-402] [7.1-403] [7.1-404] never asks again after a refusal, a miss, or status 500", () => {
      for (const reason of lasting) assert.deepStrictEqual(decide(reason), stop("Lasting"), reason._tag)
    })

    it("asks again after what passes: lost requests, 501 and above, and too many at once", () => {
      for (
        const reason of [
          lost,
          tooMany(),
          ...[501, 502, 503, 504, 509, 524, 529, 530, 540, 598, 599].map((n) => fault(n))
        ]
      ) {
        assert.deepStrictEqual(decide(reason), wait(100), reason.message)
      }
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
      assert.deepStrictEqual(decide(lost, { ...short, elapsed: 900 }), stop("Deadline"))
      assert.deepStrictEqual(decide(tooMany(1), { ...short, elapsed: 0 }), stop("Deadline"))
      assert.deepStrictEqual(decide(lost, { ...short, elapsed: 5000, jitter: 0 }), stop("Deadline"))
      assert.deepStrictEqual(decide(lost, { ...short, elapsed: NaN }), stop("Deadline"))
      assert.deepStrictEqual(decide(lost, { policy: { deadline: NaN } }), stop("Deadline"))
      assert.deepStrictEqual(decide(lost, { elapsed: NaN }), wait(100))
    })

    it("takes one token for a retry, none where it stops, and stops without one", () => {
      const failure = { reason: lost, attempt: 1, jitter: 1, elapsed: 0, now: 0 }
      let budget = full
      for (const left of [2, 1, 0]) {
        const result = Retry.next(policy, budget, failure)
        assert.deepStrictEqual(result.decision, wait(100))
        assert.strictEqual(result.budget.tokens, left)
        budget = result.budget
      }
      const empty = Retry.next(policy, budget, failure)
      assert.deepStrictEqual(empty, { decision: { _tag: "Stop", why: "Budget" }, budget })
      assert.deepStrictEqual(Retry.next(policy, budget, { ...failure, now: 499 }).decision, stop("Budget"))
      assert.deepStrictEqual(Retry.next(policy, budget, { ...failure, now: 500 }).decision, wait(100))
      for (const reason of lasting) {
        assert.strictEqual(Retry.next(policy, full, { ...failure, reason }).budget.tokens, full.tokens)
      }
    })
  })

  describe("advance", () => {
    it("fills a budget with time, never over its allowance, and never backwards", () => {
      const used = { ...Retry.advance(full, 1000), tokens: 0 }
      assert.strictEqual(Retry.advance(used, 1250).tokens, 0.5)
      assert.strictEqual(Retry.advance(used, 2500).tokens, 3)
      assert.strictEqual(Retry.advance(used, 1e12).tokens, 3)
      for (const now of [1000, 0, NaN, -Infinity, Infinity]) assert.strictEqual(Retry.advance(used, now), used)
      assert.strictEqual(Retry.advance(full, 5).tokens, 3)
    })

    it("lets no more retries through, by however many callers, than the budget had and time brought", () => {
      const allowance = fc.record({ tokens: fc.nat({ max: 5 }), perSecond: fc.constantFrom(0, 0.5, 2) })
      const failures = fc.array(
        fc.record({
          later: fc.integer({ min: -500, max: 1500 }),
          reason: fc.constantFrom(lost, fault(500), tooMany())
        }),
        { maxLength: 60 }
      )
      fc.assert(
        fc.property(allowance, failures, (allowance, failures) => {
          let budget = Retry.makeBudget(allowance)
          let [now, latest, granted] = [0, 0, 0]
          budget = Retry.advance(budget, now)
          for (const { later, reason } of failures) {
            now += later
            latest = Math.max(latest, now)
            const result = Retry.next(policy, budget, { reason, attempt: 1, jitter: 1, elapsed: 0, now })
            budget = result.budget
            if (result.decision._tag === "Wait") granted++
            assert.isAtMost(granted, allowance.tokens + latest / 1000 * allowance.perSecond + 1e-6)
            assert.isAtLeast(budget.tokens, 0)
            assert.isAtMost(budget.tokens, allowance.tokens)
          }
        }),
        runs
      )
    })
  })

  const any = fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, -Infinity, -1, 0, 1))

  it("decides for any policy, and never waits for what is no time, or longer than a timer can", () => {
    const failure = fc.record({
      reason: fc.oneof(fc.constantFrom(lost, tooMany(-5)), fc.nat().map((seconds) => tooMany(seconds))),
      attempt: fc.oneof(any, fc.nat({ max: 9 })),
      jitter: any,
      elapsed: any,
      now: any
    })
    const limits = fc.record({
      attempts: any,
      base: any,
      cap: any,
      retryAfter: fc.option(any, { nil: undefined }),
      deadline: fc.option(any, { nil: undefined })
    })
    fc.assert(
      fc.property(limits, failure, (limits, failure) => {
        const { decision } = Retry.next(limits, full, failure)
        const waits = [Retry.wait(limits, failure), decision._tag === "Wait" ? decision.milliseconds : undefined]
        for (const milliseconds of waits) {
          if (milliseconds === undefined) continue
          assert.isTrue(milliseconds >= 0 && milliseconds < 2 ** 31, String(milliseconds))
          if (limits.retryAfter === undefined && limits.cap > 0) assert.isAtMost(milliseconds, 2 * limits.cap)
        }
        if (decision._tag === "Wait" && limits.deadline !== undefined) {
          assert.isBelow(failure.elapsed + decision.milliseconds, limits.deadline)
        }
      }),
      runs
    )
  })

  it("decides for any numbers, and never waits less than nothing or longer than the policy allows", () => {
    const reason = fc.oneof(
      fc.constantFrom(lost, ...lasting),
      fc.nat({ max: 100 }).map((seconds) => fault(503, seconds))
    )
    const failure = fc.record({ reason, attempt: any, jitter: any, elapsed: any, now: any })
    const allowance = fc.record({ tokens: any, perSecond: any })
    fc.assert(
      fc.property(failure, allowance, (failure, allowance) => {
        const { budget, decision } = Retry.next(policy, Retry.makeBudget(allowance), failure)
        assert.isAtLeast(budget.tokens, 0)
        if (decision._tag === "Stop") return
        assert.isTrue(failure.reason.isRetryable)
        assert.isAtLeast(decision.milliseconds, 0)
        assert.isAtMost(decision.milliseconds, 11_000)
      }),
      runs
    )
  })
})
