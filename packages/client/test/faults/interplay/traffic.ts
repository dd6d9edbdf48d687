import { Effect, Fiber, RequestResolver, Semaphore } from "effect"
import { of, type Seam } from "../../../../core/test/support/seam.ts"

const Body = of(() => import("../../../src/sending/body.ts"))
const Pauses = of(() => import("../../../src/call/pauses.ts"))
const Coalesce = of(() => import("../../../src/call/call.ts"))
const IpRule = of(() => import("@effect-marketdata/core/IpRule"))
const Gate = of(() => import("../../../src/pipeline/attempt.ts"))
const Retry = of(() => import("@effect-marketdata/core/Retry"))
const QuoteResolver = of(() => import("../../../src/endpoints/QuoteResolver.ts"))

type Decide = typeof import("@effect-marketdata/core/Retry").decide

/** What decides about another attempt knows something else. */
const decided = (about: string, change: (...given: Parameters<Decide>) => Parameters<Decide>) =>
  Retry.decide(about, (decide) => (...given) => decide(...change(...given)))

/** The tests that should find them, as `client/retry` for one of the client's. */
export const tests = `
  client/IpGuard client/MarketData client/QuoteResolver client/batches client/bytesInFlight client/coalesce
  client/faultMatrix client/interplay client/interruption client/retry core/Retry
`.trim().split(/\s+/)

/** Requests that go out too often, too early, or never. */
export const faults: ReadonlyArray<Seam> = [
  Body.read(
    "what is announced to be too large is read",
    (read) => (response, intake) => read(response, Object.assign(intake, { end: "read" as const }))
  ),
  Pauses.bytesInFlight(
    "replies never wait for each other, however much they hold",
    (make) => ({ share }) => make({ most: Infinity, share })
  ),
  Body.cutShort("a coded reply that was cut is taken for one that is wrong", () => () => undefined),
  decided("one attempt too many", (policy, failure) => [{ ...policy, attempts: policy.attempts + 1 }, failure]),
  decided("what the service asks to be left alone for is ignored", (policy, failure) => [policy, {
    ...failure,
    reason: Object.create(failure.reason, { retryAfter: { value: undefined } })
  }]),
  decided("attempts that may be charged are not counted", (policy, failure) => [policy, { ...failure, lost: 0 }]),
  Retry.take(
    "every query has a budget of retries for itself",
    (take) => (budget, now) => take({ ...budget, tokens: budget.allowance.tokens }, now)
  ),
  decided("the deadline begins anew with each attempt", (policy, failure) => [policy, { ...failure, elapsed: 0 }]),
  IpRule.settle(
    "a lost request stays in the records of the address",
    (settle) => (traffic, now, answered) => answered === false ? traffic : settle(traffic, now, answered)
  ),
  IpRule.blocked("a block is forgotten when it has been told of", () => (traffic) => traffic),
  Gate.gate(
    "as many requests as there are queries",
    (gate) => (call, ...rest) =>
      gate({ ...call, resources: { ...call.resources, permits: Semaphore.makeUnsafe(1e9) } }, ...rest)
  ),
  Gate.gate(
    "a permit is never given back",
    (gate) => (call, ...rest) => Effect.tap(gate(call, ...rest), call.resources.permits.take(1))
  ),
  Coalesce.coalesce(
    "queries that ask the same are each asked",
    (coalesce) => (call, ...rest) =>
      coalesce({ ...call, resources: { ...call.resources, flights: new Map() } }, ...rest)
  ),
  Coalesce.termsOf("a call that one consented to is shared with who did not", () => () => []),
  Coalesce.coalesce("who leaves first ends the call of all", (coalesce) => (call, ...rest) =>
    Effect.onInterrupt(
      coalesce(call, ...rest),
      () => Fiber.interruptAll([...call.resources.flights.values()].map(({ fiber }) => fiber))
    )),
  QuoteResolver.resolver(
    "quotes go together that were asked on different terms",
    (resolver) => RequestResolver.makeWith({ ...resolver, batchKey: ({ request }) => request.query.mode?._tag })
  ),
  QuoteResolver.resolver(
    "one symbol that is asked for twice is paid for twice",
    (resolver) => RequestResolver.batchN(resolver, 1)
  )
]
