/**
 * How a runner is doing, over HTTP: for load balancers, for Prometheus, and for people.
 *
 * - `GET /health` is 200 if the gateway, the guard's place in the database and this runner's ledger answer, else 503; its body says what does not. It names the runner that
 *   has the account, since when, and until when the service blocks which address
 * - `GET /health/live` is 200 as long as the process answers at all
 * - `GET /metrics` has all metrics of the client, the gateway and the cluster in the text format of Prometheus
 *
 * None of them contains a token or data. Keep them inside your network: they contain names of hosts and callers.
 *
 * @example
 * ```ts
 * import * as Health from "@effect-marketdata/cluster/Health"
 * import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
 * import * as Fiber from "effect/Fiber"
 * import * as HttpRouter from "effect/http/HttpRouter"
 * import * as Layer from "effect/Layer"
 * import { createServer } from "node:http"
 *
 * export const server = HttpRouter.serve(Health.layer({ account: "main" })).pipe(
 *   Layer.provide(NodeHttpServer.layer(createServer, { port: 9464 }))
 * )
 * ```
 *
 * @see {@link Gateway} whose `status` is in it
 * @see `SqlIpGuard` of the package `sql` for the rule of addresses
 * @since 0.1.0
 */
import { CreditLedger } from "@effect-marketdata/client/CreditLedger"
import * as SqlIpGuard from "@effect-marketdata/sql/SqlIpGuard"
import { Sharding } from "effect/cluster/Sharding"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Gateway from "../gateway/Gateway.ts"

/**
 * The health of an account.
 *
 * - `status`: `"ok"`, `"stopping"` while the runner hands over, or `"unavailable"`; `problems` says why
 * - `gateway`: which runner has the account, since when, and its calls; null if it does not answer
 * - `address`: which address sends, which programs may send, and until when addresses are blocked; null if the database does not answer
 *
 * @category models
 * @since 0.1.0
 */
export interface Report {
  readonly status: "ok" | "stopping" | "unavailable"
  readonly problems: ReadonlyArray<string>
  readonly gateway: Gateway.Status | null
  readonly address: SqlIpGuard.Status | null
}

type Needs = Sharding | SqlClient.SqlClient | CreditLedger

/** How long each part of a report may take. */
const patience = "2 seconds"

const answered = <A, E extends { readonly message: string }, R>(what: string, effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    // A defect, such as that for an account that another runner serves, is a problem like others.
    Effect.catchDefect((defect) => Effect.fail({ message: defect instanceof Error ? defect.message : String(defect) })),
    Effect.mapError(({ message }) => `${what}: ${message}`),
    // A wait for a database cannot always be interrupted, so it goes on in the background.
    Effect.forkDetach,
    Effect.flatMap(Fiber.join),
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.fail(`${what} did not answer within ${patience}`)
    }),
    Effect.result
  )

/**
 * Returns the health of an account and of this runner.
 *
 * @category getters
 * @since 0.1.0
 */
export const report = Effect.fnUntraced(function*(
  options: { readonly account: string }
): Effect.fn.Return<Report, never, Needs> {
  const { account } = options ?? {}
  const isStopping = yield* (yield* Sharding).isShutdown
  const { address, gateway, ledger } = yield* Effect.all({
    gateway: answered("the gateway", Gateway.status(account)),
    address: answered("the guard", SqlIpGuard.status({ account })),
    ledger: answered("the ledger", (yield* CreditLedger).balance)
  }, { concurrency: "unbounded" })
  const parts: ReadonlyArray<Result.Result<unknown, string>> = [gateway, address, ledger]
  const problems = parts.flatMap((part) => Result.isFailure(part) ? [part.failure] : [])
  return {
    status: isStopping ? "stopping" : problems.length === 0 ? "ok" : "unavailable",
    problems,
    gateway: Result.getOrElse(gateway, () => null),
    address: Result.getOrElse(address, () => null)
  }
})

const pageOf = (report: Report) => HttpServerResponse.jsonUnsafe(report, { status: report.status === "ok" ? 200 : 503 })

/**
 * The pages, for a server of the program.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options: { readonly account: string }
): Layer.Layer<never, never, HttpRouter.HttpRouter | Needs> =>
  Layer.mergeAll(
    HttpRouter.use(Effect.fnUntraced(function*({ add }) {
      const context = yield* Effect.context<Needs>()
      yield* add("GET", "/health", Effect.map(Effect.provideContext(report(options), context), pageOf))
    })),
    HttpRouter.add("GET", "/health/live", HttpServerResponse.text("live")),
    PrometheusMetrics.layerHttp()
  )
