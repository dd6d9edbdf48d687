/** The replies that commands keep on this machine, which answer again for no credits as long as the rules of freshness allow (decision 57). */
import * as ReplyCache from "@effect-marketdata/client/ReplyCache"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { createHmac, randomBytes } from "node:crypto"
import * as Own from "../settings/own.ts"
import * as Place from "../settings/place.ts"
import { Connection } from "./connection.ts"
import * as Kept from "./kept.ts"

/** Room for about four hundred chains of 20,000 contracts. */
const usualBytes = 256 * 1024 * 1024

/** The most bytes of all replies that are kept. */
export const maxBytes = Config.withDefault(Own.cacheBytes, usualBytes)

/** The setting of the cache, and its usual directory. */
export const choice = { setting: Own.cache, usual: Place.cache }

/** The file with the secret of a cache. */
export const secretFile = "account.key"

const secretBytes = 32

/** The secret of a cache, which is made with it. */
const secretOf = Effect.fnUntraced(function*(directory: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(directory, secretFile)
  yield* Place.makeFolder(directory)
  // Of several commands that begin at the same time the first one makes it.
  if (!(yield* files.exists(file))) {
    const made = files.writeFile(file, randomBytes(secretBytes), { flag: "wx", mode: 0o600 })
    yield* Effect.catchReason(made, "PlatformError", "AlreadyExists", () => Effect.void)
  }
  return yield* files.readFile(file)
})

/**
 * A name for the account, by which its replies are found again: what one account may see, another may not. It is made of the token and a secret of this
 * cache. Only a hash of it, and of what was asked, is on the disk, as the name of a file.
 */
const accountOf = (secret: Uint8Array, token: Redacted.Redacted | undefined): string =>
  token === undefined ? "none" : createHmac("sha256", secret).update(Redacted.value(token)).digest("hex")

/** Says that nothing can be kept in a directory, and why. */
const tell = (directory: string, why: string) =>
  Kept.Troubles.use(({ tell }) => tell(`replies cannot be kept in ${directory}: ${why}`))

/** Which replies answer. One who asks anew gets none from here, and what comes takes the place of what was kept. */
const answering = (store: ReplyCache.Store, asksAnew: boolean): ReplyCache.Store =>
  asksAnew ? { ...store, find: () => Effect.succeed({ _tag: "None" }) } : store

/** The cache of a connection; undefined where nothing is kept. What is wrong with the disk takes nothing from a command. */
const made = Effect.fnUntraced(function*(asksAnew: boolean) {
  const { options: { token }, service } = yield* Connection
  const found = yield* Kept.where(choice, service)
  if (found === undefined || Effect.isEffect(token)) return undefined
  const secret = yield* Effect.result(secretOf(found.path))
  if (Result.isFailure(secret)) return yield* tell(found.path, secret.failure.message)
  if (secret.success.length !== secretBytes) {
    return yield* tell(found.path, `its ${secretFile} is damaged: \`marketdata cache clear\` removes it`)
  }
  const store = yield* ReplyCache.makeDiskStore({ directory: found.path, maxBytes: yield* maxBytes })
  return ReplyCache.make(answering(store, asksAnew), { account: accountOf(secret.success, token) })
})

/** The cache of the connection that is provided, for a client that is made with it. */
export const layer = (asksAnew: boolean) =>
  Layer.effectContext(
    Effect.map(
      made(asksAnew),
      (cache): Context.Context<never> =>
        cache === undefined ? Context.empty() : Context.make(ReplyCache.ReplyCache, cache)
    )
  )

/** Looks whether replies can be kept, which a command does without a word. */
export const check = Effect.fnUntraced(function*(service: Connection["Service"]["service"]) {
  const found = yield* Kept.where(choice, service)
  if (found === undefined) return
  const tried = Effect.andThen(Place.makeFolder(found.path), ReplyCache.checkDisk(found.path))
  yield* Effect.catch(tried, ({ message }) => tell(found.path, message))
})
