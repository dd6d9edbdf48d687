/** Calls through a gateway against calls of a client of one's own, to the same server: in one process, or in several over a database of SQLite. */
import * as MarketData from "@effect-marketdata/client/MarketData"
import { Gateway, Runner } from "@effect-marketdata/cluster"
import * as Sqlite from "@effect-marketdata/sql/Sqlite"
import { Effect, Layer, References, Scope } from "effect"
import { join } from "node:path"
import { freePort } from "../../../packages/cluster/test/support/freePort.ts"
import { temporaryFolder } from "../../shared/files.ts"
import * as Caller from "../caller.ts"
import * as Process from "../process.ts"
import { type Paired, paired } from "../statistics.ts"
import { answer } from "../worker.ts"

const runner = (port: string, filename: string, own: number) =>
  Gateway.layerEntity().pipe(
    Layer.provide(Caller.client(port)),
    Layer.provideMerge(Runner.layer({ host: "127.0.0.1", port: own })),
    Layer.provide(Runner.layerStorage({ account: "main", address: "127.0.0.1" })),
    Layer.provide(Sqlite.layer({ filename }))
  )

/** How many calls of each are made before anything is measured. */
const warmUp = 20

/** How many callers ask at once to measure throughput, and what each asks for. */
const callers = 50
const inTurn = Effect.replicateEffect(Caller.quote, 20, { discard: true })

/** Keeps the logs of runners out of the output, which is read as figures. */
const quiet = Effect.provideService(References.MinimumLogLevel, "None")

/** The baseline is a client of one's own, and for what is to be as fast as that it is the gateway. */
const measured =
  (ask: Effect.Effect<unknown, unknown, MarketData.MarketData>, isThroughput = false) =>
  async (port: string, milliseconds: string, processes: string): Promise<Paired> => {
    using folder = temporaryFolder()
    const filename = join(folder.path, "cluster.db")
    const own = await Effect.runPromise(freePort)
    const caller = Layer.provide(Runner.layerCaller(), Sqlite.layer({ filename }))
    const gateway = Gateway.layer({ account: "main" }).pipe(
      Layer.provide(processes === "1" ? runner(port, filename, own) : caller)
    )
    const measuring = Effect.gen(function*() {
      const direct = yield* Layer.build(Caller.client(port))
      const through = yield* Layer.build(gateway)
      // The runner is a process of its own: it has to be as warm as this one.
      yield* Effect.replicateEffect(Effect.all([Effect.provide(ask, direct), Effect.provide(ask, through)]), warmUp)
      const ways = [direct, through].map((context) => () => Effect.runPromiseWith(context)(ask))
      const [baseline, subject] = isThroughput ? ways.toReversed() : ways
      return yield* Effect.promise(() => paired(baseline!, subject!, Number(milliseconds)))
    })
    using runners = new DisposableStack()
    for (let others = Number(processes) - 1; others > 0; others--) {
      const place = await Effect.runPromise(freePort)
      runners.use(await Process.serve({ program: "cluster" }, "runner", port, filename, place))
    }
    return await Effect.runPromise(quiet(Effect.scoped(measuring)))
  }

await answer({
  runner: async (port, filename, own) => {
    await Effect.runPromise(quiet(Layer.buildWithScope(runner(port, filename, Number(own)), Scope.makeUnsafe())))
    return Number(own)
  },
  "small-call": measured(Caller.quote),
  "22718-gateway": measured(Caller.largest),
  throughput: measured(Effect.replicateEffect(inTurn, callers, { concurrency: "unbounded" }), true)
})
