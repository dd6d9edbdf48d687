/**
 * Where `auth login` keeps the token: in the keychain of the system or, without one, in a file that only its user can read. A marker file says that it is in
 * the keychain, so that nobody who never logged in is asked to unlock it. The address of its service is kept with the token.
 *
 * The keychain is that of macOS, of Windows, or the Secret Service of a desktop. The package that talks to it is optional, because it is built for each system:
 * where it is not installed there is no keychain (decision 23).
 */
import { ForeignText } from "@effect-marketdata/core"
import type * as Keyring from "@napi-rs/keyring"
import { Context, Data, Effect, FileSystem, Path, type PlatformError, Redacted } from "effect"
import { type CommandError, notAllowed, wrong } from "../failure/failure.ts"
import * as Place from "./place.ts"
import { publicAddress } from "./settings.ts"

/** Why the keychain does not answer. */
export class KeychainError extends Data.TaggedError("KeychainError")<{ readonly message: string }> {}

const packageName: string = "@napi-rs/keyring"

/** How long the keychain may take: the system may ask for a password first. */
const patience = "60 seconds"

const failed = (message: string) => new KeychainError({ message })

/** Asks the keychain for the entry of an account; no failure holds the secret. */
const asked = Effect.fnUntraced(
  function*<A>(account: string, ask: (entry: Keyring.AsyncEntry, signal: AbortSignal) => Promise<A>, secret = "") {
    const entry = yield* Effect.tryPromise({
      try: async () => {
        const { AsyncEntry } = await import(packageName) as typeof Keyring
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

const system = {
  read: (account: string) =>
    Effect.map(
      asked(account, (entry, signal) => entry.getPassword(signal)),
      (secret) => secret ? Redacted.make(secret) : undefined
    ),
  write: (account: string, secret: Redacted.Redacted) =>
    asked(account, (entry, signal) => entry.setPassword(Redacted.value(secret), signal), Redacted.value(secret)),
  remove: (account: string) => Effect.asVoid(asked(account, (entry, signal) => entry.deletePassword(signal)))
}

/** Secrets by account. */
export type Keychain = typeof system

/** The keychain that the program uses. */
export const Keychain = Context.Reference<Keychain>("@effect-marketdata/cli/Keychain", { defaultValue: () => system })

/** A place for the token. */
export type Kept = { readonly in: "keychain" } | { readonly in: "file"; readonly path: string }

/** A token and the address of the service that it is for. */
interface Token {
  readonly token: Redacted.Redacted
  readonly service: string
}

/** A token is one line, and the address the next. */
const encode = ({ service, token }: Token): string => `${Redacted.value(token)}\n${service}\n`

/** A token without an address was kept by an older version: it is for the public service. */
const decode = (text: string): Token | undefined => {
  const [token = "", service = publicAddress] = text.trim().split(/\s*\n\s*/)
  return token === "" ? undefined : { token: Redacted.make(token), service }
}

/** Names the place. */
export const describe = (kept: Kept): string =>
  kept.in === "keychain" ? "the keychain of this system" : `the file ${ForeignText.line(kept.path)}`

const refused = (message: string, next: string): CommandError => wrong("TokenStore", message, next)

/** Whether a file exists; false if that cannot be found out. */
const isThere = (path: string) =>
  FileSystem.FileSystem.use((files) => Effect.orElseSucceed(files.exists(path), () => false))

/** The files of the token, and which of them says where it is kept; undefined if no variable says where they could be. */
const places = Effect.gen(function*() {
  const [home, path] = [yield* Place.home, yield* Path.Path]
  if (home === undefined) return undefined
  const folder = path.join(home, "auth")
  const [token, keychain] = [path.join(folder, "token"), path.join(folder, "keychain")]
  const inFile: Kept | undefined = (yield* isThere(token)) ? { in: "file", path: token } : undefined
  const kept: Kept | undefined = (yield* isThere(keychain)) ? { in: "keychain" } : inFile
  return { folder, token, keychain, kept }
})

/** More than a token with its address takes. */
const mostBytes = 8192

const noToken = (path: string) =>
  refused(`${ForeignText.line(path)} holds no token`, "log in again with `marketdata auth login`")

/** Reads the file of the token, which nobody else may read, in a folder that nobody else may write to. */
const readFile = Effect.fnUntraced(
  function*(folder: string, path: string) {
    const files = yield* FileSystem.FileSystem
    const { size, type } = yield* files.stat(path)
    // Reading a pipe may never end.
    if (type !== "File" || size > mostBytes) return yield* noToken(path)
    if (yield* Place.othersMay(path, 0o077)) {
      const why = `others may read or change the token in ${ForeignText.line(path)}, so it is not used`
      return yield* refused(why, `type: chmod 600 '${ForeignText.line(path)}'`)
    }
    if (yield* Place.othersMay(folder, 0o022)) {
      const why = `others may change what is in ${ForeignText.line(folder)}, so the token there is not used`
      return yield* refused(why, `type: chmod 700 '${ForeignText.line(folder)}'`)
    }
    return decode(yield* files.readFileString(path)) ?? (yield* noToken(path))
  },
  (effect, _, path) => {
    const next = "change its permissions, or log in again with `marketdata auth login`"
    return Effect.catchTag(effect, "PlatformError", refusing(`${ForeignText.line(path)} cannot be read`, next))
  }
)

const readKeychain = Effect.fnUntraced(function*(account: string) {
  const { read } = yield* Keychain
  const next = "unlock it, or set MARKETDATA_TOKEN, or log in again with `marketdata auth login --file`"
  const secret = yield* Effect.mapError(
    read(account),
    ({ message }) => refused(`the token is in the keychain, which cannot be read: ${message}`, next)
  )
  return (secret === undefined ? undefined : decode(Redacted.value(secret))) ??
    (yield* refused("the keychain no longer has the token", "log in again with `marketdata auth login`"))
})

const refusing = (what: string, next: string) => (error: PlatformError.PlatformError) =>
  Effect.fail(refused(`${what} (${Place.why(error)})`, next))

/** Where a token is kept, if anywhere; the token itself is not read. */
export const kept = Effect.map(places, (found) => found?.kept)

/** Reads the kept token, and says where it is kept; undefined where none is. */
export const read = Effect.gen(function*() {
  const found = yield* places
  if (found?.kept === undefined) return undefined
  const { folder, kept } = found
  const given = yield* kept.in === "keychain" ? readKeychain(folder) : readFile(folder, kept.path)
  inUse = Redacted.value(given.token)
  return { ...given, kept }
})

/** Reads the token for a service, and refuses to send it to another service. */
export const readFor = Effect.fnUntraced(function*<E>(service: Effect.Effect<string, E>) {
  const found = yield* read
  if (found === undefined) return undefined
  const address = yield* service
  const [own, other] = [ForeignText.line(found.service), ForeignText.line(address)]
  const message = `the kept token is for ${own}, and this service is ${other}: the token was not sent`
  const next =
    "log in to this one with `marketdata auth login`, or set MARKETDATA_TOKEN; `marketdata config list` says what sets baseUrl"
  return found.service === address ? found : yield* notAllowed("TokenOfOtherService", message, next)
})

let inUse: string | undefined

/** The kept token that this run has read: it is removed from what a crashing program prints, which cannot run effects any more. */
export const lastRead = (): string | undefined => inUse

/**
 * Keeps a token in the keychain, or in a file if that is asked for or the keychain fails. Replaces the token before. Returns where it is, and why not in the
 * keychain (`without`) if it was to be there.
 */
export const write = Effect.fnUntraced(
  function*(given: Token, place: "keychain" | "file") {
    const text = encode(given)
    const files = yield* FileSystem.FileSystem
    const { folder, keychain, token } = yield* Place.required(places)
    const system = yield* Keychain
    yield* Place.makeFolder(folder)
    yield* files.chmod(folder, 0o700)
    const without = place === "file" ? undefined : yield* system.write(folder, Redacted.make(text)).pipe(
      Effect.match({ onFailure: ({ message }) => message, onSuccess: () => undefined })
    )
    const kept: Kept = place === "file" || without !== undefined ? { in: "file", path: token } : { in: "keychain" }
    if (kept.in === "keychain") {
      yield* Place.writeOwn(keychain, Effect.succeed("The token is in the keychain of this system.\n"))
      yield* files.remove(token, { force: true })
    } else {
      yield* Place.writeOwn(token, Effect.succeed(text))
      if (yield* files.exists(keychain)) yield* Effect.ignore(system.remove(folder))
      yield* files.remove(keychain, { force: true })
    }
    return { kept, without }
  },
  Effect.catchTag(
    "PlatformError",
    refusing("the token cannot be kept", "set MARKETDATA_HOME to a folder of yours, or MARKETDATA_TOKEN")
  )
)

/** Removes the kept token, and returns where it was. */
export const remove = Effect.gen(function*() {
  const found = yield* places
  if (found === undefined) return undefined
  const { folder, keychain, kept, token } = found
  const files = yield* FileSystem.FileSystem
  if (kept?.in === "keychain") {
    const refuse = ({ message }: KeychainError) =>
      refused(`the keychain cannot be changed: ${message}`, "delete the entry `marketdata` in it yourself")
    yield* Effect.mapError((yield* Keychain).remove(folder), refuse)
  }
  // A program that was killed while it wrote the token leaves it in the temporary file.
  for (const path of [keychain, token, Place.besideOf(keychain), Place.besideOf(token)]) {
    yield* files.remove(path, { force: true })
  }
  return kept
}).pipe(
  Effect.catchTag(
    "PlatformError",
    refusing("the token cannot be deleted", "delete the folder `auth` beside the settings yourself")
  )
)
