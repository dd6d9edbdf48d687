import * as Workload from "@effect-marketdata/core/Workload"
import * as WorkloadLaws from "@effect-marketdata/testing/WorkloadLaws"
import { describe, it } from "@effect/vitest"
import { assertAllBroken } from "../support/planted.ts"

describe("WorkloadLaws", () => {
  it("of finds every mistake of an account", () => {
    const { byMode, byWindow, total } = Workload
    assertAllBroken({
      "asked once": WorkloadLaws.of({
        byMode,
        byWindow,
        total: (workload) => total(workload.map((task) => ({ ...task, schedule: { ...task.schedule, times: 1 } })))
      }),
      "a fee": WorkloadLaws.of({
        byMode,
        byWindow,
        total: (workload) => Workload.add(total(workload), { ...Workload.zero, queries: 1 })
      }),
      "a mode is forgotten": WorkloadLaws.of({
        byWindow,
        total,
        byMode: (workload) => ({ ...byMode(workload), Cached: Workload.zero })
      }),
      "the first window is forgotten": WorkloadLaws.of({
        byMode,
        total,
        byWindow: (workload, window) => byWindow(workload, window).slice(1)
      }),
      "windows overlap": WorkloadLaws.of({
        byMode,
        total,
        byWindow: (workload, window) => byWindow(workload, window).map((cost) => ({ ...cost, start: cost.start - 1 }))
      })
    })
  })

  it("forecast finds an allowance that seems to last, and a hope", () => {
    assertAllBroken({
      "always lasts": WorkloadLaws.forecast({ ...Workload, fits: () => ({ _tag: "Holds", left: 0 }) }),
      "all for nothing": WorkloadLaws.forecast({ ...Workload, expected: () => ({ min: 0, max: 0 }) })
    })
  })
})
