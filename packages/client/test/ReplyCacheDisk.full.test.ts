import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import { join } from "node:path"
import { directory, filesIn, replyOf, storeIn } from "./support/keptReplies.ts"

describe("many processes with one cache", () => {
  const writer = (directory: string, maxBytes: number, seed: number): ChildProcess =>
    spawn(
      process.execPath,
      [
        "--conditions=@effect-marketdata/source",
        join(import.meta.dirname, "support", "cacheWriter.ts"),
        directory,
        String(maxBytes),
        String(seed)
      ],
      { stdio: ["ignore", "pipe", "inherit"] }
    )

  /** Waits until a writer has kept so many replies, and kills it at the next moment. */
  const killedAfter = async (child: ChildProcess, count: number): Promise<void> => {
    let kept = 0
    for await (const dots of child.stdout!) {
      kept += String(dots).length
      if (kept >= count) break
    }
    child.kill("SIGKILL")
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
  }

  it.live("has whole entries only, within its bytes, whenever each of them is killed", () =>
    Effect.gen(function*() {
      const path = yield* directory
      const maxBytes = 300_000
      for (const round of [0, 1]) {
        const children = [0, 1].map((index) => writer(path, maxBytes, round * 100 + index * 7))
        yield* Effect.promise(() =>
          Promise.all(children.map((child, index) => killedAfter(child, 20 + 13 * index + 5 * round)))
        )
      }
      const store = yield* storeIn(path, maxBytes)
      let found = 0
      for (let key = 0; key < 40; key++) {
        const entry = yield* store.find(`key ${key}`)
        assert.notStrictEqual(entry._tag, "Damaged")
        if (entry._tag !== "Kept") continue
        found++
        const [reply] = entry.replies
        assert.strictEqual(reply!.receivedAt % 40, key)
        assert.deepStrictEqual(reply, replyOf(reply!.receivedAt))
      }
      assert.isAbove(found, 0)
      const total = filesIn(path).filter((name) => name.endsWith(".reply")).reduce(
        (sum, file) => sum + Fs.statSync(file).size,
        0
      )
      assert.isAtMost(total, maxBytes + 2 * (maxBytes / 16 + 21_000))
      // The next one that writes has the bytes it is allowed, and no more.
      const last = yield* storeIn(path, 100_000)
      yield* last.keep("one more", [replyOf(1)])
      const left = filesIn(path).filter((name) => name.endsWith(".reply"))
      assert.isAtMost(left.reduce((sum, file) => sum + Fs.statSync(file).size, 0), 100_000)
    }))
})
