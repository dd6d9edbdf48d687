import { Effect, FileSystem } from "effect"
import { of, type Seam } from "../../../../core/test/support/seam.ts"

const ConfigFile = of(() => import("../../../src/settings/configFile.ts"))
const Kept = of(() => import("../../../src/call/kept.ts"))
const Place = of(() => import("../../../src/settings/place.ts"))
const TokenStore = of(() => import("../../../src/settings/tokenStore.ts"))

/** The tests that should find them, as `client/retry` for one of the client's. */
export const tests = ["cli/auth", "cli/config", "cli/hostileFiles", "cli/ledger"]

/** A file that others may read once it is written. */
const readable = <A, E, R>(written: Effect.Effect<A, E, R>, path: string) =>
  Effect.tap(written, () => FileSystem.FileSystem.use((files) => Effect.ignore(files.chmod(path, 0o644))))

/** What the program would believe of its own files, or tell others by them. */
export const faults: ReadonlyArray<Seam> = [
  ConfigFile.current(
    "a file of settings may be of any size",
    (current) => (path) =>
      Effect.flatMap(current(path), (text) =>
        typeof text === "object" && text.message.includes("larger than")
          ? FileSystem.FileSystem.use((files) => files.readFileString(path))
          : Effect.succeed(text))
  ),
  ConfigFile.write("others may read the settings", (write) => (path, text) => readable(write(path, text), path)),
  Kept.checkLedger(
    "an empty ledger begins anew",
    (check) => (path) =>
      Effect.catchIf(check(path), ({ message }) => message.includes("it is empty"), () => Effect.void)
  ),
  Place.everybodyMay("a folder that everybody may change is trusted", () => () => Effect.succeed(false)),
  Place.othersMay("a token that others may read is used", () => () => Effect.succeed(false)),
  TokenStore.readFor(
    "a token goes to any service",
    (readFor) => (service) =>
      // The refusal names the service that the token is for.
      Effect.catch(readFor(service), (error) =>
        readFor(Effect.succeed(/is for (\S+), and/.exec(String(error))?.[1] ?? "")))
  ),
  TokenStore.remove("a token that was written in part stays", (remove) =>
    Effect.provideServiceEffect(
      remove,
      FileSystem.FileSystem,
      Effect.map(FileSystem.FileSystem, (files) => ({
        ...files,
        remove: (path, options) => path.endsWith(".new") ? Effect.void : files.remove(path, options)
      }))
    ))
]
