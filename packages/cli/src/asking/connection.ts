/** Which service a command talks to: the one that the settings name, or an embedded sandbox of its own, which is loaded only then. */
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as MarketDataConfig from "@effect-marketdata/client/MarketDataConfig"
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import type * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

/** Which service answers. */
export class Connection extends Context.Service<Connection, {
  readonly description: string
  /** What documents say of it: programs must be able to tell synthetic data from real ones. */
  readonly service: { readonly baseUrl: string; readonly synthetic: boolean }
}>()("@effect-marketdata/cli/Connection") {}

/** The sandbox that stands in for a service that nobody named. */
export interface SandboxOptions {
  readonly seed: number
  readonly plan: "paid" | "trial" | "free"
}

/** Whether the settings name a service. */
export const isNamed: Config.Config<boolean> = Config.all([
  Config.option(Config.Redacted("MARKETDATA_TOKEN")),
  Config.option(Config.String("MARKETDATA_BASE_URL"))
]).pipe(Config.map(([token, baseUrl]) => Option.isSome(token) || Option.isSome(baseUrl)))

/** The client and its connection. With a token or a base URL it is the service named there; with neither, a sandbox on a free port. */
export const layer = (sandbox: SandboxOptions) =>
  Layer.unwrap(Effect.gen(function*(): Effect.fn.Return<AnyLayer, Config.ConfigError> {
    return (yield* isNamed) ? remote : embedded(sandbox)
  }))

type AnyLayer = Layer.Layer<Connection | MarketData.MarketData, Config.ConfigError | SandboxServer.ListenError>

const remote = Layer.merge(
  MarketData.layerConfig,
  Layer.effect(
    Connection,
    Effect.map(MarketDataConfig.fromEnvironment, ({ baseUrl, token }) => ({
      description: `service: ${ForeignText.line(String(baseUrl))}${token === undefined ? ", without a token" : ""}`,
      service: { baseUrl: ForeignText.line(String(baseUrl)), synthetic: false }
    }))
  )
).pipe(Layer.provide(FetchHttpClient.layer))

const embedded = ({ plan, seed }: SandboxOptions) =>
  Layer.unwrap(Effect.gen(function*() {
    const Service = yield* Effect.promise(() => import("./embedded.ts"))
    return Layer.unwrap(Effect.map(Service.baseUrl, (baseUrl) =>
      Layer.merge(
        MarketData.layer({ baseUrl, token: Redacted.make(`sandbox-${plan}`) }),
        Layer.succeed(Connection, {
          description: `service: the embedded sandbox at ${baseUrl} (synthetic data, seed ${seed}, ${plan} plan); ` +
            "`marketdata auth login` sets the token of the real one",
          service: { baseUrl, synthetic: true }
        })
      ))).pipe(Layer.provide(FetchHttpClient.layer), Layer.provide(Service.layer(seed)))
  }))
