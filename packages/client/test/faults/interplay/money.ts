import { Context, Effect } from "effect"
import { of, type Seam } from "../../../../core/test/support/seam.ts"

const Answer = of(() => import("@effect-marketdata/core/Answer"))
const CreditLedger = of(() => import("@effect-marketdata/client/CreditLedger"))
const Batches = of(() => import("../../../src/pipeline/batches.ts"))
const Balance = of(() => import("../../../../core/src/credits/ledgerBalance.ts"))
const Ledger = of(() => import("../../../../core/src/credits/Ledger.ts"))
const LedgerSteps = of(() => import("../../../src/account/ledgerSteps.ts"))
const Pricing = of(() => import("../../../../core/src/credits/pricing.ts"))
const Reason = of(() => import("@effect-marketdata/core/Reason"))
const Reply = of(() => import("@effect-marketdata/core/Reply"))
const Wire = of(() => import("../../../src/sending/wire.ts"))

/** Who consents, by the key under which the client looks it up. */
const CacheFallback = Context.Service<
  import("@effect-marketdata/client/CacheFallback").CacheFallback,
  import("@effect-marketdata/client/CacheFallback").CacheFallback["Service"]
>("@effect-marketdata/client/CacheFallback")

/** The tests that should find them, as `client/retry` for one of the client's. */
export const tests = `
  client/Budget client/CacheFallback client/CreditLedger client/IpGuard client/MarketData client/QuoteResolver
  client/ambient client/batches client/faultMatrix client/interruption client/retry client/transport core/Ledger
`.trim().split(/\s+/)

/** Credits that are counted twice, not at all, or for somebody else. */
export const faults: ReadonlyArray<Seam> = [
  CreditLedger.both("a budget refuses nothing", () => (_, ledger) => ledger),
  Ledger.steps("a reply is charged twice", (steps) => ({
    ...steps,
    charge: (...[ledger, id, credits, options]: Parameters<typeof steps.charge>) =>
      steps.charge(ledger, id, 2 * credits, options)
  })),
  Ledger.steps("a settled reservation goes on holding its credits", (steps) => ({
    ...steps,
    settle: (...[ledger, id]: Parameters<typeof steps.settle>) => {
      const step = steps.settle(ledger, id)
      return { ...step, ledger: { ...step.ledger, reservations: ledger.reservations } }
    }
  })),
  Balance.available(
    "what is set aside is promised again",
    (available) => (ledger) => available({ ...ledger, reservations: new Map() })
  ),
  Pricing.estimate(
    "the reservation of many requests is that of one",
    (estimate) => (query, assume) =>
      estimate({ ...query, tickers: query.tickers.slice(0, 1) }, { ...assume, requests: undefined })
  ),
  Answer.spent("the charge of an answer is that of its last request", (spent) => (trace) => spent(trace.slice(-1))),
  Ledger.steps("consent is forgotten where a request is sent again", (steps) => ({
    ...steps,
    extend: (...[ledger, id, bound]: Parameters<typeof steps.extend>) => {
      const reservations = new Map(ledger.reservations)
      for (const [own, one] of reservations) reservations.set(own, { ...one, ceiling: Infinity })
      return steps.extend({ ...ledger, reservations }, id, bound)
    }
  })),
  Batches.fallback(
    "consent does not reach the reservation",
    (fallback) => (call, query, ask) => fallback(call, query, (part, batches) => ask(part, batches, Infinity))
  ),
  Batches.fallback(
    "an empty consent is consent to any price",
    (fallback) => (call, query, ask) =>
      fallback(call, query, (part, batches, ceiling) => ask(part, batches, ceiling === 0 ? Infinity : ceiling))
  ),
  Ledger.steps("what may have been charged is recorded as free", (steps) => ({
    ...steps,
    markLost: (...[ledger, ...request]: Parameters<typeof steps.markLost>) => {
      const step = steps.markLost(ledger, ...request)
      return { ...step, ledger: { ...step.ledger, uncertain: ledger.uncertain } }
    }
  })),
  Reply.outcome("a reply that nobody can price is free", (outcome) => (...reply) => {
    const found = outcome(...reply)
    return { ...found, charge: found.charge ?? { credits: 0, uncertain: 0, assumptions: [] } }
  }),
  Reason.afterSending("what is refused after a first attempt says that nothing was sent", () => (reason) => reason),
  LedgerSteps.send(
    "requests go out without being marked as sent",
    (send) => (...of) => (...on: Parameters<ReturnType<typeof send>>) => ({
      ...send(...of)(...on),
      ledger: on[0]
    })
  ),
  Reason.TimedOut(
    "an attempt that was cut off is taken for one that cost nothing",
    (TimedOut) =>
      class extends TimedOut {
        constructor(...[fields]: ConstructorParameters<typeof TimedOut>) {
          super({ ...fields, mayHaveBeenCharged: false })
        }
      }
  ),
  Ledger.steps("a new window forgets what is set aside", (steps) => ({
    ...steps,
    advance: (...[ledger, now]: Parameters<typeof steps.advance>) => {
      const step = steps.advance(ledger, now)
      return step.events.length === 0 ? step : { ...step, ledger: { ...step.ledger, reservations: new Map() } }
    }
  })),
  Balance.later("the last word of the service wins, and not the latest", () => (_known, told) => told),
  Ledger.steps("a charge that the service has told of is taken off once more", (steps) => ({
    ...steps,
    charge: (...[ledger, id, credits, options]: Parameters<typeof steps.charge>) => {
      const step = steps.charge(ledger, id, credits, options)
      if (options?.figures === undefined) return step
      return { ...step, ledger: { ...step.ledger, unseen: step.ledger.unseen + credits } }
    }
  })),
  Pricing.estimate("consent is asked at the price of cached data", (estimate) => (query, assume) =>
    estimate(
      query.mode?._tag === "Live" && assume?.requests !== undefined
        ? { ...query, mode: { _tag: "Cached", maxAge: undefined } }
        : query,
      assume
    )),
  Batches.fallback(
    "live data are fetched without consent",
    (fallback) => (call, query, ask) =>
      query.mode?._tag !== "CachedOrLive"
        ? fallback(call, query, ask)
        : Effect.gen(function*() {
          const { decide } = yield* CacheFallback
          return yield* Effect.provideService(fallback(call, query, ask), CacheFallback, {
            decide: (...price) => Effect.orElseSucceed(decide(...price), () => Infinity)
          })
        })
  ),
  CreditLedger.makeMemory(
    "a budget that nobody gave an allowance has no limit",
    (make) => (options) => make({ ...options, allowance: options?.allowance ?? Infinity })
  ),
  Ledger.unexplained("credits that are gone behind the client's back are nobody's", () => () => 0),
  Wire.once(
    "a reply that an HTTP client gave up with in its hands costs its bound",
    (once) => (watch, ...rest) => once(Object.assign(watch, { hear: () => {} }), ...rest)
  )
]
