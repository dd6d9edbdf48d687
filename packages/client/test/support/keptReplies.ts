import * as ReplyCache from "@effect-marketdata/client/ReplyCache"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import * as Fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Patience } from "../../src/cache/store.ts"

/** A directory of the test's own, which is removed after it. */
export const directory = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(join(tmpdir(), "reply-cache-"))),
  (path) => Effect.sync(() => Fs.rmSync(path, { recursive: true, force: true }))
)

/** The files of a cache in a directory. */
export const filesIn = (directory: string): ReadonlyArray<string> =>
  Fs.readdirSync(join(directory, "replies-2")).map((name) => join(directory, "replies-2", name))

/** Waits for the disk as long as a busy machine takes: a test of what is kept is none of how long it takes. */
export const patient = Layer.succeed(Patience, 30_000)

/** The store of a cache in a directory, where a query asks for replies of any size. */
export const storeIn = (directory: string, maxBytes = 1_000_000) =>
  ReplyCache.makeDiskStore({ directory, maxBytes }).pipe(
    Effect.provide([NodeServices.layer, patient]),
    Effect.map((store) => ({ ...store, find: (key: string, most = Infinity) => store.find(key, most) }))
  )

/** A reply whose bytes say which one it is, over and over, and do not compress well. */
export const replyOf = (number: number): ReplyCache.KeptReply => {
  const bytes = new Uint8Array(20_000)
  let state = number + 1
  for (let at = 0; at < bytes.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[at] = state >>> 16
  }
  return {
    endpoint: "stockPrices",
    tickers: [String(number)],
    sentMode: "cached",
    maxAge: { _tag: "Relative", minutes: 5 },
    receivedAt: number,
    updated: { oldest: number - 5, newest: number },
    status: 203,
    mediaType: "application/json",
    reported: 1,
    requestId: undefined,
    bytes
  }
}
