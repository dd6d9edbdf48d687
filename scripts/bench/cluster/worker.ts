/** Calls through a gateway against calls of a client of one's own, to the same server: in one process, or in several over a database of SQLite. */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Gateway from "@effect-marketdata/cluster/Gateway"
import * as Runner from "@effect-marketdata/cluster/Runner"
import * as Sqlite from "@effect-marketdata/sql/Sqlite"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import * as Replies from "../replies.ts"
import { paired } from "../statistics.ts"
import * as Targets from "../targets.ts"
import { answer } from "../worker.ts"

const client = (port: string) =>
  MarketData.layer({ baseUrl: Targets.origin(port), token: Redacted.make(Targets.token) }).pipe(
    Layer.provide(CreditLedger.layerMemory({ allowance: 1e12 })),
    Layer.provide(FetchHttpClient.layer)
  )

const contracts = 22_718

const asks = {
  "22718-gateway": Effect.map(
    MarketData.optionChain("SPX", { expiration: "all", strikeLimit: contracts, assume: { contracts } }),
    ({ data }) => {
      if (data.length !== contracts) throw new Error(`the chain has ${data.length} contracts`)
    }
  ),
  "small-call": MarketData.stockQuote("AAPL")
} as const

const runner = (port: string, filename: string, own: string) =>
  Gateway.layerEntity().pipe(
    Layer.provide(client(port)),
    Layer.provideMerge(NodeClusterSocket.layer(Runner.options({ host: "127.0.0.1", port: Number(own) }))),
    Layer.provide(Sqlite.layer({ filename }))
  )

/** How many calls of each are made before anything is measured. */
const warmUp = 20

/** What a runner logs is no figure. */
const quiet = Effect.provideService(References.MinimumLogLevel, "None")

await answer({
  serve: () => Replies.serve("plain"),
  runner: async (port = "0", filename = "", own = "0") => {
    const lasting = Effect.flatMap(Scope.make(), (scope) => Layer.buildWithScope(runner(port, filename, own), scope))
    await Effect.runPromise(quiet(lasting))
    return Number(own)
  },
  ask: (name = "", port = "0", filename = "", milliseconds = "1000", own = "") => {
    const ask: Effect.Effect<unknown, unknown, MarketData.MarketData> = asks[name as keyof typeof asks]
    const gateway = Gateway.layer({ account: "main" }).pipe(
      Layer.provide(
        own === ""
          ? Layer.provide(NodeClusterSocket.layer(Runner.callerOptions), Sqlite.layer({ filename }))
          : runner(port, filename, own)
      )
    )
    const measured = Effect.gen(function*() {
      const direct = yield* Layer.build(client(port))
      const through = yield* Layer.build(gateway)
      // The runner is a process of its own: it has to be as warm as this one.
      for (let call = 0; call < warmUp; call++) {
        yield* Effect.all([Effect.provide(ask, direct), Effect.provide(ask, through)])
      }
      return yield* Effect.promise(() =>
        paired(
          () => Effect.runPromiseWith(direct)(ask),
          () => Effect.runPromiseWith(through)(ask),
          Number(milliseconds)
        )
      )
    })
    return Effect.runPromise(quiet(Effect.scoped(measured)))
  }
})
