import { CalendarDate, DataMode, NewYork, Query } from "@effect-marketdata/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { Difference, play, type Subject, type World } from "./playing.ts"
import * as Service from "./service.ts"
import { setting } from "./service.ts"

/** One step of a story. */
type Command = fc.AsyncCommand<World, Subject>

const step = (text: string, run: (world: World, subject: Subject) => Promise<void>): Command => ({
  check: () => true,
  run: (world, subject) => {
    world.story.push(text)
    return run(world, subject)
  },
  toString: () => text
})

const asking = (ask: Service.Ask): Command => {
  const { from, query, who } = ask
  const orElse = query.mode?._tag === "CachedOrLive" ? ", or else live" : ""
  return step(`${who} asks from ${from} for ${Query.target(query)}${orElse}`, async (world, subject) => {
    const exit = await Effect.runPromiseExit(subject.ask(ask))
    if (Exit.isFailure(exit)) throw new Difference(`it broke: ${Cause.pretty(exit.cause)}`, world.story)
    play(world, ask, exit.value, subject.kind)
  })
}

const waiting = (seconds: number): Command =>
  step(seconds % 60 === 0 ? `${seconds / 60} minutes pass` : `${seconds} seconds pass`, (world, subject) => {
    world.service = Service.wait(world.service, seconds)
    return Effect.runPromise(subject.wait(seconds))
  })

type Mode = DataMode.DataMode | undefined

/** Makes a query in a mode; one without cached data uses the second mode. */
type Asked = (mode: Mode, uncached: DataMode.Live | DataMode.Delayed | undefined) => Result.Result<Query.Query, unknown>

const firstDay = NewYork.dateOf(setting.at)

const past = fc.integer({ min: 1, max: 6 }).map((days) => CalendarDate.addDays(firstDay, -days))

const subjects: fc.Arbitrary<Asked> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constantFrom("F", "F", Service.demo, Service.absent),
      fc.option(past, { nil: undefined, freq: 4 })
    ).map(([symbol, date]): Asked => (mode) =>
      date === undefined
        ? Query.optionChain(symbol, { mode, strikeLimit: 4 })
        : Query.optionChain(symbol, { date, strikeLimit: 4 })
    )
  },
  {
    weight: 3,
    arbitrary: fc.oneof(
      fc.constant(["MSFT"]),
      fc.uniqueArray(fc.constantFrom("MSFT", "NVDA", Service.demo, Service.absent), { minLength: 1, maxLength: 3 })
    ).map((symbols): Asked => (mode) => Query.stockPrices(symbols, { mode }))
  },
  fc.tuple(fc.constantFrom("F", "F", "MSFT", Service.demo, Service.absent), fc.constantFrom(3, 30)).map((
    [symbol, countback]
  ): Asked =>
  (_, mode) =>
    Query.stockCandles<never, DataMode.Live | DataMode.Delayed | undefined>("D", symbol, { countback, mode })
  ),
  fc.constantFrom("F", Service.absent).map((symbol): Asked => (_, mode) => Query.optionExpirations(symbol, { mode }))
)

const maxAge = fc.constantFrom(undefined, "1min", "5min", "60min")

const modes = (kind: Subject["kind"]): fc.Arbitrary<Mode> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(undefined, DataMode.live, DataMode.delayed) },
    maxAge.map((maxAge) => DataMode.cached({ maxAge })),
    maxAge.map((maxAge) => kind === "client" ? DataMode.cachedOrLive({ maxAge }) : DataMode.cached({ maxAge }))
  )

const whose = ["trader", "trader", "broker", "broker", "professional", "trial", "nobody", "stranger"] as const

const asks = (kind: Subject["kind"]): fc.Arbitrary<Service.Ask> =>
  fc.tuple(
    fc.constantFrom(...whose),
    fc.constantFrom("home", "home", "office", "abroad"),
    subjects,
    modes(kind)
  ).map(([who, from, asked, mode]) => {
    const uncached = mode?._tag === "Live" || mode?._tag === "Delayed" ? mode : undefined
    // Without a token, nobody asks for cached data.
    const query = Result.getOrThrow(asked(who === "nobody" ? uncached : mode, uncached))
    return { who, from, query }
  })

/** Somebody goes from home to the office and back within five minutes, and asks once more: a block, which single steps seldom reach. */
const returning = (ask: Service.Ask): Command => {
  const steps = (["home", "office", "home", "home"] as const).map((from) => asking({ ...ask, from }))
  const run: Command["run"] = async (...played) => {
    for (const step of steps) await step.run(...played)
  }
  return { check: () => true, run, toString: () => steps.join("; ") }
}

const waits: fc.Arbitrary<Command> = fc.constantFrom(1, 30, 60, 240, 299, 300, 301, 3600, 20 * 3600)
  .map(waiting)

/**
 * Makes up stories, for `fc.asyncModelRun` over `initial`.
 */
export const commands = (
  kind: Subject["kind"],
  options: { readonly longest?: number | undefined; readonly replayPath?: string | undefined } = {}
): fc.Arbitrary<Iterable<fc.AsyncCommand<World, Subject>>> =>
  fc.commands([...[asking, asking, asking, returning].map((step) => asks(kind).map(step)), waits], {
    maxCommands: options.longest ?? 12,
    size: "max",
    ...(options.replayPath === undefined ? {} : { replayPath: options.replayPath })
  })
