/** The variables that the program was started with, without the file of settings behind them. */
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

export const Environment = Context.Reference<ConfigProvider.ConfigProvider>("@effect-marketdata/cli/Environment", {
  defaultValue: () => ConfigProvider.fromEnv()
})

/** The text of a variable; undefined where it is not set, or empty. */
export const variable = Effect.fnUntraced(function*(name: string) {
  const environment = yield* Environment
  return Option.getOrUndefined(
    yield* Effect.orElseSucceed(Config.option(Config.String(name)).parse(environment), () => Option.none<string>())
  )
})
