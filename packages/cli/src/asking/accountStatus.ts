/** What the service says of the account that asks: it is free. */
import { CreditLedger, MarketData } from "@effect-marketdata/client"
import { AccountStatus, ForeignText } from "@effect-marketdata/core"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { tokenVariable } from "../settings/provider.ts"
import * as Words from "../text/words.ts"
import * as Http from "./http.ts"

/** Asks with the client that is provided. */
export const query = Effect.map(MarketData.run(AccountStatus.query), ({ data }) => data)

/** Nothing may be spent on it. */
export const noCredits = CreditLedger.layerMemory({ allowance: 0 })

/** Asks the service of the settings, with the token of the settings. */
export const fetch = query.pipe(
  Effect.provide(MarketData.layerConfig.pipe(Layer.provide(Http.layer), Layer.provide(noCredits)))
)

/** Asks with another token than that of the settings. */
export const fetchWith = Effect.fnUntraced(function*(token: Redacted.Redacted) {
  const settings = yield* ConfigProvider.ConfigProvider
  const first = ConfigProvider.fromEnvRecord({ [tokenVariable]: Redacted.value(token) })
  return yield* Effect.provideService(fetch, ConfigProvider.ConfigProvider, ConfigProvider.orElse(first, settings))
})

/** What the account may see of options, in the service's words. */
export const entitlement = ({ optionsData }: AccountStatus.AccountStatus): string =>
  optionsData === "" ? "the service says nothing of option data" : ForeignText.line(optionsData, 200)

/** The account in one line. */
export const describe = (status: AccountStatus.AccountStatus): string =>
  `${Words.number(status.creditsRemaining)} of ${Words.credits(status.creditsLimit)} left; ${entitlement(status)}`
