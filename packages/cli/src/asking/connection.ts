/** Which service a command talks to: the one that the settings name, or an embedded sandbox of its own, which is loaded only then. */
import { MarketData, MarketDataConfig } from "@effect-marketdata/client"
import { ForeignText } from "@effect-marketdata/core"
import type * as Command from "effect/cli/Command"
import { Config, Context, Effect, Layer, Option, Redacted, type Scope } from "effect"
import type { SandboxServer } from "@effect-marketdata/sandbox"
import * as Service from "../settings/service.ts"
import type { sandbox } from "./flags.ts"
import * as Http from "./http.ts"

/** Which service answers, and how a client reaches it. */
export class Connection extends Context.Service<Connection, {
  readonly options: MarketDataConfig.MarketDataConfig
  readonly description: string
  /** What documents say of it: programs must be able to tell whether the embedded sandbox stood in. What an address answers with, nobody here knows. */
  readonly service: Service.Service
}>()("@effect-marketdata/cli/Connection") {}

type Target = Connection["Service"]

/** The sandbox that stands in for a service that nobody named. */
export type SandboxOptions = Command.Command.Config.Infer<typeof sandbox>

/** Whether the settings name a service; else the embedded sandbox stands in. */
const isNamed = Config.map(
  Config.all([Config.option(Config.Redacted("MARKETDATA_TOKEN")), Config.option(Config.String("MARKETDATA_BASE_URL"))]),
  ([token, baseUrl]) => Option.isSome(token) || Option.isSome(baseUrl)
)

/** The service that the settings name, before there is a connection to it. */
export const asked: Config.Config<Service.Service> = Config.all({
  baseUrl: Service.address,
  embedded: Config.map(isNamed, (isNamed) => !isNamed)
})

const remote = Effect.map(MarketDataConfig.fromEnvironment, (options): Target => {
  const baseUrl = ForeignText.line(String(options.baseUrl))
  const description = `service: ${baseUrl}${options.token === undefined ? ", without a token" : ""}`
  return { options, description, service: { baseUrl, embedded: false } }
})

/** A sandbox on a free port, as long as the scope. */
const embedded = Effect.fnUntraced(function*({ plan, seed }: SandboxOptions) {
  const [Sandbox, SandboxServer] = yield* Effect.promise(() =>
    Promise.all([import("@effect-marketdata/sandbox/Sandbox"), import("@effect-marketdata/sandbox/SandboxServer")])
  )
  const context = yield* Layer.build(Layer.provide(SandboxServer.layer(), Sandbox.layer({ seed })))
  const { baseUrl } = Context.get(context, SandboxServer.SandboxServer)
  return {
    options: { baseUrl, token: Redacted.make(`sandbox-${plan}`) },
    description: `service: the embedded sandbox at ${baseUrl} (synthetic data, seed ${seed}, ${plan} plan)`,
    service: { baseUrl, embedded: true }
  } satisfies Target
})

/** The connection of a command: with a token or a base URL to the service named there; with neither, to a sandbox on a free port. */
export const layer = (sandbox: SandboxOptions) =>
  Layer.effect(
    Connection,
    Effect.flatMap(
      isNamed,
      (isNamed): Effect.Effect<Target, Config.ConfigError | SandboxServer.ListenError, Scope.Scope> =>
        isNamed ? remote : embedded(sandbox)
    )
  )

/** The client of the connection, with the ledger that is provided to it. */
export const client = Layer.unwrap(Connection.use(({ options }) => Effect.succeed(MarketData.layer(options)))).pipe(
  Layer.provide(Http.layer)
)
