/**
 * Which service a command talks to: the one that the settings name or, if they name none, an embedded sandbox, which is loaded only then; the cache of its
 * replies on this machine (decision 22); and the account there.
 */
import { CreditLedger, MarketData, MarketDataConfig, ReplyCache } from "@effect-marketdata/client"
import { AccountStatus, ForeignText } from "@effect-marketdata/core"
import { Config, ConfigProvider, Context, Effect, Layer, Option, Redacted, Result } from "effect"
import { createHmac } from "node:crypto"
import { wrong } from "../failure/failure.ts"
import * as Settings from "../settings/settings.ts"
import { type Given, type sandbox, usual } from "../text/flags.ts"
import * as Words from "../text/words.ts"
import * as Http from "./http.ts"
import * as Kept from "./kept.ts"

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
  const message = `${flag} is for the embedded sandbox only, and a service is named. Nothing was sent.`
  const next = "leave it out; `marketdata config list` and `marketdata auth status` say what names the service"
  return wrong("UnusedFlag", message, next)
}

const connected = Effect.fnUntraced(function*(sandbox: SandboxOptions) {
  if (!(yield* isNamed)) return yield* embedded(sandbox)
  return yield* sandbox.seed === usual.seed && sandbox.plan === usual.plan ? remote : notEmbedded(sandbox)
})

/** The connection of a command: with a token or a base URL to the service named there; with neither, to a sandbox on a free port. */
export const layer = (sandbox: SandboxOptions) => Layer.effect(Connection, connected(sandbox))

/** Room for about four hundred chains of 20,000 contracts. */
const usualBytes = 256 * 1024 * 1024

/** The most bytes of all replies that are kept. */
export const cacheBytes = Config.withDefault(Settings.config("cacheBytes"), usualBytes)

/**
 * The name of the account in the cache, because one account must not see another's replies: an HMAC of the token by a secret of this cache. On disk there is
 * only a hash of it and of the query, as the name of a file.
 */
const nameInCache = (secret: Uint8Array, token: Redacted.Redacted | undefined): string =>
  token === undefined ? "none" : createHmac("sha256", secret).update(Redacted.value(token)).digest("hex")

/** Says that nothing can be kept in a directory, and why. */
const tellOfCache = (directory: string, why: Effect.Error<ReturnType<typeof ReplyCache.checkDisk>>) =>
  // What an invalid directory cost says nothing of the query, which may have been sent.
  Effect.flatMap(Kept.Troubles, (troubles) =>
    Kept.tell(`replies cannot be kept in ${directory}: ${"said" in why ? why.said.what : why.message}`, troubles))

/** The cache of a connection; none where nothing is kept. A disk that fails does not fail the command. */
const makeCache = Effect.fnUntraced(function*(anew: boolean) {
  const { options: { token }, service } = yield* Connection
  const found = yield* Kept.where("cache", service)
  if (found.path === undefined || Effect.isEffect(token)) return Context.empty()
  const secret = yield* Effect.result(ReplyCache.diskSecret(found.path))
  if (Result.isFailure(secret)) return yield* Effect.as(tellOfCache(found.path, secret.failure), Context.empty())
  const store = yield* ReplyCache.makeDiskStore({ directory: found.path, maxBytes: yield* cacheBytes })
  const cache = yield* ReplyCache.make(store, { account: nameInCache(secret.success, token), anew })
  return Context.make(ReplyCache.ReplyCache, cache)
})

/** The cache for the client of the provided connection, which answers at no cost while replies are fresh enough. With `anew` no reply is read from it, but each is kept. */
export const cache = (anew: boolean) =>
  Layer.effectContext(Effect.map(makeCache(anew), (context): Context.Context<never> => context))

/** Reports whether replies can be kept; a command that cannot keep them runs without a message. */
export const checkCache = Effect.fnUntraced(function*(service: Settings.Service) {
  const found = yield* Kept.where("cache", service)
  if (found.path === undefined) return
  yield* Effect.catch(ReplyCache.checkDisk(found.path), (error) => tellOfCache(found.path, error))
})

/** The client of the connection, with the ledger that is provided to it. */
export const client = Layer.unwrap(Connection.use(({ options }) => Effect.succeed(MarketData.layer(options)))).pipe(
  Layer.provide(Http.layer)
)

/** What the service says of the account that asks, by the client that is provided: it is free. */
export const account = Effect.map(MarketData.run(AccountStatus.query), ({ data }) => data)

/** A ledger for free queries only. */
export const noCredits = CreditLedger.layerMemory({ allowance: 0 })

/** The account at the service of the settings, with the token of the settings. */
export const ownAccount = Effect.provide(account, Layer.provide(MarketData.layerConfig, [Http.layer, noCredits]))

/** The account of another token than that of the settings. */
export const accountOf = Effect.fnUntraced(function*(token: Redacted.Redacted) {
  const settings = yield* ConfigProvider.ConfigProvider
  const first = ConfigProvider.fromEnvRecord({ [Settings.tokenVariable]: Redacted.value(token) })
  return yield* Effect.provideService(ownAccount, ConfigProvider.ConfigProvider, ConfigProvider.orElse(first, settings))
})

/** What the account may see of options, in the service's words. */
export const entitlement = ({ optionsData }: AccountStatus.AccountStatus): string =>
  optionsData === "" ? "the service says nothing of option data" : ForeignText.line(optionsData, 200)

/** The account in one line. */
export const describeAccount = (status: AccountStatus.AccountStatus): string =>
  `${Words.number(status.creditsRemaining)} of ${Words.credits(status.creditsLimit)} left; ${entitlement(status)}`
