import type { Fault } from "../fault.ts"

const core = (module: string) => `packages/core/src/${module}.ts`
const sandbox = (module: string) => `packages/sandbox/src/${module}.ts`
const billing = core("credits/billing")
const till = sandbox("internal/till")
const manner = sandbox("internal/manner")

const perUnit = "computed: price(count), most: price(count + unclear),"

/** What the simulated service could get wrong of credits, and of its cache. */
export const faults: ReadonlyArray<Fault> = [
  { clause: "1-credits", file: sandbox("internal/service"), find: "credits: 0\n", replace: "credits: 1\n" },
  { clause: "4.1-cost-live", file: billing, find: perUnit, replace: "computed: 1," },
  {
    clause: "4.1-cost-live",
    file: core("credits/maxContracts"),
    find: ": 2 * limit",
    replace: ": limit"
  },
  {
    clause: "4.1-cost-live",
    file: sandbox("internal/chainSelection"),
    find: ".slice(0, strikeLimit))",
    replace: ".slice(0, strikeLimit + 1))"
  },
  {
    clause: "8.2-cost-candles",
    file: core("credits/maxCandles"),
    find: "[before, regular, after])",
    replace: "[regular])"
  },
  { clause: "4.1-cost-delayed", file: billing, find: perUnit, replace: "computed: 1," },
  {
    clause: "4.1-cost-cached",
    file: billing,
    find: "return { computed: tariff.credits, clause, assumptions }",
    replace: "return { computed: outcome.contracts, clause, assumptions }"
  },
  {
    clause: "4.1-cost-historical",
    file: core("credits/tariff"),
    find: "round(count / 1000)",
    replace: "round(count / 100)"
  },
  {
    clause: "7.2-203-price",
    file: billing,
    find: `if (tariff._tag === "PerUnit") return`,
    replace: `if (status === 203) return { computed: 1, clause, assumptions }\n  if (tariff._tag === "PerUnit") return`
  },
  {
    clause: "8.2-cost-quotes",
    file: till,
    find: `query.kind === "quotes" ? quoted : length`,
    replace: `query.kind === "quotes" ? 1 : length`
  },
  {
    clause: "8.2-cost-historical-quotes",
    file: billing,
    find: "price.computed ?? assumed ?? 0",
    replace: "price.computed ?? 0"
  },
  { clause: "8.2-cost-candles", file: till, find: "candles: length", replace: "candles: 1" },
  {
    clause: "8.2-cost-bulk-candles",
    file: till,
    find: `query.kind === "quotes" ? quoted : length`,
    replace: `query.kind === "quotes" ? quoted : 1`
  },
  {
    clause: "8.2-cost-other",
    file: core("credits/tariff"),
    find: `perReply("8.2-cost-other")`,
    replace: `perReply("8.2-cost-other", 2)`
  },
  {
    clause: "8.2-cached-unavailable",
    file: manner,
    find: "DataMode.isCached(mode) && !query.cacheable",
    replace: "DataMode.isCached(mode) && query.historical"
  },
  {
    clause: "8.3-maxage-forms",
    file: manner,
    find: `/^\\d{1,9}(min|h)$/.test(text) ? text : ""`,
    replace: `/^\\d{1,9}(min|h)$/.test(text) ? text : "5min"`
  },
  {
    clause: "8.3-maxage-forms",
    file: manner,
    find: "secondOfDay: moment.secondOfDay ?? 0",
    replace: "secondOfDay: 0"
  },
  { clause: "8.3-age", file: core("time/MaxAge"), find: "now - entryTime <= self", replace: "now - entryTime < self" },
  {
    clause: "8.3-hit",
    file: billing,
    find: "return { computed: tariff.credits, clause, assumptions }",
    replace: "return { computed: 2, clause, assumptions }"
  },
  {
    clause: "8.3-miss",
    file: sandbox("SandboxReply"),
    find: `headers: {}, body: ""`,
    replace: `headers: {}, body: "{}"`
  },
  { clause: "8.3-fallback", file: billing, find: perUnit, replace: "computed: 1," }
]
