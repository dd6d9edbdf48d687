/** Where `auth login` keeps the token. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as ConfigFile from "./configFile.ts"

/** Reads the kept token; undefined where there is none. */
export const read: Effect.Effect<string | undefined, never, FileSystem.FileSystem | Path.Path> = Effect.gen(function*() {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const text = yield* Effect.option(files.readFileString(path.join(yield* ConfigFile.home, "token")))
  return Option.getOrUndefined(Option.map(text, (token) => token.trim()))
})
