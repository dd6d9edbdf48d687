/** Checks a value by the very `Config` that a command reads it with. It loads the client, so it is loaded only where there is a value to check. */
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
  // An empty variable counts as none, and an empty value is not one.
  return text.trim() === ""
    ? Effect.succeed(problem)
    : reader.parse(ConfigProvider.fromEnvRecord({ [Settings.variableOf(name)]: text })).pipe(
      Effect.match({ onFailure: () => problem, onSuccess: () => undefined })
    )
}
