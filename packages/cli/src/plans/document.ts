/** What `estimate` and `plan` print as JSON. Amounts of credits without an upper bound are `"Infinity"`, and times are in epoch seconds. */
import * as Plan from "@effect-marketdata/core/Plan"
import * as Workload from "@effect-marketdata/core/Workload"
import { type Buys, flagsOf, liveBound, type ReadPlan } from "./shown.ts"

/** Values as JSON has them: it has no number without an end. */
const json = (document: object): object =>
  JSON.parse(JSON.stringify(document, (_, value: unknown) => value === Infinity ? "Infinity" : value))

const modeOf = ({ cost, each, mode }: Plan.InMode, asked: boolean) => ({ mode, asked, each, cost })

const taskOf = (priced: Plan.Priced) => {
  const { asked, choices, others, requests, task } = priced
  const bound = liveBound(priced)
  return {
    queries: task.queries,
    requests,
    schedule: task.schedule,
    cost: asked.cost,
    modes: [modeOf(asked, true), ...others.map((other) => modeOf(other, false))],
    freshWithin: choices && {
      ...task.need,
      modes: choices.map(({ mode, ...choice }) => ({ mode: mode._tag, flags: flagsOf(mode, bound), ...choice }))
    },
    fallbackUpTo: task.fallbackUpTo
  }
}

/** Makes the document of one task. */
export const estimated = (priced: Plan.Priced, buys: Buys | undefined): object => {
  const [{ times }, ...runs] = priced.task.schedule
  return json({
    ...taskOf(priced),
    peakMinute: runs.length === 0 && times === 1 ? undefined : Workload.peakMinute(priced.asked.workload),
    budget: buys && { credits: buys.credits, times: buys.times, covers: buys.covered, ways: buys.ways }
  })
}

/** Makes the document of a plan. */
export const planned = ({ allowance, hitRate }: ReadPlan, priced: ReadonlyArray<Plan.Priced>): object => {
  const workload = priced.flatMap(({ asked }) => asked.workload)
  return json({
    tasks: priced.map((one) => ({ name: one.task.name, when: one.task.when, ...taskOf(one) })),
    cost: Workload.total(workload),
    byMode: Workload.byMode(workload),
    days: Workload.byWindow(workload, "day"),
    peakMinute: Workload.peakMinute(workload),
    allowance: allowance && { ...allowance, verdict: Workload.fits(workload, allowance) },
    expected: hitRate === undefined ? undefined : { hitRate, ...Plan.expected(workload, hitRate) }
  })
}
