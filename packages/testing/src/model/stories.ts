/** Stories: what they are played to, how the steps of one are drawn, and where subject and model differ. */
import { CalendarDate, DataMode, NewYork, Query } from "@effect-marketdata/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { askedBy } from "../laws/RequestLaws.ts"
import * as Service from "./service.ts"

/**
 * What came of a query: its requests in order. Of a client also why it failed, by the reason's tag, and where its ledger stands.
 */
export interface Observation {
  readonly replies: ReadonlyArray<Service.Reply>
  readonly reason?: string | undefined
  readonly balance?: Balance | undefined
}

/**
 * Where the ledger of the asker stands, in credits.
 */
export interface Balance {
  readonly charged: number
  readonly uncertain: number
  readonly reserved: number
}

/**
 * What stories are played to.
 *
 * - `kind`: a client falls back to live data by itself, and sends nothing while it knows of a block
 * - `ask`: asks a query for one of the model's accounts, from one of its addresses
 * - `wait`: lets a number of seconds pass
 */
export interface Subject {
  readonly kind: "service" | "client"
  readonly ask: (ask: Service.Ask) => Effect.Effect<Observation>
  readonly wait: (seconds: number) => Effect.Effect<void>
}

/**
 * A story as far as it has been played: the service's side of it, what each client knows, and the steps in words.
 */
export interface World {
  service: Service.State
  readonly clients: Map<string, { heldUntil: number; charged: number }>
  readonly story: Array<string>
}

/** Raised where subject and model differ, with the story so far. */
export class Difference extends Error {
  override readonly name = "Difference"
  readonly story: ReadonlyArray<string>
  constructor(complaint: string, story: ReadonlyArray<string>) {
    super(complaint)
    this.story = [...story]
  }
}

/** How long an address is blocked, in seconds. */
const block = 300

const reasonOf: Readonly<Record<number, ReadonlyArray<string>>> = {
  200: [],
  203: [],
  204: ["NoCachedData", "NoLiveData", "UnexpectedNoContent"],
  401: ["Unauthorized"],
  402: ["PlanRequired"],
  403: ["AddressBlocked"],
  404: ["NotFound"],
  429: ["CreditsExhausted"]
}

const isHeld = (world: World, key: string): boolean =>
  world.service.now <= (world.clients.get(key)?.heldUntil ?? -Infinity)

/** Plays a query to the model as it is answered, request by request; raises where they differ. */
const play = (world: World, ask: Service.Ask, { balance, reason, replies }: Observation, kind: Subject["kind"]) => {
  const key = `${ask.who} ${ask.from}`
  const client = world.clients.get(key) ?? { heldUntil: -Infinity, charged: 0 }
  world.clients.set(key, client)
  const held = kind === "client" && isHeld(world, key)
  let next: Service.Ask | undefined = held ? undefined : ask
  const differ = (complaint: string): never => {
    throw new Difference(complaint, world.story)
  }
  for (const reply of replies) {
    if (next === undefined) {
      return differ(`expected no request, since ${held ? "the client knows of the block" : "the query was over"}`)
    }
    const target = Query.target(next.query)
    if (reply.target !== undefined && askedBy(reply.target) !== askedBy(target)) {
      return differ(`expected a request for ${target}, and came one for ${reply.target}`)
    }
    const complaint = Service.complaint(Service.expect(world.service, next), reply) ??
      Service.untimely(world.service, next, reply)
    if (complaint !== undefined) return differ(complaint)
    world.service = Service.after(world.service, next, reply)
    client.charged += reply.credits
    if (reply.status === 403) client.heldUntil = world.service.now + block
    const fallsBack = next.query.mode?._tag === "CachedOrLive" && reply.status === 204
    next = fallsBack ? { ...ask, query: Query.withMode(ask.query, DataMode.live) } : undefined
  }
  if (next !== undefined) {
    return differ(`expected another request, and none came${reason === undefined ? "" : `: ${reason}`}`)
  }
  if (kind === "service") return
  const last = replies.at(-1)
  const reasons = last === undefined ? ["IpBlocked"] : reasonOf[last.status] ?? []
  if (reasons.length === 0 ? reason !== undefined : !reasons.includes(reason ?? "")) {
    return differ(`expected ${reasons.join(" or ") || "an answer"}, and came ${reason ?? "an answer"}`)
  }
  if (balance !== undefined && (balance.charged !== client.charged || balance.uncertain + balance.reserved !== 0)) {
    const { charged, reserved, uncertain } = balance
    const found = `there were ${charged} charged, ${uncertain} uncertain and ${reserved} reserved`
    return differ(`expected ${client.charged} credits in the ledger, all of them charged, and ${found}`)
  }
}

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

const firstDay = NewYork.dateOf(Service.setting.at)

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
  fc.tuple(fc.constantFrom("F", "F", "MSFT", Service.demo, Service.absent), fc.constantFrom(3, 30))
    .map(([symbol, countback]): Asked => (_, mode) =>
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
  fc.tuple(fc.constantFrom(...whose), fc.constantFrom("home", "home", "office", "abroad"), subjects, modes(kind))
    .map(([who, from, asked, mode]) => {
      const uncached = mode?._tag === "Live" || mode?._tag === "Delayed" ? mode : undefined
      // Without a token, nobody asks for cached data.
      const query = Result.getOrThrow(asked(who === "nobody" ? uncached : mode, uncached))
      return { who, from, query }
    })

/** Steps that are played one after the other: what they show together, single steps seldom reach. */
const inTurn = (steps: ReadonlyArray<Command>): Command => ({
  check: () => true,
  run: async (...played) => {
    for (const step of steps) await step.run(...played)
  },
  toString: () => steps.join("; ")
})

/** Somebody goes from home to the office and back within five minutes, and asks once more: a block. */
const returning = (ask: Service.Ask): Command =>
  inTurn((["home", "office", "home", "home"] as const).map((from) => asking({ ...ask, from })))

/** Data are asked for, and once more from the cache when they are as old as is accepted, or a second older. */
const aging: fc.Arbitrary<Command> = fc.record({
  symbol: fc.constantFrom(...Service.cold),
  minutes: fc.constantFrom(1, 5, 60),
  late: fc.nat({ max: 1 })
}).map(({ late, minutes, symbol }) => {
  const asked = (mode: Mode) =>
    asking({ who: "broker", from: "home", query: Result.getOrThrow(Query.stockPrices([symbol], { mode })) })
  const cached = DataMode.cached({ maxAge: { _tag: "Relative", minutes } })
  return inTurn([asked(DataMode.live), waiting(60 * minutes + late), asked(cached)])
})

const waits: fc.Arbitrary<Command> = fc.constantFrom(1, 30, 60, 240, 299, 300, 301, 3600, 20 * 3600)
  .map(waiting)

/**
 * Makes up stories, for `fc.asyncModelRun` over `initial`.
 */
export const commands = (
  kind: Subject["kind"],
  options: { readonly longest?: number | undefined; readonly replayPath?: string | undefined } = {}
): fc.Arbitrary<Iterable<fc.AsyncCommand<World, Subject>>> =>
  fc.commands([...[asking, asking, asking, returning].map((step) => asks(kind).map(step)), aging, waits], {
    maxCommands: options.longest ?? 12,
    size: "max",
    ...(options.replayPath === undefined ? {} : { replayPath: options.replayPath })
  })
