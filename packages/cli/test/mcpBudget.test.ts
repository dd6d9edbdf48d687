/** Whatever a model does, whatever the service does: nothing is spent above the budget, and what makes no sense is never sent. */
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import { Sandbox, SandboxServer } from "@effect-marketdata/sandbox"
import * as HostileTexts from "@effect-marketdata/testing/HostileTexts"
import { Effect, Fiber, Layer } from "effect"
import * as fc from "fast-check"
import type { ServerResponse } from "node:http"
import { runs, seed as firstSeed } from "../../core/test/support/depth.ts"
import { assert, describe, it } from "../../core/test/support/it.ts"
import * as Loopback from "../../core/test/support/loopback.ts"
import * as Given from "../src/mcp/parameters.ts"
import * as Session from "../src/mcp/session.ts"
import * as Greedy from "./support/greedyService.ts"
import { servicesOf } from "./support/printed.ts"
import { folder } from "./support/service.ts"
import * as Wire from "./support/wire.ts"

const options = { day: undefined, job: undefined, sandbox: { seed: 1, plan: "paid" } } as const

const at = (baseUrl: string, more: Readonly<Record<string, string>> = {}) =>
  servicesOf({ variables: { MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "sandbox-paid", ...more } })

const symbols = fc.constantFrom("AAPL", "MSFT", "SPX", "NOPE")

/** A call that may be sent, and after how many turns of the event loop the model gives it up. */
const step = fc.record({
  call: fc.oneof(
    fc.record({ symbol: symbols, mode: fc.constantFrom("live", "cached"), strikes: fc.integer({ min: 1, max: 3 }) })
      .map((given) => ["chain_slice", given] as const),
    fc.record({ symbol: symbols }).map((given) => ["expirations", given] as const),
    fc.record({ symbols: fc.array(symbols, { minLength: 1, maxLength: 4 }), mode: fc.constantFrom("live", "cached") })
      .map((given) => ["stock", given] as const),
    fc.record({ symbol: symbols, countback: fc.integer({ min: 1, max: 2000 }) }).map((given) =>
      ["candles", given] as const
    )
  ),
  key: fc.option(fc.constantFrom("one", "two"), { nil: undefined }),
  givenUpAfter: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined })
})

/** What is called at once; before some of it the client connects anew, or the program ends and is started again. */
const event = fc.record({
  begins: fc.constantFrom("on", "on", "connected", "started"),
  together: fc.array(step, { minLength: 1, maxLength: 5 })
})

/** The budgets of a story: each may be the one that holds. */
const story = fc.record({
  events: fc.array(event, { minLength: 3, maxLength: 8 }),
  session: fc.integer({ min: 2, max: 30 }),
  day: fc.integer({ min: 2, max: 40 }),
  job: fc.integer({ min: 2, max: 40 })
})

const turns = (count: number) =>
  Effect.promise(async () => {
    for (let turn = 0; turn < count; turn++) await new Promise(setImmediate)
  })

type Client = Effect.Success<ReturnType<typeof Wire.connect>>

/** What the budgets say of themselves, by their names. */
const booksOf = (client: Client) =>
  Effect.map(
    client.call("budget", {}),
    ({ structured }) =>
      new Map<string, { readonly allowance: number; readonly charged: number; readonly most: number }>(
        structured.csv.split("\n").slice(1).map((line: string) => {
          const [name, allowance, charged, uncertain] = line.split(",")
          return [name, {
            allowance: Number(allowance),
            charged: Number(charged),
            most: Number(charged) + Number(uncertain)
          }]
        })
      )
  )

/** What a budget says is what was billed, except for what it names as uncertain; and neither passes it. */
const holds = (seed: number, book: Effect.Success<ReturnType<typeof booksOf>>, name: string, billed: number) => {
  const { allowance, charged, most } = book.get(name)!
  const said = `seed ${seed}, ${name}: charged ${charged}, at most ${most}, billed ${billed}, allowed ${allowance}`
  assert.isAtMost(charged, billed, said)
  assert.isAtMost(billed, most, said)
  assert.isAtMost(most, allowance, said)
}

/** One program: calls, until the next event starts another. Returns the events that are left. */
const program = Effect.fnUntraced(function*(
  { events, day, job, session: most }: typeof story extends fc.Arbitrary<infer Story> ? Story : never,
  seed: number,
  service: Effect.Success<ReturnType<typeof Greedy.make>>,
  before: number
) {
  const session = yield* Session.make({
    ...options,
    session: most,
    askAbove: 6,
    day,
    job: { name: "story", most: job }
  })
  const connect = Wire.connect(session, {
    version: Wire.versions[seed % 2]!,
    user: () => ({ action: "accept", content: { yes: true } })
  })
  let client = yield* connect
  let done = 0
  for (const { begins, together } of events) {
    if (begins === "started" && done > 0) break
    done++
    if (begins === "connected") client = yield* connect
    const { call } = client
    yield* Effect.forEach(together, ({ call: [name, given], givenUpAfter, key }) =>
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(call(name, { ...given, ...key !== undefined && { key } }))
        if (givenUpAfter === undefined) {
          const { structured } = yield* Fiber.join(fiber)
          const { charged, most, uncertain } = structured?.credits ?? { charged: 0, most: 0, uncertain: 0 }
          return assert.isAtMost(charged + uncertain, most, `${name} ${JSON.stringify(given)}`)
        }
        yield* turns(givenUpAfter)
        return yield* Fiber.interrupt(fiber)
      }), { concurrency: "unbounded" })
  }
  // What was given up reaches the service and ends a little later: what is charged by the first look is billed by the second.
  const look = Effect.andThen(turns(10), Effect.all({ books: booksOf(client), billed: service.billed }))
  let { billed, books } = yield* look
  for (let turn = 0; turn < 500 && !(service.isIdle() && billed - before <= books.get("session")!.most); turn++) {
    ;({ billed, books } = yield* look)
  }
  holds(seed, books, "session", billed - before)
  holds(seed, books, "mcp day", billed)
  holds(seed, books, "mcp job story", billed)
  return events.slice(done)
}, Effect.scoped)

const play = (seed: number) =>
  Effect.gen(function*() {
    const [drawn] = fc.sample(story, { seed, numRuns: 1 })
    const service = yield* Greedy.make((yield* SandboxServer.SandboxServer).baseUrl, seed)
    const kept = { MARKETDATA_HOME: folder(), MARKETDATA_LEDGER: "on", MARKETDATA_CACHE: "off" }
    let { events } = drawn!
    let billed = 0
    while (events.length > 0) {
      events = yield* Effect.provide(program({ ...drawn!, events }, seed, service, billed), at(service.baseUrl, kept))
      // A program that ends may have a call under way.
      do yield* turns(50)
      while (!service.isIdle())
      billed = yield* service.billed
    }
    return billed
  }).pipe(
    Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 3, base: 1, cap: 1 })),
    Effect.provide(Layer.provide(SandboxServer.layer(), Sandbox.layer({ seed: 1 }))),
    Effect.scoped
  )

describe("the budgets of a session, a day and a job", () => {
  it.live.each([0, 1, 2, 3])(
    "are never passed, and say what was billed: calls at once, given up, repeated, by new connections and programs, of a service that grows, loses replies and charges errors (%i)",
    function*(part) {
      const seeds = Array.from({ length: runs(50, 2) }, (_, index) => firstSeed + 4 * index + part)
      // They mostly wait for the disk.
      const spent = yield* Effect.forEach(seeds, play, { concurrency: 4 })
      // A story in which nothing is paid proves nothing.
      assert.isAbove(Math.max(...spent), 0)
    }
  )
})

const hostile = fc.oneof(
  fc.anything({ maxDepth: 2 }),
  HostileTexts.terminal,
  fc.constantFrom(
    "../../etc/passwd",
    "SPX?mode=live",
    "SPX\u0000",
    "AAPL/../user",
    "__proto__",
    "'; drop table",
    "--yes",
    "$(id)"
  ),
  fc.double(),
  fc.string({ minLength: 300, maxLength: 400 })
)

const tools = [...Object.keys(Given.paid), "estimate", "explain_symbol", "plan", "budget", "again", "no_such_tool"]

const names = [
  ...new Set(Object.values(Given.paid).flatMap(({ takes }) => takes)),
  ...Object.keys(Given.spending),
  ..."result where plan tool arguments __proto__ contracts".split(" ")
]

const objects = fc.oneof(hostile, fc.dictionary(fc.constantFrom(...names), hostile, { minKeys: 1 }))
const input = fc.tuple(fc.constantFrom(...tools), objects)

/** A service that counts its requests, until the scope closes. */
const counting = Effect.fnUntraced(function*(answer: (response: ServerResponse) => void) {
  let requests = 0
  const { baseUrl } = yield* Loopback.scoped((_, response) => {
    requests++
    answer(response)
  })
  return { baseUrl, requests: () => requests }
})

it.live("the price of a call holds its retries too: what may have been charged is not asked for again", () =>
  Effect.gen(function*() {
    const service = yield* counting((response) => response.destroy())
    yield* Effect.provide(
      Effect.gen(function*() {
        const { call } = yield* Wire.connect(yield* Session.make({ ...options, session: 100, askAbove: 10 }))
        const { text } = yield* call("expirations", { symbol: "AAPL" })
        assert.match(text, /^TransportFailure: .*In all it cost 0 .* 1 credit more\.[^]*^It cost 0 .* 1 credit more/m)
      }),
      at(service.baseUrl)
    )
    assert.strictEqual(service.requests(), 1)
  }).pipe(
    Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 3, base: 1, cap: 1 })),
    Effect.scoped
  ))

it.live("what a model says is refused with a reason, or costs nothing: nothing hostile is ever sent", function*() {
  const service = yield* counting((response) => response.end("{}"))
  yield* Effect.provide(
    Effect.gen(function*() {
      // Where something hostile is a query all the same, it costs more than nothing.
      const session = yield* Session.make({ ...options, session: 0, askAbove: 0 })
      const { call } = yield* Wire.connect(session)
      for (const [tool, given] of fc.sample(input, { seed: firstSeed, numRuns: runs(500, 60) })) {
        const { isError, raw, reason, structured, text } = yield* call(tool, given)
        const said = JSON.stringify([tool, given])
        if (raw.error === undefined) {
          assert.isTrue(isError ? typeof reason === "string" : structured.credits.charged === 0, said)
          assert.notMatch(text, HostileTexts.obeyed, said)
        } else assert.include([-32600, -32602], raw.error.code, said)
      }
    }),
    at(service.baseUrl)
  )
  assert.strictEqual(service.requests(), 0)
})
