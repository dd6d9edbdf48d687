/**
 * Where settings come from: the environment, then the file of settings; the token from the environment, then from where `auth login` keeps it.
 * The first one that has a value wins.
 */
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ConfigFile from "./configFile.ts"
import { names, settings } from "./settings.ts"
import * as TokenStore from "./tokenStore.ts"

/** The settings of the file under the names of their variables. */
const fromFile = Effect.map(ConfigFile.read, (file) =>
  ConfigProvider.fromEnvRecord(
    Object.fromEntries(names.flatMap((name) => file[name] === undefined ? [] : [[settings[name].variable, file[name]]]))
  ))

const fromTokenStore = Effect.map(TokenStore.read, (token) =>
  ConfigProvider.fromEnvRecord(token === undefined ? {} : { MARKETDATA_TOKEN: token }))

/** Puts the file of settings and the kept token behind the environment. */
export const layer = ConfigProvider.layer(
  Effect.gen(function*() {
    const environment = yield* ConfigProvider.ConfigProvider
    return environment.pipe(
      ConfigProvider.orElse(yield* fromFile),
      ConfigProvider.orElse(yield* fromTokenStore)
    )
  })
) satisfies Layer.Layer<never, unknown, unknown>
