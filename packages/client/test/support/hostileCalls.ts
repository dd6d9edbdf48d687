/**
 * Asks a hostile server everything, over and over, and says what came of it, how long the event loop stood still, how much memory it took, and what
 * was left behind. It runs in a process of its own, whose heap is small.
 */
import { CreditLedger, MarketData, RetryPolicy } from "@effect-marketdata/client"
import type * as Query from "@effect-marketdata/core/Query"
import type * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Cause, Effect, Exit, Layer, Metric, References } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import { all } from "./hostileQueries.ts"

/** What the parent asks of it. */
export interface Task {
  readonly baseUrl: string
  readonly client: keyof typeof clients
  readonly rounds: number
  readonly concurrency: number
  readonly deadline: number
}

/** What came of the rounds of one client, and what was measured of them. */
export type Round = Awaited<ReturnType<typeof run>>

/** The HTTP clients that Node has, and what commands send with, loaded where they are used: undici does not load on Node 20. */
const clients = {
  fetch: Effect.succeed(FetchHttpClient.layer),
  "node:http": nodeClient(({ layerNodeHttp }) => layerNodeHttp),
  undici: nodeClient(({ layerUndici }) => layerUndici),
  commands: Effect.map(Effect.promise(() => import("../../../cli/src/call/http.ts")), ({ layer }) => layer)
}

function nodeClient(
  layer: (module: typeof NodeHttpClient) => Layer.Layer<HttpClient.HttpClient>
): Effect.Effect<Layer.Layer<HttpClient.HttpClient>> {
  return Effect.map(Effect.promise(() => import("@effect/platform-node/NodeHttpClient")), layer)
}

/**
 * The work of this thread so far, in milliseconds: on a machine that does other things besides, a clock on the wall says nothing. Older ones than
 * Node 24 know that of all threads only, which is more.
 */
const worked = (): number => {
  const { system, user } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1000
}

/** Watches how long the event loop does not come round; the function that it returns ends that, and answers with the two longest times. */
const watch = () => {
  const every = 5
  let longest: readonly [number, number] = [0, 0]
  let last = worked()
  const look = () => {
    const now = worked()
    const stall = now - last - every
    if (stall > longest[0]) longest = [stall, longest[0]]
    else if (stall > longest[1]) longest = [longest[0], stall]
    last = now
  }
  const timer = setInterval(look, every)
  return () => {
    clearInterval(timer)
    look()
    return longest
  }
}

const sockets = (): number => process.getActiveResourcesInfo().filter((name) => /TCPSocketWrap/.test(name)).length

/** Megabytes of values and buffers that something still holds. */
const kept = (): number => {
  globalThis.gc?.()
  const { external, heapUsed } = process.memoryUsage()
  return (external + heapUsed) / 2 ** 20
}

/** Turns of the event loop until something holds, or for longer than a busy machine takes. */
const until = async (holds: () => boolean): Promise<void> => {
  const started = performance.now()
  while (!holds() && performance.now() - started < 30_000) await new Promise((resolve) => setTimeout(resolve, 20))
}

const run = async ({ baseUrl, client, concurrency, deadline, rounds }: Task) => {
  const outcomes: Record<string, number> = {}
  const defects: Array<string> = []
  let late = 0
  let fibers = 0
  const counting: Metric.FiberRuntimeMetricsService = {
    recordFiberStart: () => void fibers++,
    recordFiberEnd: () => void fibers--
  }
  const ask = Effect.fnUntraced(function*(query: Query.Query<unknown, undefined>) {
    const started = performance.now()
    const exit = yield* Effect.exit(MarketData.run(query))
    late = Math.max(late, performance.now() - started - deadline)
    const outcome = Exit.match(exit, {
      onSuccess: () => "Answered",
      onFailure: (cause) => {
        const [reason] = cause.reasons
        if (reason?._tag === "Fail") return reason.error.reason._tag
        defects.push(`${query.endpoint.name}: ${Cause.pretty(cause).split("\n").slice(0, 5).join(" ")}`)
        return reason?._tag ?? "nothing"
      }
    })
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  })
  const queries = Array.from({ length: rounds }, () => all).flat()
  // To load a module is nobody's stall.
  const http = await Effect.runPromise(clients[client])
  const watched = watch()
  await Effect.runPromise(
    Effect.forEach(queries, ask, { concurrency, discard: true }).pipe(
      Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 2, deadline })),
      Effect.provideService(Metric.FiberRuntimeMetrics, counting),
      Effect.provideService(References.MinimumLogLevel, "None"),
      Effect.provide(
        MarketData.layer({ baseUrl, maxInFlight: concurrency }).pipe(Layer.provide([http, CreditLedger.layerUnlimited]))
      )
    )
  )
  const stalls = watched()
  await until(() => fibers <= 0 && sockets() === 0)
  return {
    queries: queries.length,
    /** How often a query ended in each way, and the failures that a user must not see, in words. */
    outcomes,
    defects,
    /** By how much the slowest query passed its deadline, in milliseconds. */
    late,
    /** The two longest times that the event loop stood still, in milliseconds of work, the longest first. */
    stalls,
    /** The most memory that the process took so far, and what is in use once the garbage is gone. */
    megabytes: process.resourceUsage().maxRSS / 1024,
    kept: kept(),
    fibers,
    sockets: sockets()
  }
}

process.on("message", (task: Task) => {
  void run(task).then((round) => process.send?.(round))
})
