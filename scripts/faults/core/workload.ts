import type { Fault } from "../fault.ts"

const workload = "packages/core/src/plan/Workload.ts"
const choice = "packages/core/src/plan/ModeChoice.ts"
const occurrences = "packages/core/src/plan/occurrences.ts"

/** What plans of many questions could get wrong. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "8.3-fallback",
    file: workload,
    find: "multiply(hitRate, hit) + multiply(1 - hitRate, miss)",
    replace: "hit + multiply(1 - hitRate, miss)"
  },
  {
    clause: "8.3-miss",
    file: workload,
    find: `query.mode._tag === "Cached"\n      ? zero`,
    replace: `query.mode._tag === "Cached"\n      ? { min: 1, max: 1 }`
  },
  { clause: "8.2-timeliness", file: choice, find: "delayed: Freshness.delay,", replace: "delayed: 0," },
  { clause: "8.2-timeliness", file: choice, find: "room >= 60", replace: "room >= 0" },
  { clause: "8.2-access", file: choice, find: " && isServed(DataMode.cached(), query, need, assume)", replace: "" },
  {
    clause: "8.5-not-shown",
    file: occurrences,
    find: "if (at < time || including && at === time) low = middle + 1",
    replace: "if (at < time) low = middle + 1"
  }
]
