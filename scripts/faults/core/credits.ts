import type { Fault } from "../fault.ts"

const credits = "packages/core/src/Credits.ts"
const ledger = "packages/core/src/Ledger.ts"

/** What prices and the book of credits could get wrong. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "1-credits",
    file: credits,
    find: "if (status === 204) return { computed: 0,",
    replace: "if (status === 204) return { computed: 1,"
  },
  {
    clause: "1-credits",
    file: credits,
    find: "  if (status !== 200 && status !== 203) {",
    replace: "  if (status !== 200 && status !== 203 && status !== 400) {"
  },
  {
    clause: "4.1-cost-live",
    file: credits,
    find: "    computed: contracts,\n",
    replace: "    computed: perThousand(contracts),\n"
  },
  {
    clause: "4.1-cost-live",
    file: credits,
    find: "counted(contracts, (n) => n,",
    replace: "counted(contracts, () => 1,"
  },
  {
    clause: "4.1-cost-delayed",
    file: credits,
    find: "    computed: contracts,\n",
    replace: `    computed: query.mode?._tag === "Delayed" ? 1 : contracts,\n`
  },
  {
    clause: "4.1-cost-cached",
    file: credits,
    find: `return { computed: 1, clause: "4.1-cost-cached"`,
    replace: `return { computed: Math.max(1, perThousand(contracts)), clause: "4.1-cost-cached"`
  },
  {
    clause: "4.1-cost-historical",
    file: credits,
    find: "Math.ceil(contracts / 1000)",
    replace: "Math.round(contracts / 1000)"
  },
  {
    clause: "4.1-cost-historical",
    file: credits,
    find: "if (historical === true) {",
    replace: "if (historical === true && contracts === undefined) {"
  },
  {
    clause: "7.1-204",
    file: credits,
    find: "if (status === 204) return { computed: 0,",
    replace: "if (status === 204) return { computed: 1,"
  },
  {
    clause: "7.1-charge-not-stated",
    file: credits,
    find: "credits: outcome.reported ?? price.computed",
    replace: "credits: price.computed"
  },
  {
    clause: "7.1-charge-not-stated",
    file: credits,
    find: "assumptions: [{ name: `charge for status ${status}`, value: \"0\" }]",
    replace: "assumptions: []"
  },
  {
    clause: "7.2-203-price",
    file: credits,
    find: "    computed: contracts,\n",
    replace: "    computed: status === 203 ? 1 : contracts,\n"
  },
  {
    clause: "8.3-hit",
    file: credits,
    find: `return { computed: 1, clause: "4.1-cost-cached"`,
    replace: `return { computed: 0, clause: "4.1-cost-cached"`
  },
  {
    clause: "8.3-fallback",
    file: credits,
    find: "const max = bound(live)",
    replace: "const max = Math.min(1, bound(live))"
  },
  {
    clause: "8.5-not-shown",
    file: ledger,
    find: "make = (allowance = Infinity)",
    replace: "make = (allowance = 10_000)"
  }
]
