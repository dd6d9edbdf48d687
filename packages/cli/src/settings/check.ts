/** Checks a value by the `Config` that commands read it with. This module loads the client, so it is imported only when there is a value to check. */
import { MarketDataConfig } from "@effect-marketdata/client"
import { HttpRequest, Problem } from "@effect-marketdata/core"
import { type Config, ConfigProvider, Effect } from "effect"
import * as Settings from "./settings.ts"

/** A value as it may be shown: a base URL without what may be a secret in it. */
export const shown = (name: Settings.Name, text: string): string =>
  name === "baseUrl" ? HttpRequest.shownBaseUrl(text) : text

/** Says what is wrong with a value, if anything. */
export const problemOf = (name: Settings.Name, text: string): Effect.Effect<string | undefined> => {
  const reader: Config.Config<unknown> = Settings.isOwn(name) ? Settings.config(name) : MarketDataConfig.fromEnvironment
  const problem = Problem.format(`${name} ${Problem.shown(shown(name, text))}`, Settings.settings[name])
  // An empty variable is read as not set, so an empty value would pass.
  return text.trim() === ""
    ? Effect.succeed(problem)
    : reader.parse(ConfigProvider.fromEnvRecord({ [Settings.variableOf(name)]: text })).pipe(
      Effect.match({ onFailure: () => problem, onSuccess: () => undefined })
    )
}
