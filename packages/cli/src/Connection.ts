/**
 * Which service a command talks to: the one that the environment names, or an embedded sandbox of its own.
 *
 * @since 0.1.0
 */
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as MarketDataConfig from "@effect-marketdata/client/MarketDataConfig"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

/**
 * Says in one line which service answers.
 *
 * @category services
 * @since 0.1.0
 */
export class Connection extends Context.Service<Connection, { readonly description: string }>()(
  "@effect-marketdata/cli/Connection"
) {}

/**
 * The client and its connection. With `MARKETDATA_TOKEN` or `MARKETDATA_BASE_URL` set it is the service named there; with neither, a
 * sandbox on a free port of this machine, whose market follows `seed` and whose account has `plan`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  sandbox: { readonly seed: number; readonly plan: "paid" | "trial" | "free" }
): Layer.Layer<Connection | MarketData.MarketData, Config.ConfigError | SandboxServer.ListenError> =>
  Layer.unwrap(Effect.gen(function*(): Effect.fn.Return<
    Layer.Layer<Connection | MarketData.MarketData, Config.ConfigError | SandboxServer.ListenError>,
    Config.ConfigError
  > {
    const token = yield* Config.option(Config.Redacted("MARKETDATA_TOKEN"))
    const baseUrl = yield* Config.option(Config.String("MARKETDATA_BASE_URL"))
    return Option.isSome(token) || Option.isSome(baseUrl) ? remote : embedded(sandbox)
  }))

const remote = Layer.merge(
  MarketData.layerConfig,
  Layer.effect(
    Connection,
    Effect.map(MarketDataConfig.fromEnvironment, ({ baseUrl, token }) => ({
      description: `service: ${ForeignText.line(String(baseUrl))}${token === undefined ? ", without a token" : ""}`
    }))
  )
).pipe(Layer.provide(FetchHttpClient.layer))

const embedded = ({ plan, seed }: { readonly seed: number; readonly plan: "paid" | "trial" | "free" }) =>
  Layer.unwrap(Effect.map(SandboxServer.SandboxServer, ({ baseUrl }) =>
    Layer.merge(
      MarketData.layer({ baseUrl, token: Redacted.make(`sandbox-${plan}`) }),
      Layer.succeed(Connection, {
        description: `service: the embedded sandbox at ${baseUrl} (synthetic data, seed ${seed}, ${plan} plan); ` +
          "set MARKETDATA_TOKEN for the real one"
      })
    ))).pipe(
      Layer.provide(FetchHttpClient.layer),
      Layer.provide(SandboxServer.layer()),
      Layer.provide(Sandbox.layer({ seed }))
    )
