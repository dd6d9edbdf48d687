import { CacheFallback, IpGuard, MarketData, RetryPolicy } from "@effect-marketdata/client"
import type { Answer } from "@effect-marketdata/core/Answer"
import * as Simulation from "@effect-marketdata/testing/Simulation"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Semaphore } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { runs } from "../../core/test/support/depth.ts"
import * as Local from "../src/harness/local.ts"
import { withReservations } from "./support/brokenClient.ts"
import { withSandbox } from "./support/brokenService.ts"

type Client = NonNullable<Simulation.Options["client"]>

/** Our client over another HTTP client. */
const withHttp = (transformClient: (client: HttpClient.HttpClient) => HttpClient.HttpClient): Client => (config) =>
  MarketData.layerNoDeps({ ...config, transformClient })

/** A request that nobody is told of. */
const unseen = <A, E, R>(send: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(send, HttpClient.TracerDisabledWhen, () => true)

/** Our client, with something around every query. */
const around = (
  change: <A, E, R>(answer: Effect.Effect<A, E, R>, endpoint: string) => Effect.Effect<A, E, R>
): Client =>
(config) =>
  Layer.effect(
    MarketData.MarketData,
    Effect.map(MarketData.make(config), (client) =>
      MarketData.MarketData.of({ run: (query) => change(client.run(query), query.endpoint.name) }))
  )

/** The sandbox, that answers another target. */
const withTarget = (from: RegExp, to: string) =>
  withSandbox(({ handle }) => ({
    handle: (request) => handle({ ...request, target: request.target.replace(from, to) })
  }))

/** The sandbox, that adds something to the bill of some replies, and says so in their headers or not. */
const billing = (surcharge: (status: number) => number, { isSaid }: { readonly isSaid: boolean }) =>
  withSandbox((sandbox) => {
    let extra = 0
    return {
      billed: Effect.map(sandbox.billed, (billed) => billed + extra),
      handle: (request) =>
        Effect.map(sandbox.handle(request), (reply) => {
          const more = surcharge(reply.status)
          const consumed = Number(reply.headers["x-api-ratelimit-consumed"] ?? 0) + (isSaid ? more : 0)
          extra += more
          return { ...reply, headers: { ...reply.headers, "x-api-ratelimit-consumed": String(consumed) } }
        })
    }
  })

const always: IpGuard.Admission = { _tag: "Send", leave: () => Effect.void }

/** Mistakes that a client or a service could make, the rules of which one is then broken, and a seed that shows it, where the first ones do not, or not soon. */
const mistakes: ReadonlyArray<
  readonly [mistake: string, rules: ReadonlyArray<string>, options: Simulation.Options]
> = [
  ["charges everything twice", ["no more is charged than was billed"], {
    client: withReservations(({ charge }) => ({
      charge: ({ credits }, ...rest) => charge({ credits: 2 * credits }, ...rest)
    }))
  }],
  ["charges nothing", ["what was answered is charged", "what was billed is charged or known to be uncertain"], {
    client: withReservations(({ charge }) => ({ charge: (_, ...rest) => charge({ credits: 0 }, ...rest) }))
  }],
  ["counts a lost request as free", ["what was billed is charged or known to be uncertain"], {
    client: withReservations(({ charge }) => ({ markLost: (request) => charge({ credits: 0 }, request) }))
  }],
  ["counts an answer as lost", [
    "only what was lost is uncertain",
    "what was answered is charged",
    "what was billed is charged or known to be uncertain"
  ], { client: withReservations(({ markLost }) => ({ charge: (_, request) => Effect.as(markLost(request), 0) })) }],
  ["never releases a reservation", ["nothing stays reserved"], {
    client: withReservations(() => ({ settle: Effect.void }))
  }],
  ["marks what it sends as free", ["an overrun is named only where a bound was wrong"], {
    seed: 3,
    client: withReservations(({ send }) => ({ send: (_, ...rest) => send(0, ...rest) }))
  }],
  ["asks on while it is blocked", ["nothing is sent during a block that the client knows of"], {
    seed: 22,
    client: (config) =>
      Layer.provide(MarketData.layerNoDeps(config), Layer.succeed(IpGuard.IpGuard, { admit: Effect.succeed(always) }))
  }],
  ["falls back to live data at any price", ["nothing above the ceiling is paid for live data"], {
    seed: 2,
    client: around((answer) => Effect.provide(answer, CacheFallback.layerAlways))
  }],
  ["answers a chain that has grown with all of it, whatever its limit", [
    "nothing above the ceiling is paid for live data"
  ], { seed: 10, sandbox: withTarget(/&limit=\d+/, "") }],
  ["counts candles back from another day", ["candles that are counted back are the last ones"], {
    sandbox: withTarget(/countback=\d+/, "$&&to=2024-06-03")
  }],
  ["reads null as 0", ["an answer is what the service replied"], {
    client: around((answer) =>
      Effect.tap(answer, (value) => {
        for (const column of Object.values((value as Answer<object>).data)) {
          if (column instanceof Float64Array) column.forEach((number, row) => (column[row] = number || 0))
        }
        return Effect.void
      })
    )
  }],
  ["answers with puts where calls are asked for", ["an answer is of the side and the day that were asked for"], {
    sandbox: withTarget(/side=call/, "side=put")
  }],
  ["does not count how often a request is lost", ["no request is sent more often than the policy allows"], {
    seed: 3,
    client: around((answer) =>
      Effect.flatMap(Effect.serviceOption(RetryPolicy.RetryPolicy), (found) => {
        if (Option.isNone(found)) return answer
        const start = Effect.map(found.value.start, (decide): RetryPolicy.Decide => (failure) =>
          decide({ ...failure, lost: 0 }))
        return Effect.provideService(answer, RetryPolicy.RetryPolicy, { ...found.value, start })
      })
    )
  }],
  ["does not say what an answer may have cost", ["an answer says what it cost, and what it may have cost"], {
    client: around((answer) =>
      Effect.map(answer, (value) => {
        const { credits } = value as Answer<unknown>
        return { ...value, credits: { ...credits, uncertain: 0 } }
      })
    )
  }],
  ["sends everything twice", ["the trace names every request"], {
    client: withHttp(HttpClient.transform((send) => Effect.andThen(unseen(send), send)))
  }],
  ["sends something behind the caller's back", [
    "nothing is sent for a call that is over",
    "the trace names every request"
  ], {
    client: withHttp(
      HttpClient.transform((send) => Effect.tap(send, () => Effect.forkDetach(Effect.delay(unseen(send), 500))))
    )
  }],
  ["breaks", ["every caller gets an answer or a typed error"], {
    client: around((answer, endpoint) => endpoint === "stockPrices" ? Effect.die("it broke") : answer)
  }],
  ["waits for ever", ["every caller gets an answer or a typed error"], {
    seed: 5,
    client: around((answer, endpoint) => endpoint === "stockNews" ? Effect.never : answer)
  }],
  ["does not end a call whose caller has given up", ["a call ends in time"], {
    client: around((answer) => Effect.uninterruptible(answer))
  }],
  ["leaves a fiber behind", ["no fiber is left over"], {
    seed: 4,
    client: around((answer) => Effect.tap(answer, () => Effect.forkDetach(Effect.sleep("1 hour"))))
  }],
  ["keeps a permit when it is interrupted", ["permits are given back"], {
    seed: 5,
    client: (config) =>
      Layer.effect(
        MarketData.MarketData,
        Effect.map(Effect.all([MarketData.make(config), Semaphore.make(50)]), ([client, permits]) =>
          MarketData.MarketData.of({
            run: (query) =>
              Effect.andThen(permits.take(1), client.run(query)).pipe(
                Effect.onExit((exit) =>
                  exit._tag === "Success" ? permits.release(1) : Effect.void
                )
              )
          }))
      )
  }],
  ["logs the token", ["the token is in no error, span or log"], {
    client: withHttp(
      HttpClient.mapRequestEffect((request) =>
        Effect.as(Effect.logInfo(`asking with ${request.headers["authorization"]}`), request)
      )
    )
  }],
  ["bills a 204", ["204 and errors are never billed"], {
    sandbox: billing((status) => status === 204 ? 1 : 0, { isSaid: true })
  }],
  ["bills more than it says", ["the replies say what was billed"], {
    sandbox: billing((status) => status === 200 ? 1 : 0, { isSaid: false })
  }]
]

describe("run", () => {
  // In the two days of seed 24 every kind of fault happens.
  const seeds = [24, 1, 2, 3, 4].slice(0, runs(5, 1))
  const total = seeds.map((seed) => Simulation.run({ seed, days: 2 })).reduce(Simulation.add, Simulation.empty)
  const short = Simulation.run({ seed: 8, days: 1 })

  it("finds nothing wrong with the client and the sandbox", () =>
    assert.deepStrictEqual([...total.violations, ...short.violations].map(Simulation.formatViolation), []))

  it("has at least 100 calls by at least 8 callers on each day", () => {
    assert.isAtLeast(total.fewestCalls, 100)
    assert.isAtLeast(total.fewestCallers, 8)
  })

  it("lets every kind of fault happen, and refuses what HTTP clients want to send again by themselves", () => {
    for (const fault of Simulation.faults) assert.isAbove(total.faults[fault] ?? 0, 0, fault)
    assert.isAbove(total.repeats, 0)
  })

  it("charges what it does not count as uncertain", () => {
    for (const sum of [total.billed, total.uncertain]) assert.isAbove(sum, 0)
    assert.isAtMost(total.charged, total.billed)
  })

  it("runs the same way for the same seed, and another way for another", () => {
    assert.deepStrictEqual(Simulation.run({ seed: 8, days: 1 }), short)
    assert.notStrictEqual(short.log, total.log)
  })

  /** The first day on which a mistake shows. */
  const shown = (options: Simulation.Options) => {
    for (let seed = options.seed ?? 1, last = seed + 40; seed < last; seed++) {
      const report = Simulation.run({ ...options, seed, days: 1 })
      if (report.violations.length > 0) return { seed, report }
    }
    return assert.fail("no seed of 40 has shown it")
  }

  for (const [mistake, rules, options] of mistakes) {
    it(`notices who ${mistake}`, () => assert.include(rules, shown(options).report.violations[0]?.rule))
  }

  it("comes to the same step again where a rule is broken", () => {
    const [, , options] = mistakes.find(([mistake]) => mistake === "does not say what an answer may have cost")!
    const { report, seed } = shown(options)
    assert.deepStrictEqual(Simulation.run({ ...options, seed, days: 1 }), report)
  })

  it("adds reports in any order, and nothing where nothing is added", () => {
    const sum = Simulation.add(total, short)
    assert.deepStrictEqual(Simulation.add(short, total), sum)
    const latencies = total.faults["Latency"]! + short.faults["Latency"]!
    assert.deepStrictEqual([sum.requests, sum.faults["Latency"]], [total.requests + short.requests, latencies])
    assert.deepStrictEqual(Simulation.add(Simulation.empty, short), short)
  })
})

describe("shortcomings", () => {
  const least = { calls: 0, callers: 0, faults: 0, reasons: 0 }

  it("names what did not happen often enough, and nothing where enough happened", () => {
    const report = { ...Simulation.empty, fewestCalls: 7, faults: { Reset: 2 }, reasons: { NotFound: 1 } }
    const lines = Simulation.shortcomings(report, { ...least, calls: 8, faults: 3, reasons: 1 })
    assert.include(lines, "only 7 calls on the quietest day, of 8")
    assert.include(lines, "only 2 faults of the kind Reset, of 3")
    assert.include(lines, "only 0 failures with the reason Incomplete, of 1")
    assert.notInclude(lines.join("\n"), "NotFound")
    assert.deepStrictEqual(Simulation.shortcomings(Simulation.empty, least), [])
  })
})

it("format says where a rule was broken, and how to see it again", () => {
  assert.strictEqual(
    Simulation.formatViolation({ seed: 7, day: 3, step: 99, at: 1795194000, rule: "nothing leaks", detail: "home" }),
    `seed 7, day 3, step 99 (2026-11-20 12:00:00 EST): broken is "nothing leaks"\n  home\n` +
      "  see it again: npm run simulate -- --seed 7 --days 3"
  )
})

it("a response gives its body in one turn in every form: a simulated day has none for promises", () => {
  for (const body of ["", `{"s":"ok"}`]) {
    const reply = { status: 200, headers: {}, body }
    const { arrayBuffer, text } = Local.response(HttpClientRequest.get("https://service.test"), reply, () => {})
    assert.deepStrictEqual([Effect.runSync(text), Buffer.from(Effect.runSync(arrayBuffer)).toString()], [body, body])
  }
})
