/**
 * The keychain of the system: of macOS, of Windows, or the Secret Service of a desktop. The package that talks to it is optional, because it is built
 * for each system: where it is not installed there is no keychain (decision 23).
 */
import { ForeignText } from "@effect-marketdata/core"
import { Context, Data, Effect, Redacted } from "effect"

/** Why the keychain does not answer. */
export class KeychainError extends Data.TaggedError("KeychainError")<{ readonly message: string }> {}

/** Secrets by account. */
export interface Keychain {
  readonly read: (account: string) => Effect.Effect<Redacted.Redacted | undefined, KeychainError>
  readonly write: (account: string, secret: Redacted.Redacted) => Effect.Effect<void, KeychainError>
  readonly remove: (account: string) => Effect.Effect<void, KeychainError>
}

/** What this program uses of the package `@napi-rs/keyring`. */
interface Keyring {
  readonly AsyncEntry: new (service: string, account: string, options: object) => Entry
}

interface Entry {
  readonly getPassword: (signal: AbortSignal) => Promise<string | null>
  readonly setPassword: (secret: string, signal: AbortSignal) => Promise<void>
  readonly deletePassword: (signal: AbortSignal) => Promise<boolean>
}

const packageName: string = "@napi-rs/keyring"

/** How long the keychain may take: the system may ask for a password first. */
const patience = "60 seconds"

const failed = (message: string) => new KeychainError({ message })

/** Asks the keychain for the entry of an account; no failure holds the secret. */
const asked = Effect.fnUntraced(
  function*<A>(account: string, ask: (entry: Entry, signal: AbortSignal) => Promise<A>, secret = "") {
    const entry = yield* Effect.tryPromise({
      try: async () => {
        const { AsyncEntry } = await import(packageName) as Keyring
        // The other store, the keyring of the Linux kernel, is emptied when the system restarts.
        return new AsyncEntry("marketdata", account, { linux: { store: "secret-service" } })
      },
      catch: () => failed("this system has no keychain that can be used")
    })
    return yield* Effect.tryPromise({
      try: (signal) => ask(entry, signal),
      catch: (error) =>
        failed(ForeignText.without(secret)(ForeignText.line(error instanceof Error ? error.message : "", 200)))
    })
  },
  Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(failed("the keychain does not answer")) })
)

const system: Keychain = {
  read: (account) =>
    Effect.map(
      asked(account, (entry, signal) => entry.getPassword(signal)),
      (secret) => secret === null ? undefined : Redacted.make(secret)
    ),
  write: (account, secret) =>
    asked(account, (entry, signal) => entry.setPassword(Redacted.value(secret), signal), Redacted.value(secret)),
  remove: (account) => Effect.asVoid(asked(account, (entry, signal) => entry.deletePassword(signal)))
}

/** The keychain that the program uses. */
export const Keychain = Context.Reference<Keychain>("@effect-marketdata/cli/Keychain", { defaultValue: () => system })
