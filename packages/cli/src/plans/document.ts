/**
 * What `estimate` and `plan` print with `--json`, as schemas: version 1. A field that is there keeps its meaning; new ones may come. Amounts of
 * credits without an upper bound are `"Infinity"`, and times are in epoch seconds.
 */
import * as Schemas from "@effect-marketdata/core/Schemas"
import * as Workload from "@effect-marketdata/core/Workload"
import * as Schema from "effect/Schema"
import { version } from "../output/document.ts"
import * as Price from "../asking/price.ts"
import type { Buys } from "./budget.ts"
import { type Choice, flagsOf, type InMode, liveBound, type Priced } from "./modes.ts"
import type { Plan } from "./plan.ts"

/** What queries cost: how many there are, the least and the most that they cost together, and how many have no price or no answer. */
const Cost = Schema.Struct({
  queries: Schema.Int,
  min: Schemas.Amount,
  max: Schemas.Amount,
  notStated: Schema.Int,
  unavailable: Schema.Int
})

const Mode = Schema.Literals(["Default", "Live", "Delayed", "Cached", "CachedOrLive", "Eod", "Historical"])

const Expected = Schema.Struct({ min: Schemas.Amount, max: Schemas.Amount })

/** One mode: the price of each query, and the cost of all times. `Default` is the mode that the account's plan decides. */
const ModePrice = Schema.Struct({
  mode: Mode,
  asked: Schema.Boolean,
  each: Schema.Array(Schemas.Estimate),
  cost: Cost
})

/** How fresh the data must be, and the modes that are, the cheapest first, as the flags that ask for them. */
const Freshness = Schema.Struct({
  seconds: Schema.Number,
  mayMiss: Schema.Boolean,
  modes: Schema.Array(Schema.Struct({
    mode: Mode,
    flags: Schema.String,
    cost: Cost,
    expected: Schema.optionalKey(Expected)
  }))
})

const task = {
  queries: Schema.Array(Schemas.Query),
  /** How many requests one time takes. */
  requests: Schema.Int,
  schedule: Schema.Array(Schema.Struct({ first: Schema.Number, every: Schema.Number, times: Schema.Int })),
  /** What it costs as it is asked. */
  cost: Cost,
  modes: Schema.Array(ModePrice),
  freshWithin: Schema.optionalKey(Freshness),
  /** What live data may cost at most after a cached miss, each time. */
  fallbackUpTo: Schema.optionalKey(Schema.Number)
}

/** What a budget buys; `times` is missing where the price has no bound. */
const Budget = Schema.Struct({
  credits: Schemas.Amount,
  times: Schema.optionalKey(Schemas.Amount),
  covers: Schema.optionalKey(Schema.Struct({
    unit: Schema.Literals(["contracts", "candles", "symbols"]),
    count: Schemas.Amount
  })),
  ways: Schema.Array(Schema.Struct({ flags: Schema.String, price: Schemas.Estimate }))
})

const Minute = Schema.Struct({ start: Schema.Number, end: Schema.Number, cost: Cost })

/** The document of `estimate`. */
export const Estimated = Schema.Struct({
  version: Schema.Literal(version),
  ...task,
  peakMinute: Schema.optionalKey(Minute),
  budget: Schema.optionalKey(Budget)
})

const Verdict = Schema.Union([
  Schema.TaggedStruct("Holds", { left: Schemas.Amount }),
  Schema.TaggedStruct("MayRunOut", { at: Schema.Number }),
  Schema.TaggedStruct("RunsOut", { at: Schema.Number, mayRunOutAt: Schema.Number })
])

/** The document of `plan`. */
export const Planned = Schema.Struct({
  version: Schema.Literal(version),
  tasks: Schema.Array(Schema.Struct({ name: Schema.String, when: Schema.String, ...task })),
  /** All tasks together, as they are asked. */
  cost: Cost,
  /** The same by mode. */
  byMode: Schema.Record(Mode, Cost),
  /** The days of an allowance, from 9:30 to 9:30 in New York. */
  days: Schema.Array(Minute),
  peakMinute: Schema.optionalKey(Minute),
  allowance: Schema.optionalKey(Schema.Struct({
    credits: Schema.Number,
    window: Schema.Literals(["day", "minute", "none"]),
    verdict: Verdict
  })),
  expected: Schema.optionalKey(Schema.Struct({ hitRate: Schema.Number, ...Expected.fields }))
})

const modeOf = ({ cost, each, mode }: InMode, asked: boolean): typeof ModePrice.Type => ({ mode, asked, each, cost })

const choiceOf = ({ cost, expected, mode }: Choice, bound: number) => ({
  mode: mode._tag,
  flags: flagsOf(mode, bound),
  cost,
  ...(expected === undefined ? {} : { expected })
})

const optional = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: Value }

const taskOf = ({ asked, choices, others, requests, task }: Priced) => ({
  queries: task.queries,
  requests,
  schedule: task.schedule,
  cost: asked.cost,
  modes: [modeOf(asked, true), ...others.map((other) => modeOf(other, false))],
  ...optional("fallbackUpTo", task.fallbackUpTo),
  ...optional(
    "freshWithin",
    choices === undefined || task.need === undefined ? undefined : {
      ...task.need,
      modes: choices.map((choice) => choiceOf(choice, liveBound({ asked, others })))
    }
  )
})

/** Makes the document of one task. */
export const estimated = (priced: Priced, buys: Buys | undefined): typeof Estimated.Type => ({
  version,
  ...taskOf(priced),
  ...optional(
    "peakMinute",
    priced.task.schedule.length === 1 && priced.task.schedule[0].times === 1
      ? undefined
      : Workload.peakMinute(priced.asked.workload)
  ),
  ...optional(
    "budget",
    buys === undefined ? undefined : {
      credits: buys.credits,
      ...optional("times", buys.times),
      ...optional("covers", buys.covered),
      ways: buys.ways
    }
  )
})

/** Makes the document of a plan. */
export const planned = (
  { allowance, hitRate }: Plan,
  priced: ReadonlyArray<Priced>
): typeof Planned.Type => {
  const workload = priced.flatMap(({ asked }) => asked.workload)
  return {
    version,
    tasks: priced.map((one) => ({ name: one.task.name, when: one.task.when, ...taskOf(one) })),
    cost: Workload.total(workload),
    byMode: Workload.byMode(workload),
    days: Workload.byWindow(workload, "day"),
    ...optional("peakMinute", Workload.peakMinute(workload)),
    ...optional(
      "allowance",
      allowance === undefined ? undefined : {
        ...allowance,
        verdict: Workload.fits(workload, allowance)
      }
    ),
    ...optional("expected", hitRate === undefined ? undefined : { hitRate, ...Price.expected(workload, hitRate) })
  }
}

/** The document of `estimate` as JSON. */
export const encodeEstimated = Schema.encodeSync(Estimated)

/** The document of `plan` as JSON. */
export const encodePlanned = Schema.encodeSync(Planned)
