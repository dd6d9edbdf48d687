/** Whole calls of the client against baselines that do less: they ask the same server for the same bytes. */
import * as Policies from "@effect-marketdata/client/Policies"
import * as ReplyCache from "@effect-marketdata/client/ReplyCache"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../shared/files.ts"
import * as Caller from "../caller.ts"
import { profiled } from "../profiled.ts"
import * as Replies from "../replies.ts"
import { medians, pair, type Paired, paired, timed } from "../statistics.ts"
import * as Targets from "../targets.ts"
import { answer } from "../worker.ts"

type Provided = Layer.Success<ReturnType<typeof Caller.client>>

const caller = async (port: string, cache?: Layer.Layer<ReplyCache.ReplyCache>) => {
  const context = await Effect.runPromise(Effect.scoped(Layer.build(Caller.client(port, cache))))
  return <A, E>(self: Effect.Effect<A, E, Provided>) => () => Effect.runPromiseWith(context)(self)
}

/** A chain that was kept, against one that is fetched and decoded. */
const hit = async (port: string, milliseconds: string, cache: Layer.Layer<ReplyCache.ReplyCache>) => {
  const kept = Effect.provideService(Caller.largest, Policies.AcceptAge, "1 day")
  return paired((await caller(port))(Caller.largest), (await caller(port, cache))(kept), Number(milliseconds))
}

const maxBytes = 64 * 1024 * 1024

/** The first answer of a program whose cache holds many small entries, against that of one whose cache is empty. Storing the reply afterwards is not counted. */
const firstBeside = async (entries: number, port: string, milliseconds: number) => {
  using empty = temporaryFolder()
  using full = temporaryFolder()
  const folder = join(full.path, "replies-2")
  mkdirSync(folder, { mode: 0o700 })
  for (let entry = 0; entry < entries; entry++) {
    writeFileSync(join(folder, `${entry.toString(16).padStart(64, "0")}.reply`), "a small one")
  }
  const first = async (directory: string, account: string) => {
    // Each round begins like a new program, which has to list the folder.
    rmSync(join(directory, "written"), { force: true })
    const cache = ReplyCache.layerDisk({ directory, maxBytes: 4 * 1024 ** 3, account })
    const scope = Scope.makeUnsafe()
    const client = Layer.fresh(Caller.client(port, Layer.provide(cache, NodeServices.layer)))
    const context = await Effect.runPromise(Layer.buildWithScope(client, scope))
    const ask = Effect.provideService(Caller.largest, Policies.AcceptAge, "1 day")
    const took = await timed(() => Effect.runPromiseWith(context)(ask))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    return took
  }
  const rounds: Array<Paired> = []
  const end = performance.now() + milliseconds
  for (let round = 0; rounds.length < 9 || performance.now() < end; round++) {
    const took = pair(await first(empty.path, `${round}`), await first(full.path, `${round}`))
    // The first rounds run code that is not compiled yet.
    if (round > 2) rounds.push(took)
  }
  return medians(rounds)
}

const bare = (port: string) =>
  Effect.flatMap(HttpClient.get(Targets.origin(port) + Targets.quote, { headers: Targets.headers }), ({ json }) => json)

/** One after the other, from a process that has compiled what they run. */
const profile = async (run: () => Promise<unknown>, milliseconds: number) => {
  const repeated = async (): Promise<number> => {
    const end = performance.now() + milliseconds
    let times = 0
    for (; performance.now() < end; times++) await run()
    return times
  }
  await repeated()
  return profiled(repeated, 1000)
}

await answer({
  serve: Replies.serve,
  "22718": async (port, milliseconds) => {
    const plain = async () => {
      const response = await fetch(Targets.origin(port) + Targets.chain(22_718), { headers: Targets.headers })
      return JSON.parse(await response.text())
    }
    return paired(plain, (await caller(port))(Caller.largest), Number(milliseconds))
  },
  "22718-hit": (port, milliseconds) => hit(port, milliseconds, ReplyCache.layerMemory({ maxBytes })),
  "22718-hit-disk": async (port, milliseconds) => {
    using directory = temporaryFolder()
    const cache = ReplyCache.layerDisk({ directory: directory.path, maxBytes, account: "bench" })
    return await hit(port, milliseconds, Layer.provide(cache, NodeServices.layer))
  },
  "first-beside-100000": (port, milliseconds) => firstBeside(100_000, port, Number(milliseconds)),
  quotes: async (port, milliseconds) => profile((await caller(port))(Caller.quote), Number(milliseconds)),
  "bare-quotes": async (port, milliseconds) => profile((await caller(port))(bare(port)), Number(milliseconds)),
  "4000-at-once": async (port, milliseconds) => {
    const run = await caller(port)
    const many = (concurrency: number | "unbounded") =>
      run(Effect.replicateEffect(Caller.quote, 4000, { concurrency, discard: true }))
    return paired(many(50), many("unbounded"), Number(milliseconds))
  },
  "one-quote": async (port, milliseconds, warmUp) => {
    const run = await caller(port)
    return paired(run(bare(port)), run(Caller.quote), Number(milliseconds), Number(milliseconds) * Number(warmUp))
  }
})
