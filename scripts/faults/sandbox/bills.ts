import { of, type Seam } from "../seam.ts"

const Billing = of(() => import("@effect-marketdata/sandbox/Billing"))
const OutputOptions = of(() => import("../../../packages/sandbox/src/request/outputOptions.ts"))
const MaxAge = of(() => import("@effect-marketdata/core/MaxAge"))
const SandboxReply = of(() => import("@effect-marketdata/sandbox/SandboxReply"))
const Pricing = of(() => import("../../../packages/sandbox/src/service/pricing.ts"))

/** What the simulated service could get wrong of credits, and of its cache. */
export const faults: ReadonlyArray<Seam> = [
  // A refusal costs a credit.
  Billing("1-credits", "make", (make) => (options) => {
    const billing = make(options)
    return {
      ...billing,
      record: (entry: Parameters<typeof billing.record>[0], window: Parameters<typeof billing.record>[1]) =>
        billing.record({ ...entry, credits: Math.max(1, entry.credits) }, window)
    }
  }),
  // A chain costs one credit, as from the cache.
  Pricing(
    ["4.1-cost-live", "4.1-cost-delayed", "8.3-fallback"],
    "price",
    (price) => (...asked) => Math.min(1, price(...asked))
  ),
  Pricing(
    "4.1-cost-cached",
    "price",
    (price) => (query, entitlement, reply) =>
      entitlement.mode === "cached" ? reply.rows?.length : price(query, entitlement, reply)
  ),
  // One credit for each hundred.
  Pricing(
    "4.1-cost-historical",
    "price",
    (price) => (query, entitlement, reply) =>
      query.historical ? Math.ceil((reply.rows?.length ?? 1) / 100) : price(query, entitlement, reply)
  ),
  // The status makes the price.
  Pricing(
    "7.2-203-price",
    "price",
    (price) => (query, entitlement, reply) => reply.status === 203 ? 1 : price(query, entitlement, reply)
  ),
  Pricing(
    "8.2-cost-historical-quotes",
    "price",
    (price) => (query, entitlement, reply) =>
      query.kind === "quotes" && query.historical ? 0 : price(query, entitlement, reply)
  ),
  Pricing(
    ["8.2-cost-quotes", "8.2-cost-candles", "8.2-cost-bulk-candles"],
    "price",
    (price) => (query, entitlement, reply) =>
      price(query, entitlement, { ...reply, rows: reply.rows && { ...reply.rows, length: 1 } })
  ),
  Pricing(
    "8.2-cost-other",
    "price",
    (price) => (query, entitlement, reply) => (query.kind === "other" ? 2 : 1) * price(query, entitlement, reply)
  ),
  OutputOptions(
    "8.2-cached-unavailable",
    "apply",
    (apply) => (output, query) => apply(output, { ...query, cacheable: query.cacheable || !query.historical })
  ),
  // A form that the service does not take counts as five minutes.
  MaxAge("8.3-maxage-forms", "parse", (parse) => (input) => parse(input === "" ? "5min" : input)),
  MaxAge("8.3-age", "accepts", (accepts) => (maxAge, entered, now) => accepts(maxAge, entered - 1, now)),
  Pricing(
    "8.3-hit",
    "price",
    (price) => (query, entitlement, reply) => entitlement.mode === "cached" ? 2 : price(query, entitlement, reply)
  ),
  SandboxReply("8.3-miss", "noContent", (noContent) => ({ ...noContent, body: "{}" }))
]
