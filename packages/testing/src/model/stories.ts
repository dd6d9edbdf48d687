import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "fast-check"
import { Difference, play, type Subject, type World } from "./playing.ts"
import * as Service from "./service.ts"
import { setting } from "./service.ts"
import * as Story from "./story.ts"

/** One step of a story. */
type Command = fc.AsyncCommand<World, Subject>

class Asks implements Command {
  readonly ask: Story.Ask
  constructor(ask: Story.Ask) {
    this.ask = ask
  }
  check(): boolean {
    return true
  }
  async run(world: World, subject: Subject): Promise<void> {
    world.story.push(this.toString())
    const exit = await Effect.runPromiseExit(subject.ask(this.ask))
    if (Exit.isFailure(exit)) throw new Difference(`it broke: ${Cause.pretty(exit.cause)}`, world.story)
    play(world, this.ask, exit.value, subject.kind)
  }
  toString(): string {
    return Story.tell(this.ask)
  }
}

class Waits implements Command {
  readonly seconds: number
  constructor(seconds: number) {
    this.seconds = seconds
  }
  check(): boolean {
    return true
  }
  async run(world: World, subject: Subject): Promise<void> {
    world.story.push(this.toString())
    world.service = Service.wait(world.service, this.seconds)
    await Effect.runPromise(subject.wait(this.seconds))
  }
  toString(): string {
    return Story.tellTime(this.seconds)
  }
}

const symbol = fc.constantFrom("F", "F", "MSFT", Service.demo, Service.absent)

const subjects = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      about: fc.constant("chain" as const),
      symbol: fc.constantFrom("F", "F", Service.demo, Service.absent),
      date: fc.option(fc.integer({ min: 1, max: 6 }).map((days) => CalendarDate.addDays(firstDay, -days)), {
        nil: undefined,
        freq: 4
      })
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      about: fc.constant("prices" as const),
      symbols: fc.oneof(
        fc.constant(["MSFT"]),
        fc.uniqueArray(fc.constantFrom("MSFT", "NVDA", Service.demo, Service.absent), { minLength: 1, maxLength: 3 })
      )
    })
  },
  fc.record({ about: fc.constant("candles" as const), symbol, count: fc.constantFrom(3, 30) }),
  fc.record({ about: fc.constant("expirations" as const), symbol: fc.constantFrom("F", Service.absent) })
)

const firstDay = NewYork.dateOf(setting.at)

const asks = (kind: Subject["kind"]): fc.Arbitrary<Command> =>
  fc.record({
    who: fc.constantFrom<Story.Who>(
      "trader",
      "trader",
      "broker",
      "broker",
      "professional",
      "trial",
      "nobody",
      "stranger"
    ),
    from: fc.constantFrom<Story.Where>("home", "home", "office", "abroad"),
    subject: subjects,
    mode: fc.constantFrom(undefined, "live", "delayed", "cached", kind === "client" ? "cachedOrLive" : "cached"),
    maxAge: fc.constantFrom(undefined, 1, 5, 60)
  }).map((ask) => new Asks(sensible(ask)))

/** The same query, without what does not go together. */
const sensible = (ask: Story.Ask): Story.Ask => {
  const isUncached = ask.subject.about === "candles" || ask.subject.about === "expirations" ||
    ask.who === "nobody" && ask.mode !== undefined
  const isPast = ask.subject.about === "chain" && ask.subject.date !== undefined
  const mode = isPast || isUncached && (ask.mode === "cached" || ask.mode === "cachedOrLive") ? undefined : ask.mode
  const isCached = mode === "cached" || mode === "cachedOrLive"
  return { ...ask, mode, maxAge: isCached ? ask.maxAge : undefined }
}

const waits: fc.Arbitrary<Command> = fc.constantFrom(1, 30, 60, 240, 299, 300, 301, 3600, 20 * 3600)
  .map((seconds) => new Waits(seconds))

/**
 * Makes up stories, for `fc.asyncModelRun` over `initial`.
 */
export const commands = (
  kind: Subject["kind"],
  options: { readonly longest?: number | undefined; readonly replayPath?: string | undefined } = {}
): fc.Arbitrary<Iterable<fc.AsyncCommand<World, Subject>>> =>
  fc.commands([asks(kind), asks(kind), asks(kind), waits], {
    maxCommands: options.longest ?? 12,
    size: "max",
    ...(options.replayPath === undefined ? {} : { replayPath: options.replayPath })
  })
