/** A process that keeps replies in a directory until it is ended, and says so with each one. Its arguments: directory, most bytes, and a seed. */
import * as ReplyCache from "@effect-marketdata/client/ReplyCache"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { replyOf } from "./keptReplies.ts"

const [directory = "", maxBytes, seed] = process.argv.slice(2)

await Effect.runPromise(
  Effect.gen(function*() {
    const store = yield* ReplyCache.makeDiskStore({ directory, maxBytes: Number(maxBytes) })
    for (let number = Number(seed);; number++) {
      yield* store.keep(`key ${number % 40}`, [replyOf(number)])
      writeSync(1, ".")
    }
  }).pipe(Effect.provide(NodeServices.layer))
)
