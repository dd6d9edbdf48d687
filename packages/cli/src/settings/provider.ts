/**
 * Where settings come from: the environment, then the file of settings; the token from the environment, then from where `auth login` keeps it.
 * The first one that has a value wins. The file and the kept token are read when the first value is asked for, so that what is wrong with them fails
 * the commands that need them, and no others. A kept token is given for its own service alone.
 */
import { ConfigProvider, Context, Effect, type FileSystem, Layer, type Path, Redacted } from "effect"
import * as Failure from "../failure/failure.ts"
import * as ConfigFile from "./configFile.ts"
import { address, Environment, nameOf } from "./settings.ts"
import * as TokenStore from "./tokenStore.ts"

/** The variable of the token. */
export const tokenVariable = "MARKETDATA_TOKEN"

/** Keeps the failure as the cause, because its class and its advice are needed when it is reported. */
const asSource = (error: Failure.CommandError) =>
  new ConfigProvider.SourceError({ message: error.message, cause: error })

/** Puts the file of settings and the kept token behind the environment. */
export const layer = Layer.effectContext(
  Effect.gen(function*() {
    const environment = yield* ConfigProvider.ConfigProvider
    const services = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const file = yield* Effect.cached(Effect.provideContext(ConfigFile.read, services))
    const token = yield* Effect.cached(Effect.suspend(() =>
      TokenStore.readFor(address.parse(all)).pipe(
        Effect.mapError((error) => asSource(Failure.of(error))),
        Effect.provideContext(services)
      )
    ))
    const valueOf = Effect.fnUntraced(function*(variable: string) {
      if (variable === tokenVariable) {
        const found = yield* token
        return found === undefined ? undefined : Redacted.value(found.token)
      }
      const name = nameOf(variable)
      if (name === undefined) return undefined
      const read = yield* file
      if (read.troubles.length > 0) return yield* asSource(ConfigFile.failure(read))
      return read.entries.find((entry) => entry.name === name)?.text
    })
    const kept = ConfigProvider.make(([variable, ...rest]) =>
      typeof variable !== "string" || rest.length > 0
        ? Effect.succeed(undefined)
        : Effect.map(valueOf(variable), (text) => text === undefined ? undefined : ConfigProvider.makeValue(text))
    )
    const all = ConfigProvider.orElse(environment, kept)
    return Context.make(ConfigProvider.ConfigProvider, all).pipe(Context.add(Environment, environment))
  })
)
