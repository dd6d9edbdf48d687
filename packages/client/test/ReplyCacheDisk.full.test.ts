import { Effect, Layer, References } from "effect"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { directory, filesIn, replyOf, storeIn } from "./support/keptReplies.ts"

const isEntry = (file: string) => file.endsWith(".reply")
const bytesIn = (path: string) => filesIn(path).filter(isEntry).reduce((sum, file) => sum + Fs.statSync(file).size, 0)

describe("many processes with one cache", () => {
  const writer = (directory: string, maxBytes: number, seed: number): ChildProcess => {
    const program = join(import.meta.dirname, "support", "cacheWriter.ts")
    const words = ["--conditions=@effect-marketdata/source", program, directory, String(maxBytes), String(seed)]
    return spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] })
  }

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

  it.live("has whole entries only, within the bytes of each of them, whenever it is killed", function*() {
    const path = yield* directory
    const maxBytes = 300_000
    for (const round of [0, 1]) {
      const begun = [0, 1].map((at) => writer(path, maxBytes, round * 100 + at * 7))
      const killed = begun.map((child, at) => killedAfter(child, 20 + 13 * at + 5 * round))
      yield* Effect.promise(() => Promise.all(killed))
    }
    const store = yield* storeIn(path, maxBytes)
    let found = 0
    for (let key = 0; key < 40; key++) {
      const entry = yield* store.find(`key ${key}`)
      assert.notStrictEqual(entry._tag, "Damaged")
      if (entry._tag !== "Kept") continue
      found++
      const { receivedAt } = entry.replies[0]!
      assert.deepStrictEqual([entry.replies, receivedAt % 40], [[replyOf(receivedAt)], key])
    }
    assert.isAbove(found, 0)
    // Two wrote at once, and within the hour neither looks at what the other wrote.
    assert.isAtMost(bytesIn(path), 2 * (maxBytes + 21_000))
    // The next one that writes has the bytes it is allowed, and no more.
    const last = yield* storeIn(path, 100_000)
    yield* last.keep("one more", [replyOf(1)])
    assert.isAtMost(bytesIn(path), 100_000)
  })
})

describe("a small disk", () => {
  /** A file system of its own, where this user may mount one. */
  const mounted = (options: string) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const path = Fs.mkdtempSync(join(tmpdir(), "small-disk-"))
        const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `mode=700,${options}`, "tmpfs", path])
        return { path, isThere: status === 0 }
      }),
      ({ isThere, path }) =>
        Effect.sync(() => {
          if (isThere) spawnSync("umount", [path])
          Fs.rmSync(path, { recursive: true, force: true })
        })
    )

  const cases = [["is full", "size=64k"], ["has no inodes", "nr_inodes=8"], ["is read-only", "ro"]] as const
  for (const [what, options] of cases) {
    it.live(`that ${what} takes nothing from a query, and has no half of a file`, function*() {
      const { path } = yield* mounted(options)
      const store = yield* storeIn(join(path, "cache"))
      for (let number = 0; number < 10; number++) {
        yield* store.keep(`key ${number}`, [replyOf(number)])
        const found = yield* store.find(`key ${number}`)
        if (found._tag === "Kept") assert.deepStrictEqual(found.replies, [replyOf(number)])
        else assert.strictEqual(found._tag, "None")
      }
      const files = Fs.existsSync(join(path, "cache", "replies-2")) ? filesIn(join(path, "cache")) : []
      assert.isTrue(files.every(isEntry), files.join())
    }, Layer.succeed(References.MinimumLogLevel, "None"))
  }

  it.live("has at most 20,000 entries, whoever put them there", function*() {
    const path = yield* directory
    const store = yield* storeIn(path, 100_000_000)
    yield* store.keep("first", [replyOf(0)])
    for (let entry = 0; entry < 45_000; entry++) {
      Fs.writeFileSync(join(path, "replies-2", `${entry.toString(16).padStart(64, "0")}.reply`), "")
    }
    Fs.rmSync(join(path, "written"))
    yield* (yield* storeIn(path, 100_000_000)).keep("second", [replyOf(1)])
    assert.isAtMost(filesIn(path).length, 20_000)
  })
})
