/**
 * Which service a command talks to: the one that the settings name or, if they name none, an embedded sandbox, which is loaded only then; and the account
 * there.
 */
import { CreditLedger, MarketData, MarketDataConfig } from "@effect-marketdata/client"
import { AccountStatus, ForeignText } from "@effect-marketdata/core"
import { Config, ConfigProvider, Context, Effect, Layer, Option, Redacted } from "effect"
import { wrong } from "../failure/failure.ts"
import { tokenVariable } from "../settings/provider.ts"
import * as Settings from "../settings/settings.ts"
import { type Given, type sandbox, usual } from "../text/flags.ts"
import * as Words from "../text/words.ts"
import * as Http from "./http.ts"

/** Which service answers, and how a client reaches it. */
export class Connection extends Context.Service<Connection, {
  readonly options: MarketDataConfig.MarketDataConfig
  readonly description: string
  /** The service as JSON documents name it: programs must be able to tell that the data are of the embedded sandbox. */
  readonly service: Settings.Service
}>()("@effect-marketdata/cli/Connection") {}

type Target = Connection["Service"]

/** The options of the embedded sandbox. */
export type SandboxOptions = Given<typeof sandbox>

/** Whether the settings name a service; otherwise the embedded sandbox answers. */
const isNamed = Config.map(
  Config.all([Config.option(Config.Redacted("MARKETDATA_TOKEN")), Config.option(Config.String("MARKETDATA_BASE_URL"))]),
  ([token, baseUrl]) => Option.isSome(token) || Option.isSome(baseUrl)
)

/** The service that the settings name, before there is a connection to it. */
export const asked: Config.Config<Settings.Service> = Config.all({
  baseUrl: Settings.address,
  embedded: Config.map(isNamed, (isNamed) => !isNamed)
})

const remote = Effect.map(MarketDataConfig.fromEnvironment, (options): Target => {
  const baseUrl = ForeignText.line(String(options.baseUrl))
  const description = `service: ${baseUrl}${options.token === undefined ? ", without a token" : ""}`
  return { options, description, service: { baseUrl, embedded: false } }
})

/** A sandbox on a free port, until the scope closes. */
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

/** Refuses flags of the embedded sandbox where the settings name a service: its data are not synthetic, and cost credits. */
const notEmbedded = ({ plan, seed }: SandboxOptions) => {
  const flag = seed === usual.seed ? `--plan ${plan}` : `--seed ${seed}`
  return wrong(
    "UnusedFlag",
    `${flag} is for the embedded sandbox only, and a service is named. Nothing was sent.`,
    "leave it out; `marketdata config list` and `marketdata auth status` say what names the service"
  )
}

/** The connection of a command: with a token or a base URL to the service named there; with neither, to a sandbox on a free port. */
export const layer = (sandbox: SandboxOptions) =>
  Layer.effect(
    Connection,
    Effect.gen(function*() {
      if (!(yield* isNamed)) return yield* embedded(sandbox)
      return yield* sandbox.seed === usual.seed && sandbox.plan === usual.plan ? remote : notEmbedded(sandbox)
    })
  )

/** The client of the connection, with the ledger that is provided to it. */
export const client = Layer.unwrap(Connection.use(({ options }) => Effect.succeed(MarketData.layer(options)))).pipe(
  Layer.provide(Http.layer)
)

/** What the service says of the account that asks, by the client that is provided: it is free. */
export const account = Effect.map(MarketData.run(AccountStatus.query), ({ data }) => data)

/** A ledger for free queries only. */
export const noCredits = CreditLedger.layerMemory({ allowance: 0 })

/** The account at the service of the settings, with the token of the settings. */
export const ownAccount = account.pipe(
  Effect.provide(MarketData.layerConfig.pipe(Layer.provide(Http.layer), Layer.provide(noCredits)))
)

/** The account of another token than that of the settings. */
export const accountOf = Effect.fnUntraced(function*(token: Redacted.Redacted) {
  const settings = yield* ConfigProvider.ConfigProvider
  const first = ConfigProvider.fromEnvRecord({ [tokenVariable]: Redacted.value(token) })
  return yield* Effect.provideService(ownAccount, ConfigProvider.ConfigProvider, ConfigProvider.orElse(first, settings))
})

/** What the account may see of options, in the service's words. */
export const entitlement = ({ optionsData }: AccountStatus.AccountStatus): string =>
  optionsData === "" ? "the service says nothing of option data" : ForeignText.line(optionsData, 200)

/** The account in one line. */
export const describeAccount = (status: AccountStatus.AccountStatus): string =>
  `${Words.number(status.creditsRemaining)} of ${Words.credits(status.creditsLimit)} left; ${entitlement(status)}`
