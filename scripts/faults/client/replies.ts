import type { Fault } from "../fault.ts"

const core = (module: string) => `packages/core/src/${module}.ts`
const client = (module: string) => `packages/client/src/${module}.ts`

/** What the client could get wrong in reading replies and booking charges. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "2.1-lengths",
    file: core("columns/internal/tableBuilder"),
    find: "buffer.row !== this.length.rows",
    replace: "buffer.row > this.length.rows"
  },
  {
    clause: "4.1-cost-cached",
    file: core("credits/billing"),
    find: "return { computed: tariff.credits, clause, assumptions }",
    replace: "return { computed: outcome.contracts, clause, assumptions }"
  },
  {
    clause: "7.1-200",
    file: core("reply/Reply"),
    find: `read: reply.status === 200 || reply.status === 203 ? "data"`,
    replace: `read: reply.status === 203 ? "data"`
  },
  {
    clause: "7.1-203",
    file: core("reply/Reply"),
    find: `const source = head.status === 203 ? "cache" : "provider"`,
    replace: `const source = head.status === 203 ? "provider" : "cache"`
  },
  {
    clause: "7.2-success-set",
    file: core("reply/Reply"),
    find: `read: reply.status === 200 || reply.status === 203 ? "data"`,
    replace: `read: reply.status === 200 ? "data"`
  },
  {
    clause: "7.2-success-set",
    file: core("reply/Reply"),
    find: `reply.status === 200 || reply.status === 203 ? "data"`,
    replace: `reply.status === 203 ? "data"`
  },
  {
    clause: "7.2-success-set",
    file: core("reply/Reply"),
    find: `const reason = head.status === 204\n`,
    replace: `const reason = head.status === 205\n`
  },
  {
    clause: "7.2-203-price",
    file: core("credits/billing"),
    find: `if (tariff._tag === "PerUnit") return`,
    replace: `if (status === 203) return { computed: 1, clause, assumptions }\n  if (tariff._tag === "PerUnit") return`
  },
  {
    clause: "7.2-cached-200",
    file: core("reply/Reply"),
    find: "...(cached && head.status === 200 ? [cachedAnsweredFresh] : []),",
    replace: ""
  },
  {
    clause: "7.1-204",
    file: core("credits/billing"),
    find: `if (status === 204) return { computed: 0,`,
    replace: `if (status === 204) return { computed: 1,`
  },
  {
    clause: "7.1-204-elsewhere",
    file: core("reply/Reply"),
    find: "cached ? new Reason.NoCachedData(known) : new Reason.UnexpectedNoContent(known)",
    replace: "new Reason.NoCachedData(known)"
  },
  {
    clause: "8.3-miss",
    file: core("reply/Reply"),
    find: "cached ? new Reason.NoCachedData(known) : new Reason.UnexpectedNoContent(known)",
    replace: "new Reason.UnexpectedNoContent(known)"
  },
  {
    clause: "8.3-hit",
    file: core("credits/billing"),
    find: "return { computed: tariff.credits, clause, assumptions }",
    replace: "return { computed: 0, clause, assumptions }"
  },
  {
    clause: "7.1-400",
    file: core("reply/Reply"),
    find: "new Reason.BadRequest(said)",
    replace: "new Reason.NotFound(said)"
  },
  {
    clause: "7.3-date-errmsg",
    file: core("reply/Reply"),
    find: `body.startsWith("Invalid date")`,
    replace: `body.startsWith("Invalid day")`
  },
  {
    clause: "7.3-html-400",
    file: core("reply/Reply"),
    find: "/Request Line is too large/i",
    replace: "/^Request Line is too large/"
  },
  { clause: "5.7-401", file: core("reply/Reply"), find: "case 401:", replace: "case 407:" },
  { clause: "7.1-402", file: core("reply/Reply"), find: "case 402:", replace: "case 412:" },
  { clause: "7.1-403", file: core("reply/Reply"), find: "case 403:", replace: "case 413:" },
  { clause: "7.1-404", file: core("reply/Reply"), find: "case 404:", replace: "case 410:" },
  {
    clause: "7.1-bodies-unknown",
    file: client("internal/transport"),
    find: `head.read !== "data" || isEmpty(error)`,
    replace: "isEmpty(error)"
  },
  {
    clause: "8.3-fallback",
    file: client("internal/fallback"),
    find: "const query = Query.withMode(part.query, DataMode.live)",
    replace: "const query = Query.withMode(part.query, DataMode.delayed)"
  },
  {
    clause: "4.1-cost-live",
    file: core("credits/billing"),
    find: "computed: price(count), most: price(count + unclear),",
    replace: "computed: 1,"
  },
  {
    clause: "4.1-cost-delayed",
    file: core("credits/billing"),
    find: "computed: price(count), most: price(count + unclear),",
    replace: "computed: 1,"
  },
  {
    clause: "4.1-cost-historical",
    file: core("credits/tariff"),
    find: "round(count / 1000)",
    replace: "round(count / 100)"
  },
  {
    clause: "7.2-not-mapped",
    file: core("reply/Reply"),
    find: `read: reply.status === 200 || reply.status === 203 ? "data"`,
    replace: `read: reply.status === 200 ? "data"`
  },
  {
    clause: "7.3-symbol-errmsg",
    file: core("reply/Reply"),
    find: `body.startsWith("Invalid option symbol")`,
    replace: `body.startsWith("Invalid symbol")`
  },
  { clause: "7.3-400-vs-404", file: core("reply/Reply"), find: "case 404:", replace: "case 410:" },
  {
    clause: "2.2-error-body",
    file: core("reason/errorBody"),
    find: `field(body, "errmsg")`,
    replace: `field(body, "message")`
  },
  {
    clause: "2.2-error-body",
    file: "packages/client/src/internal/transport.ts",
    find: "  body: words,",
    replace: "  body: undefined,"
  },
  {
    clause: "8.2-access",
    file: core("reply/Reply"),
    find: "cached: reply.cached ?? false, ...said",
    replace: "cached: false, ...said"
  },
  {
    clause: "7.1-charge-not-stated",
    file: core("credits/billing"),
    find: "return { credits: reported, uncertain: 0, reported, finding: undefined, ...price }",
    replace: "return { credits: least, uncertain, reported, finding: undefined, ...price }"
  },
  {
    clause: "7.1-charge-not-stated",
    file: core("reply/Reply"),
    find: "isBooked(charge) ? { charged: charge.credits } : {}",
    replace: "{}"
  },
  {
    clause: "8.2-cost-quotes",
    file: client("internal/ledgerSteps"),
    find: "{ request: of.request, uncertain, figures }",
    replace: "{ request: of.request, figures }"
  },
  {
    clause: "8.2-cost-quotes",
    file: client("internal/transport"),
    find: "assume: { figures }",
    replace: `assume: { figures: "any" }`
  },
  {
    clause: "4.1-statuses",
    file: core("reply/Reply"),
    find: `read: reply.status === 200 || reply.status === 203 ? "data"`,
    replace: `read: reply.status === 200 ? "data"`
  },
  {
    clause: "4.1-maxage-cached-only",
    file: core("query/Query"),
    find: "DataMode.isCached(read.success.mode) ? read.success.maxAge ?? self.maxAge : undefined",
    replace: "self.maxAge"
  }
]
