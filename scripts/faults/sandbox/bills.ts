import { of, type Seam } from "../seam.ts"

const Billing = of(() => import("@effect-marketdata/sandbox/Billing"))
const OutputOptions = of(() => import("../../../packages/sandbox/src/request/outputOptions.ts"))
const MaxAge = of(() => import("@effect-marketdata/core/MaxAge"))
const SandboxReply = of(() => import("@effect-marketdata/sandbox/SandboxReply"))
const Pricing = of(() => import("../../../packages/sandbox/src/service/pricing.ts"))

type Price = typeof import("../../../packages/sandbox/src/service/pricing.ts").price

/** Where there is another price, that is billed. */
const billed = (clause: string, other: (...asked: Parameters<Price>) => number | undefined): Seam =>
  Pricing(clause, "price", (price) => (...asked) => other(...asked) ?? price(...asked))

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
  billed("4.1-cost-cached", (_, { mode }, { rows }) => mode === "cached" ? rows?.length : undefined),
  // One credit for each hundred.
  billed(
    "4.1-cost-historical",
    ({ historical }, _, { rows }) => historical ? Math.ceil((rows?.length ?? 1) / 100) : undefined
  ),
  // The status makes the price.
  billed("7.2-203-price", (_, __, { status }) => status === 203 ? 1 : undefined),
  billed("8.2-cost-historical-quotes", ({ historical, kind }) => kind === "quotes" && historical ? 0 : undefined),
  Pricing(
    ["8.2-cost-quotes", "8.2-cost-candles", "8.2-cost-bulk-candles"],
    "price",
    (price) => (query, entitlement, reply) =>
      price(query, entitlement, { ...reply, rows: reply.rows && { ...reply.rows, length: 1 } })
  ),
  billed("8.2-cost-other", ({ kind }) => kind === "other" ? 2 : undefined),
  OutputOptions(
    "8.2-cached-unavailable",
    "apply",
    (apply) => (output, query) => apply(output, { ...query, cacheable: query.cacheable || !query.historical })
  ),
  // A form that the service does not take counts as five minutes.
  MaxAge("8.3-maxage-forms", "parse", (parse) => (input) => parse(input === "" ? "5min" : input)),
  MaxAge("8.3-age", "accepts", (accepts) => (maxAge, entered, now) => accepts(maxAge, entered - 1, now)),
  billed("8.3-hit", (_, { mode }) => mode === "cached" ? 2 : undefined),
  SandboxReply("8.3-miss", "noContent", (noContent) => ({ ...noContent, body: "{}" }))
]
