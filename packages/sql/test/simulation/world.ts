/**
 * Worlds of several programs that spend one allowance together: their clocks are apart, their layers are put together in several ways, the chain
 * that they ask for grows behind the sizes that they remember, and replies that were billed are lost. Each seed is another world.
 */
import { ChainSizes, CreditLedger, IpGuard, MarketData, RetryPolicy } from "@effect-marketdata/client"
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { DataMode, NewYork } from "@effect-marketdata/core"
import * as Chance from "@effect-marketdata/testing/Chance"
import { Clock, Context, Effect, Exit, Fiber, Layer, Redacted, type Scope } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { chainBody, replying, type Script } from "../../../client/test/support/scripted.ts"
import { setTime, soon, sqlite } from "../support/databases.ts"
import { ahead, opened } from "../support/ledgers.ts"

/** What is counted. */
const nothing = {
  seeds: 0,
  programs: 0,
  /** Programs whose ledger is merged with their client, or stands beside it. */
  merged: 0,
  calls: 0,
  answered: 0,
  /** Credits that the service billed. */
  billed: 0,
  lost: 0,
  /** Calls that were refused because clocks are apart, or by the allowance. */
  apart: 0,
  refused: 0,
  /** Replies of a chain that had grown behind the size that was remembered. */
  grown: 0
}

const counts = Object.keys(nothing) as ReadonlyArray<keyof typeof nothing>

/** What came of some worlds. */
export interface Report extends Readonly<typeof nothing> {
  readonly violations: ReadonlyArray<string>
}

export const empty: Report = { ...nothing, violations: [] }

/** Adds one report to another. */
export const add = (one: Report, other: Report): Report => ({
  ...one,
  ...Object.fromEntries(counts.map((name) => [name, one[name] + other[name]])),
  violations: [...one.violations, ...other.violations]
})

/** Says of a hundred worlds or more what happened too rarely for their silence to mean anything. */
export const shortcomings = (report: Report): ReadonlyArray<string> =>
  report.seeds < 100
    ? []
    : counts.filter((name) => report[name] < report.seeds).map((name) => `${name}: only ${report[name]}`)

export const format = (report: Report): string =>
  [...counts.map((name) => `${name.padEnd(12)}${report[name]}`), `overdrawn   ${report.violations.length}`].join("\n")

/** What all programs may spend together in a day. */
const allowance = 40

/** Noon in New York: the day's window began at 9:30. */
const noon = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0) * 1000
const windowBegan = NewYork.at({ year: 2026, month: 11, day: 20 }, 9, 30) * 1000
const day = 86_400_000

/** Clocks may differ by five minutes: so near to the edge of a window it is not told apart. */
const margin = 600_000

/** By how many hours a clock is ahead. */
const skews = [0, 0, 0.02, -0.05, 0.5, -3, 25, -49]

/** How a program puts its layers together; `beside` has a ledger that its client does not know, as only untyped code can. */
const wirings = ["under", "under", "merged", "beside"] as const

/** The service: a chain that grows, billed by its contracts, of which some replies are lost. */
const service = (chance: Chance.Chance, now: () => number) => {
  const billed: Array<readonly [time: number, credits: number]> = []
  let contracts = 2
  let lost = 0
  let grown = 0
  const http = replying((url): Script => {
    if (chance.is(0.3)) contracts = Math.min(60, contracts + chance.below(20))
    const limit = Number(url.searchParams.get("limit") ?? Infinity)
    const sent = Math.min(contracts, limit)
    if (limit < contracts) grown++
    const isCached = url.searchParams.get("mode") === "cached"
    billed.push([now(), isCached ? 1 : sent])
    if (chance.is(0.15)) {
      lost++
      return { fails: "ECONNRESET" }
    }
    return {
      status: isCached ? 203 : 200,
      body: chainBody(sent),
      after: chance.pick([0, "1 second", "20 seconds"] as const)
    }
  })
  return { http, billed, figures: () => ({ lost, grown }) }
}

/** A program: its client, where its layers are such that it has one. */
const program = Effect.fnUntraced(function*(
  ledger: CreditLedger.CreditLedger["Service"],
  http: ReturnType<typeof replying>,
  wiring: typeof wirings[number]
): Effect.fn.Return<Context.Context<MarketData.MarketData> | undefined, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const own = Layer.succeed(CreditLedger.CreditLedger, ledger)
  const client = MarketData.layer({ baseUrl: "https://service.test", token: Redacted.make("a-token-for-tests") }).pipe(
    Layer.provide([http.layer, IpGuard.layerMemory(), ChainSizes.layerMemory()])
  )
  const layer = wiring === "beside"
    ? Layer.merge(client, CreditLedger.layerMemory({ allowance })) as unknown as Layer.Layer<MarketData.MarketData>
    : wiring === "merged"
    ? Layer.provideMerge(client, own)
    : Layer.provide(client, own)
  return yield* Effect.exit(Layer.buildWithScope(Layer.fresh(layer), scope)).pipe(
    Effect.map((exit) => Exit.isSuccess(exit) ? exit.value : undefined)
  )
})

/** What a program asks: what it has seen of a chain bounds the price of the live one. */
const queries: ReadonlyArray<Effect.Effect<unknown, MarketDataError, MarketData.MarketData>> = [
  MarketData.optionChain("AAPL", { mode: DataMode.cached() }),
  MarketData.optionChain("AAPL", { mode: DataMode.live }),
  MarketData.optionChain("AAPL", { mode: DataMode.live }),
  MarketData.optionChain("AAPL", { mode: DataMode.live, limit: 5 })
]

/** Plays a world; `isOne` is false where each program has a ledger of its own, which is the mistake that a world has to find. */
export const run = (seed: number, isOne = true): Promise<Report> => {
  const chance = Chance.make(seed, "programs")
  return Effect.gen(function*() {
    const database = yield* sqlite.make
    yield* setTime(database, noon)
    const clock = yield* Clock.Clock
    const { billed, figures, http } = service(chance, () => clock.currentTimeMillisUnsafe())
    const programs = yield* Effect.forEach(
      Array.from({ length: 2 + chance.below(4) }, (_, index) => index === 0 ? 0 : chance.pick(skews)),
      (hours, index) =>
        Effect.gen(function*() {
          // Renewed seldom: what leases are for is tried elsewhere.
          const account = isOne ? "main" : `own ${index}`
          const { ledger } = yield* opened(database, { allowance, window: "day", lease: "12 hours", account })
          const wiring = index === 0 ? "under" : chance.pick(wirings)
          return { hours, wiring, client: yield* program(ledger, http, wiring) }
        }).pipe(ahead(hours))
    )
    let [answered, apart, refused] = [0, 0, 0]
    const calls = 20 + chance.below(20)
    for (let call = 0; call < calls; call++) {
      const { client, hours } = call === 0 ? programs[0]! : chance.pick(programs)
      if (client === undefined) continue
      const asked = chance.pick(queries).pipe(
        Effect.match({ onSuccess: () => undefined, onFailure: ({ reason }) => reason._tag }),
        Effect.provideContext(client),
        Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 2 })),
        ahead(hours)
      )
      const fiber = yield* Effect.forkChild(asked)
      while (fiber.pollUnsafe() === undefined) yield* Effect.andThen(soon, TestClock.adjust("5 seconds"))
      const reason = yield* Fiber.join(fiber)
      if (reason === undefined) answered++
      if (reason === "LedgerUnavailable") apart++
      if (reason === "CreditBudgetExceeded") refused++
      yield* TestClock.adjust(chance.pick(["1 second", "1 second", "2 minutes", "1 hour"] as const))
    }
    const windows = new Map<number, number>()
    for (const [time, credits] of billed) {
      const since = (time - windowBegan) / day
      if (Math.abs(since - Math.round(since)) * day < margin) continue
      windows.set(Math.floor(since), (windows.get(Math.floor(since)) ?? 0) + credits)
    }
    const violations = [...windows].flatMap(([window, credits]) =>
      credits <= allowance ? [] : [`seed ${seed}, day ${window}: ${credits} credits of ${allowance}`]
    )
    return {
      seeds: 1,
      programs: programs.length,
      merged: programs.filter(({ wiring }) => wiring !== "under").length,
      calls,
      answered,
      billed: billed.reduce((sum, [, credits]) => sum + credits, 0),
      apart,
      refused,
      ...figures(),
      violations
    }
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.runPromise)
}
