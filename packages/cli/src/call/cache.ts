/** The cache of replies on this machine, which answers at no cost while they are fresh enough (decision 22). */
import { ReplyCache } from "@effect-marketdata/client"
import { Config, Context, Effect, Layer, Redacted, Result } from "effect"
import { createHmac } from "node:crypto"
import * as Settings from "../settings/settings.ts"
import { Connection } from "./connection.ts"
import * as Kept from "./kept.ts"

/** Room for about four hundred chains of 20,000 contracts. */
const usualBytes = 256 * 1024 * 1024

/** The most bytes of all replies that are kept. */
export const maxBytes = Config.withDefault(Settings.config("cacheBytes"), usualBytes)

/**
 * The name of the account in the cache, because one account must not see another's replies: an HMAC of the token by a secret of this cache. On disk there is
 * only a hash of it and of the query, as the name of a file.
 */
const accountOf = (secret: Uint8Array, token: Redacted.Redacted | undefined): string =>
  token === undefined ? "none" : createHmac("sha256", secret).update(Redacted.value(token)).digest("hex")

/** Says that nothing can be kept in a directory, and why. */
const tell = (directory: string, why: Effect.Error<ReturnType<typeof ReplyCache.checkDisk>>) =>
  // What an invalid directory cost says nothing of the query, which may have been sent.
  Effect.flatMap(Kept.Troubles, (troubles) =>
    Kept.tell(`replies cannot be kept in ${directory}: ${"said" in why ? why.said.what : why.message}`, troubles))

/** The cache of a connection; undefined where none is kept. A disk that fails does not fail the command. */
const made = Effect.fnUntraced(function*(anew: boolean) {
  const { options: { token }, service } = yield* Connection
  const found = yield* Kept.where("cache", service)
  if (found.path === undefined || Effect.isEffect(token)) return undefined
  const secret = yield* Effect.result(ReplyCache.diskSecret(found.path))
  if (Result.isFailure(secret)) return yield* tell(found.path, secret.failure)
  const store = yield* ReplyCache.makeDiskStore({ directory: found.path, maxBytes: yield* maxBytes })
  return yield* ReplyCache.make(store, { account: accountOf(secret.success, token), anew })
})

/** The cache for the client of the provided connection. With `anew` no reply is read from it, but each is kept. */
export const layer = (anew: boolean) =>
  Layer.effectContext(
    Effect.map(
      made(anew),
      (cache): Context.Context<never> =>
        cache === undefined ? Context.empty() : Context.make(ReplyCache.ReplyCache, cache)
    )
  )

/** Reports whether replies can be kept; a command that cannot keep them runs without a message. */
export const check = Effect.fnUntraced(function*(service: Settings.Service) {
  const found = yield* Kept.where("cache", service)
  if (found.path === undefined) return
  yield* Effect.catch(ReplyCache.checkDisk(found.path), (error) => tell(found.path, error))
})
