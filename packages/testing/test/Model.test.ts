import { IpGuard, MarketData } from "@effect-marketdata/client"
import { Account, DataMode, Query } from "@effect-marketdata/core"
import { Sandbox, type SandboxReply } from "@effect-marketdata/sandbox"
import * as Model from "@effect-marketdata/testing/Model"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { inspect } from "node:util"
import { runs } from "../../core/test/support/depth.ts"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { withReservations } from "./support/brokenClient.ts"
import { withSandbox } from "./support/brokenService.ts"

type Service = (options: Sandbox.Options) => Layer.Layer<Sandbox.Sandbox>
type Reply = SandboxReply.SandboxReply

/** The sandbox, with something around each of its requests and replies. */
const around = (
  change: (
    ask: (request: SandboxReply.SandboxRequest) => Effect.Effect<Reply>,
    request: SandboxReply.SandboxRequest
  ) => Effect.Effect<Reply>
): Service => withSandbox(({ handle }) => ({ handle: (request) => change(handle, request) }))

/** The sandbox, whose replies cost something else. */
const costing = (credits: (reply: Reply, credits: number) => number): Service =>
  around((ask, request) =>
    Effect.map(ask(request), (reply) => {
      const consumed = credits(reply, Number(reply.headers["x-api-ratelimit-consumed"] ?? 0))
      return { ...reply, headers: { ...reply.headers, "x-api-ratelimit-consumed": String(consumed) } }
    })
  )

/** The sandbox with other options. */
const over = (change: (options: Sandbox.Options) => Sandbox.Options): Service => (options) =>
  Sandbox.layer(change(options))

/** The sandbox, which answers another target. */
const answering = (change: (target: string) => string): Service =>
  around((ask, request) => ask({ ...request, target: change(request.target) }))

/** The sandbox, whose accounts are others. */
const making = (change: Partial<Account.Account>): Service =>
  over((options) => ({ ...options, accounts: options.accounts?.map((account) => ({ ...account, ...change })) }))

/** The sandbox, which takes an account for another at some targets. */
const taking = (who: string, other: string, where: RegExp): Service =>
  around((ask, { headers, ...request }) => {
    const isTaken = headers["authorization"] === `Bearer model-${who}` && where.test(request.target)
    return ask({ ...request, headers: isTaken ? { authorization: `Bearer model-${other}` } : headers })
  })

const services: Readonly<Record<string, Service>> = {
  "bills a 204": costing(({ status }, credits) => status === 204 ? 1 : credits),
  "bills a refusal": costing(({ status }, credits) => status === 402 ? 1 : credits),
  "bills everything at one credit": costing((_, credits) => Math.min(1, credits)),
  "never blocks an address": around((ask, request) => ask({ ...request, address: "home" })),
  "blocks every change of address": around((ask, request) =>
    request.address === "office" ? Effect.map(ask(request), (reply) => ({ ...reply, status: 403 })) : ask(request)
  ),
  "takes any token": taking("stranger", "broker", /./),
  "gives cached data to everybody": making({ plan: "paid" }),
  "has credits without end": making({ allowance: undefined }),
  "gives everybody real-time data": making({ user: Account.nonProfessional("realTime") }),
  "gives live data by default to a trial": taking("trial", "trader", /^(?!.*mode=)/),
  "opens another demo": over((options) => ({ ...options, demo: { ticker: "F" } })),
  "has everything in the cache": over((options) => ({ ...options, cold: [] })),
  "serves cached data that are a minute too old": answering((target) =>
    target.replace(/(?<=maxage=)\d+/, (age) => String(Number(age) + 1))
  ),
  "serves live data that are 15 minutes old": answering((target) => target.replace("mode=live", "mode=delayed")),
  "answers cached queries with 200": around((ask, request) =>
    Effect.map(
      ask(request),
      (reply) => reply.status === 203 && request.target.includes("mode=cached") ? { ...reply, status: 200 } : reply
    )
  ),
  "breaks": around(() => Effect.die("it broke"))
}

/** Our client, that asks another query than it was asked. */
const asking = (change: <Q extends Query.Query>(query: Q) => Q): Model.ClientOptions => ({
  client: (config) =>
    Layer.effect(
      MarketData.MarketData,
      Effect.map(MarketData.make(config), (client) => ({ run: (query) => client.run(change(query)) }))
    )
})

const unguarded = { admit: Effect.succeed<IpGuard.Admission>({ _tag: "Send", leave: () => Effect.void }) }

const clients: Readonly<Record<string, Model.ClientOptions>> = {
  "charges everything twice": {
    client: withReservations(({ charge }) => ({
      charge: ({ credits }, ...rest) => charge({ credits: 2 * credits }, ...rest)
    }))
  },
  "counts what it has paid as lost": {
    client: withReservations(({ markLost }) => ({ charge: (_, request) => Effect.as(markLost(request), 0) }))
  },
  "never releases a reservation": { client: withReservations(() => ({ settle: Effect.void })) },
  "asks on while it is blocked": {
    client: (config) => Layer.provide(MarketData.layerNoDeps(config), Layer.succeed(IpGuard.IpGuard, unguarded))
  },
  "does not fall back": asking((query) =>
    query.mode?._tag === "CachedOrLive" ? { ...query, mode: DataMode.cached() } : query
  ),
  "pays for live data at once": asking((query) =>
    query.mode?._tag === "CachedOrLive" ? { ...query, mode: DataMode.live, maxAge: undefined } : query
  ),
  "forgets the greatest age": asking((query) => ({ ...query, maxAge: undefined })),
  "asks a service that bills a 204": { sandbox: services["bills a 204"]! },
  "asks a service that is late": { sandbox: services["serves live data that are 15 minutes old"]! }
}

const broken = Effect.fnUntraced(function*(subject: ReturnType<typeof Model.ofService>, options: Model.Options) {
  const result = yield* Effect.result(Model.check(subject, options))
  assert(result._tag === "Failure", "the model held")
  return result.failure
})

describe("check", () => {
  it.effect("holds for the sandbox", function*() {
    const played = yield* Model.check(Model.ofService(), { seed: 1, runs: runs(150, 40) })
    assert.strictEqual(played.runs, runs(150, 40))
  })

  it.effect("holds for our client in front of the sandbox", function*() {
    const played = yield* Model.check(Model.ofClient(), { seed: 1, runs: runs(100, 20) })
    assert.strictEqual(played.runs, runs(100, 20))
  })

  for (const [mistake, service] of Object.entries(services)) {
    it.effect(`notices a service that ${mistake}`, function*() {
      const { story } = yield* broken(Model.ofService(service), { seed: 1, runs: 300 })
      assert.isAtLeast(story.length, 1)
      assert.isAtMost(story.length, 8)
    })
  }

  for (const [mistake, client] of Object.entries(clients)) {
    it.effect(`notices a client that ${mistake}`, function*() {
      const { story } = yield* broken(Model.ofClient(client), { seed: 24, runs: 300 })
      assert.isAtMost(story.length, 4)
    })
  }

  it.effect("reaches a block in a few stories, which takes four requests of one account", function*() {
    const asksOn = Model.ofClient(clients["asks on while it is blocked"])
    for (const seed of [1, 2, 3]) yield* broken(asksOn, { seed, runs: 20 })
  })

  it.effect("notices a fallback in another mode", function*() {
    const delayed = (reply: Model.Reply) => ({ ...reply, target: reply.target?.replace("mode=live", "mode=delayed") })
    const subject = Effect.map(Model.ofClient(), (subject): Model.Subject => ({
      ...subject,
      ask: (ask) =>
        Effect.map(subject.ask(ask), ({ replies, ...seen }) => ({
          ...seen,
          replies: replies.map((reply, index) => index === 0 ? reply : delayed(reply))
        }))
    }))
    const { complaint } = yield* broken(subject, { seed: 1, runs: 100 })
    assert.match(complaint, /^expected a request for \S+mode=live, and came one for \S+mode=delayed$/)
  })

  it.effect("tells the shortest story in words, and how to see it again", function*() {
    const subject = Model.ofService(services["never blocks an address"])
    const failure = yield* broken(subject, { seed: 1, runs: 300 })
    const { complaint, path, replayPath, seed, story } = failure
    assert.strictEqual(story.length, 3)
    assert.match(story[0]!, /^\w+ asks from \w+ for \/v1\//)
    assert.match(complaint, /^expected status 403, since the account came back to an address within 5 minutes/)
    assert.include(inspect(failure), `3. ${story[2]}\n${complaint}\n`)
    const again = yield* broken(subject, { seed, path, replayPath })
    assert.deepStrictEqual([again.story, again.complaint], [story, complaint])
  })
})

it.effect("commands makes stories for a test runner of one's own", () =>
  Effect.scoped(Effect.gen(function*() {
    const real = yield* Model.ofService()
    const stories = fc.sample(Model.commands("service", { longest: 5 }), { seed: 1, numRuns: 3 })
    yield* Effect.promise(() => fc.asyncModelRun(() => ({ model: Model.initial(), real }), stories[0]!))
    for (const story of stories) assert.isAtMost([...story].length, 5)
  })))
