/**
 * The wire between a machine and its database, of a length. It can be cut, in both directions or one: what is sent arrives when it is mended, as after a
 * partition. Its connections can die without a word, and then nothing of them arrives any more, while new ones work.
 */
import * as Effect from "effect/Effect"
import { once } from "node:events"
import * as Net from "node:net"

/** The direction to the database, and the one from it. */
export type Way = "to" | "from"

/** Lays one to a port of this machine; a round trip takes so many milliseconds longer. */
export const lay = Effect.fnUntraced(function*(to: number, roundTrip = 0) {
  const holes = new Set<Way>()
  const pairs = new Set<{ readonly ends: ReadonlyArray<Net.Socket>; readonly flush: () => void; isDead: boolean }>()
  const server = Net.createServer({ noDelay: true }, (near) => {
    const far = Net.connect({ port: to, host: "127.0.0.1", noDelay: true })
    const half = (source: Net.Socket, target: Net.Socket, way: Way) => {
      const waiting: Array<{ readonly at: number; readonly send: () => void }> = []
      let timer: NodeJS.Timeout | undefined
      const flush = (): void => {
        clearTimeout(timer)
        while (!pair.isDead && !holes.has(way) && waiting.length > 0 && waiting[0]!.at <= performance.now()) {
          waiting.shift()!.send()
        }
        if (pair.isDead || holes.has(way) || waiting.length === 0) return
        // A timer goes by the time at which its turn of the event loop began: in a busy process it is early.
        timer = setTimeout(flush, Math.max(1, waiting[0]!.at - performance.now() + 1))
      }
      const later = (send: () => void): void => {
        waiting.push({ at: performance.now() + roundTrip / 2, send })
        flush()
      }
      source.on("data", (bytes) => later(() => void target.write(bytes)))
      // The end of a connection goes the same way as what was said on it.
      source.on("close", () => later(() => target.destroy())).on("error", () => {})
      return flush
    }
    const flushes: Array<() => void> = []
    const pair = { ends: [near, far], flush: () => flushes.forEach((flush) => flush()), isDead: false }
    pairs.add(pair)
    flushes.push(half(near, far, "to"), half(far, near, "from"))
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () =>
      Effect.sync(() => {
        for (const { ends } of pairs) for (const end of ends) end.destroy()
        server.close()
      })
  )
  return {
    port: (server.address() as Net.AddressInfo).port,
    cut: (...ways: ReadonlyArray<Way>) =>
      (ways.length === 0 ? ["to", "from"] as const : ways).forEach((way) => holes.add(way)),
    mend: () => {
      holes.clear()
      for (const { flush } of pairs) flush()
    },
    sever: () => {
      for (const pair of pairs) pair.isDead = true
    }
  }
})
