/** `estimate`: what a call costs, once or on a schedule, without asking it; and prices as rows and JSON, those of plans too. */
import { Budget, Plan, PlanReport, TradingCalendar, Workload } from "@effect-marketdata/core"
import { Config, Duration, Effect } from "effect"
import { type Askable, command, type Example, type Loaded, type Made, queriesOf } from "../call/command.ts"
import * as Kept from "../call/kept.ts"
import { type Tagged, wrong } from "../failure/failure.ts"
import * as Names from "../failure/names.ts"
import * as Document from "../output/document.ts"
import * as Settings from "../settings/settings.ts"
import * as Flags from "../text/flags.ts"
import { epochSeconds } from "../text/words.ts"
import { namedOf } from "./flagValues.ts"
import { checkDay } from "./rules.ts"
import * as Shown from "./shown.ts"

/** The settings that decide into how many requests a list of symbols is cut. */
export const cutting = Config.all({
  baseUrl: Settings.address,
  maxSymbols: Config.withDefault(Settings.config("maxSymbols"), undefined)
})

/** Prices by the sizes of chains that commands have seen: those of the service that the settings name, or of the public one. */
export const bySizes = Effect.fnUntraced(function*<A, E, R>(self: Effect.Effect<A, E, R>) {
  const baseUrl = yield* Settings.address
  return yield* Effect.provide(self, Kept.sizes({ baseUrl, embedded: false }, true))
})

/** The present, and the trading calendar of schedules. */
export const present = Effect.map(epochSeconds, (now) => ({ now, calendar: TradingCalendar.NYSE }))

/** A failure to price a query, as a failure of usage: it could not be sent either. */
export const usage = ({ _tag, message }: Tagged) => wrong(_tag, message)

/** The prices of tasks as rows, for programs that read rows: a row for each task and mode. */
export const rowsOf = (all: ReadonlyArray<Plan.Priced>): Document.Rows =>
  Document.records(
    ["task", "mode", "asked", "queries", "min", "max", "clause"],
    all.flatMap(({ asked, others, task }) =>
      [asked, ...others].map((one) => {
        const { cost: { max, min, queries }, mode } = one
        const prices = { min: amount(min), max: amount(max), clause: PlanReport.clauses(one).join(" ") }
        return { task: task.name, mode, asked: mode === asked.mode, queries, ...prices }
      })
    )
  )

const amount = (credits: number): number | string => credits === Infinity ? "Infinity" : credits

/** Values as JSON has them: an amount without an upper bound is `"Infinity"`. Times are in epoch seconds. */
const json = (document: object): object =>
  JSON.parse(JSON.stringify(document, (_, value: unknown) => value === Infinity ? "Infinity" : value))

const modeOf = ({ cost, each, mode }: Plan.InMode, asked: boolean) => ({ mode, asked, each, cost })

const taskOf = (priced: Plan.Priced) => {
  const { asked, choices, others, requests, task } = priced
  const bound = PlanReport.liveBound(priced)
  return {
    queries: task.queries,
    requests,
    schedule: task.schedule,
    cost: asked.cost,
    modes: [modeOf(asked, true), ...others.map((other) => modeOf(other, false))],
    freshWithin: choices && {
      ...task.need,
      modes: choices.map(({ mode, ...choice }) => ({ mode: mode._tag, flags: Shown.flagsOf(mode, bound), ...choice }))
    },
    fallbackUpTo: task.fallbackUpTo
  }
}

/** Makes the document of one task. */
const estimated = (priced: Plan.Priced, buys: Shown.Buys | undefined): object => {
  const [{ times }, ...runs] = priced.task.schedule
  return json({
    ...taskOf(priced),
    peakMinute: runs.length === 0 && times === 1 ? undefined : Workload.peakMinute(priced.asked.workload),
    budget: buys && { credits: buys.credits, times: buys.times, covers: buys.covered, ways: buys.ways }
  })
}

/** Makes the document of a plan. */
export const planned = (plan: Shown.ReadPlan, priced: ReadonlyArray<Plan.Priced>): object => {
  const { allowance, hitRate } = plan
  const { byMode, cost, days, expected, peakMinute, verdict } = PlanReport.together(priced, plan)
  return json({
    tasks: priced.map((one) => ({ name: one.task.name, when: one.task.when, ...taskOf(one) })),
    cost,
    byMode,
    days,
    peakMinute,
    allowance: allowance && { ...allowance, verdict },
    expected: expected && { hitRate, ...expected }
  })
}

/** The cheaper ways to ask that the command has flags for. */
const waysOf = ({ ways, ...buys }: Budget.Buys, flags: ReadonlySet<string>): Shown.Buys => ({
  ...buys,
  ways: ways.flatMap((way) => {
    const named = Object.entries(Names.flagsOf(way))
    if (!named.every(([name]) => flags.has(name))) return []
    const typed = named.flatMap(([name, value]) => value === undefined ? [] : [`${name} ${value}`])
    const without = named.flatMap(([name, value]) => value === undefined ? [name] : [])
    return [{ flags: typed.join(" "), without, price: way.price }]
  })
})

/** Prints what a call costs. */
const price = Effect.fnUntraced(function*(name: string, { flags }: Askable, made: Made<unknown>, input: Flags.Pricing) {
  const call = yield* made
  const { fallbackUpTo, query } = call
  const { freshWithin, hitRate, mayMiss, when } = input
  const need = freshWithin && { seconds: Duration.toSeconds(freshWithin), mayMiss }
  const asked = { name: `${name} ${query.subject}`.trimEnd(), when, queries: queriesOf(call), fallbackUpTo, need }
  const task = yield* Effect.mapError(
    Effect.fromResult(Plan.task(asked, yield* present)),
    ({ _tag, at, message }) => usage({ _tag, message: `--when, character ${at + 1}: ${message}` })
  )
  yield* Effect.fromResult(checkDay(query, task.schedule))
  const cut = yield* cutting
  const seen = yield* Kept.seenOf(query, cut.baseUrl)
  const options = { ...cut, seen, hitRate }
  const priced = yield* Effect.mapError(Effect.fromResult(Plan.price(task, options)), usage)
  const names = new Set(namedOf(flags).map(({ name }) => `--${name}`))
  const { length } = asked.queries
  const buysOf = (credits: number) => {
    // Queries of a list differ in their symbols alone, so each has the same bound.
    const each = waysOf(Budget.buys(query, Math.floor(credits / length), seen), names)
    return length === 1 ? each : { ...each, credits, covered: undefined, ways: [] }
  }
  const buys = input.budget === undefined ? undefined : buysOf(input.budget)
  const bounding = ["--contracts", "--candles", "--symbols"].filter((name) => names.has(name))
  yield* Document.print({
    json: estimated(priced, buys),
    rows: rowsOf([priced]),
    lines: ({ columns }) => Shown.estimated(priced, buys, bounding.map((name) => `${name} COUNT`), columns)
  })
}, bySizes)

/** Makes the command that only prices. */
export const estimate = (name: string, askable: Askable): Loaded => {
  const [[line]] = askable.examples
  const buying = "What 100 credits buy, and the cheapest mode that is fresh enough"
  const examples: readonly [Example, Example, Example] = [
    [line, "The price in each mode"],
    [`${line} --when "every 1min"`.trim(), "Of a whole trading session, every minute"],
    [`${line} --budget 100 --fresh-within 5min`.trim(), buying]
  ]
  return command({
    flags: { call: askable.flags, pricing: Flags.pricing },
    examples,
    run: ({ call, pricing }) => price(name, askable, askable.call(call), pricing)
  })
}
