/** Checks a value by the very `Config` that a command reads it with. It loads the client, so it is loaded only where there is a value to check. */
import * as MarketDataConfig from "@effect-marketdata/client/MarketDataConfig"
import * as Problem from "@effect-marketdata/core/Problem"
import type * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Own from "./own.ts"
import { type Name, settings } from "./settings.ts"

const own: { readonly [N in Name]?: Config.Config<unknown> } = Own

/** Says what is wrong with a value, if anything. */
export const problemOf = (name: Name, text: string): Effect.Effect<string | undefined> => {
  const { variable } = settings[name]
  const reader = own[name] ?? MarketDataConfig.fromEnvironment
  const problem = Problem.format(`${name} ${Problem.shown(text)}`, settings[name])
  // An empty variable counts as none, and an empty value is not one.
  return text.trim() === ""
    ? Effect.succeed(problem)
    : reader.parse(ConfigProvider.fromEnvRecord({ [variable]: text })).pipe(
      Effect.match({ onFailure: () => problem, onSuccess: () => undefined })
    )
}
