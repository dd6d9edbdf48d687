/** Whatever a model does, whatever the service does: nothing is spent above the budget, and what makes no sense is never sent. */
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import * as Faults from "@effect-marketdata/sandbox/Faults"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as HostileTexts from "@effect-marketdata/testing/HostileTexts"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { runs, seed as firstSeed } from "../../core/test/support/depth.ts"
import * as Given from "../src/mcp/parameters.ts"
import * as Session from "../src/mcp/session.ts"
import { servicesOf } from "./support/printed.ts"
import * as Wire from "./support/wire.ts"

const options = { day: undefined, job: undefined, sandbox: { seed: 1, plan: "paid" } } as const

const at = (baseUrl: string) =>
  servicesOf({ variables: { MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "sandbox-paid" } })

/** Replies that are lost after they were charged, that cannot be read, and that never were. */
const mishaps = ([
  { _tag: "Reset" },
  { _tag: "ResetWithinBody", after: 20 },
  { _tag: "Truncation", after: 20 },
  { _tag: "Garbage" },
  { _tag: "WrongLength", by: -7 },
  { _tag: "Status", status: 503 },
  { _tag: "RaggedColumn" }
] as const).map((kind) => ({ probability: 0.08, kind }))

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

/** What is called at once; before some of it the client connects anew. */
const story = fc.array(fc.record({ isAnew: fc.boolean(), together: fc.array(step, { minLength: 1, maxLength: 5 }) }), {
  minLength: 3,
  maxLength: 8
})

const turns = (count: number) =>
  Effect.promise(async () => {
    for (let turn = 0; turn < count; turn++) await new Promise(setImmediate)
  })

/** What the service says that the account has spent. */
const spentAt = (baseUrl: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`${baseUrl}/user/`, { headers: { authorization: "Bearer sandbox-paid" } })
    return 1_000_000 - Number(answer.headers.get("x-api-ratelimit-remaining"))
  })

const play = (seed: number) =>
  Effect.gen(function*() {
    const [events] = fc.sample(story, { seed, numRuns: 1 })
    const budget = 4 + seed % 17
    const { baseUrl } = yield* SandboxServer.SandboxServer
    const charged = yield* Effect.provide(
      Effect.gen(function*() {
        const session = yield* Session.make({ ...options, session: budget, askAbove: 6 })
        const connect = Wire.connect(session, {
          version: Wire.versions[seed % 2]!,
          user: () => ({ action: "accept", content: { yes: true } })
        })
        let client = yield* connect
        for (const { isAnew, together } of events!) {
          if (isAnew) client = yield* connect
          const { call } = client
          yield* Effect.forEach(together, ({ call: [name, given], givenUpAfter, key }) =>
            Effect.gen(function*() {
              const fiber = yield* Effect.forkChild(call(name, { ...given, ...key !== undefined && { key } }))
              if (givenUpAfter === undefined) return void (yield* Fiber.await(fiber))
              yield* turns(givenUpAfter)
              return yield* Fiber.interrupt(fiber)
            }), { concurrency: "unbounded" })
        }
        const { structured } = yield* client.call("budget", {})
        return Number(/^session,\d+,(\d+)/m.exec(structured.csv)![1])
      }),
      at(baseUrl)
    )
    yield* Faults.Faults.use(({ set }) => set([]))
    const spent = yield* spentAt(baseUrl)
    assert.isAtMost(spent, budget, `seed ${seed}: the service charged ${spent}, and ${budget} were allowed`)
    assert.isAtMost(charged, budget, `seed ${seed}`)
    return spent
  }).pipe(
    Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 3, base: 1, cap: 1 })),
    Effect.provide(
      SandboxServer.layer().pipe(
        Layer.provideMerge(Faults.layer({ seed, faults: mishaps })),
        Layer.provide(Sandbox.layer({ seed: 1 }))
      )
    ),
    Effect.scoped
  )

describe("the budget of a session", () => {
  it.live("is never passed: calls at once, given up, repeated and by new connections, of a service that loses what it charged", () =>
    Effect.gen(function*() {
      let spent = 0
      for (const seed of Array.from({ length: runs(200, 4) }, (_, index) => firstSeed + index)) {
        spent += yield* play(seed)
      }
      // A story in which nothing is paid proves nothing.
      assert.isAbove(spent, 0)
    }))
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
  ...new Set(Object.values(Given.paid).flatMap(({ fields }) => Object.keys(fields))),
  "result",
  "where",
  "plan",
  "tool",
  "arguments",
  "__proto__",
  "contracts"
]

const input = fc.tuple(
  fc.constantFrom(...tools),
  fc.oneof(hostile, fc.dictionary(fc.constantFrom(...names), hostile, { minKeys: 1 }))
)

describe("what a model says", () => {
  it.live("is refused with a reason, or costs nothing: nothing hostile is ever sent", () =>
    Effect.gen(function*() {
      let requests = 0
      const server = createServer((_, response) => {
        requests++
        response.end("{}")
      })
      yield* Effect.acquireRelease(
        Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
        () => Effect.sync(() => server.close())
      )
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
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
        at(baseUrl)
      )
      assert.strictEqual(requests, 0)
    }).pipe(Effect.scoped))
})
