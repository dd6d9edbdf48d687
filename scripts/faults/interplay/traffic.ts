import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"
import { foundBy, type InterplayFault } from "../found.ts"
import { of, type Seam } from "../seam.ts"

const Body = of(() => import("../../../packages/client/src/sending/body.ts"))
const BytesInFlight = of(() => import("../../../packages/client/src/asking/bytesInFlight.ts"))
const Coalesce = of(() => import("../../../packages/client/src/asking/coalesce.ts"))
const IpRule = of(() => import("@effect-marketdata/core/IpRule"))
const Gate = of(() => import("../../../packages/client/src/pipeline/ipGate.ts"))
const Limits = of(() => import("../../../packages/client/src/config/limits.ts"))
const Retry = of(() => import("@effect-marketdata/core/Retry"))
const Together = of(() => import("../../../packages/client/src/endpoints/together.ts"))
const Turns = of(() => import("../../../packages/client/src/asking/turns.ts"))
const Wire = of(() => import("../../../packages/client/src/sending/wire.ts"))

type Decide = typeof import("@effect-marketdata/core/Retry").decide

/** What decides about another attempt knows something else. */
const decided = (
  about: string,
  change: (...given: Parameters<Decide>) => Parameters<Decide>
): Seam => Retry(about, "decide", (decide) => (...given) => decide(...change(...given)))

/** Requests that go out too often, too early, or never. */
export const faults: ReadonlyArray<InterplayFault> = [
  foundBy(
    ["client/bytesInFlight"],
    Limits("a reply may be as large as the client's limit, whatever its endpoint", "ofReply", (of) => (...query) => ({
      ...of(...query),
      bytes: query[1] ?? 134_217_728
    }))
  ),
  foundBy(
    ["client/bytesInFlight"],
    Body(
      "what is announced to be too large is read",
      "read",
      (read) => (response, _headers, ...rest) => read(response, {} as typeof _headers, ...rest)
    )
  ),
  foundBy(
    ["client/bytesInFlight"],
    BytesInFlight(
      "replies never wait for each other, however much they hold",
      "make",
      (make) => ({ share }) => make({ most: Infinity, share })
    )
  ),
  foundBy(
    ["client/bytesInFlight"],
    Turns(
      "a reply that never pauses holds up the program",
      "make",
      (make) => () => ({ ...make(), isOver: () => false })
    )
  ),
  foundBy(
    ["client/faultMatrix"],
    Body("a coded reply that was cut is taken for one that is wrong", "cutShort", () => () => undefined)
  ),
  foundBy(
    ["client/ambient"],
    Wire(
      "nobody is told that an HTTP client sends again",
      "once",
      (once) => (client, asked, request, listener) => once(client, asked, request, { ...listener, repeated: () => {} })
    )
  ),
  foundBy(
    ["core/Retry", "client/retry", "client/MarketData"],
    decided("a plan that does not reach is asked again", (policy, failure) => [policy, {
      ...failure,
      reason: failure.reason._tag === "PlanRequired"
        ? Object.create(failure.reason, { isRetryable: { value: true } })
        : failure.reason
    }])
  ),
  foundBy(
    ["core/Retry", "client/retry"],
    decided("one attempt too many", (policy, failure) => [{ ...policy, attempts: policy.attempts + 1 }, failure])
  ),
  foundBy(
    ["client/retry"],
    decided("attempts are not counted", (policy, failure) => [policy, { ...failure, attempt: 1 }])
  ),
  foundBy(
    ["client/retry"],
    decided("attempts that may be charged are not counted", (policy, failure) => [policy, { ...failure, lost: 0 }])
  ),
  foundBy(
    ["client/retry"],
    Retry(
      "every query has a budget of retries for itself",
      "take",
      (take) => (budget, now) => take({ ...budget, tokens: budget.allowance.tokens }, now)
    )
  ),
  foundBy(
    ["core/Retry", "client/retry"],
    Retry(
      "retries take nothing from their budget",
      "take",
      (take) => (budget, now) => ({ ...take(budget, now), budget })
    )
  ),
  foundBy(
    ["client/interplay", "client/retry"],
    decided("the deadline begins anew with each attempt", (policy, failure) => [policy, { ...failure, elapsed: 0 }])
  ),
  foundBy(
    ["core/Retry", "client/retry"],
    decided("what the service asks to be left alone for is ignored", (policy, failure) => [policy, {
      ...failure,
      reason: Object.create(failure.reason, { retryAfter: { value: undefined } })
    }])
  ),
  foundBy(
    ["core/Retry", "client/retry"],
    Retry("chance waits longer than the cap", "decide", (decide) => (policy, failure) => {
      const decision = decide(policy, failure)
      return decision._tag === "Stop"
        ? decision
        : { ...decision, milliseconds: decision.milliseconds * (1 + failure.jitter) }
    })
  ),
  foundBy(
    ["client/interplay", "client/IpGuard", "client/interruption"],
    IpRule(
      "a lost request stays in the records of the address",
      "settle",
      (settle) => (traffic, now, answered) => answered === false ? traffic : settle(traffic, now, answered)
    )
  ),
  foundBy(
    ["client/IpGuard"],
    IpRule("a block is forgotten when it has been told of", "blocked", () => (traffic) => traffic)
  ),
  foundBy(
    ["client/MarketData", "client/batches", "client/IpGuard", "client/retry"],
    Gate(
      "as many requests as there are queries",
      "gate",
      (gate) => (asking, ...rest) =>
        gate({ ...asking, resources: { ...asking.resources, permits: Semaphore.makeUnsafe(1e9) } }, ...rest)
    )
  ),
  foundBy(
    ["client/IpGuard", "client/interruption"],
    Gate(
      "a permit is never given back",
      "gate",
      (gate) => (asking, ...rest) => Effect.tap(gate(asking, ...rest), asking.resources.permits.take(1))
    )
  ),
  foundBy(
    ["client/interruption"],
    Gate(
      "an attempt cannot be interrupted",
      "gate",
      (gate) => (asking, query, pass) => gate(asking, query, () => pass((effect) => effect))
    )
  ),
  foundBy(
    ["client/coalesce"],
    Coalesce(
      "queries that ask the same are each asked",
      "coalesce",
      (coalesce) => (_flights, query, ask) => coalesce(new Map(), query, ask)
    )
  ),
  foundBy(
    ["client/coalesce"],
    Coalesce("a call that one consented to is shared with who did not", "termsOf", () => () => [])
  ),
  foundBy(
    ["client/interplay", "client/coalesce"],
    Coalesce(
      "who may fall back shares the call of who may not",
      "coalesce",
      (coalesce) => (flights, query, ask) =>
        coalesce(
          flights,
          query.mode?._tag === "CachedOrLive" ? { ...query, mode: { ...query.mode, _tag: "Cached" } } : query,
          ask
        )
    )
  ),
  foundBy(
    ["client/QuoteResolver"],
    Together(
      "quotes go together that were asked on different terms",
      "keyOf",
      (keyOf) => (request) => keyOf({ ...request, terms: [] })
    )
  ),
  foundBy(
    ["client/ambient"],
    Wire(
      "an HTTP client sends again by itself",
      "once",
      (once) => (client, asked, request, listener) =>
        Effect.catch(client.execute(request), () => once(client, asked, request, listener))
    )
  ),
  foundBy(
    ["client/coalesce"],
    Coalesce(
      "who leaves first ends the call of all",
      "coalesce",
      (coalesce) => (flights, query, ask) =>
        Effect.onInterrupt(
          coalesce(flights, query, ask),
          () => Fiber.interruptAll([...flights.values()].map(({ fiber }) => fiber))
        )
    )
  ),
  foundBy(
    ["client/coalesce", "client/interruption"],
    Coalesce("a shared call goes on when nobody waits for it", "coalesce", (coalesce) => (flights, query, ask) => {
      const set: typeof flights.set = (key, flight) => {
        if (flights.get(key) !== flight) flight.waiting++
        return Map.prototype.set.call(flights, key, flight)
      }
      return coalesce(Object.assign(flights, { set }), query, ask)
    })
  ),
  foundBy(
    ["client/QuoteResolver"],
    Together(
      "one symbol that is asked for twice is paid for twice",
      "send",
      (send) => (entries) => Effect.forEach(entries, (entry) => send([entry]), { discard: true })
    )
  )
]
