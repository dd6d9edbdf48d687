import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Gateway from "@effect-marketdata/cluster/Gateway"
import * as Runner from "@effect-marketdata/cluster/Runner"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as SqlLedger from "@effect-marketdata/sql/SqlLedger"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Schedule from "effect/Schedule"
import { database, type Place, places, type Runner as Started, start } from "./support/processes.ts"

const prices = (...symbols: ReadonlyArray<string>) => MarketData.stockPrices(symbols)

/** The runner among these that has the account. */
const sender = (runners: ReadonlyArray<Started>) =>
  Effect.map(Gateway.status("main"), ({ runner }) => runners.find(({ port }) => runner.endsWith(`:${port}`))!)

const page = (url: string) =>
  Effect.promise(async () => {
    const response = await fetch(url)
    return { status: response.status, body: await response.text() }
  })

/** Waits until all runners are there, and have agreed for two seconds on which of them has the account. */
const settled = (runners: ReadonlyArray<Started>): Effect.Effect<void> => {
  const named = Effect.forEach(runners, ({ health }) =>
    Effect.promise(() =>
      fetch(`${health}/health`).then(
        async (response) =>
          response.ok ? (await response.json() as { gateway: { runner: string } }).gateway.runner : "",
        () => ""
      )
    ))
  const agreed = (names: ReadonlyArray<string>): boolean => names.every((name) => name !== "" && name === names[0])
  const agreement = Effect.gen(function*() {
    let times = 0
    let last = ""
    while (times < 4) {
      const names = yield* Effect.delay(named, "500 millis")
      times = agreed(names) && names[0] === last ? times + 1 : 0
      last = names[0] ?? ""
    }
  })
  const ended = Effect.andThen(Effect.raceAll(runners.map(({ ended }) => ended)), Effect.die("a runner has ended"))
  return Effect.raceFirst(agreement, ended)
}

/** What the ledger says that was charged, and what may have been in addition. */
const spent = Effect.map(SqlLedger.spending({ account: "main" }), (rows) => {
  const sum = (part: "credits" | "uncertain") => rows.reduce((sum, row) => sum + row[part], 0)
  return { charged: sum("credits"), uncertain: sum("uncertain"), total: sum("credits") + sum("uncertain") }
})

/** A caller's program, beside a sandbox. */
const caller = (place: Place) =>
  Gateway.layer({ account: "main", patience: "40 seconds" }).pipe(
    Layer.provideMerge(Runner.layerCaller()),
    Layer.provideMerge(database(place)),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
  )

const service = Layer.provideMerge(SandboxServer.layer(), Sandbox.layer({ seed: 1, latency: "100 millis" }))

for (const { make, name } of places) {
  describe(`runners in processes of their own, over ${name}`, () => {
    it.live(
      "hand over when they are told to end, and are taken over when they are killed: each call is answered",
      () =>
        Effect.gen(function*() {
          const { baseUrl } = yield* SandboxServer.SandboxServer
          const place = yield* make
          const runners = yield* Effect.forEach(
            [1, 2, 3],
            () => start(place, { baseUrl, address: "office", maxInFlight: 4 }),
            { concurrency: 3 }
          )
          yield* settled(runners)
          yield* Effect.gen(function*() {
            assert.strictEqual((yield* prices("AAPL")).data.length, 1)
            const first = yield* sender(runners)
            // On a busy machine its lease may be over for a moment, before it is renewed.
            const health = yield* Effect.repeat(Effect.delay(page(`${first.health}/health`), "100 millis"), {
              until: ({ body }) => JSON.parse(body).address.senders.length === 1
            })
            assert.strictEqual(health.status, 200, health.body)
            assert.deepInclude(JSON.parse(health.body), { status: "ok", problems: [] })
            assert.match((yield* page(`${first.health}/metrics`)).body, /marketdata_gateway_running\{account="main"\}/)

            // Calls go on while one runner hands over, and while the next one is killed.
            const asked = yield* Effect.forkChild(
              Effect.forEach(Array.from({ length: 60 }), () => Effect.delay(Effect.exit(prices("AAPL")), "150 millis"))
            )
            yield* Effect.sleep("500 millis")
            yield* first.end("SIGTERM")
            const second = yield* Effect.retry(
              Effect.filterOrFail(sender(runners), (runner) => runner !== undefined && runner !== first),
              Schedule.spaced("100 millis")
            )
            yield* Effect.sleep("500 millis")
            yield* second.end("SIGKILL")
            const answers = yield* Fiber.join(asked)
            const third = yield* sender(runners)
            assert.notInclude([first, second], third)

            const failures = answers.flatMap((exit) => exit._tag === "Failure" ? [String(exit.cause)] : [])
            // A call that was under way in the one that was killed is not sent again.
            assert.isAtMost(failures.length, 1, failures.join("\n"))
            for (const failure of failures) assert.match(failure, /was sent by an earlier run/)
            const { billed } = yield* Sandbox.Sandbox
            // What was under way in the one that was killed is written down by the next call after its lease.
            while ((yield* spent).total < (yield* billed)) yield* Effect.delay(prices("AAPL"), "1 second")
            const { charged, uncertain } = yield* spent
            assert.isAtLeast(yield* billed, charged)
            assert.isAtMost(yield* billed, charged + uncertain)
            assert.isAtMost(uncertain, failures.length)
          }).pipe(Effect.provide(caller(place)))
        }).pipe(Effect.scoped, Effect.provide(service))
    )
  })
}
